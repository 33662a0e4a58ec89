"""A label from what it says, in the format asked for."""

from __future__ import annotations

from collections.abc import Sequence

from .convert import convert
from .formats.pdf import write_pdf
from .formats.zpl import write_zpl
from .layout import LabelSpec, draw_label_page

FORMATS = ("PDF", "ZPL", "PNG")


def draw_label(spec: LabelSpec, format: str = "PDF") -> bytes:
    """A 4x6 inch label as PDF, ZPL or PNG (203 dpi); equal labels are equal bytes.

    Errors: Unprintable naming the character no font or barcode has; ValueError when something is too long.
    """
    return draw_labels((spec,), format)


def draw_labels(specs: Sequence[LabelSpec], format: str) -> bytes:
    """The labels of one shipment in one file: pages of a PDF, formats of a ZPL one after the other.

    Errors: as `draw_label`; ValueError for no label, and for several in one PNG.
    """
    format = format.upper()
    if not specs or format not in FORMATS or (format == "PNG" and len(specs) > 1):
        raise ValueError(
            f"{len(specs)} labels cannot be drawn as {format}; there are PDF, ZPL and PNG (one label)."
        )
    pages = [draw_label_page(spec) for spec in specs]
    if format == "ZPL":
        return "".join(map(write_zpl, pages)).encode()
    pdf = write_pdf(pages)
    return pdf if format == "PDF" else convert(pdf, format)
