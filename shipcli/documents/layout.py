"""A sheet of paper filled from the top: headings, blocks, paragraphs, bars.

Units: those of `paper`, from the top left corner.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shipcli.documents.paper import DPI, MM, Stationery, TypeSizes
from shipcli.documents.wrapping import replace_unprintable, wrap_text
from shipcli.drawing import code128
from shipcli.drawing.elements import Bars, Colour, Element, Page, Photo, Rule, Text
from shipcli.drawing.shaping import measure_width

LEADING = 1.28
DOT = 4  # of a label printer
QUIET = 10  # modules left white beside bars
LOGO_MM = {True: (40, 9), False: (70, 16)}  # the most a logo takes, on narrow paper and on sheets

Party = tuple[str, Sequence[str]]


class Book:
    """Pages under way. Marks go on the last page; `y` is where the next one begins.

    `foot` stands at the end of every page with its number, `again` at the top of every further page.
    """

    def __init__(
        self, look: Stationery, foot: str = "", type: TypeSizes | None = None, again: str = ""
    ) -> None:
        paper = look.paper
        self.look, self.type, self.is_narrow = look, type or paper.type, paper.is_narrow
        self.wide, self.high = round(paper.wide_in * DPI), round(paper.high_in * DPI)
        self.left = self.top = round(paper.margin_mm * MM)
        self.right = self.wide - self.left
        self.again = again
        self.foot, self._foot_y = foot, self.high - self.top - self.type.small
        self.bottom = self._foot_y - self.type.small if foot else self.high - self.top
        self.gap = self.type.normal * 7 // 4
        self.sheets = [list[Element]()]
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
        if self.again:
            self.line(f"{self.again}, sheet {len(self.sheets)}", bold=True)

    def need(self, height: int) -> None:
        """Begin another page unless this much room is left."""
        if self.y + height > self.bottom and self.y > self.top:
            self.turn()

    def sink(self, height: int) -> int:
        """Go on so far above the end of the page, where what closes a form stands, or at the top of the next
        page; where that ends.
        """
        sheets = len(self.sheets)
        self.need(height)
        if len(self.sheets) == sheets:
            self.y = max(self.y, self.bottom - height)
        return self.y + height

    # -- words -----------------------------------------------------------------------------------

    def text(
        self,
        x: int,
        y: int,
        text: str,
        size: int = 0,
        *,
        bold: bool = False,
        room: int = 0,
        align: str = "L",
    ) -> None:
        """One line, of normal size unless told; it is drawn smaller when it is wider than its room."""
        text, size = replace_unprintable(text), size or self.type.normal
        wide = measure_width(text, bold) if text else 0
        if not wide:
            return
        fitted = min(size, room * 1000 // wide) if room else size
        self.add(Text(x, y + (size - fitted) // 2, fitted, text, room, align, bold))

    def line(self, text: str, size: int = 0, *, bold: bool = False) -> None:
        """One line over the whole width."""
        self.text(self.left, self.y, text, size, bold=bold, room=self.across)
        self.y += round((size or self.type.normal) * LEADING)

    def lines(self, x: int, lines: Iterable[str], *, room: int = 0) -> None:
        """Lines of normal size below each other."""
        for line in lines:
            self.text(x, self.y, line, room=room)
            self.y += round(self.type.normal * LEADING)

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
        self.text(x, y, title, self.type.small, room=room)
        y += round(self.type.small * 1.5)
        texts: list[tuple[str, bool]] = []
        size = 0
        for size in (self.type.normal, self.type.small, self.type.tiny):
            cut = [
                (wrap_text(line, room, size, at == 0, 3), at == 0)
                for at, line in enumerate(filter(None, lines))
            ]
            texts = [(part, bold) for parts, bold in cut for part in parts]
            if len(texts) <= most:
                break
        for text, bold in texts:
            self.text(x, y, text, size, bold=bold, room=room)
            y += round(size * LEADING)
        return y

    def pairs(self, x: int, y: int, room: int, pairs: Sequence[tuple[str, str]], share: float = 0.4) -> int:
        """Names and values beside each other; where they end."""
        names, normal = round(room * share), self.type.normal
        for name, value in pairs:
            self.text(x, y + (normal - self.type.small) * 4 // 5, name, self.type.small, room=names - 40)
            for line in wrap_text(value, room - names, normal, True, 3):
                self.text(x + names, y, line, bold=True, room=room - names)
                y += round(normal * LEADING)
            y += 12
        return y

    def flow_pairs(self, pairs: Sequence[tuple[str, str]], share: float) -> None:
        """Names and values over the whole width, on further pages where this one ends."""
        room = self.across - round(self.across * share)
        for pair in pairs:
            lines = wrap_text(pair[1], room, self.type.normal, True, 3)
            self.need(len(lines) * round(self.type.normal * LEADING))
            self.y = self.pairs(self.left, self.y, self.across, [pair], share)

    def paragraph(self, text: str, size: int = 0, *, bold: bool = False) -> None:
        """Text over the whole width."""
        size = size or self.type.normal
        lines = wrap_text(text, self.across, size, bold)
        self.need(round(size * LEADING) * len(lines))
        for line in lines:
            self.line(line, size, bold=bold)

    def phrases(self, phrases: Iterable[str]) -> None:
        """Phrases over the whole width, none of them torn."""
        lines: list[str] = []
        for phrase in phrases:
            joined = f"{lines[-1]}    {phrase}" if lines else phrase
            fits = measure_width(replace_unprintable(joined), False) * self.type.normal <= self.across * 1000
            lines = [*lines[:-1], joined] if lines and fits else [*lines, phrase]
        self.need(len(lines) * round(self.type.normal * LEADING))
        for line in lines:
            self.line(line)

    # -- the head of a document ------------------------------------------------------------------

    def heading(self, title: str, code: str = "") -> None:
        """The logo over the title, and on its right the number that stands for the paper, as bars; on narrow
        paper the logo beside the title, and the bars below.
        """
        top, size = self.y, self.type.title
        taken = self._logo(self.look.logo) if self.look.logo else (0, 0)
        room = self.across - taken[0] if self.is_narrow else self.across
        self.y += 0 if self.is_narrow else taken[1]
        shown = title + ("  SAMPLE" if self.look.sample else "")
        self.text(self.left, self.y, shown, size, bold=True, room=room)
        self.y = max(self.y + round(size * 1.4), top + taken[1])
        if self.is_narrow:
            self.y += self.bars(self.left, self.y, self.across, code, 9)
        elif high := self.bars(self.left + self.across // 2, top, self.across // 2, code, 10, "R"):
            self.y = max(self.y, top + high)
        self.y += self.gap // 3

    def _logo(self, logo: Photo) -> tuple[int, int]:
        """The width and height it takes, with the room around it."""
        most_wide, most_high = (round(side * MM) for side in LOGO_MM[self.is_narrow])
        across, down = logo.pixels
        scale = min(most_wide / across, most_high / down)
        wide, high = max(1, round(across * scale)), max(1, round(down * scale))
        x = self.right - wide if self.is_narrow else self.left
        self.add(logo._replace(x=x, y=self.y, width=wide, height=high))
        return wide + self.gap, high + self.gap // 2

    def bars(self, x: int, y: int, room: int, code: str, high_mm: float, align: str = "C") -> int:
        """A Code 128 of whole dots with its number below, its quiet zone in the room or the margin; the
        height of both, 0 when it does not fit.
        """
        if not (code and code.isascii() and code.isprintable()):
            return 0
        count, high = code128.count_modules(code), round(high_mm * MM)
        white = room + 2 * self.left if align == "C" else room
        module = next((one for one in (3 * DOT, 2 * DOT) if (count + 2 * QUIET) * one <= white), 0)
        if not module:
            return 0
        wide = count * module
        start = x + (room - wide) // (2 if align == "C" else 1)
        self.add(Bars(start // DOT * DOT, y, module, high, code))
        self.text(start, y + high + 25, code, self.type.small, room=wide, align="C")
        return high + round(self.type.small * 1.9)

    def parties(self, parties: Sequence[Party], pairs: Sequence[tuple[str, str]]) -> None:
        """Who is concerned, on the left, and pairs of names and values on the right; on narrow paper two
        beside each other, and the pairs below.
        """
        half = (self.across - self.gap) // 2
        right = self.left + half + self.gap
        if self.is_narrow:
            for at in range(0, len(parties), 2):
                places = zip((self.left, right), parties[at : at + 2], strict=False)
                self.y = max(self.block(x, self.y, half, *party) for x, party in places) + self.gap // 3
            self.flow_pairs(pairs, 0.34)
            self.y += self.gap // 3
            return
        end = self.y
        for at, party in enumerate(parties):
            end = self.block(self.left, end + (self.gap // 2 if at else 0), half, *party)
        self.y = max(end, self.pairs(right, self.y, half, pairs)) + self.gap // 2

    def places(self, y: int, places: Sequence[tuple[str, str]]) -> None:
        """Lines to write on beside each other: what stands there already, and what belongs there."""
        share = (self.across + self.gap) // len(places)
        for at, (value, caption) in enumerate(places):
            x, wide = self.left + at * share, share - self.gap
            self.text(x, y - round(self.type.normal * 1.3), value, bold=True, room=wide)
            self.rule(x, y, wide)
            self.text(x, y + 25, caption, self.type.small, room=wide)
        self.y = y + self.type.small * 2

    # -- the end ---------------------------------------------------------------------------------

    def pages(self) -> tuple[Page, ...]:
        """The pages, numbered when the book has a foot."""
        if self.foot:
            y, most, small = self._foot_y, self.across * 4 // 5, self.type.small
            for at, sheet in enumerate(self.sheets, 1):
                sheet.append(Text(self.left, y, small, wrap_text(self.foot, most, small, False, 1)[0]))
                number = f"{at} / {len(self.sheets)}"
                sheet.append(Text(self.left + most, y, small, number, self.across - most, "R"))
        return tuple(Page(self.wide, self.high, tuple(sheet), DPI) for sheet in self.sheets)
