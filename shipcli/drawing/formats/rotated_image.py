"""A page painted in black and white lying on its left side, as carriers send pictures of labels.

Painted by Pillow, without PDFium, which takes several times as long; each mark is turned, not the whole page.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from io import BytesIO
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

from shipcli.drawing import code128, symbols
from shipcli.drawing.elements import BASELINE, Bars, Bitmap, ColourImage, Matrix, Page, Rule, Text
from shipcli.drawing.errors import Unconvertible
from shipcli.drawing.text.shaping import shape
from shipcli.drawing.text.typefaces import load_face

from .raster import render_text

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont

# Brighter colours are paper, as the layout writes black on them.
_BRIGHT = 480
_TO_BLACK_AND_WHITE = [0] * 128 + [255] * 128
_TALL = 2  # ems that the picture of a line of text has above and below its base line


class Ink(NamedTuple):
    """A picture of a letter or a line of text, and where its left top corner is from the pen."""

    image: Image
    left: int
    top: int


def write_rotated_gif(page: Page) -> bytes:
    """The page as a GIF file, its top at the left.

    Errors: Unconvertible for a page with a photo.
    """
    out = BytesIO()
    _paint(page).save(out, "GIF")
    return out.getvalue()


def _paint(page: Page) -> Image:
    canvas = _Canvas(page)
    for element in page.elements:
        _PAINTERS[type(element)](canvas, element)
    return canvas.image


class _Canvas:
    """The page on its side; what is painted is given as it stands on the page upright."""

    def __init__(self, page: Page) -> None:
        from PIL import Image, ImageDraw

        self.wide = page.width
        self.image = Image.new("1", (page.height, page.width), 1)
        self.pen = ImageDraw.Draw(self.image)

    def box(self, x: int, y: int, width: int, height: int) -> None:
        top = self.wide - x - width
        self.pen.rectangle((y, top, y + height - 1, top + width - 1), fill=0)

    def paint_rotated(self, x: int, y: int, mask: Image, white: bool = False) -> None:
        """A picture that lies on its side already."""
        self.pen.bitmap((y, self.wide - x - mask.height), mask, fill=int(white))

    def text(self, text: Text) -> None:
        line = shape(text.text, text.bold)
        if any(run.places is not None for run in line.runs):
            self.picture(render_text(text))
            return
        words = _draw_words(text.text, text.bold, text.size)
        x, y = round(text.find_start(line.width)), round(text.y + text.size * BASELINE)
        self.paint_rotated(x + words.left, y + words.top, words.image, text.white)

    def rule(self, rule: Rule) -> None:
        if rule.colour is None or sum(rule.colour) <= _BRIGHT:
            self.box(rule.x, rule.y, rule.width, rule.height)

    def bars(self, bars: Bars) -> None:
        for at, width in code128.list_bars(bars.content):
            along, across = at * bars.module, width * bars.module
            if bars.turned:
                self.box(bars.x, bars.y + along, bars.height, across)
            else:
                self.box(bars.x + along, bars.y, across, bars.height)

    def matrix(self, code: Matrix) -> None:
        from PIL import Image

        rows = symbols.encode_rows(code.symbology, code.content, code.columns, code.level)
        cells = Image.frombytes("L", (len(rows[0]), len(rows)), b"".join(rows)).convert("1")
        size, step = (ceil(cells.width * code.module), ceil(cells.height * code.module)), 1 / code.module
        grown = cells.transform(size, Image.Transform.AFFINE, (step, 0, 0, 0, step, 0), fillcolor=1)
        self.image.paste(_turn(grown), (code.y, self.wide - round(code.x) - grown.width))

    def picture(self, picture: Bitmap) -> None:
        from PIL import Image

        mask = Image.frombytes("1", (picture.width, picture.height), picture.data)
        self.paint_rotated(picture.x, picture.y, _turn(mask), picture.white)

    def photo(self, photo: ColourImage) -> None:
        raise Unconvertible("A page with a photo is not painted in black and white.")


_PAINTERS: dict[type, Callable[[_Canvas, Any], None]] = {
    Text: _Canvas.text,
    Rule: _Canvas.rule,
    Bars: _Canvas.bars,
    Matrix: _Canvas.matrix,
    Bitmap: _Canvas.picture,
    ColourImage: _Canvas.photo,
}


def _turn(image: Image) -> Image:
    from PIL.Image import Transpose

    return image.transpose(Transpose.ROTATE_90)


@lru_cache(maxsize=32)
def _load_font(name: str, size: int) -> FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.truetype(BytesIO(load_face(name).data), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=2048)
def _draw_letter(name: str, size: int, character: str) -> Ink | None:
    """A letter in grey, None for one without ink."""
    from PIL import Image, ImageDraw

    font = _load_font(name, size)
    left, top, right, bottom = (int(edge) for edge in font.getbbox(character, anchor="ls"))
    if left >= right or top >= bottom:
        return None
    image = Image.new("L", (right - left, bottom - top))
    ImageDraw.Draw(image).text((-left, -top), character, font=font, fill=255, anchor="ls")
    return Ink(image, left, top)


@lru_cache(maxsize=512)
def _draw_words(text: str, bold: bool, size: int) -> Ink:
    """A line of plain text, rotated; labels repeat much of their text.

    Letter by letter: Pillow would put each at a whole number of dots from the one before.
    """
    from PIL import Image, ImageDraw

    runs = shape(text, bold).runs
    wide = sum(run.face.advance(glyph) for run in runs for glyph in run.glyphs) * size // 1000
    image = Image.new("L", (wide + 2 * size, 2 * _TALL * size))
    pen, x, base = ImageDraw.Draw(image), float(size), _TALL * size
    for run in runs:
        for character, glyph in zip(run.text, run.glyphs, strict=True):
            if letter := _draw_letter(run.face.name, size, character):
                pen.bitmap((round(x) + letter.left, base + letter.top), letter.image, fill=255)
            x += run.face.advance(glyph) * size / 1000
    left, top, right, bottom = image.getbbox() or (0, 0, 1, 1)
    cut = image.crop((left, top, right, bottom)).point(_TO_BLACK_AND_WHITE, "1")
    return Ink(_turn(cut), left - size, top - base)
