"""A sheet of paper filled from the top: blocks, paragraphs, tables that run over pages.

Units: tenths of a point, from the top left corner. Characters that no bundled font has become question marks:
a document must not fail for an emoji in a name.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from shipcli.drawing.elements import Colour, Element, Page, Rule, Text
from shipcli.drawing.shaping import clean, width
from shipcli.drawing.typefaces import font_for

DPI = 720
MM = DPI / 25.4
A4 = round(210 * MM), round(297 * MM)
TINY, SMALL, NORMAL, LARGE, TITLE = 55, 65, 80, 110, 180
LEADING = 1.28
WHOLE = 1.35  # how much too long a word may be and stay whole
GREY: Colour = (110, 110, 110)
LIGHT: Colour = (232, 232, 232)
JOINERS = "\u200c\u200d"


class TableColumn(NamedTuple):
    """One column of a table: its heading, its share of the width, how many lines a cell may take."""

    title: str
    share: int
    align: str = "L"
    lines: int = 3


class Cell(NamedTuple):
    """A cell in bold, or smaller lines below a first one."""

    text: str
    below: tuple[str, ...] = ()
    bold: bool = False


def printable(text: str) -> str:
    """The text on one line, with a question mark for what no font shows."""
    text = clean(text)
    if text.isascii():
        return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)
    return "".join(c if c in JOINERS or c.isspace() or font_for(c) else "?" for c in text if c.isprintable())


@lru_cache(maxsize=4096)
def wrapped(text: str, room: int, size: int, bold: bool = False, most: int = 0) -> tuple[str, ...]:
    """The text cut into lines that fit; beyond `most` lines (0 is any) the last one ends in dots."""
    text, ems = printable(text), room * 1000 // size
    if width(text, bold) <= ems:
        return (text,) if text else ()
    lines: list[str] = []
    for word in text.split(" "):
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and width(joined, bold) <= ems:
            lines[-1] = joined
        else:
            lines += _pieces(word, ems, bold)
    if most and len(lines) > most:
        lines = [*lines[: most - 1], _shortened(" ".join(lines[most - 1 :]), ems, bold)]
    return tuple(lines)


def _pieces(word: str, ems: int, bold: bool) -> list[str]:
    """A word that is much too long, in pieces; letters stay with the marks they carry.

    One that is a little too long is better drawn smaller: a number must not be cut.
    """
    pieces = [""]
    for letter in word if width(word, bold) > ems * WHOLE else ():
        carried = unicodedata.category(letter) in ("Mn", "Mc") or letter in JOINERS
        if pieces[-1] and not carried and width(pieces[-1] + letter, bold) > ems:
            pieces.append("")
        pieces[-1] += letter
    return pieces if pieces != [""] else [word]


def _shortened(text: str, ems: int, bold: bool) -> str:
    while text and width(f"{text}...", bold) > ems:
        text = text[:-1]
    return f"{text.rstrip()}..."


class Book:
    """Pages under way. Marks go on the last page; `y` is where the next one begins."""

    def __init__(self, size: tuple[int, int] = A4, margin: int = round(14 * MM), foot: str = "") -> None:
        self.wide, self.high = size
        self.left, self.right = margin, size[0] - margin
        self.top, self.bottom = margin, size[1] - margin - (120 if foot else 0)
        self.foot, self.sheets = foot, [list[Element]()]
        self.y = self.top

    @property
    def across(self) -> int:
        """The width between the margins."""
        return self.right - self.left

    def add(self, *marks: Element) -> None:
        """Marks on the page under way."""
        self.sheets[-1] += marks

    def turn(self) -> None:
        """Begin another page."""
        self.sheets.append([])
        self.y = self.top

    def need(self, height: int) -> None:
        """Begin another page unless this much room is left."""
        if self.y + height > self.bottom and self.y > self.top:
            self.turn()

    def text(
        self,
        x: int,
        y: int,
        text: str,
        size: int = NORMAL,
        *,
        bold: bool = False,
        room: int = 0,
        align: str = "L",
    ) -> None:
        """One line; it is drawn smaller when it is wider than its room."""
        text = printable(text)
        wide = width(text, bold) if text else 0
        if not wide:
            return
        fitted = min(size, room * 1000 // wide) if room else size
        self.add(Text(x, y + (size - fitted) // 2, fitted, text, room, align, bold))

    def lines(
        self, x: int, y: int, lines: Iterable[str], size: int = NORMAL, *, bold: int = 0, room: int = 0
    ) -> int:
        """Lines below each other, the first `bold` of them bold; where they end."""
        step = round(size * LEADING)
        for at, line in enumerate(lines):
            self.text(x, y, line, size, bold=at < bold, room=room)
            y += step
        return y

    def rule(self, x: int, y: int, wide: int, thick: int = 5, colour: Colour | None = None) -> None:
        """A horizontal line."""
        self.add(Rule(x, y, wide, thick, colour))

    def box(self, x: int, y: int, wide: int, high: int, thick: int = 5) -> None:
        """The outline of a rectangle."""
        self.add(
            Rule(x, y, wide, thick),
            Rule(x, y + high - thick, wide, thick),
            Rule(x, y, thick, high),
            Rule(x + wide - thick, y, thick, high),
        )

    def block(self, x: int, y: int, room: int, title: str, lines: Sequence[str], *, most: int = 12) -> int:
        """A small heading over lines, the first in bold, in the largest size at which all are there. Where
        it ends.
        """
        self.text(x, y, title, SMALL, room=room)
        y += round(SMALL * 1.5)
        texts: list[tuple[str, bool]] = []
        size = NORMAL
        for size in (NORMAL, SMALL, TINY):
            cut = [
                (wrapped(line, room, size, at == 0, 2), at == 0)
                for at, line in enumerate(filter(None, lines))
            ]
            texts = [(part, bold) for parts, bold in cut for part in parts]
            if len(texts) <= most:
                break
        for text, bold in texts:
            self.text(x, y, text, size, bold=bold, room=room)
            y += round(size * LEADING)
        return y

    def pairs(self, x: int, y: int, room: int, pairs: Sequence[tuple[str, str]], share: float = 0.42) -> int:
        """Names and values beside each other; where they end."""
        names = round(room * share)
        for name, value in pairs:
            self.text(x, y + 8, name, SMALL, room=names - 40)
            for line in wrapped(value, room - names, NORMAL, True, 2):
                self.text(x + names, y, line, NORMAL, bold=True, room=room - names)
                y += round(NORMAL * LEADING)
            y += 12
        return y

    def paragraph(self, text: str, size: int = NORMAL, *, bold: bool = False) -> None:
        """Text over the whole width."""
        lines = wrapped(text, self.across, size, bold)
        step = round(size * LEADING)
        self.need(step * len(lines))
        for line in lines:
            self.text(self.left, self.y, line, size, bold=bold, room=self.across)
            self.y += step

    # -- tables ----------------------------------------------------------------------------------

    def table(self, columns: Sequence[TableColumn], rows: Iterable[Sequence[str | Cell]]) -> None:
        """Rows under headings; the headings are repeated on every page the table runs over."""
        edges = self._edges(columns)
        self._headings(columns, edges)
        for row in rows:
            cells = [
                self._cell(cell, column, end - start - 60)
                for cell, column, start, end in zip(row, columns, edges, edges[1:], strict=False)
            ]
            high = max((_height(cell) for cell in cells), default=0) + 50
            if self.y + high > self.bottom:
                self.turn()
                self._headings(columns, edges)
            self._row(cells, columns, edges, high)

    def _edges(self, columns: Sequence[TableColumn]) -> list[int]:
        total, edges = sum(column.share for column in columns), [self.left]
        for at in range(len(columns)):
            edges.append(self.left + self.across * sum(one.share for one in columns[: at + 1]) // total)
        return edges

    def _headings(self, columns: Sequence[TableColumn], edges: Sequence[int]) -> None:
        room = [end - start - 60 for start, end in pairwise(edges)]
        titles = [wrapped(one.title, wide, SMALL, True, 2) for one, wide in zip(columns, room, strict=True)]
        high = 50 + max(map(len, titles)) * round(SMALL * LEADING)
        self.need(high + 300)
        self.add(Rule(self.left, self.y, self.across, high, LIGHT))
        for lines, column, start, wide in zip(titles, columns, edges, room, strict=False):
            for at, line in enumerate(lines):
                y = self.y + 25 + at * round(SMALL * LEADING)
                self.text(start + 30, y, line, SMALL, bold=True, room=wide, align=column.align)
        self.y += high
        self.rule(self.left, self.y, self.across, 5)

    def _cell(self, cell: str | Cell, column: TableColumn, room: int) -> list[tuple[str, int, bool]]:
        found = cell if isinstance(cell, Cell) else Cell(cell)
        main = [
            (line, NORMAL, found.bold) for line in wrapped(found.text, room, NORMAL, found.bold, column.lines)
        ]
        return [
            *main,
            *((line, SMALL, False) for text in found.below for line in wrapped(text, room, SMALL, False, 2)),
        ]

    def _row(
        self,
        cells: Sequence[Sequence[tuple[str, int, bool]]],
        columns: Sequence[TableColumn],
        edges: Sequence[int],
        high: int,
    ) -> None:
        for lines, column, start, end in zip(cells, columns, edges, edges[1:], strict=False):
            y = self.y + 25
            for line, size, bold in lines:
                self.text(start + 30, y, line, size, bold=bold, room=end - start - 60, align=column.align)
                y += round(size * LEADING)
        self.y += high
        self.rule(self.left, self.y, self.across, 3, GREY)

    # -- the end ---------------------------------------------------------------------------------

    def pages(self) -> tuple[Page, ...]:
        """The pages, numbered when the book has a foot."""
        if self.foot:
            for at, sheet in enumerate(self.sheets, 1):
                y, half = self.high - self.left + 10, self.across // 2
                sheet.append(Text(self.left, y, SMALL, printable(self.foot), half, "L"))
                sheet.append(Text(self.left + half, y, SMALL, f"{at} / {len(self.sheets)}", half, "R"))
        return tuple(Page(self.wide, self.high, tuple(sheet), DPI) for sheet in self.sheets)


def _height(cell: Sequence[tuple[str, int, bool]]) -> int:
    return sum(round(size * LEADING) for _, size, _ in cell)
