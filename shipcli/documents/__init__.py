"""Documents: what is written on paper beside labels. Pure: data in, PDF out; nothing is looked up or stored
here.

`paperwork` draws the built-in documents, `rendering` renders templates that users wrote. Both are imported
when
they are needed: they pull reportlab, Jinja2 and xhtml2pdf.
"""
