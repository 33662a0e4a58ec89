"""A plain form with a table, such as a carrier's end-of-day manifest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from . import code128
from .elements import DPI, Bars, Element, Page, Rule, Text
from .layout import QUIET_MODULES, Block
from .pdf import write_pdf
from .shaping import clean, measure_width

LEFT, TOP, MARGIN_BELOW = 120, 120, 140
ROW = 44
BAR_MODULE, BAR_HEIGHT = 2, 150
_SIGNATURE_HEIGHT = 190


class Sheet(NamedTuple):
    """A paper in dots."""

    width: int
    height: int

    @property
    def right(self) -> int:
        """Where the right margin begins."""
        return self.width - LEFT

    @property
    def bottom(self) -> int:
        """Where the margin below begins."""
        return self.height - MARGIN_BELOW


A4 = Sheet(round(210 / 25.4 * DPI), round(297 / 25.4 * DPI))
LETTER = Sheet(round(8.5 * DPI), 11 * DPI)


def draw_form(
    title: str,
    rows: Sequence[Sequence[str]],
    *,
    columns: Sequence[str],
    address: Block | None = None,
    details: Sequence[tuple[str, str]] = (),
    signature: str | None = "Signature",
    barcode: str | None = None,
    sample: bool = False,
    sheet: Sheet = A4,
) -> bytes:
    """PDF of sheets: title, address block, details (name and value), table of rows, signature, page numbers.

    The number of the form is a barcode below its details, if it is one that is scanned.

    Shapes: every row has as many cells as there are `columns`; an empty table is printed as such.
    Errors: Unprintable; ValueError when a row has another number of cells.
    """
    if any(len(row) != len(columns) for row in rows):
        raise ValueError(f"Every row needs {len(columns)} cells.")
    top = _draw_top(title, address, details, sample, sheet)
    first = max([TOP + 110, *(mark.y + mark.size + 50 for mark in top if isinstance(mark, Text))])
    if barcode:
        bars = _draw_barcode(barcode, first, sheet)
        top, first = [*top, bars], first + bars.height + 50
    parts = _split_pages(rows, first, _SIGNATURE_HEIGHT if signature else 0, sheet)
    edges = _list_column_edges(columns, rows, sheet)
    sheets = []
    for at, part in enumerate(parts):
        start = first if at == 0 else TOP
        marks = [
            *(top if at == 0 else []),
            *_draw_table(columns, part, edges, start),
            _draw_footer(title, at + 1, len(parts), sheet),
        ]
        marks += _draw_signature(signature, sheet) if signature and at == len(parts) - 1 else []
        sheets.append(Page(sheet.width, sheet.height, tuple(marks)))
    return write_pdf(sheets)


def _draw_top(
    title: str, address: Block | None, details: Sequence[tuple[str, str]], sample: bool, sheet: Sheet
) -> list[Element]:
    half = (sheet.right - LEFT) // 2
    marks: list[Element] = [
        _fit(f"{title}  SAMPLE" if sample else title, LEFT, TOP, 64, sheet.right - LEFT, True)
    ]
    if address:
        marks.append(_fit(address.title, LEFT, TOP + 100, 24, half))
        for at, line in enumerate(address.lines):
            marks.append(_fit(line, LEFT, TOP + 134 + at * 38, 30, half - 40, at == 0))
    for at, (name, value) in enumerate(details):
        marks.append(_fit(name, LEFT + half, TOP + 100 + at * 38, 26, half // 2 - 20))
        marks.append(_fit(value, LEFT + half * 3 // 2, TOP + 100 + at * 38, 28, half // 2, True))
    return marks


def _draw_barcode(content: str, y: int, sheet: Sheet) -> Bars:
    """A barcode in the right half, or as far left of it as its quiet zone asks for."""
    wide = BAR_MODULE * code128.count_modules(content)
    x = min((LEFT + sheet.right) // 2, sheet.right - wide - QUIET_MODULES * BAR_MODULE)
    return Bars(x, y, BAR_MODULE, BAR_HEIGHT, content)


def _fit(text: str, x: int, y: int, size: int, room: int, bold: bool = False, align: str = "L") -> Text:
    text = clean(text)
    wide = measure_width(text, bold)
    return Text(x, y, min(size, room * 1000 // wide) if wide else size, text, room, align, bold)


def _split_pages(
    rows: Sequence[Sequence[str]], first: int, reserved: int, sheet: Sheet
) -> list[Sequence[Sequence[str]]]:
    """The rows cut into pages; the signature needs room on the last one."""
    parts, remaining, start = [], list(rows), first
    while len(remaining) > _count_fitting_rows(start, reserved, sheet):
        room = min(max(1, _count_fitting_rows(start, 0, sheet)), len(remaining))
        parts.append(remaining[:room])
        remaining, start = remaining[room:], TOP
    return [*parts, remaining]


def _count_fitting_rows(start: int, reserved: int, sheet: Sheet) -> int:
    return (sheet.bottom - reserved - start) // ROW - 1


def _list_column_edges(columns: Sequence[str], rows: Sequence[Sequence[str]], sheet: Sheet) -> list[int]:
    """Where the columns begin and the last ends: each takes room by its longest cell."""
    cells = [[name, *(row[at] for row in rows)] for at, name in enumerate(columns)]
    widths = [min(max(4, *map(len, column)), 40) for column in cells]
    total, edges = sum(widths), [LEFT]
    for at in range(len(widths)):
        edges.append(LEFT + (sheet.right - LEFT) * sum(widths[: at + 1]) // total)
    return edges


def _draw_table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], edges: list[int], start: int
) -> list[Element]:
    across = edges[-1] - LEFT
    marks: list[Element] = [Rule(LEFT, start, across, 3), Rule(LEFT, start + ROW, across, 3)]
    for at, row in enumerate([columns, *rows]):
        y = start + at * ROW
        marks += [
            _fit(cell, x + 6, y + 10, 24, end - x - 12, at == 0)
            for cell, x, end in zip(row, edges, edges[1:], strict=False)
        ]
        marks.append(Rule(LEFT, y + ROW, across, 1))
    return marks


def _draw_footer(title: str, number: int, count: int, sheet: Sheet) -> Element:
    across = sheet.right - LEFT
    return _fit(f"{title}  {number} / {count}", LEFT, sheet.height - 100, 22, across, align="R")


def _draw_signature(caption: str, sheet: Sheet) -> list[Element]:
    y = sheet.bottom - 50
    return [Rule(LEFT, y, 700, 2), _fit(caption, LEFT, y + 10, 24, 700)]
