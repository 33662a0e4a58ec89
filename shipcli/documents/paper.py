"""Pages put on paper with reportlab, in the bundled fonts; equal pages give equal bytes.

reportlab draws one glyph per character. Where a script needs more than that (joined, stacked or turned
letters), the
glyphs that the drawing layer shaped are drawn one by one: each gets a character of the private use area for
itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from io import BytesIO
from typing import Any

from shipcli.drawing import code128, symbols
from shipcli.drawing.elements import BASELINE, Bars, Matrix, Page, Rule, Text
from shipcli.drawing.shaping import GlyphPlace, GlyphRun, shape
from shipcli.drawing.typefaces import face

DPI = 720  # marks stand on tenths of a point
SCALE = 72 / DPI
PRIVATE = 0xE000  # the first character of the private use area
FAKE_BOLD = 0.022


def write(pages: Sequence[Page], title: str = "") -> bytes:
    """The pages as one PDF file.

    Errors: Unprintable for a character that no bundled font has; ValueError for a mark that is not drawn
            here.
    """
    from reportlab.pdfgen.canvas import Canvas

    out = BytesIO()
    canvas = Canvas(out, pageCompression=1, invariant=1)
    canvas.setTitle(title)
    canvas.setAuthor("")
    for page in pages:
        canvas.setPageSize((page.width * SCALE, page.height * SCALE))
        _Sheet(canvas, page).draw()
        canvas.showPage()
    canvas.save()
    return out.getvalue()


class _Sheet:
    """One page under way. reportlab counts from the bottom, marks from the top."""

    def __init__(self, canvas: Any, page: Page) -> None:
        self.canvas, self.page = canvas, page
        self.words: list[str] = []

    def draw(self) -> None:
        self.canvas.setFillGray(0)
        for mark in self.page.elements:
            DRAWERS[type(mark)](self, mark)
        self.canvas.setFillGray(0)
        self.canvas._code.append("\n".join(["BT", *self.words, "ET"]))

    def rule(self, rule: Rule) -> None:
        self.canvas.setFillColorRGB(*(part / 255 for part in rule.colour or (0, 0, 0)))
        self._fill([(rule.x, rule.y, rule.width, rule.height)])

    def bars(self, bars: Bars) -> None:
        self.canvas.setFillGray(0)
        found = code128.bars(bars.content)
        self._fill(
            [(bars.x + at * bars.module, bars.y, wide * bars.module, bars.height) for at, wide in found]
        )

    def matrix(self, code: Matrix) -> None:
        self.canvas.setFillGray(0)
        cells = symbols.black_runs(symbols.rows(code.symbology, code.content, code.columns, code.level))
        x, y, size = code.x, code.y, code.module
        self._fill([(x + a * size, y + b * size, c * size, d * size) for a, b, c, d in cells])

    def _fill(self, boxes: Sequence[tuple[float, float, float, float]]) -> None:
        path = self.canvas.beginPath()
        for x, y, wide, high in boxes:
            path.rect(x * SCALE, (self.page.height - y - high) * SCALE, wide * SCALE, high * SCALE)
        self.canvas.drawPath(path, stroke=0, fill=1)

    def text(self, text: Text) -> None:
        line = shape(text.text, text.bold)
        slack = text.width - line.width * text.size / 1000
        x = (text.x + {"L": 0.0, "C": slack / 2, "R": slack}[text.align]) * SCALE
        y = (self.page.height - text.y - text.size * BASELINE) * SCALE
        size = text.size * SCALE
        for run in line.runs:
            self._run(run, x, y, size)
            x += _width(run) * size / 1000

    def _run(self, run: GlyphRun, x: float, y: float, size: float) -> None:
        if run.fake_bold:
            self.words.append(f"2 Tr {size * FAKE_BOLD:.4g} w")
        if run.places is None or _is_plain(run, run.places):
            self._show(run.face.name, run.text, x, y, size)
        else:
            self._glyphs(run, run.places, x, y, size)
        if run.fake_bold:
            self.words.append("0 Tr")

    def _glyphs(self, run: GlyphRun, places: Sequence[GlyphPlace], x: float, y: float, size: float) -> None:
        """Shaped glyphs in a span that says what they read."""
        self.words.append(f"/Span<</ActualText<feff{run.text.encode('utf-16-be').hex()}>>>BDC")
        for glyph, place in zip(run.glyphs, places, strict=True):
            character = _private(font(run.face.name), glyph)
            self._show(
                run.face.name, character, x + place.right * size / 1000, y + place.up * size / 1000, size
            )
            x += place.advance * size / 1000
        self.words.append("EMC")

    def _show(self, name: str, text: str, x: float, y: float, size: float) -> None:
        """Characters at a place, as reportlab has its dynamic fonts written: font by font of the subset."""
        face, document = _registered(name), self.canvas._doc
        place = f"1 0 0 1 {x:.2f} {y:.2f} Tm"
        for subset, codes in face.splitString(text, document):
            label = face.getSubsetInternalName(subset, document)
            self.words.append(f"{label} {size:.4g} Tf {place} <{codes.hex()}> Tj")
            place = ""


DRAWERS: dict[type, Callable[[_Sheet, Any], None]] = {
    Text: _Sheet.text,
    Rule: _Sheet.rule,
    Bars: _Sheet.bars,
    Matrix: _Sheet.matrix,
}


def _width(run: GlyphRun) -> int:
    return sum(one.advance for one in run.places) if run.places else sum(map(run.face.advance, run.glyphs))


def _is_plain(run: GlyphRun, places: Sequence[GlyphPlace]) -> bool:
    """Whether one glyph per character, side by side, shows the run."""
    if run.leftward or len(run.glyphs) != len(run.text):
        return False
    return all(
        own.glyph(letter) == glyph and place == (own.advance(glyph), 0, 0)
        for own, letter, glyph, place in zip(
            [run.face] * len(places), run.text, run.glyphs, places, strict=True
        )
    )


@cache
def font(name: str) -> str:
    """The name of a bundled font, known to reportlab from now on."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    pdfmetrics.registerFont(TTFont(name, BytesIO(face(name).data), shapable=False))
    return name


@cache
def _registered(name: str) -> Any:
    from reportlab.pdfbase import pdfmetrics

    return pdfmetrics.getFont(font(name))


@cache
def _private(name: str, glyph: int) -> str:
    """A character that shows one glyph of a font, whatever reads it."""
    from reportlab.pdfbase import pdfmetrics

    if PRIVATE + glyph > 0xF8FF:
        raise ValueError(f"the font {name} has more glyphs than can be addressed")
    metrics = pdfmetrics.getFont(name).face
    metrics.charToGlyph[PRIVATE + glyph] = glyph
    metrics.charWidths[PRIVATE + glyph] = face(name).advance(glyph)
    return chr(PRIVATE + glyph)
