"""Tables that run over pages. On narrow paper less important columns go below each row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from .elements import Colour, Rule
from .page_layout import LEADING, PageLayout, wrap_text
from .text.shaping import measure_width

GREY: Colour = (110, 110, 110)
LIGHT: Colour = (232, 232, 232)

Line = tuple[str, int, bool]  # text, size, whether it is bold
Span = tuple[int, int]  # where a column begins, and its room


class TableColumn(NamedTuple):
    """One column of a table: its heading, its share of the width, how many lines a cell may take.

    Shapes: `narrow` is its share on narrow paper if that differs; with 0 its cells stand below their rows
            there, after its heading unless they are clear without it.
    """

    title: str
    share: int
    align: str = "L"
    lines: int = 3
    narrow: int | None = None
    is_clear: bool = False

    @property
    def stays(self) -> bool:
        """Whether it is a column on narrow paper too."""
        return self.narrow != 0


class Cell(NamedTuple):
    """A cell in bold, or smaller lines below a first one."""

    text: str
    below: tuple[str, ...] = ()
    bold: bool = False


class TableRow(NamedTuple):
    """A row cut into lines: those of each cell, and those below them all."""

    cells: Sequence[Sequence[Line]]
    below: Sequence[Line]

    @property
    def high(self) -> int:
        return max(map(_measure_height, self.cells), default=0) + _measure_height(self.below)


def draw_table(
    book: PageLayout, columns: Sequence[TableColumn], rows: Iterable[Sequence[str | Cell]]
) -> None:
    """Rows under headings; the headings are repeated on every page the table runs over."""
    shown = _select_shown(book, columns)
    spans = _list_spans(book, shown)
    _draw_headings(book, shown, spans)
    for cells in rows:
        row = _cut_row(book, columns, cells, spans)
        if book.y + row.high + 2 * _pad(book) > book.bottom:
            book.start_page()
            _draw_headings(book, shown, spans)
        _draw_row(book, row, shown, spans)


def measure_room(book: PageLayout, columns: Sequence[TableColumn], column: TableColumn) -> tuple[int, int]:
    """The room that a column of a table has, and the size of its letters."""
    shown = _select_shown(book, columns)
    spans = _list_spans(book, shown)
    if column.stays or not book.is_narrow:
        at = [column for column in columns if column.stays or not book.is_narrow].index(column)
        return spans[at][1], book.type.normal
    title = measure_width(f"{column.title} ", False) * book.type.small // 1000
    return _measure_room_below(book, spans) - title, book.type.small


def _select_shown(book: PageLayout, columns: Sequence[TableColumn]) -> Sequence[TableColumn]:
    if not book.is_narrow:
        return columns
    return [column._replace(share=column.narrow or column.share) for column in columns if column.stays]


def _pad(book: PageLayout) -> int:
    return book.type.normal // 4


def _list_spans(book: PageLayout, columns: Sequence[TableColumn]) -> list[Span]:
    pad, total = book.type.normal * 2 // 5, sum(column.share for column in columns)
    shares = [sum(column.share for column in columns[:at]) for at in range(len(columns) + 1)]
    edges = [book.left + book.across * share // total for share in shares]
    return [(start + pad, end - start - 2 * pad) for start, end in pairwise(edges)]


def _draw_headings(book: PageLayout, columns: Sequence[TableColumn], spans: Sequence[Span]) -> None:
    small = book.type.small
    titles = [
        [(line, small, True) for line in wrap_text(column.title, room, small, True, 2)]
        for column, (_, room) in zip(columns, spans, strict=True)
    ]
    high = TableRow(titles, ()).high + 2 * _pad(book)
    book.make_room(high + 3 * book.type.normal)
    book.add(Rule(book.left, book.y, book.across, high, LIGHT))
    _draw_cells(book, titles, columns, spans)
    book.y += high
    book.rule(book.left, book.y, book.across)


def _cut_row(
    book: PageLayout, columns: Sequence[TableColumn], cells: Sequence[str | Cell], spans: Sequence[Span]
) -> TableRow:
    """A row cut into lines; on narrow paper cells without a column go below the others."""
    normal, small = book.type.normal, book.type.small
    pairs = [
        (column, cell if isinstance(cell, Cell) else Cell(cell))
        for column, cell in zip(columns, cells, strict=True)
    ]
    shown = [(column, cell) for column, cell in pairs if column.stays or not book.is_narrow]
    lines = [
        [
            *((line, normal, cell.bold)
              for line in wrap_text(cell.text, room, normal, cell.bold, column.lines)),
            *((line, small, False) for text in cell.below for line in wrap_text(text, room, small, False, 3)),
        ]
        for (column, cell), (_, room) in zip(shown, spans, strict=True)
    ]  # fmt: skip
    others = " | ".join(
        cell.text if column.is_clear else f"{column.title} {cell.text}"
        for column, cell in pairs
        if book.is_narrow and not column.stays and cell.text
    )
    below = wrap_text(others, _measure_room_below(book, spans), small)
    return TableRow(lines, [(line, small, False) for line in below])


def _measure_room_below(book: PageLayout, spans: Sequence[Span]) -> int:
    """The room for what goes below a row: from the start of the widest column."""
    start, _ = max(spans, key=lambda span: span[1])
    return book.right - start


def _draw_row(book: PageLayout, row: TableRow, columns: Sequence[TableColumn], spans: Sequence[Span]) -> None:
    _draw_cells(book, row.cells, columns, spans)
    book.y += row.high - _measure_height(row.below) + _pad(book)
    for line, size, _ in row.below:
        room = _measure_room_below(book, spans)
        book.text(book.right - room, book.y, line, size, room=room)
        book.y += round(size * LEADING)
    book.y += _pad(book)
    book.rule(book.left, book.y, book.across, 3, GREY)


def _draw_cells(
    book: PageLayout, cells: Sequence[Sequence[Line]], columns: Sequence[TableColumn], spans: Sequence[Span]
) -> None:
    for lines, column, (x, room) in zip(cells, columns, spans, strict=True):
        y = book.y + _pad(book)
        for line, size, bold in lines:
            book.text(x, y, line, size, bold=bold, room=room, align=column.align)
            y += round(size * LEADING)


def _measure_height(lines: Sequence[Line]) -> int:
    return sum(round(size * LEADING) for _, size, _ in lines)
