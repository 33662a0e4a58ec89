"""Labels and forms drawn, barcodes made, label files converted and merged. Pure: it reads its own fonts only.

PDF, PNG and image work needs pypdfium2, Pillow, uharfbuzz and zxing-cpp, which are imported when first used.
"""

from .convert import convert, count_pages, draw_preview, find_label_kind, merge
from .draw import draw_label, draw_labels
from .errors import Unconvertible, Unprintable
from .form import draw_form
from .layout import Block, LabelSpec
from .paper import LETTER
from .stamp import stamp

__all__ = [
    "LETTER",
    "Block",
    "LabelSpec",
    "Unconvertible",
    "Unprintable",
    "convert",
    "draw_form",
    "draw_label",
    "draw_labels",
    "find_label_kind",
    "merge",
    "count_pages",
    "draw_preview",
    "stamp",
]
