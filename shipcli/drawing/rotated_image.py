"""A page painted in black and white lying on its left side, as carriers send pictures of labels.

Painted dot by dot, without PDFium, which takes several times as long. A picture that lies has the page's
columns as its rows, the rightmost first; a column is a number whose bits are its dots, the uppermost highest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from io import BytesIO
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

from . import code128, png, symbols
from .elements import BASELINE, Bars, Lines, Matrix, Page, Photo, Picture, Rule, Text
from .errors import Unconvertible
from .raster import text_picture
from .shaping import shape
from .typefaces import face

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

# Brighter colours are paper, as the layout writes black on them.
_BRIGHT = 480
_INK = bytes([48] * 128 + [49] * 128)  # a grey value to the digit of its bit
_BLACK_IS_0 = bytes([49] + [48] * 255)


class PictureMark(NamedTuple):
    """A small picture: its columns from right to left, its height, and where it goes from the pen."""

    columns: tuple[int, ...]
    height: int
    right: int = 0
    down: int = 0


def lying_png(page: Page) -> bytes:
    """The page as a PNG file, its top at the left.

    Errors: Unconvertible for a page with a photo.
    """
    canvas = _Canvas(page)
    for element in page.elements:
        _PAINTERS[type(element)](canvas, element)
    return png.black_and_white(page.height, canvas.columns)


class _Canvas:
    """The columns of the page; marks are inside the page."""

    def __init__(self, page: Page) -> None:
        self.width, self.height = page.width, page.height
        self.columns = [0] * page.width

    def put(self, mark: PictureMark, x: int, y: int, white: bool = False) -> None:
        last = self.width - x - mark.right
        place = slice(last - len(mark.columns), last)
        shift = self.height - y - mark.down - mark.height
        pairs = zip(self.columns[place], mark.columns, strict=True)
        if white:
            self.columns[place] = [held & ~(dots << shift) for held, dots in pairs]
        else:
            self.columns[place] = [held | dots << shift for held, dots in pairs]

    def box(self, x: int, y: int, width: int, height: int) -> None:
        dots, place = ((1 << height) - 1) << (self.height - y - height), slice(-x - width, -x or None)
        self.columns[place] = [held | dots for held in self.columns[place]]

    def text(self, text: Text) -> None:
        line = shape(text.text, text.bold)
        if any(run.places is not None for run in line.runs):
            self.picture(text_picture(text))
            return
        slack = text.width - line.width * text.size / 1000
        pen = text.x + {"L": 0.0, "C": slack / 2, "R": slack}[text.align]
        words = _words(text.text, text.bold, text.size)
        self.put(words, round(pen), round(text.y + text.size * BASELINE), text.white)

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
        rows = symbols.rows(code.symbology, code.content, code.columns, code.level)
        down, width = _cells(len(rows), code.module), len(rows[0])
        cells = b"".join([rows[at] for at in down]).translate(_BLACK_IS_0)
        columns = [int(cells[at::width], 2) for at in range(width)]
        across = reversed(_cells(width, code.module))
        self.put(PictureMark(tuple([columns[at] for at in across]), len(down)), round(code.x), code.y)

    def picture(self, picture: Picture) -> None:
        pitch = (picture.width + 7) // 8 * 8
        dots = f"{int.from_bytes(picture.data, 'big'):0{pitch * picture.height}b}"
        columns = tuple(int(dots[at::pitch], 2) for at in reversed(range(picture.width)))
        self.put(PictureMark(columns, picture.height), picture.x, picture.y, picture.white)

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


@lru_cache(maxsize=64)
def _cells(count: int, module: float) -> Sequence[int]:
    """For every dot along a code, the cell that its middle is in."""
    return [min(int((dot + 0.5) / module), count - 1) for dot in range(ceil(count * module))]


@lru_cache(maxsize=32)
def _font(name: str, size: int) -> FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.truetype(BytesIO(face(name).data), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=512)
def _words(text: str, bold: bool, size: int) -> PictureMark:
    """A line of plain text, placed from the pen on the base line; much of a label is on the next one too."""
    letters: list[tuple[int, PictureMark]] = []
    pen = 0.0
    for run in shape(text, bold).runs:
        for character, glyph in zip(run.text, run.glyphs, strict=True):
            letters.append((round(pen), _letter(run.face.name, size, character)))
            pen += run.face.advance(glyph) * size / 1000
    return _together([(at, mark) for at, mark in letters if mark.columns])


def _together(marks: Sequence[tuple[int, PictureMark]]) -> PictureMark:
    """Marks beside each other as one; each comes with how far right its pen is."""
    if not marks:
        return PictureMark((), 0)
    left = min(at + mark.right for at, mark in marks)
    right = max(at + mark.right + len(mark.columns) for at, mark in marks)
    top, bottom = min(mark.down for _, mark in marks), max(mark.down + mark.height for _, mark in marks)
    columns = [0] * (right - left)
    for at, mark in marks:
        last, shift = right - at - mark.right, bottom - mark.down - mark.height
        place = slice(last - len(mark.columns), last)
        pairs = zip(columns[place], mark.columns, strict=True)
        columns[place] = [held | dots << shift for held, dots in pairs]
    return PictureMark(tuple(columns), bottom - top, left, top)


@lru_cache(maxsize=8192)
def _letter(name: str, size: int, character: str) -> PictureMark:
    """A letter, placed from the pen on the base line."""
    from PIL import Image, ImageDraw

    font = _font(name, size)
    left, top, right, bottom = (int(edge) for edge in font.getbbox(character, anchor="ls"))
    width, height = right - left, bottom - top
    if width <= 0 or height <= 0:
        return PictureMark((), 0)
    image = Image.new("L", (width, height))
    ImageDraw.Draw(image).text((-left, -top), character, font=font, fill=255, anchor="ls")
    dots = image.tobytes().translate(_INK)
    return PictureMark(tuple(int(dots[at::width], 2) for at in reversed(range(width))), height, left, top)
