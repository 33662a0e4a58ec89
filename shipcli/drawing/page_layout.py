"""A sheet of paper filled from the top: headings, blocks, paragraphs, bars.

Characters missing from the bundled fonts become question marks: a document must not fail for an emoji.
Units: those of `paper`, from the top left corner.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shipcli.models.basics.plain_text import drop_pictures

from . import code128
from .elements import Bars, Colour, ColourImage, Element, Page, Rule, Text
from .paper import DPI, MM, Letterhead, TypeSizes
from .text.shaping import JOINERS, clean, measure_width, wrap
from .text.typefaces import find_font

LEADING = 1.28
WHOLE = 1.35  # a word so much too long is better drawn smaller: a number must not be cut
DOT = 4  # of a label printer
QUIET = 10  # modules left white beside bars
LOGO_MM = {True: (40, 9), False: (70, 16)}  # the most a logo takes, on narrow paper and on sheets

Party = tuple[str, Sequence[str]]


class PageLayout:
    """Pages under way. Marks go on the last page; `y` is where the next one begins.

    `footer` stands at the end of every page with its number, `continuation` at the top of every further page.
    """

    def __init__(
        self, stationery: Letterhead, footer: str = "", type: TypeSizes | None = None, continuation: str = ""
    ) -> None:
        paper = stationery.paper
        self.stationery, self.type, self.is_narrow = stationery, type or paper.type, paper.is_narrow
        self.wide, self.high = round(paper.wide_in * DPI), round(paper.high_in * DPI)
        self.left = self.top = round(paper.margin_mm * MM)
        self.right = self.wide - self.left
        self.continuation = continuation
        self.footer, self._footer_y = footer, self.high - self.top - self.type.small
        self.bottom = self._footer_y - self.type.small if footer else self.high - self.top
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

    def start_page(self) -> None:
        """Begin another page."""
        self.sheets.append([])
        self.y = self.top
        if self.continuation:
            self.line(f"{self.continuation}, sheet {len(self.sheets)}", bold=True)

    def make_room(self, height: int) -> None:
        """Begin another page unless this much room is left."""
        if self.y + height > self.bottom and self.y > self.top:
            self.start_page()

    def move_to_end(self, height: int) -> int:
        """Go on at the end of the page, with this much room left for what closes a form, or at the top of the
        next page. Return where that room ends.
        """
        sheets = len(self.sheets)
        self.make_room(height)
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
        """One line, of normal size unless one is given; it is drawn smaller if it is wider than its room."""
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
        """A small heading over lines, the first in bold, in the largest size at which all are there.
        Return where it ends.
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

    def blocks(self, parties: Sequence[Party], *, most: int = 12) -> None:
        """Two blocks beside each other."""
        half = (self.across - self.gap) // 2
        places = zip((self.left, self.left + half + self.gap), parties, strict=False)
        self.y = max(self.block(x, self.y, half, *party, most=most) for x, party in places)

    def pairs(self, x: int, y: int, room: int, pairs: Sequence[tuple[str, str]], share: float = 0.4) -> int:
        """Names and values beside each other. Return where they end."""
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
            self.make_room(len(lines) * round(self.type.normal * LEADING))
            self.y = self.pairs(self.left, self.y, self.across, [pair], share)

    def paragraph(self, text: str, size: int = 0, *, bold: bool = False) -> None:
        """Text over the whole width."""
        size = size or self.type.normal
        lines = wrap_text(text, self.across, size, bold)
        self.make_room(round(size * LEADING) * len(lines))
        for line in lines:
            self.line(line, size, bold=bold)

    def phrases(self, phrases: Iterable[str]) -> None:
        """Phrases over the whole width, none of them torn."""
        lines: list[str] = []
        for phrase in phrases:
            joined = f"{lines[-1]}    {phrase}" if lines else phrase
            fits = measure_width(replace_unprintable(joined), False) * self.type.normal <= self.across * 1000
            lines = [*lines[:-1], joined] if lines and fits else [*lines, phrase]
        self.make_room(len(lines) * round(self.type.normal * LEADING))
        for line in lines:
            self.line(line)

    # -- the head of a document ------------------------------------------------------------------

    def heading(self, title: str, code: str = "") -> None:
        """The logo over the title, and on its right the number that stands for the paper, as bars; on narrow
        paper the logo beside the title, and the bars below.
        """
        top, size = self.y, self.type.title
        taken = self._logo(self.stationery.logo) if self.stationery.logo else (0, 0)
        room = self.across - taken[0] if self.is_narrow else self.across // (2 if code else 1)
        self.y += 0 if self.is_narrow else taken[1]
        shown = title + ("  SAMPLE" if self.stationery.sample else "")
        self.text(self.left, self.y, shown, size, bold=True, room=room)
        self.y = max(self.y + round(size * 1.4), top + taken[1])
        if self.is_narrow:
            self.y += self.bars(self.left, self.y, self.across, code, 9)
        elif high := self.bars(self.left + self.across // 2, top, self.across // 2, code, 10, "R"):
            self.y = max(self.y, top + high)
        self.y += self.gap // 3

    def _logo(self, logo: ColourImage) -> tuple[int, int]:
        """Draw the logo. Return the width and height it takes, with the room around it."""
        most_wide, most_high = (round(side * MM) for side in LOGO_MM[self.is_narrow])
        across, down = logo.pixels
        scale = min(most_wide / across, most_high / down)
        wide, high = max(1, round(across * scale)), max(1, round(down * scale))
        x = self.right - wide if self.is_narrow else self.left
        self.add(logo._replace(x=x, y=self.y, width=wide, height=high))
        return wide + self.gap, high + self.gap // 2

    def bars(self, x: int, y: int, room: int, code: str, high_mm: float, align: str = "C") -> int:
        """A Code 128 of whole dots with its number below, its quiet zone in the room or the margin.
        Return the height of both, or 0 if it does not fit.
        """
        if not (code and code.isascii() and code.isprintable()):
            return 0
        count, high = code128.count_modules(code), round(high_mm * MM)
        white = room + 2 * self.left if align == "C" else room
        module = next((size for size in (3 * DOT, 2 * DOT) if (count + 2 * QUIET) * size <= white), 0)
        if not module:
            return 0
        wide = count * module
        start = x + (room - wide) // (2 if align == "C" else 1)
        self.add(Bars(start // DOT * DOT, y, module, high, code))
        self.text(start, y + high + 25, code, self.type.small, room=wide, align="C")
        return high + round(self.type.small * 1.9)

    def parties(self, parties: Sequence[Party], pairs: Sequence[tuple[str, str]]) -> None:
        """The parties on the left, and pairs of names and values on the right; on narrow paper two parties
        beside each other, and the pairs below.
        """
        if self.is_narrow:
            for at in range(0, len(parties), 2):
                self.blocks(parties[at : at + 2])
                self.y += self.gap // 3
            self.flow_pairs(pairs, 0.34)
            self.y += self.gap // 3
            return
        half = (self.across - self.gap) // 2
        right, end = self.left + half + self.gap, self.y
        for at, party in enumerate(parties):
            end = self.block(self.left, end + (self.gap // 2 if at else 0), half, *party)
        self.y = max(end, self.pairs(right, self.y, half, pairs)) + self.gap // 2

    def signature_lines(self, y: int, places: Sequence[tuple[str, str]]) -> None:
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
        """The pages, numbered if the book has a footer."""
        if self.footer:
            y, most, small = self._footer_y, self.across * 4 // 5, self.type.small
            for at, sheet in enumerate(self.sheets, 1):
                sheet.append(Text(self.left, y, small, wrap_text(self.footer, most, small, False, 1)[0]))
                number = f"{at} / {len(self.sheets)}"
                sheet.append(Text(self.left + most, y, small, number, self.across - most, "R"))
        return tuple(Page(self.wide, self.high, tuple(sheet), DPI) for sheet in self.sheets)


def replace_unprintable(text: str) -> str:
    """The text on one line without pictures, with a question mark for what else no font shows."""
    text = clean(drop_pictures(text))
    if text.isascii():
        return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)
    return "".join(c if c in JOINERS or c.isspace() or find_font(c) else "?" for c in text if c.isprintable())


def wrap_text(text: str, room: int, size: int, bold: bool = False, most: int = 0) -> tuple[str, ...]:
    """The text cut into lines that fit; beyond `most` lines (0 is any) the last one ends in dots."""
    text, ems = replace_unprintable(text), room * 1000 // size
    if measure_width(text, bold) <= ems:
        return (text,) if text else ()
    lines = wrap(text, ems, bold, WHOLE)
    if most and len(lines) > most:
        lines = [*lines[: most - 1], _shorten(" ".join(lines[most - 1 :]), ems, bold)]
    return tuple(lines)


def _shorten(text: str, ems: int, bold: bool) -> str:
    while text and measure_width(f"{text}...", bold) > ems:
        text = text[:-1]
    return f"{text.rstrip()}..."
