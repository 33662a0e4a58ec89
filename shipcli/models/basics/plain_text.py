"""Plain text of what people and shops write: entities, line breaks, signs no paper shows; lines that fit."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Sequence
from html import unescape
from itertools import takewhile

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
# Blanks before a break are tried from the first of them only: a long run of blanks is read once.
_BREAK = re.compile(
    r"(?:(?<![^\S\r\n])[^\S\r\n]*)?(?:\r\n|[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]|<br ?/?>)\s*", re.IGNORECASE
)
_BLANKS = re.compile(r"[^\S\n]+")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u200b\u2060\ufeff\ufffe\uffff\ufffc]")
# Pictures, and what joins and colours them; a few older signs are of the same kind (watches, stars, hearts).
_PICTURE = (
    "[\U0001f000-\U0001fbff\u2194-\u21aa\u231a-\u23ff\u2600-\u27bf\u2934\u2935\u2b05-\u2b55\u3030\u303d"
    "\ue000-\uf8ff\U000e0020-\U000e007f\U000f0000-\U0010ffff]"
)
_PICTURES = re.compile(rf"[\ufe0e\ufe0f]?\u20e3|{_PICTURE}(?:[\ufe0e\ufe0f\u200d]|{_PICTURE})*")
# Letters of a formula's alphabets and wide ones, which people take for their looks.
_FANCY = re.compile("[\U0001d400-\U0001d7ff\uff01-\uff5e]+")


def resolve_entities(text: str) -> str:
    """The text with its HTML entities as characters, resolved once: `&amp;lt;` is `&lt;`."""
    if "&" not in text or ";" not in text:
        return text
    return _ENTITY.sub(lambda entity: unescape(entity[0]), text)


def break_lines(text: str) -> str:
    """The text with every line break as one, `<br>` as well, and every run of other blanks as one space."""
    if text.isascii() and text.isprintable() and "<" not in text and "  " not in text:
        return text.strip()
    return _BLANKS.sub(" ", _BREAK.sub("\n", text)).strip()


def join_lines(text: str) -> str:
    """The text on one line."""
    return " ".join(break_lines(text).split("\n"))


def drop_pictures(text: str) -> str:
    """The text without the pictures in it, such as emoji, which no label shows."""
    if text.isascii() or not _PICTURES.search(text):
        return text
    return _BLANKS.sub(" ", _PICTURES.sub("", text)).strip()


def drop_unprintable(text: str) -> tuple[str, str]:
    """The text as paper can show it, and what of it was left out, named."""
    if text.isascii() and not _CONTROLS.search(text):
        return text, ""
    plain = _FANCY.sub(lambda letters: unicodedata.normalize("NFKC", letters[0]), text)
    pictures = [match[0] for match in _PICTURES.finditer(plain)]
    controls = [f"U+{ord(sign):04X}" for sign in _CONTROLS.findall(plain)]
    bare = _CONTROLS.sub("", _PICTURES.sub("", plain))
    left_out = ", ".join(dict.fromkeys(pictures + controls))
    return (_BLANKS.sub(" ", bare).strip() if left_out else bare), left_out


def fit_lines(lines: Sequence[str], width: int, most: int) -> tuple[list[str], str]:
    """The lines broken at words to a width, run on where they would be too many, and what has no room."""
    wrapped = [part for line in lines for part in _wrap(line, width)]
    if len(wrapped) > most:
        wrapped = _wrap(_run_on(lines), width)
    fitting = list(takewhile(lambda line: len(line) <= width, wrapped[:most]))
    return fitting, " ".join(wrapped[len(fitting) :])


def _wrap(line: str, width: int) -> list[str]:
    """A line broken at its words, and between the letters of scripts that put no blanks between words."""
    is_dense = any(unicodedata.east_asian_width(letter) in "WF" for letter in line)
    return textwrap.wrap(line, width, break_long_words=is_dense, break_on_hyphens=False)


def cut_at_word(text: str, width: int) -> tuple[str, str]:
    """The words that fit a width, and those that do not; a first word that is too long is cut."""
    if len(text) <= width:
        return text, ""
    first = textwrap.wrap(text, width, break_on_hyphens=False)[0]
    return first, text[len(first) :].strip()


def _run_on(lines: Sequence[str]) -> str:
    return " ".join(line if line.endswith((",", ";")) else f"{line}," for line in lines).removesuffix(",")
