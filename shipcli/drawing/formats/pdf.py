"""Pages written as PDF: no time stamps, fonts embedded as subsets, so equal pages give equal bytes.

Written without reportlab, which shapes text as well since its version 5, for two reasons: with an embedded
font a label takes several times as long there, and what is copied out of a page reads as it was written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from shipcli.drawing import code128, symbols
from shipcli.drawing.elements import BASELINE, Bars, Bitmap, Colour, ColourImage, Matrix, Page, Rule, Text
from shipcli.drawing.text.shaping import GlyphPlace, GlyphRun, is_plain, shape

from .pdf_file import BOLD, REGULAR, Fonts, PdfImages, PdfObjects

_FAKE_BOLD = 0.035
# The corners of a picture turned clockwise: its sides and its origin, in widths and heights of its box.
_TURNS = {0: (1, 0, 0, 1, 0, 0), 90: (0, -1, 1, 0, 0, 1), 180: (-1, 0, 0, -1, 1, 1), 270: (0, 1, -1, 0, 1, 0)}


def write_pdf(pages: Sequence[Page], title: str = "") -> bytes:
    """The pages as one PDF file, which viewers show under the title."""
    fonts, images = Fonts(), PdfImages()
    contents = [_write_content(page, fonts, images) for page in pages]
    file = PdfObjects()
    resources = file.add(f"<</Font<<{fonts.embed(file)}>>/XObject<<{images.embed(file)}>>>>")
    # After the tree and the catalog each page is two objects, its drawing and itself.
    tree, catalog = resources + 1, resources + 2
    kids = " ".join([f"{catalog + 2 * page} 0 R" for page in range(1, len(pages) + 1)])
    file.add(f"<</Type/Pages/Count {len(pages)}/Kids[{kids}]>>")
    file.add(f"<</Type/Catalog/Pages {tree} 0 R>>")
    for page, content in zip(pages, contents, strict=True):
        links = f"/Contents {file.stream('', content)} 0 R/Parent {tree} 0 R/Resources {resources} 0 R"
        file.add(f"<</Type/Page/MediaBox[0 0 {_format_size(page)}]{links}>>")
    return file.bytes(catalog, title)


def _format_size(page: Page) -> str:
    """The sides of a page, in points."""
    # Rounded down, so that a page drawn at its own resolution does not begin another pixel.
    return " ".join([f"{dots * 72000 // page.dpi / 1000:g}" for dots in (page.width, page.height)])


def _write_content(page: Page, fonts: Fonts, images: PdfImages) -> bytes:
    """The drawing of one page."""
    drawing = _Drawing(page.height, fonts, images)
    for element in page.elements:
        _DRAWERS[type(element)](drawing, element)
    scale = f"{72 / page.dpi:.7f}"
    return "\n".join([f"{scale} 0 0 {scale} 0 0 cm", *drawing.parts]).encode("latin-1")


class _Drawing:
    """The content of one page. Coordinates are dots, turned over because PDF counts from the bottom."""

    def __init__(self, height: int, fonts: Fonts, images: PdfImages) -> None:
        self.height, self.fonts, self.images = height, fonts, images
        self.parts: list[str] = []

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
        wide = 0 if text.align == "L" else shape(text.text, text.bold).width
        colour, font = "1 g" if text.white else "0 g", BOLD if text.bold else REGULAR
        self.fonts.note(font, text.text)
        self.parts.append(
            f"{colour} BT {self._start(text, wide)} /{font} {text.size} Tf {_write_string(text.text)} Tj ET"
        )

    def _start(self, text: Text, width: int) -> str:
        """Where the pen begins, for a text of this width."""
        return f"1 0 0 1 {text.find_start(width):.6g} {self.height - text.y - text.size * BASELINE:.6g} Tm"

    def _run(self, run: GlyphRun, size: int) -> str:
        name, subset = self.fonts.subset(run.face)
        codes = subset.codes(run.glyphs, run.texts)
        shown = f"<{codes}> Tj" if run.places is None else _write_glyphs(run, run.places, codes, size)
        if run.fake_bold:
            shown = f"2 Tr {size * _FAKE_BOLD:.4g} w {shown} 0 Tr"
        return f"/{name} {size} Tf {shown}"

    def rule(self, rule: Rule) -> None:
        self._boxes([(rule.x, rule.y, rule.width, rule.height)], rule.colour)

    def bars(self, bars: Bars) -> None:
        x, y, module, height, content, turned = bars
        strips = [(at * module, wide * module) for at, wide in code128.list_bars(content)]
        if turned:
            self._boxes([(x, y + at, height, wide) for at, wide in strips])
        else:
            self._boxes([(x + at, y, wide, height) for at, wide in strips])

    def matrix(self, code: Matrix) -> None:
        rows = symbols.encode_rows(code.symbology, code.content, code.columns, code.level)
        x, y, size = code.x, code.y, code.module
        self._boxes(
            [(x + a * size, y + b * size, c * size, d * size) for a, b, c, d in symbols.list_black_runs(rows)]
        )

    def picture(self, picture: Bitmap) -> None:
        entries = (
            f"/ImageMask true/Width {picture.width}/Height {picture.height}/Decode[1 0]/BitsPerComponent 1"
        )
        name = self.images.add(entries, picture.data, packed=False)
        self._image(name, picture)

    def photo(self, photo: ColourImage) -> None:
        across, down = photo.pixels
        entries = f"/Width {across}/Height {down}/ColorSpace/{photo.space}/BitsPerComponent {photo.bits}"
        name = self.images.add(f"{entries}/Filter/{photo.filter}{photo.parms}", photo.data, packed=True)
        self._image(name, photo)

    def _image(self, name: str, at: Bitmap | ColourImage) -> None:
        colour = "1 g" if isinstance(at, Bitmap) and at.white else "0 g"
        a, b, c, d, e, f = _TURNS[at.turn if isinstance(at, ColourImage) else 0]
        x, y, wide, high = at.x, self.height - at.y - at.height, at.width, at.height
        box = f"{a * wide} {b * high} {c * wide} {d * high} {x + e * wide} {y + f * high}"
        self.parts.append(f"q {colour} {box} cm /{name} Do Q")

    def _boxes(
        self, boxes: Sequence[tuple[float, float, float, float]], colour: Colour | None = None
    ) -> None:
        shown = " ".join([f"{x} {self.height - y - h} {w} {h} re" for x, y, w, h in boxes])
        self.parts.append(f"{_fill(colour)} {shown} f")


_DRAWERS: dict[type, Callable[[_Drawing, Any], None]] = {
    Text: _Drawing.text,
    Rule: _Drawing.rule,
    Bars: _Drawing.bars,
    Matrix: _Drawing.matrix,
    Bitmap: _Drawing.picture,
    ColourImage: _Drawing.photo,
}


def _fill(colour: Colour | None) -> str:
    return " ".join(f"{part / 255:.4g}" for part in colour) + " rg" if colour else "0 g"


def _write_string(text: str) -> str:
    """Plain text as a PDF string: two bytes for each letter, as the Latin fonts number them."""
    codes = text.encode("utf-16-be").decode("latin-1")
    if "(" in text or ")" in text or "\\" in text:
        codes = codes.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"({codes})"


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
