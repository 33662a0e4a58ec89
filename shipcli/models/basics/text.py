"""Words that look alike, and text that programs would take for something else."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

_FORMULA = re.compile(r"'*[=+\-@\t\r]")
# Letters with a stroke, and ligatures: Unicode takes no accent off them.
_PLAIN = str.maketrans({
    "ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th",
})  # fmt: skip


class LiteralText(str):
    """Text of a cell that its file marks as text, however it begins."""

    __slots__ = ()


# What people and shops write where there is nothing to write, without the signs in it.
_PLACEHOLDERS = frozenset({
    "", "na", "none", "null", "nil", "nan", "default", "notapplicable", "notavailable", "unknown",
    "undefined", "other", "nostate", "noprovince", "nophone", "notprovided", "notspecified",
    "pleaseselect", "keine", "keiner", "aucun", "ninguno", "ninguna", "nessuno", "nessuna", "geen", "tbd",
})  # fmt: skip


def is_placeholder(text: str | None) -> bool:
    """Whether a text says that there is nothing: `n/a`, `-`, `none`, `default`, or nothing at all."""
    return re.sub(r"[\W_]", "", (text or "").casefold()) in _PLACEHOLDERS


def fold_text(text: str) -> str:
    """A name as names are compared: without case, accents, blanks and signs; `&` is "and"."""
    letters = unicodedata.normalize("NFKD", text.replace("&", " and ").casefold()).translate(_PLAIN)
    return "".join(letter for letter in letters if letter.isalnum())


def guard_formula(text: str) -> str:
    """The text for a cell of a CSV file, with an apostrophe where spreadsheets would run it as a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def unguard_formula(text: str) -> str:
    """The text of a cell without the apostrophe that `guard_formula` gave it."""
    return LiteralText(text[1:]) if text.startswith("'") and _FORMULA.match(text) else text


def name_object(document: Mapping[str, Any]) -> str:
    """What people call a stored object: its reference or number, and its id when it has neither."""
    numbers = (
        document.get(name) for name in ("reference", "order_id", "tracking_number", "confirmation_number")
    )
    return str(next(filter(None, numbers), None) or document.get("id") or "")


def name_uniquely(document: Mapping[str, Any]) -> str:
    """What names a stored object in a command: no two have the same, as references may."""
    return str(document.get("tracking_number") or document.get("id") or "")


def find_nearest(word: str, choices: Iterable[str], likeness: float = 0.7) -> str | None:
    """The choice most like a word, for "did you mean"; None when nothing is close.

    Shapes: `likeness` goes from 0 to 1, where only the case of letters differs.
    """
    return next(iter(list_nearest(word, choices, likeness, most=1)), None)


def suggest_nearest(word: str, choices: Iterable[str]) -> str:
    """The sentence that names the nearest choice, after a blank; empty when nothing is close."""
    near = find_nearest(word, choices)
    return f" Did you mean {near}?" if near else ""


def list_nearest(word: str, choices: Iterable[str], likeness: float = 0.7, *, most: int = 3) -> list[str]:
    """The choices most like a word, the nearest first."""
    from difflib import get_close_matches

    by_folded = {choice.casefold(): choice for choice in choices}
    matches = get_close_matches(word.casefold(), by_folded, n=most, cutoff=likeness)
    return [by_folded[match] for match in matches]


def count_text(number: int, word: str) -> str:
    """`1 piece`, `2 pieces`, `3 addresses`."""
    plural = f"{word}es" if word.endswith("s") else f"{word}s"
    return f"{number} {word if number == 1 else plural}"


def describe_unreadable(error: Exception) -> str:
    """Why a file that a person wrote can't be read, in words; of YAML with its line."""
    mark = getattr(error, "problem_mark", None)
    if mark is not None:
        return f"line {mark.line + 1}: {getattr(error, 'problem', None) or 'this is no YAML'}"
    if isinstance(error, UnicodeDecodeError):
        return "it is not a text in UTF-8"
    return error.strerror or str(error) if isinstance(error, OSError) else " ".join(str(error).split())


def join_words(words: Iterable[str]) -> str:
    """Several words as they stand in a sentence: `a, b and c`."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last
