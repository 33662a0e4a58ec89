"""The papers that documents are printed on: their sizes, and those of their letters.

Units: 812 marks to the inch, four to a dot of a label printer at 203 dpi: bars drawn in whole dots scan.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .elements import ColourImage

DPI = 4 * 203
MM = DPI / 25.4
POINT = DPI / 72
LABEL_IN = (4.0, 6.0)
NARROW_IN, SMALLEST_IN = 6, (3.5, 5.0)
SAME_IN = 0.1  # sides that differ by less are the same paper


class TypeSizes(NamedTuple):
    """The heights of letters on a paper."""

    tiny: int
    small: int
    normal: int
    large: int
    title: int


ON_SHEETS = TypeSizes(*(round(size * POINT) for size in (6, 7, 9, 12, 18)))
ON_LABELS = TypeSizes(*(round(size * POINT) for size in (5.5, 6.5, 8, 10.5, 13)))
ON_PALLETS = TypeSizes(*(round(size * POINT) for size in (9, 11, 15, 21, 28)))


@dataclass(frozen=True, slots=True)
class PaperSize:
    """A paper: its name, its sides in inches, its margin in millimetres."""

    name: str
    wide_in: float
    high_in: float
    margin_mm: float

    @property
    def is_narrow(self) -> bool:
        """Whether blocks that are side by side on a sheet are placed below each other."""
        return self.wide_in < NARROW_IN

    @property
    def type(self) -> TypeSizes:
        return ON_LABELS if min(self.wide_in, self.high_in) < NARROW_IN else ON_SHEETS

    @property
    def half(self) -> PaperSize:
        """The upper half of a sheet."""
        return PaperSize(f"half {self.name}", self.wide_in, self.high_in / 2, 8)


LETTER = PaperSize("letter", 8.5, 11, 14)
A4 = PaperSize("a4", 210 / 25.4, 297 / 25.4, 14)
LABEL_4X6 = PaperSize("4x6", *LABEL_IN, 4)
PAPERS = {paper.name: paper for paper in (LETTER, A4, LABEL_4X6)}


def find_paper(size_in: tuple[float, float]) -> PaperSize:
    """The paper with these sides in inches; one that is too small for a document counts as 4x6."""
    wide, high = size_in
    for paper in PAPERS.values():
        if abs(paper.wide_in - wide) < SAME_IN and abs(paper.high_in - high) < SAME_IN:
            return paper
    if wide < SMALLEST_IN[0] or high < SMALLEST_IN[1]:
        return LABEL_4X6
    return PaperSize(f"{wide:g}x{high:g}", wide, high, 4 if wide < NARROW_IN else 14)


@dataclass(frozen=True, slots=True)
class Letterhead:
    """What a document is printed on, and what every document shows.

    Shapes: `day` is the date if the document's own data name none.
    """

    paper: PaperSize = A4
    logo: ColourImage | None = None
    day: str = ""
    sample: bool = False


PLAIN = Letterhead()
