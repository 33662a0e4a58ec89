"""Answers of simulated carriers as templates in their data files.

    "answers": {"scan": {"at": "{scan.at:%Y-%m-%d}", "text": "{scan.description}", "count": "{count}"}}

A text that is one field alone stands for the value itself, so that numbers stay numbers, lists stay lists,
and what is None is left out where the format leaves it out; any other text is formatted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

ONE_FIELD = re.compile(r"\{(\w+)((?:\.\w+|\[\w+\])*)\}")
STEP = re.compile(r"\.(\w+)|\[(\w+)\]")


def fill(template: Any, values: Mapping[str, Any]) -> Any:
    """A template with its fields filled in.

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
    """The name and the steps (an attribute or a member) of a text that is one field; None of any other."""
    found = ONE_FIELD.fullmatch(template)
    return (found[1], STEP.findall(found[2])) if found else None


def find_value(values: Mapping[str, Any], name: str, steps: Sequence[tuple[str, str]]) -> Any:
    value = values[name]
    for attribute, member in steps:
        if attribute:
            value = getattr(value, attribute)
        else:
            value = value[int(member) if member.isdigit() else member]
    return value
