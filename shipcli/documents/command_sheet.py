"""A sheet of barcodes that a station takes for commands: scanned from the wall beside the bench."""

from __future__ import annotations

from collections.abc import Sequence

from shipcli.drawing import code128
from shipcli.drawing.formats.pdf import write_pdf
from shipcli.drawing.page_layout import DOT, QUIET, PageLayout
from shipcli.drawing.paper import MM, Letterhead

HIGH_MM, ROW_MM = 16, 34
TITLE = "Packing station"


def draw_sheet(commands: Sequence[tuple[str, str]], letterhead: Letterhead) -> bytes:
    """A PDF with two barcodes in a row; one that is too wide for half a row has its own.

    Shapes: a command is what its barcode holds, and what it does.
    """
    layout = PageLayout(letterhead, footer=TITLE)
    layout.heading(TITLE)
    half = (layout.across - layout.gap) // 2
    column = 0
    for code, words in commands:
        is_wide = (code128.count_modules(code) + 2 * QUIET) * 2 * DOT > half
        if column == 0 or is_wide:
            layout.y += round(ROW_MM * MM) if column else 0
            layout.make_room(round(ROW_MM * MM))
            column = 0
        _draw_command(layout, column * (half + layout.gap), layout.across if is_wide else half, (code, words))
        column = 0 if is_wide else 1 - column
        layout.y += round(ROW_MM * MM) if column == 0 else 0
    return write_pdf(layout.pages(), TITLE)


def _draw_command(layout: PageLayout, right: int, room: int, command: tuple[str, str]) -> None:
    code, words = command
    layout.text(layout.left + right, layout.y, words, bold=True, room=room, align="C")
    layout.bars(layout.left + right, layout.y + round(7 * MM), room, code, HIGH_MM)
