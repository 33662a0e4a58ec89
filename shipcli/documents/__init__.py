"""Documents: all papers other than labels. Pure: data in, PDF out; nothing is looked up or stored.

The modules of the built-in documents give pages, which `drawing.pdf` writes. `rendering` renders templates
of users; it is imported only when needed, as it loads Jinja2, xhtml2pdf and reportlab.
"""
