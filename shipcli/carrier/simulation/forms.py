"""The form of an XML answer: its members in their order, and what stands where there is nothing to say.

    {"Number": "", "Prices": {"Price?": {"Amount": "0"}}, "Note?": ""}

A name with a question mark may be left out; the others are mandatory and have the value beside them. The
forms of a carrier stand in the table `forms` of its catalogue, under the root of the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

OPTIONAL = "?"
Form = Mapping[str, Any]


def fill_form(value: Mapping[str, Any], form: Form) -> dict[str, Any]:
    """Return the members of a value in the order of a form; attributes and what has no place there stay."""
    places = {name.removesuffix(OPTIONAL): name for name in form}
    filled = {
        name: _fill_member(value.get(name), form[key])
        for name, key in places.items()
        if value.get(name) is not None or not key.endswith(OPTIONAL)
    }
    return {**{name: inner for name, inner in value.items() if name not in places}, **filled}


def _fill_member(value: Any, usual: Any) -> Any:
    if not isinstance(usual, Mapping):
        return usual if value is None else value
    if isinstance(value, list):
        return [fill_form(row, usual) for row in value]
    return fill_form(value or {}, usual)
