"""Text cut into lines that fit their room.

Characters that no bundled font has become question marks: a document must not fail for an emoji in a name.
"""

from __future__ import annotations

from functools import lru_cache

from shipcli.drawing.shaping import JOINERS, clean, measure_width, wrap
from shipcli.drawing.typefaces import find_font

WHOLE = 1.35  # a word so much too long is better drawn smaller: a number must not be cut


def replace_unprintable(text: str) -> str:
    """The text on one line, with a question mark for what no font shows."""
    text = clean(text)
    if text.isascii():
        return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)
    return "".join(c if c in JOINERS or c.isspace() or find_font(c) else "?" for c in text if c.isprintable())


@lru_cache(maxsize=4096)
def wrap_text(text: str, room: int, size: int, bold: bool = False, most: int = 0) -> tuple[str, ...]:
    """The text cut into lines that fit; beyond `most` lines (0 is any) the last one ends in dots."""
    text, ems = replace_unprintable(text), room * 1000 // size
    if measure_width(text, bold) <= ems:
        return (text,) if text else ()
    lines = wrap(text, ems, bold, WHOLE)
    if most and len(lines) > most:
        lines = [*lines[: most - 1], _shorten(" ".join(lines[most - 1 :]), ems, bold)]
    return tuple(lines)


def _shorten(text: str, ems: int, bold: bool) -> str:
    while text and measure_width(f"{text}...", bold) > ems:
        text = text[:-1]
    return f"{text.rstrip()}..."
