"""Text of reports in any script: parts, each in a bundled font that has its characters."""

from __future__ import annotations

from html import escape
from itertools import groupby

from reportlab.pdfbase.pdfmetrics import stringWidth

from shipcli.documents.html import register_font
from shipcli.drawing.text.typefaces import LATIN, find_font


def list_runs(text: str) -> list[tuple[str, str]]:
    """The parts of a text with the font of each, which reportlab knows from now on."""
    runs = groupby(text, _choose_font)
    return [(register_font(font), "".join(letters)) for font, letters in runs]


def _choose_font(letter: str) -> str:
    return LATIN if letter.isascii() else find_font(letter) or LATIN


def mark_fonts(text: str) -> str:
    """A text as the markup of a paragraph."""
    return "".join(
        escape(part) if font == LATIN else f'<font name="{font}">{escape(part)}</font>'
        for font, part in list_runs(text)
    )


def measure(text: str, size: float) -> float:
    """The width of a text in points."""
    return sum(float(stringWidth(part, font, size)) for font, part in list_runs(text))
