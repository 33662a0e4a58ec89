"""Labels drawn anew for a printer of another resolution: bars keep whole dots, two of them at least."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from . import code128
from .elements import Bars, Bitmap, Element, Matrix, Page, Rule, Text
from .errors import Unconvertible
from .formats.foreign_zpl import scale_commands
from .formats.raster import scale_picture, scale_side
from .formats.zpl import write_zpl
from .formats.zpl_reader import read_zpl

LEAST_MODULE = 2  # dots of the narrowest bar: thinner ones blur on thermal paper


def scale_zpl(data: bytes, dpi: int, to_dpi: int) -> bytes:
    """The labels of a ZPL file for a printer of another resolution.

    Errors: Unconvertible for ZPL whose measures are not known, and for a barcode that would be too fine.
    """
    try:
        pages = read_zpl(data, dpi)
    except Unconvertible:
        return scale_commands(data, to_dpi / dpi)
    return "".join(write_zpl(scale_page(page, to_dpi)) for page in pages).encode()


def scale_page(page: Page, dpi: int) -> Page:
    """The page in dots of another resolution."""
    ratio = dpi / page.dpi
    width, height = round(page.width * ratio), round(page.height * ratio)
    marks = tuple(_SCALERS[type(element)](element, ratio, width, height) for element in page.elements)
    return replace(page, width=width, height=height, elements=marks, dpi=dpi)


def _scale_text(text: Text, ratio: float, *_: int) -> Element:
    x, y, size, width = (round(value * ratio) for value in (text.x, text.y, text.size, text.width))
    return text._replace(x=x, y=y, size=size, width=width)


def _scale_rule(rule: Rule, ratio: float, *_: int) -> Element:
    x, y = round(rule.x * ratio), round(rule.y * ratio)
    return rule._replace(x=x, y=y, width=scale_side(rule.width, ratio), height=scale_side(rule.height, ratio))


def _scale_bars(bars: Bars, ratio: float, width: int, height: int) -> Element:
    """The bars about the middle of where they were."""
    count = code128.count_modules(bars.content)
    start, end = (bars.y, height) if bars.turned else (bars.x, width)
    module = choose_module(bars.module * ratio, partial(_fits, count, end), bars.content)
    middle = (start + count * bars.module / 2) * ratio
    moved = round(min(max(middle - count * module / 2, 0), end - count * module))
    x, y = (round(bars.x * ratio), moved) if bars.turned else (moved, round(bars.y * ratio))
    return bars._replace(x=x, y=y, module=module, height=scale_side(bars.height, ratio))


def _fits(count: int, room: int, module: int) -> bool:
    return count * module <= room


def choose_module(exact: float, fits: Any, content: str) -> int:
    """The whole number of dots nearest to a width that has room.

    Errors: Unconvertible if two dots are too many.
    """
    module = max(round(exact), LEAST_MODULE)
    while not fits(module):
        module -= 1
    if module < LEAST_MODULE:
        raise Unconvertible(f"The bars of {content!r} would be less than {LEAST_MODULE} dots wide.")
    return module


def _scale_matrix(code: Matrix, ratio: float, *_: int) -> Element:
    x, y = round(code.x * ratio), round(code.y * ratio)
    return code._replace(x=x, y=y, module=max(round(code.module * ratio), LEAST_MODULE))


_SCALERS: dict[type, Any] = {
    Text: _scale_text,
    Rule: _scale_rule,
    Bars: _scale_bars,
    Matrix: _scale_matrix,
    Bitmap: scale_picture,
}
