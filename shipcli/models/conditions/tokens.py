"""The words and signs of a condition, each with its place in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from shipcli.models.basics.errors import Invalid

FIELD = "condition"
KEYWORDS = frozenset({"and", "or", "not", "in", "contains", "between"})
END = "end"
_SPELLINGS = {"==": "=", "<>": "!=", "&&": "and", "||": "or", "≤": "<=", "≥": ">=", "≠": "!="}
_QUOTED = frozenset({"double", "single", "curly", "curly_single"})
_QUOTES = "\"'“”„‘’‚"
_TOKEN = re.compile(
    r"""\s*(?:(?P<sign><=|>=|!=|==|<>|&&|\|\||[=<>≤≥≠(),])"""
    r"""|"(?P<double>[^"]*)"|'(?P<single>[^']*)'|[“”„](?P<curly>[^“”„]*)[“”]|[‘’‚](?P<curly_single>[^‘’‚]*)[‘’]"""
    r"""|(?P<word>[^\s()<>=!,"'“”„&|≤≥≠]+))"""
)


class ConditionToken(NamedTuple):
    """A part of a condition. `kind` is the sign or keyword itself, or word, text or end."""

    kind: str
    text: str
    start: int
    end: int


def list_tokens(text: str) -> list[ConditionToken]:
    """The parts of a condition, an end last.

    Errors: Invalid marking the first sign that has no meaning.
    """
    return [*_read_tokens(text), ConditionToken(END, "the end", len(text), len(text))]


def _read_tokens(text: str) -> Iterator[ConditionToken]:
    place, length = 0, len(text.rstrip())
    while place < length:
        match = _TOKEN.match(text, place)
        if match is None:
            start = place + len(text[place:]) - len(text[place:].lstrip())
            quote = text[start] in _QUOTES
            sign = f"{text[start]!r} has no meaning here; a text with such signs is put in quotes"
            reason = "This quote has no end" if quote else sign
            raise mark_place(text, start, length if quote else start + 1, reason)
        yield _make_token(match)
        place = match.end()


def _make_token(match: re.Match[str]) -> ConditionToken:
    group = str(match.lastgroup)
    start, end = match.start(group), match.end()
    text = match[group]
    if group in _QUOTED:
        return ConditionToken("text", text, start - 1, end)
    spelling = _SPELLINGS.get(text, text.casefold() if text.casefold() in KEYWORDS else text)
    return ConditionToken(spelling if group == "sign" or spelling in KEYWORDS else "word", text, start, end)


def mark_place(text: str, start: int, end: int, reason: str) -> Invalid:
    """The error for a part of a condition: why it is wrong, and the text with that part marked."""
    marked = f"{text[:start]}»{text[start:end]}«{text[end:]}"
    return Invalid(FIELD, f"{reason} (at {start + 1}: {marked})")
