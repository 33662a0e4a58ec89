"""The use-cases: everything the product does, one module per resource. `App` first, then a model; a model
out.
"""
