"""Text cut into lines that fit their room.

Characters that no bundled font has become question marks: a document must not fail for an emoji in a name.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from shipcli.drawing.shaping import clean, width
from shipcli.drawing.typefaces import font_for

WHOLE = 1.35  # how much too long a word may be and stay whole
JOINERS = "\u200c\u200d"


def printable(text: str) -> str:
    """The text on one line, with a question mark for what no font shows."""
    text = clean(text)
    if text.isascii():
        return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)
    return "".join(c if c in JOINERS or c.isspace() or font_for(c) else "?" for c in text if c.isprintable())


@lru_cache(maxsize=4096)
def wrapped(text: str, room: int, size: int, bold: bool = False, most: int = 0) -> tuple[str, ...]:
    """The text cut into lines that fit; beyond `most` lines (0 is any) the last one ends in dots."""
    text, ems = printable(text), room * 1000 // size
    if width(text, bold) <= ems:
        return (text,) if text else ()
    lines: list[str] = []
    for word in text.split(" "):
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and width(joined, bold) <= ems:
            lines[-1] = joined
        else:
            lines += _pieces(word, ems, bold)
    if most and len(lines) > most:
        lines = [*lines[: most - 1], _shortened(" ".join(lines[most - 1 :]), ems, bold)]
    return tuple(lines)


def _pieces(word: str, ems: int, bold: bool) -> list[str]:
    """A word that is much too long, in pieces; letters stay with the marks they carry.

    One that is a little too long is better drawn smaller: a number must not be cut.
    """
    pieces = [""]
    for letter in word if width(word, bold) > ems * WHOLE else ():
        carried = unicodedata.category(letter) in ("Mn", "Mc") or letter in JOINERS
        if pieces[-1] and not carried and width(pieces[-1] + letter, bold) > ems:
            pieces.append("")
        pieces[-1] += letter
    return pieces if pieces != [""] else [word]


def _shortened(text: str, ems: int, bold: bool) -> str:
    while text and width(f"{text}...", bold) > ems:
        text = text[:-1]
    return f"{text.rstrip()}..."
