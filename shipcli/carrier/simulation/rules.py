"""What a carrier refuses, as rows: one language for JSON and for XML (read with `convert_to_plain`).

    ["{Shipper,ShipTo}/Name", "required, text 1..35", "120200", "Missing or invalid {} name"]
    ["Package[]/Weight", "required, number 0.01..70", "111057"]
    ["{Shipper,ShipTo}/State", "required", "120206", "Missing {} state", "{}/Country=US|CA"]

A row is a path, its checks, the carrier's code, what it says, and the condition under which it holds. The
path "" is the body itself. `[]` goes through every member of a list, or the only one. A row with words in
braces stands for one row each; `{}` in its text and condition is that word. A condition is a path that is
there, or has one of some values ("Type=A|B"), or is not there ("!Type"); several are joined by " & ". The
rows of a carrier stand in its data file (`Catalogue.rules`), where `@packaging` stands for the codes of
that table. Checks:

- `required`: there and not empty; everything else lets a missing value pass
- `absent`: not there
- `text 1..35`, `digits 5..9`: length, of digits only; `number 0.01..70`: a number, as such or as text;
  `number text`: as text only; an open end is left out (`1..`)
- `one of A|B|C`; `pattern [A-Z]{2}` (to the end of the row: it comes last); `date %Y%m%d`; `base64`; `flag`
- `list 1..3`: so many members, of which one may stand alone; `array 1..3`: a list of so many
- `members A|B|C`: an object with no other members
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal, InvalidOperation
from functools import cached_property
from typing import TYPE_CHECKING, Any

from shipcli.carrier.simulation.reasons import explain_check
from shipcli.carrier.wire.json_paths import as_list, get_path

if TYPE_CHECKING:
    from lxml.etree import _Element

NIL = "{http://www.w3.org/2001/XMLSchema-instance}nil"
MISSING = object()


@dataclass(frozen=True, slots=True)
class RuleProblem:
    """What is wrong with one value: where, the carrier's code, what it says.

    `reason` says it of whatever the value was made of, with `{carrier}` for the carrier's name; "" where
    only the carrier's words are there. `value` is the value, None of one that is missing.
    """

    path: str
    code: str
    text: str
    reason: str = ""
    value: Any = None


@dataclass(frozen=True)
class FieldRule:
    """One row."""

    path: str
    checks: str
    code: str = ""
    text: str = ""
    when: str = ""

    def problems(self, body: Any) -> Sequence[RuleProblem]:
        """Return a problem for each value that fails a check."""
        if self.when and not holds(self.when, body):
            return ()
        return [
            self._describe(path, value, failed)
            for path, value in list_values(body, self.path)
            if (failed := next((words for words, check in self._checks if not check(value)), None))
        ]

    def _describe(self, path: str, value: Any, failed: str) -> RuleProblem:
        shown = None if value is MISSING else value
        text = self.text or f"{path}: {self.checks}"
        return RuleProblem(path, self.code, text, explain_check(failed, shown), shown)

    @cached_property
    def _checks(self) -> list[tuple[str, Callable[[Any], bool]]]:
        return [(check, read_check(check)) for check in split_checks(self.checks)]


class Rules:
    """The rows of one request."""

    def __init__(self, *rows: Sequence[str]) -> None:
        self.rows = [FieldRule(*expanded) for row in rows for expanded in expand_braces(row)]

    def problems(self, body: Any) -> Iterator[RuleProblem]:
        """Yield everything that is wrong, in the order of the rows."""
        for row in self.rows:
            yield from row.problems(body)


def expand_braces(row: Sequence[str]) -> list[list[str]]:
    """Return the rows that a row with alternatives stands for: itself if it has none."""
    match = re.search(r"\{([^{}]+)\}", row[0])
    if not match:
        return [list(row)]
    path, checks, *texts = row
    return [
        expanded
        for word in match[1].split(",")
        for expanded in expand_braces(
            [path.replace(match[0], word), checks, *(text.replace("{}", word) for text in texts)]
        )
    ]


def holds(when: str, body: Any) -> bool:
    """Whether the condition of a row is met."""
    for part in when.split(" & "):
        path, compared, words = part.strip().removeprefix("!").partition("=")
        value = get_path(body, path)
        is_met = str(value) in words.split("|") if compared else value not in (None, "", [], {})
        if is_met is part.strip().startswith("!"):
            return False
    return True


def list_values(body: Any, path: str) -> list[tuple[str, Any]]:
    """Return the places that a path leads to with their values; the empty path leads to the body itself.

    The value is MISSING where the last object on the way lacks it. What lies inside something that is missing
    is left out.
    """
    pairs = [("", body)]
    for step in path.split("/") if path else ():
        pairs = [pair for path, value in pairs if value is not MISSING for pair in _enter(value, step, path)]
    return pairs


def _enter(body: Any, step: str, path: str) -> list[tuple[str, Any]]:
    """Return what one step leads to; of a step through a list every member."""
    name = step.removesuffix("[]")
    here = f"{path}/{name}" if path else name
    value = body.get(name, MISSING) if isinstance(body, dict) else MISSING
    if name == step or value is MISSING:
        return [(here, value)]
    members = as_list(value)
    return [(f"{here}[{at}]" if len(members) > 1 else here, member) for at, member in enumerate(members)]


# -- checks ----------------------------------------------------------------------------------------


def split_checks(text: str) -> list[str]:
    """Return the checks of a row; a pattern takes what is left, and a word of a list may hold commas."""
    plain, marker, pattern = text.partition("pattern ")
    names = "|".join(("required", "absent", *CHECKS))
    checks = [part.strip(", ") for part in re.split(rf",(?=\s*(?:{names})\b)", plain) if part.strip(", ")]
    return [*checks, marker + pattern] if marker else checks


def read_check(text: str) -> Callable[[Any], bool]:
    """Return the function of a check, such as `text 1..35`.

    Errors: ValueError for a word that is no check.
    """
    word, _, argument = text.partition(" ")
    if word == "required":
        return lambda value: value is not MISSING and value not in (None, "", [], {})
    if word == "absent":
        return lambda value: value is MISSING
    make = CHECKS.get(word)
    if make is None:
        raise ValueError(f"there is no check {word!r}")
    check = make(argument)
    return lambda value: value is MISSING or value is None or check(value)


def read_range(text: str) -> tuple[Decimal, Decimal]:
    least, _, most = text.partition("..")
    return Decimal(least or "-Infinity"), Decimal(most or "Infinity")


def _make_text_check(argument: str) -> Callable[[Any], bool]:
    least, most = read_range(argument)
    return lambda value: isinstance(value, str) and least <= len(value) <= most


def _make_digits_check(argument: str) -> Callable[[Any], bool]:
    fits = _make_text_check(argument)
    return lambda value: bool(fits(value) and value.isascii() and value.isdigit())


def _make_number_check(argument: str) -> Callable[[Any], bool]:
    only_text = argument.startswith("text")
    least, most = read_range(argument.removeprefix("text").strip() or "..")

    def check(value: Any) -> bool:
        if isinstance(value, bool) or (only_text and not isinstance(value, str)):
            return False
        try:
            return least <= Decimal(str(value)) <= most
        except InvalidOperation:
            return False

    return check


def _make_choice_check(argument: str) -> Callable[[Any], bool]:
    words = set(argument.removeprefix("of ").split("|"))
    return lambda value: str(value) in words


def _make_pattern_check(argument: str) -> Callable[[Any], bool]:
    compiled = re.compile(argument)
    return lambda value: isinstance(value, str) and bool(compiled.fullmatch(value))


def _make_date_check(argument: str) -> Callable[[Any], bool]:
    def check(value: Any) -> bool:
        try:
            return datetime.strptime(value, argument).strftime(argument) == str(value)
        except (TypeError, ValueError):
            return False

    return check


def _make_base64_check(argument: str) -> Callable[[Any], bool]:
    def check(value: Any) -> bool:
        try:
            return bool(base64.b64decode(value, validate=True))
        except (TypeError, ValueError):
            return False

    return check


def _make_list_check(argument: str) -> Callable[[Any], bool]:
    least, most = read_range(argument)
    return lambda value: least <= len(as_list(value)) <= most


def _make_array_check(argument: str) -> Callable[[Any], bool]:
    least, most = read_range(argument)
    return lambda value: isinstance(value, list) and least <= len(value) <= most


def _make_members_check(argument: str) -> Callable[[Any], bool]:
    allowed = set(argument.split("|"))
    return lambda value: isinstance(value, dict) and value.keys() <= allowed


CHECKS: dict[str, Callable[[str], Callable[[Any], bool]]] = {
    "text": _make_text_check,
    "digits": _make_digits_check,
    "number": _make_number_check,
    "one": _make_choice_check,
    "pattern": _make_pattern_check,
    "date": _make_date_check,
    "base64": _make_base64_check,
    "flag": lambda argument: lambda value: isinstance(value, bool) or value in ("true", "false"),
    "list": _make_list_check,
    "array": _make_array_check,
    "members": _make_members_check,
}


# -- XML -------------------------------------------------------------------------------------------


def convert_to_plain(node: _Element) -> Any:
    """Return an element as JSON would have it: children by name, repeated ones as lists, "@name" attributes.

    An element with text only is that text, an empty one "", one that is nil is not there.
    """
    members: dict[str, Any] = {"@" + str(name): value for name, value in node.attrib.items()}
    for child in node:
        if child.get(NIL) == "true":
            continue
        name, value = str(child.tag), convert_to_plain(child)
        if name in members:
            existing = members[name]
            members[name] = [*existing, value] if isinstance(existing, list) else [existing, value]
        else:
            members[name] = value
    text = (node.text or "").strip()
    if not members:
        return text
    return {**members, "#text": text} if text else members
