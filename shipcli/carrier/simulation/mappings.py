"""How the data file of a carrier maps its simulator's requests to bookings, and results to answers.

Bookings are read by paths:

    "bookings": {
      "party": {"name": ["firstName", "lastName"], "lines": ["line1", "line2"], "country": "address/iso"},
      "item": {"description": "text", "quantity": "count", "value": "price/amount"}
    }

A path leads through objects. Of several the first that holds something counts; a name is all of them
together, every one is a line, and `residential` is whether there is any. Paths with a blank between them
are one text: "street houseNumber".

Answers are templates:

    "answers": {"scan": {"at": "{scan.at:%Y-%m-%d}", "text": "{scan.description}", "count": "{count}"}}

A text that is one field alone stands for the value itself, so that numbers stay numbers, lists stay lists,
and what is None is left out where the format leaves it out; any other text is formatted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Any, TypeAlias

from shipcli.carrier.simulation.bookings import BookedItem, Party
from shipcli.carrier.wire.json_paths import Json, as_list, get_path

Paths: TypeAlias = Mapping[str, str | list[str]]
ONE_FIELD = re.compile(r"\{(\w+)((?:\.\w+|\[\w+\])*)\}")
STEP = re.compile(r"\.(\w+)|\[(\w+)\]")


def read_party(body: Json, paths: Paths, country: str = "") -> Party:
    """Return a party; `country` is for carriers whose requests name none."""
    texts_by_name = {name: read_texts(body, path) for name, path in paths.items()}
    lines, names, home = (texts_by_name.pop(name, []) for name in ("lines", "name", "residential"))
    texts = {name: texts[0] for name, texts in texts_by_name.items() if texts}
    read = {"country": country, "name": " ".join(names), "lines": tuple(lines), "residential": bool(home)}
    return Party(**{**read, **texts})  # type: ignore[arg-type]


def read_items(rows: Iterable[Json], paths: Paths, currency: str = "") -> tuple[BookedItem, ...]:
    """Return goods that cross a border; `currency` is that of values without one of their own."""
    return tuple(_read_item(row, paths, currency) for row in rows)


def _read_item(row: Json, paths: Paths, currency: str) -> BookedItem:
    facts = {name: texts[0] for name, path in paths.items() if (texts := read_texts(row, path))}
    return BookedItem(
        description=facts.get("description", ""),
        quantity=int(facts.get("quantity", 1)),
        value=Decimal(facts.get("value", 0)),
        currency=facts.get("currency", currency),
        origin=facts.get("origin", ""),
        code=facts.get("code", ""),
    )


def read_texts(body: Json, paths: str | list[str]) -> list[str]:
    """Return the values at some paths as texts; empty and blank ones are left out."""
    return [text for path in as_list(paths) for text in _read_path(body, path)]


def _read_path(body: Json, path: str) -> list[str]:
    """Return the texts at a path; those of several paths with a blank between them as one text."""
    if " " in path:
        whole = " ".join(text for alternative in path.split() for text in _read_path(body, alternative))
        return [whole] if whole else []
    values = as_list(get_path(body, path))
    return [text for value in values if value not in (None, "", [], {}) and (text := str(value)).strip()]


def fill(template: Any, values: Mapping[str, Any]) -> Any:
    """Return a template with its fields filled in.

    Errors: KeyError or AttributeError for a field that there is no value for.
    """
    if isinstance(template, dict):
        return {name: fill(item, values) for name, item in template.items()}
    if isinstance(template, list):
        return [fill(item, values) for item in template]
    if not isinstance(template, str) or "{" not in template:
        return template
    field = read_field(template)
    return find_value(values, *field) if field else template.format_map(values)


@cache
def read_field(template: str) -> tuple[str, Sequence[tuple[str, str]]] | None:
    """Return name and steps (attributes or members) of a text that is a single field, else None."""
    match = ONE_FIELD.fullmatch(template)
    return (match[1], STEP.findall(match[2])) if match else None


def find_value(values: Mapping[str, Any], name: str, steps: Sequence[tuple[str, str]]) -> Any:
    value = values[name]
    for attribute, member in steps:
        if attribute:
            value = getattr(value, attribute)
        else:
            value = value[int(member) if member.isdigit() else member]
    return value
