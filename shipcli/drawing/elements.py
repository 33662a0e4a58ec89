"""What a page is made of: the few marks that every writer (PDF, ZPL) draws and the ZPL reader gives back.

Units: whole printer dots, counted from the top left corner of the page; `size` is the height of the em.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

DPI = 203
LABEL_WIDTH = 4 * DPI
LABEL_HEIGHT = 6 * DPI
LABEL_IN = (4.0, 6.0)
BASELINE = 0.8

Colour = tuple[int, int, int]


class Text(NamedTuple):
    """One line of text; `align` places it inside `width` when that is "C" or "R"."""

    x: int
    y: int
    size: int
    text: str
    width: int = 0
    align: str = "L"
    bold: bool = False
    white: bool = False

    def find_start(self, width: int) -> float:
        """Where the line begins if it runs so wide, in thousandths of the em."""
        slack = self.width - width * self.size / 1000
        return self.x + {"L": 0.0, "C": slack / 2, "R": slack}[self.align]


class Rule(NamedTuple):
    """A filled rectangle, black unless it has a colour."""

    x: int
    y: int
    width: int
    height: int
    colour: Colour | None = None


class Bars(NamedTuple):
    """A Code 128; `turned` runs it down the page, `module` is the narrowest bar."""

    x: int
    y: int
    module: int
    height: int
    content: str
    turned: bool = False


class Matrix(NamedTuple):
    """A two-dimensional code; only a MaxiCode has half dots; `columns` and `level` belong to PDF417."""

    x: int
    y: int
    module: float
    symbology: str
    content: str
    columns: int = 0
    level: int = 0


class Bitmap(NamedTuple):
    """A black-and-white picture: rows of whole bytes, highest bit left, 1 is black (white when `white`)."""

    x: int
    y: int
    width: int
    height: int
    data: bytes
    white: bool = False


class ColourImage(NamedTuple):
    """A picture in grey or colour; `filter`, `data` and `parms` are as a PDF image stream wants them.

    Units: `turn` is clockwise, by quarters: 0, 90, 180 or 270 degrees.
    """

    x: int
    y: int
    width: int
    height: int
    pixels: tuple[int, int]
    space: str
    bits: int
    filter: str
    data: bytes
    parms: str = ""
    turn: int = 0


Element = Text | Rule | Bars | Matrix | Bitmap | ColourImage


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its size in dots, its marks in drawing order, and how many dots make an inch."""

    width: int
    height: int
    elements: tuple[Element, ...]
    dpi: int = DPI
