"""A word across finished pages, such as VOID on a label that must not be used.

Bars cross the foot of the page, where a label has its barcode: what was voided must not scan.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from io import BytesIO
from typing import Any

from .convert import make_repeatable
from .formats import raster

RED = (200, 0, 0, 170)
SOLID = (200, 0, 0, 255)
FONT = b"Helvetica-Bold"
WIDTH_OF_EM = 0.68  # of a capital of this font, on average
FOOT = 0.36  # of the height of the page: where the barcode of the tracking number is
BAR = 0.04  # of the width of the page: wider than any character of a barcode
STRIPES = 5  # bars on the width of the page, so that one crosses every line of even a narrow barcode


def stamp(pdf: bytes, word: str, on: Collection[int]) -> bytes:
    """The PDF with a Latin word written across some of its pages, counted from 0, and their barcodes crossed.

    Errors: Unconvertible when it is not a PDF.
    """
    out = BytesIO()
    with raster.open_pdf(pdf) as book:
        for number in sorted(on):
            page = book[number]
            width, height = page.get_size()
            foot = height * FOOT
            _write(book, page, word, (width, height))
            for at in range(-STRIPES, STRIPES):
                start = width * at / STRIPES
                _draw_bar(page, (start, 0.0), (start + width, foot), width * BAR)
            page.close()
        book.save(out)
    return make_repeatable(out.getvalue())


def _write(book: Any, page: Any, word: str, size: tuple[float, float]) -> None:
    """The word corner to corner, above the foot."""
    import pypdfium2.raw as pdfium

    foot, width, height = size[1] * FOOT, size[0], size[1] * (1 - FOOT)
    angle, diagonal = math.atan2(height, width), math.hypot(width, height)
    tall = 0.66 * diagonal / (len(word) * WIDTH_OF_EM)
    text = pdfium.FPDFPageObj_NewTextObj(book.raw, FONT, tall)
    units = (word + "\0").encode("utf-16-le")
    pdfium.FPDFText_SetText(text, (pdfium.FPDF_WCHAR * (len(units) // 2)).from_buffer_copy(units))
    pdfium.FPDFPageObj_SetFillColor(text, *RED)
    cos, sin, start = math.cos(angle), math.sin(angle), 0.17 * diagonal
    x, y = start * cos + 0.35 * tall * sin, foot + start * sin - 0.35 * tall * cos
    pdfium.FPDFPageObj_Transform(text, cos, sin, -sin, cos, x, y)
    pdfium.FPDFPage_InsertObject(page.raw, text)
    pdfium.FPDFPage_GenerateContent(page.raw)


def _draw_bar(page: Any, begin: tuple[float, float], end: tuple[float, float], width: float) -> None:
    """A solid bar between two points."""
    import pypdfium2.raw as pdfium

    path = pdfium.FPDFPageObj_CreateNewPath(*begin)
    pdfium.FPDFPath_LineTo(path, *end)
    pdfium.FPDFPageObj_SetStrokeColor(path, *SOLID)
    pdfium.FPDFPageObj_SetStrokeWidth(path, width)
    pdfium.FPDFPath_SetDrawMode(path, pdfium.FPDF_FILLMODE_NONE, True)
    pdfium.FPDFPage_InsertObject(page.raw, path)
    pdfium.FPDFPage_GenerateContent(page.raw)
