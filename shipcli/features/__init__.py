"""What the product does: one room for each noun of the trade. `App` first, then a model; a model out.

Every room has the same file names: `service` for its use-cases, `filters`, `jobs`; other files are nouns of
their own. A room imports rooms on floors below it, never a sibling and never up; the floors stand in
pyproject.toml.
"""
