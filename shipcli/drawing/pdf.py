"""Pages written as PDF: no time stamps, fonts embedded as subsets, so equal pages give equal bytes.

Written without reportlab, which shapes text as well since its version 5, for two reasons: a label takes
1.1 ms here and 14 ms there with an embedded font, and what is copied out of a page reads as it was written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from . import code128, symbols
from .elements import BASELINE, Bars, Colour, Element, Lines, Matrix, Page, Photo, Picture, Rule, Text
from .pdf_file import BOLD, REGULAR, Fonts, PdfImages, PdfObjects, begin
from .pdf_fonts import deflate
from .shaping import GlyphPlace, GlyphRun, is_plain, measure_plain_width, shape

_FAKE_BOLD = 0.035
# The drawing of a plain label stays as it is: 900 bytes more for a tenth less work.
_SHORT = 2048
# The corners of a picture turned clockwise: its sides and its origin, in widths and heights of its box.
_TURNS = {0: (1, 0, 0, 1, 0, 0), 90: (0, -1, 1, 0, 0, 1), 180: (-1, 0, 0, -1, 1, 1), 270: (0, 1, -1, 0, 1, 0)}


def write_pdf(pages: Sequence[Page], title: str = "") -> bytes:
    """The pages as one PDF file, which viewers show under the title."""
    fonts, images = Fonts(), PdfImages()
    contents = [_write_content(page, fonts, images) for page in pages]
    file = PdfObjects(begin(fonts, images, len(pages)))
    bare = len(pages) == 1 and fonts.plain and len(contents[0]) < _SHORT
    for page, content in zip(pages, contents, strict=True):
        stream = ("", content) if bare else ("/Filter/FlateDecode", deflate(content))
        file.page(_format_size(page.width, page.height, page.dpi), *stream)
    return file.bytes(title)


@lru_cache(maxsize=64)
def _format_size(width: int, height: int, dpi: int) -> str:
    """The sides of a page, in points."""
    # Rounded down, so that a page drawn at its own resolution does not begin another pixel.
    return " ".join([f"{dots * 72000 // dpi / 1000:g}" for dots in (width, height)])


def _write_content(page: Page, fonts: Fonts, images: PdfImages) -> bytes:
    """The drawing of one page."""
    drawing = _Drawing(page.height, fonts, images)
    shared, own = page.elements[: page.shared], page.elements[page.shared :]
    if shared and (kept := _keep(shared, page.height)):
        drawing.put(kept)
    else:
        drawing.draw(shared)
    drawing.draw(own)
    scale = f"{72 / page.dpi:.7f}"
    return "\n".join([f"{scale} 0 0 {scale} 0 0 cm", *drawing.parts]).encode("latin-1")


class Kept(NamedTuple):
    """A part of a drawing, and the text in it by font."""

    drawing: str
    written: tuple[tuple[str, str], ...]


@lru_cache(maxsize=256)
def _keep(elements: tuple[Element, ...], height: int) -> Kept | None:
    """The drawing of marks that many pages share; None when there is other than plain text or pictures."""
    fonts, images = Fonts(), PdfImages()
    drawing = _Drawing(height, fonts, images)
    drawing.draw(elements)
    return Kept("\n".join(drawing.parts), fonts.list_written()) if fonts.plain and images.none else None


class _Drawing:
    """The content of one page. Coordinates are dots, turned over because PDF counts from the bottom."""

    def __init__(self, height: int, fonts: Fonts, images: PdfImages) -> None:
        self.height, self.fonts, self.images = height, fonts, images
        self.parts: list[str] = []

    def draw(self, elements: Sequence[Element]) -> None:
        for element in elements:
            _DRAWERS[type(element)](self, element)

    def put(self, kept: Kept) -> None:
        self.parts.append(kept.drawing)
        for font, text in kept.written:
            self.fonts.note(font, text)

    def text(self, text: Text) -> None:
        if is_plain(text.text):
            self._plain_text(text)
            return
        line = shape(text.text, text.bold)
        colour = "1 g 1 G" if text.white else "0 g 0 G"
        self.parts.append(f"{colour} BT {self._start(text, line.width)}")
        self.parts += [self._run(run, text.size) for run in line.runs]
        self.parts.append("ET")

    def _plain_text(self, text: Text) -> None:
        wide = 0 if text.align == "L" else measure_plain_width(text.text, text.bold)
        colour, font = "1 g" if text.white else "0 g", BOLD if text.bold else REGULAR
        self.fonts.note(font, text.text)
        self.parts.append(
            f"{colour} BT {self._start(text, wide)} /{font} {text.size} Tf {_write_string(text.text)} Tj ET"
        )

    def _start(self, text: Text, width: int) -> str:
        """Where the pen begins, for a text of this width."""
        slack = text.width - width * text.size / 1000
        x = text.x + {"L": 0.0, "C": slack / 2, "R": slack}[text.align]
        return f"1 0 0 1 {x:.6g} {self.height - text.y - text.size * BASELINE:.6g} Tm"

    def _run(self, run: GlyphRun, size: int) -> str:
        name, subset = self.fonts.subset(run.face)
        codes = subset.codes(run.glyphs, run.texts)
        shown = f"<{codes}> Tj" if run.places is None else _write_glyphs(run, run.places, codes, size)
        if run.fake_bold:
            shown = f"2 Tr {size * _FAKE_BOLD:.4g} w {shown} 0 Tr"
        return f"/{name} {size} Tf {shown}"

    def lines(self, lines: Lines) -> None:
        if not is_plain("".join(lines.lines)):
            self.draw(lines.texts())
            return
        x, y, size, step, texts, bold = lines
        self.parts.append(f"0 g BT {step} TL 1 0 0 1 {x} {self.height - y - size * BASELINE + step:.6g} Tm")
        for font, shown in ((BOLD, texts[:bold]), (REGULAR, texts[bold:])):
            if shown:
                self.fonts.note(font, "".join(shown))
                rows = _write_string("\n".join(shown)).replace("\0\n", ") '\n(")
                self.parts.append(f"/{font} {size} Tf\n{rows} '")
        self.parts.append("ET")

    def rule(self, rule: Rule) -> None:
        self.parts.append(f"{_fill(rule.colour)} {self._box(rule.x, rule.y, rule.width, rule.height)} f")

    def bars(self, bars: Bars) -> None:
        x, y, module, height, content, turned = bars
        if turned:
            found = code128.list_bars(content)
            self._boxes([(x, y + at * module, height, wide * module) for at, wide in found])
            return
        step, bottom = code128.SYMBOL_MODULES * module, self.height - y - height
        values = enumerate((*code128.list_values(content), code128.END))
        boxes = [_write_symbol(value, x + at * step, bottom, module, height) for at, value in values]
        self.parts.append(f"0 g{''.join(boxes)} f")

    def matrix(self, code: Matrix) -> None:
        rows = symbols.encode_rows(code.symbology, code.content, code.columns, code.level)
        x, y, size = code.x, code.y, code.module
        self._boxes(
            [(x + a * size, y + b * size, c * size, d * size) for a, b, c, d in symbols.list_black_runs(rows)]
        )

    def picture(self, picture: Picture) -> None:
        entries = (
            f"/ImageMask true/Width {picture.width}/Height {picture.height}/Decode[1 0]/BitsPerComponent 1"
        )
        name = self.images.add(entries, picture.data, packed=False)
        self._image(name, picture)

    def photo(self, photo: Photo) -> None:
        across, down = photo.pixels
        entries = f"/Width {across}/Height {down}/ColorSpace/{photo.space}/BitsPerComponent {photo.bits}"
        name = self.images.add(f"{entries}/Filter/{photo.filter}{photo.parms}", photo.data, packed=True)
        self._image(name, photo)

    def _image(self, name: str, at: Picture | Photo) -> None:
        colour = "1 g" if isinstance(at, Picture) and at.white else "0 g"
        a, b, c, d, e, f = _TURNS[at.turn if isinstance(at, Photo) else 0]
        x, y, wide, high = at.x, self.height - at.y - at.height, at.width, at.height
        box = f"{a * wide} {b * high} {c * wide} {d * high} {x + e * wide} {y + f * high}"
        self.parts.append(f"q {colour} {box} cm /{name} Do Q")

    def _boxes(self, boxes: Sequence[tuple[float, float, float, float]]) -> None:
        bottom = self.height
        self.parts.append(
            "0 g " + " ".join([f"{x} {bottom - y - h} {w} {h} re" for x, y, w, h in boxes]) + " f"
        )

    def _box(self, x: int, y: int, width: int, height: int) -> str:
        return f"{x} {self.height - y - height} {width} {height} re"


_DRAWERS: dict[type, Callable[[_Drawing, Any], None]] = {
    Text: _Drawing.text,
    Lines: _Drawing.lines,
    Rule: _Drawing.rule,
    Bars: _Drawing.bars,
    Matrix: _Drawing.matrix,
    Picture: _Drawing.picture,
    Photo: _Drawing.photo,
}


def _fill(colour: Colour | None) -> str:
    return " ".join(f"{part / 255:.4g}" for part in colour) + " rg" if colour else "0 g"


def _write_string(text: str) -> str:
    """Plain text as a PDF string: two bytes for each letter, as the Latin fonts number them."""
    codes = text.encode("utf-16-be").decode("latin-1")
    if "(" in text or ")" in text or "\\" in text:
        codes = codes.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"({codes})"


@lru_cache(maxsize=4096)
def _write_symbol(value: int, x: int, y: int, module: int, height: int) -> str:
    """The bars of one symbol of a Code 128: numbers differ, yet the same few stand in the same places."""
    bars = code128.list_symbol_bars(value)
    return "".join([f" {x + at * module} {y} {wide * module} {height} re" for at, wide in bars])


def _write_glyphs(run: GlyphRun, places: tuple[GlyphPlace, ...], codes: str, size: int) -> str:
    """Shaped glyphs with their shifts; text that runs rightward in a span that says it in reading order.

    Readers put leftward text into reading order themselves, by its places on the paper.
    """
    parts: list[str] = []
    row: list[str] = []
    rise = 0
    for at, (glyph, place) in enumerate(zip(run.glyphs, places, strict=True)):
        if place.up != rise:
            parts += [f"[{''.join(row)}] TJ", f"{place.up * size / 1000:.5g} Ts"]
            row, rise = [], place.up
        before, after = -place.right, run.face.advance(glyph) + place.right - place.advance
        row.append(f"{before or ''}<{codes[4 * at : 4 * at + 4]}>{after or ''}")
    parts += [f"[{''.join(row)}] TJ"] + ["0 Ts"] * bool(rise)
    if run.leftward:
        return " ".join(parts)
    text = run.text.encode("utf-16-be").hex()
    return f"/Span<</ActualText<feff{text}>>>BDC {' '.join(parts)} EMC"
