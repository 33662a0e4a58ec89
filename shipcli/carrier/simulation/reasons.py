"""Why a carrier does not take a value, in plain English: said of the field that the value was made of.

Every reason has `{carrier}` in place of the carrier's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from re import _parser  # type: ignore[attr-defined]  # the parser of patterns, which has no stubs
from typing import Any

REQUIRED = "required by {carrier}"
NOT_TAKEN = "{carrier} does not take it"
UNREADABLE = "is not as {carrier} takes it"
MOST_CHOICES = 12
KINDS = {"boolean": "true or false", "number": "a number", "integer": "a whole number", "array": "a list"}


def explain_check(check: str, value: Any) -> str:
    """Return the reason why a value fails a check of a row, such as `text 1..35`."""
    word, _, argument = check.partition(" ")
    match word:
        case "required":
            return REQUIRED
        case "text" | "digits":
            return _explain_text(word, argument, value)
        case "number":
            least, most = _read_ends(argument.removeprefix("text").strip())
            return explain_number(least, most, value)
        case "one":
            return explain_choice(argument.removeprefix("of ").split("|"))
        case "pattern":
            return explain_form(argument)
        case "date":
            return "must be a date that {carrier} can read"
        case "flag":
            return explain_kind("boolean")
        case "list" | "array":
            return explain_count(*_read_ends(argument))
    return NOT_TAKEN if word in ("absent", "members") else UNREADABLE


def _read_ends(text: str) -> tuple[str | None, str | None]:
    least, _, most = text.partition("..")
    return least or None, most or None


def _explain_text(word: str, argument: str, value: Any) -> str:
    least, most = _read_ends(argument)
    bounds = int(least or 0), int(most) if most else None
    text = str("" if value is None else value)
    if word == "digits" and not (text.isascii() and text.isdigit()):
        return f"{{carrier}} takes digits only, {_write_range(*bounds)} of them"
    return explain_length(*bounds, text)


def explain_length(least: int, most: int | None, text: str) -> str:
    """Return the reason why a text is too long or too short."""
    if most is not None and len(text) > most:
        return f"{{carrier}} takes at most {most} characters: it would be sent {len(text)}"
    return f"{{carrier}} takes at least {least} characters" if text or least > 1 else REQUIRED


def explain_number(least: Any, most: Any, value: Any) -> str:
    """Return the reason why a number is too small or too large."""
    try:
        sent = f"{Decimal(str(value)):f}"
    except ArithmeticError:
        return "must be a number"
    return f"{{carrier}} takes {_write_range(least, most)}: it would be sent {sent}"


def explain_choice(choices: Sequence[str]) -> str:
    """Return the reason why a value is none of some."""
    if len(choices) > MOST_CHOICES:
        return "is none of the values that {carrier} takes"
    return f"{{carrier}} takes only {_escape(' or '.join(choices))}"


def explain_count(least: Any, most: Any) -> str:
    """Return the reason why there are too few or too many."""
    return f"{{carrier}} takes {_write_range(least, most)} of them"


def explain_kind(kind: str) -> str:
    """Return the reason why a value is not of a kind of JSON."""
    return f"must be {KINDS[kind]} for {{carrier}}" if kind in KINDS else UNREADABLE


def explain_form(pattern: str) -> str:
    """Return the reason why a text does not match a pattern: with a text that does."""
    try:
        example = make_example(pattern)
    except (re.error, KeyError):
        return UNREADABLE
    return f"is not in the form that {{carrier}} takes, such as {_escape(example)}" if example else UNREADABLE


def _write_range(least: Any, most: Any) -> str:
    if most is None:
        return f"at least {least}"
    if least in (None, 0, "0"):
        return f"at most {most}"
    return f"{least} to {most}" if str(least) != str(most) else f"exactly {most}"


def _escape(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


# -- examples of patterns ----------------------------------------------------------------------------

SPARE = "a"  # of a class that leaves characters out
OF_CATEGORIES = {"CATEGORY_DIGIT": "0", "CATEGORY_WORD": "a", "CATEGORY_SPACE": " "}


def make_example(pattern: str) -> str:
    """Return the shortest text of a pattern, without what it only looks ahead for; "" if that is not one.

    Errors: re.error; KeyError for what no text can be made of.
    """
    example = _write_example(_parser.parse(pattern))
    return example if re.fullmatch(pattern, example) else ""


def _write_example(nodes: Iterable[tuple[Any, Any]]) -> str:
    return "".join(_write_node(str(kind), value) for kind, value in nodes)


def _write_node(kind: str, value: Any) -> str:
    match kind:
        case "LITERAL":
            return chr(value)
        case "ANY":
            return "a"
        case "IN":
            return _choose_character(value)
        case "MAX_REPEAT" | "MIN_REPEAT":
            return _write_example(value[2]) * int(value[0])
        case "BRANCH":
            return _write_example(value[1][0])
        case "SUBPATTERN":
            return _write_example(value[3])
        case "AT" | "ASSERT" | "ASSERT_NOT":
            return ""
    raise KeyError(kind)


def _choose_character(choices: Sequence[tuple[Any, Any]]) -> str:
    kinds = {str(kind): value for kind, value in reversed(choices)}  # the first of a kind counts
    if "NEGATE" in kinds:
        return SPARE
    if "RANGE" in kinds:
        return chr(kinds["RANGE"][0])
    return OF_CATEGORIES[str(kinds["CATEGORY"])] if "CATEGORY" in kinds else chr(kinds["LITERAL"])
