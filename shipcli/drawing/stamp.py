"""A word across finished pages, such as VOID on a label that must not be used.

It keeps clear of the foot of the page, where a label has its barcode: what was voided can still be scanned
and found.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from io import BytesIO
from typing import Any

from . import raster
from .convert import with_own_id

RED = (200, 0, 0, 170)
FONT = b"Helvetica-Bold"
WIDTH_OF_EM = 0.68  # of a capital of this font, on average
FOOT = 0.32  # of the height of the page


def stamp(pdf: bytes, word: str, on: Collection[int]) -> bytes:
    """The PDF with a Latin word written across some of its pages, counted from 0, corner to corner.

    Errors: Unconvertible when it is not a PDF.
    """
    out = BytesIO()
    with raster.pdf_document(pdf) as book:
        for number in sorted(on):
            page = book[number]
            _write(book, page, word)
            page.close()
        book.save(out)
    return with_own_id(out.getvalue())


def _write(book: Any, page: Any, word: str) -> None:
    import pypdfium2.raw as pdfium

    width, whole = page.get_size()
    foot, height = whole * FOOT, whole * (1 - FOOT)
    angle, diagonal = math.atan2(height, width), math.hypot(width, height)
    size = 0.66 * diagonal / (len(word) * WIDTH_OF_EM)
    text = pdfium.FPDFPageObj_NewTextObj(book.raw, FONT, size)
    units = (word + "\0").encode("utf-16-le")
    pdfium.FPDFText_SetText(text, (pdfium.FPDF_WCHAR * (len(units) // 2)).from_buffer_copy(units))
    pdfium.FPDFPageObj_SetFillColor(text, *RED)
    cos, sin, start = math.cos(angle), math.sin(angle), 0.17 * diagonal
    x, y = start * cos + 0.35 * size * sin, foot + start * sin - 0.35 * size * cos
    pdfium.FPDFPageObj_Transform(text, cos, sin, -sin, cos, x, y)
    pdfium.FPDFPage_InsertObject(page.raw, text)
    pdfium.FPDFPage_GenerateContent(page.raw)
