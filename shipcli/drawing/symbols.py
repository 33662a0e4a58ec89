"""Two-dimensional codes: how large they will be at most, and their modules."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache
from math import ceil
from typing import Any, NamedTuple

FORMATS = {
    "code128": "Code128",
    "pdf417": "PDF417",
    "datamatrix": "DataMatrix",
    "qr": "QRCode",
    "aztec": "Aztec",
    "maxicode": "MaxiCode",
}
# Bytes that a QR code of version 1-40 holds at error correction M (ISO/IEC 18004, table 7).
QR_BYTES = [
    14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 450, 504, 560, 624, 666,
    711, 779, 857, 911, 997, 1059, 1125, 1190, 1264, 1370, 1452, 1538, 1628, 1722, 1809, 1911, 1989, 2099,
    2213, 2331,
]  # fmt: skip
# Data codewords and side of the square Data Matrix sizes (ISO/IEC 16022, table 7).
DATAMATRIX_WORDS = [
    3, 5, 8, 12, 18, 22, 30, 36, 44, 62, 86, 114, 144, 174, 204, 280, 368, 456, 576, 696, 816, 1050,
    1304, 1558,
]  # fmt: skip
DATAMATRIX_SIDES = [
    10, 12, 14, 16, 18, 20, 22, 24, 26, 32, 36, 40, 44, 48, 52, 64, 72, 80, 88, 96, 104, 120, 132, 144,
]  # fmt: skip
# A MaxiCode has one size: with cells of 1.5 dots the picture of it is 1.1 inch wide.
MAXICODE_CELL = 1.5


class Fit(NamedTuple):
    """How a code is drawn in the room it has: module in dots, upper bound of its size in dots."""

    module: float
    width: int
    height: int
    columns: int = 0
    level: int = 0


@lru_cache(maxsize=256)
def encode_rows(symbology: str, content: str, columns: int = 0, level: int = 0) -> tuple[bytes, ...]:
    """The rows of the symbol without quiet zone, a byte per module: 0 is black."""
    import zxingcpp

    if symbology not in FORMATS:
        raise ValueError(f"{symbology!r} is not a barcode drawn here; there are {', '.join(FORMATS)}.")
    if not content:
        raise ValueError(f"A {symbology} needs at least one character.")
    form = getattr(zxingcpp.BarcodeFormat, FORMATS[symbology])
    code = zxingcpp.create_barcode(content, form, **_make_options(symbology, columns, level))
    image: Any = zxingcpp.write_barcode_to_image(code, scale=1, add_quiet_zones=False)
    width, data = image.shape[1], bytes(image)
    return tuple(data[at : at + width] for at in range(0, len(data), width))


def _make_options(symbology: str, columns: int, level: int) -> dict[str, Any]:
    if symbology == "qr":
        return {"ec_level": "M"}
    if symbology == "datamatrix":
        return {"force_square": True}
    return {"columns": columns, "ec_level": str(level)} if columns else {}


def list_black_runs(picture: tuple[bytes, ...]) -> list[tuple[int, int, int, int]]:
    """The black cells as (x, y, width, height) rectangles; equal rows below each other share them."""
    runs: list[tuple[int, int, int, int]] = []
    top = 0
    for y, row in enumerate(picture, 1):
        if y < len(picture) and picture[y] == row:
            continue
        runs += [(run.start(), top, run.end() - run.start(), y - top) for run in re.finditer(b"\0+", row)]
        top = y
    return runs


def fit(symbology: str, content: str, width: int, height: int) -> Fit:
    """The largest module at which the code surely fits, printers' own encoders included.

    Errors: ValueError when it would not fit with modules of two dots.
    """
    if symbology == "maxicode":
        picture = encode_rows(symbology, content)
        return Fit(MAXICODE_CELL, ceil(MAXICODE_CELL * len(picture[0])), ceil(MAXICODE_CELL * len(picture)))
    if symbology == "aztec":
        return _fit_square(symbology, len(encode_rows(symbology, content)), width, height)
    return _fit_size(symbology, len(content.encode()), content.isascii(), width, height)


def _fit_size(symbology: str, size: int, ascii_only: bool, width: int, height: int) -> Fit:
    """The fit of a code that is as large as the number of its bytes makes it."""
    if symbology == "pdf417":
        return _fit_pdf417(size, width, height)
    if symbology == "qr":
        return _fit_square(symbology, 21 + 4 * _find_index(QR_BYTES, size, symbology), width, height)
    if symbology == "datamatrix":
        words = size if ascii_only else 2 * size + 2
        return _fit_square(
            symbology, DATAMATRIX_SIDES[_find_index(DATAMATRIX_WORDS, words, symbology)], width, height
        )
    raise ValueError(f"{symbology!r} is not a code drawn here; there are {', '.join(list(FORMATS)[1:])}.")


def _fit_square(symbology: str, side: int, width: int, height: int) -> Fit:
    module = min(width // side, height // side, 8)
    if module < 2:
        raise ValueError(f"The content is too long for a {symbology} on this label.")
    return Fit(module, module * side, module * side)


def _find_index(capacities: list[int], size: int, symbology: str) -> int:
    index = bisect_left(capacities, size)
    if index == len(capacities):
        raise ValueError(f"The content ({size} bytes) is too long for a {symbology}.")
    return index


def _fit_pdf417(size: int, width: int, height: int) -> Fit:
    # Byte mode packs six bytes in five words; the rest is for mode changes, length and a character set mark.
    words = size if size < 12 else ceil(size * 0.95)
    level = 3 if words <= 160 else 4
    words += 8 + (2 << level)
    for module in (4, 3, 2):
        columns = min((width // module - 1) // 17 - 4, 12)
        if columns > 0 and (lines := max(3, ceil(words / columns))) * 3 * module <= height and lines <= 90:
            columns, lines = _narrow_columns(words, columns, height // (3 * module))
            return Fit(module, (17 * (columns + 4) + 1) * module, lines * 3 * module, columns, level)
    raise ValueError("The content is too long for a pdf417 on this label.")


def _narrow_columns(words: int, columns: int, most_lines: int) -> tuple[int, int]:
    """As few columns as the height allows, but at least two: a wide flat code is harder to aim at."""
    columns = min(columns, max(2, ceil(words / min(most_lines, 90))))
    return columns, max(3, ceil(words / columns))
