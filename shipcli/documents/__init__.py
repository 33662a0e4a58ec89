"""Documents: what is written on paper beside labels. Pure: data in, PDF out; nothing is looked up or stored.

The modules of the built-in documents give pages, which `drawing.pdf` writes. `rendering` renders templates
of users; it is imported when it is needed, for it pulls Jinja2, xhtml2pdf and reportlab.
"""
