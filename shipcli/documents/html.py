"""HTML to PDF with xhtml2pdf: the bundled fonts, images of `data:` addresses, and nothing from anywhere
else.
"""

from __future__ import annotations

import logging
from functools import cache
from io import BytesIO
from typing import Any

from shipcli.drawing.text.typefaces import LATIN, LATIN_BOLD, find_font, load_face

STYLE = "html { font-family: sans-serif; font-size: 10pt }"
PAGE = "<style>@page {{ size: {sheet}; margin: 1cm }}</style>"
PNG_BASE64 = "iVBORw0KGgo"
UNSEEN = (0x200B, 0xFE0E, 0xFE0F, 0xFEFF)
MOST_COLUMNS, MOST_ROWS, MOST_SPANNED = 100, 1000, 5000  # that one cell spans; all cells of a table
FIXED_WIDTH = ("courier", "mono")


def prepare() -> None:
    """Import everything a render needs and make the bundled Latin font stand for every usual name."""
    import xhtml2pdf.default  # type: ignore[import-untyped]  # the library has no types
    from reportlab.lib.fonts import addMapping
    from xhtml2pdf import document

    logging.getLogger("xhtml2pdf").setLevel(logging.CRITICAL)
    for italic in (0, 1):
        addMapping(LATIN, 0, italic, register_font(LATIN))
        addMapping(LATIN, 1, italic, register_font(LATIN_BOLD))
    fonts = xhtml2pdf.default.DEFAULT_FONT
    for name in fonts:
        if not any(word in name for word in FIXED_WIDTH):
            fonts[name] = LATIN
    document.pisaContext = _make_context_class()
    _limit_spans()


def _limit_spans() -> None:
    """Make tables refuse cells that span more places than a table has; each place takes time and memory."""
    from xhtml2pdf.tables import pisaTagTD  # type: ignore[import-untyped]  # the library has no types

    start = pisaTagTD.start

    def start_bounded(cell: Any, context: Any) -> None:
        columns, rows = cell.attr.colspan or 1, cell.attr.rowspan or 1
        if columns > MOST_COLUMNS or rows > MOST_ROWS:
            most = f"a table has {MOST_COLUMNS} columns and {MOST_ROWS} rows at most"
            raise ValueError(f"a cell spans {columns} columns and {rows} rows; {most}")
        if len(context.tableData.span) + columns * rows > MOST_SPANNED:
            raise ValueError(f"the cells of a table span more than {MOST_SPANNED} places")
        start(cell, context)

    pisaTagTD.start = start_bounded


def _make_context_class() -> Any:
    from xhtml2pdf.context import pisaContext  # type: ignore[import-untyped]  # the library has no types

    class FontContext(pisaContext):  # type: ignore[misc]  # the library is not typed
        """Every list of fonts ends with those that the characters of the document need."""

        further: tuple[str, ...] = ()

        def getFontNames(self, names: Any) -> list[str]:
            fonts = super().getFontNames(names) or [LATIN]
            return [*fonts, *(name for name in (LATIN, *FontContext.further) if name not in fonts)]

    return FontContext


def render_pdf(html: str, sheet: str) -> bytes:
    """The document as PDF, on a sheet of this size unless it names one; what it may not load is left out.

    Errors: ValueError with the reason why it can't be made.
    """
    from xhtml2pdf import document
    from xhtml2pdf.config.resources import RenderLimitError  # type: ignore[import-untyped]  # the library has no types
    from xhtml2pdf.default import DEFAULT_CSS

    html = _replace_unprintable(html)
    document.pisaContext.further = _register_fonts(html)
    out = BytesIO()
    try:
        done = document.pisaDocument(
            html if "@page" in html else PAGE.format(sheet=sheet) + html,
            out,
            encoding="utf-8",
            default_css=DEFAULT_CSS + STYLE,
            resource_policy=_make_policy(),
            link_callback=_link,
            capacity=-1,  # in memory: the library would go on in a file, which the walls forbid
        )
    except RenderLimitError as error:
        raise ValueError(str(error)) from None
    if done.err:
        raise ValueError(str(done.log[0][2]) if done.log else "the document can't be made")
    return out.getvalue()


def _make_policy() -> Any:
    """A policy that allows nothing but the document's own content."""
    from xhtml2pdf.config.resources import ResourceAccessPolicy

    return ResourceAccessPolicy.server(None, allow_remote=False, max_resources=0, max_image_pixels=10_000_000)


def _link(address: str, _: str | None) -> str:
    """Treat bare base64 pictures as images; all else stays as it is and is checked by the policy."""
    return f"data:image/png;base64,{address}" if address.startswith(PNG_BASE64) else address


def _replace_unprintable(html: str) -> str:
    """The text with a question mark for every character that no font shows."""
    strange = {letter for letter in set(html) if not letter.isascii() and letter.isprintable()}
    missing = {ord(letter): "?" for letter in strange if not find_font(letter) and not letter.isspace()}
    return html.translate({**missing, **dict.fromkeys(UNSEEN)})


def _register_fonts(html: str) -> tuple[str, ...]:
    """The fonts, beside the Latin one, that the characters of a document need."""
    from reportlab.lib.fonts import addMapping

    names = {find_font(letter) for letter in set(html) if not letter.isascii() and letter.isprintable()}
    fonts = sorted(name for name in names if name and name != LATIN)
    for name in fonts:
        for bold, italic in ((0, 0), (0, 1), (1, 0), (1, 1)):
            addMapping(register_font(name), bold, italic, name)
    return tuple(fonts)


@cache
def register_font(name: str) -> str:
    """The name of a bundled font, known to reportlab from now on."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    pdfmetrics.registerFont(TTFont(name, BytesIO(load_face(name).data), shapable=False))
    return name
