"""A page painted in black and white lying on its left side, as carriers send pictures of labels.

Painted by Pillow, without PDFium, which takes several times as long.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from io import BytesIO
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import Z_RLE

from . import code128, symbols
from .elements import BASELINE, Bars, Lines, Matrix, Page, Photo, Picture, Rule, Text
from .errors import Unconvertible
from .raster import text_picture
from .shaping import shape
from .typefaces import face

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont

# Brighter colours are paper, as the layout writes black on them.
_BRIGHT = 480
_TO_BLACK_AND_WHITE = [0] * 128 + [255] * 128
_LEVEL = 2  # of compression
_TALL = 2  # ems that the picture of a line of text has above and below its base line


class WordsPicture(NamedTuple):
    """A line of text, and where the pen is in it."""

    image: Image
    left: int
    base: int


def lying_png(page: Page) -> bytes:
    """The page as a PNG file, its top at the left.

    Errors: Unconvertible for a page with a photo.
    """
    from PIL.Image import Transpose

    canvas = _Canvas(page)
    for element in page.elements:
        _PAINTERS[type(element)](canvas, element)
    out = BytesIO()
    canvas.image.transpose(Transpose.ROTATE_90).save(out, "PNG", compress_level=_LEVEL, compress_type=Z_RLE)
    return out.getvalue()


class _Canvas:
    """The page upright."""

    def __init__(self, page: Page) -> None:
        from PIL import Image, ImageDraw

        self.image = Image.new("1", (page.width, page.height), 1)
        self.pen = ImageDraw.Draw(self.image)

    def box(self, x: int, y: int, width: int, height: int) -> None:
        self.pen.rectangle((x, y, x + width - 1, y + height - 1), fill=0)

    def text(self, text: Text) -> None:
        line = shape(text.text, text.bold)
        if any(run.places is not None for run in line.runs):
            self.picture(text_picture(text))
            return
        slack = text.width - line.width * text.size / 1000
        x = text.x + {"L": 0.0, "C": slack / 2, "R": slack}[text.align]
        words = _words(text.text, text.bold, text.size)
        place = round(x) - words.left, round(text.y + text.size * BASELINE) - words.base
        self.pen.bitmap(place, words.image, fill=int(text.white))

    def lines(self, lines: Lines) -> None:
        for text in lines.texts():
            self.text(text)

    def rule(self, rule: Rule) -> None:
        if rule.colour is None or sum(rule.colour) <= _BRIGHT:
            self.box(rule.x, rule.y, rule.width, rule.height)

    def bars(self, bars: Bars) -> None:
        for at, width in code128.bars(bars.content):
            along, across = at * bars.module, width * bars.module
            if bars.turned:
                self.box(bars.x, bars.y + along, bars.height, across)
            else:
                self.box(bars.x + along, bars.y, across, bars.height)

    def matrix(self, code: Matrix) -> None:
        from PIL import Image

        rows = symbols.rows(code.symbology, code.content, code.columns, code.level)
        cells = Image.frombytes("L", (len(rows[0]), len(rows)), b"".join(rows)).convert("1")
        size, step = (ceil(cells.width * code.module), ceil(cells.height * code.module)), 1 / code.module
        grown = cells.transform(size, Image.Transform.AFFINE, (step, 0, 0, 0, step, 0), fillcolor=1)
        self.image.paste(grown, (round(code.x), code.y))

    def picture(self, picture: Picture) -> None:
        from PIL import Image

        mask = Image.frombytes("1", (picture.width, picture.height), picture.data)
        self.pen.bitmap((picture.x, picture.y), mask, fill=int(picture.white))

    def photo(self, photo: Photo) -> None:
        raise Unconvertible("A page with a photo is not painted in black and white.")


_PAINTERS: dict[type, Callable[[_Canvas, Any], None]] = {
    Text: _Canvas.text,
    Lines: _Canvas.lines,
    Rule: _Canvas.rule,
    Bars: _Canvas.bars,
    Matrix: _Canvas.matrix,
    Picture: _Canvas.picture,
    Photo: _Canvas.photo,
}


@lru_cache(maxsize=32)
def _font(name: str, size: int) -> FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.truetype(BytesIO(face(name).data), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=512)
def _words(text: str, bold: bool, size: int) -> WordsPicture:
    """A line of plain text; much of a label is on the next one too.

    Letter by letter: Pillow would put each at a whole number of dots from the one before.
    """
    from PIL import Image, ImageDraw

    runs = shape(text, bold).runs
    wide = sum(run.face.advance(glyph) for run in runs for glyph in run.glyphs) * size // 1000
    image = Image.new("L", (wide + 2 * size, 2 * _TALL * size))
    pen, x, base = ImageDraw.Draw(image), float(size), _TALL * size
    for run in runs:
        font = _font(run.face.name, size)
        for character, glyph in zip(run.text, run.glyphs, strict=True):
            pen.text((round(x), base), character, font=font, fill=255, anchor="ls")
            x += run.face.advance(glyph) * size / 1000
    left, top, right, bottom = image.getbbox() or (0, 0, 1, 1)
    cut = image.crop((left, top, right, bottom)).point(_TO_BLACK_AND_WHITE, "1")
    return WordsPicture(cut, size - left, base - top)
