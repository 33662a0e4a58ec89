"""Answers of simulated carriers as templates in their data files.

    "answers": {"scan": {"at": "{scan.at:%Y-%m-%d}", "text": "{scan.description}", "count": "{count}"}}

A text that is one field alone stands for the value itself, so that numbers stay numbers, lists stay lists,
and what is None is left out where the format leaves it out; any other text is formatted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from string import Formatter
from typing import Any

ONE_FIELD = re.compile(r"\{([\w.\[\]]+)\}")
FORMATTER = Formatter()


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
    field = ONE_FIELD.fullmatch(template)
    return FORMATTER.get_field(field[1], (), values)[0] if field else template.format_map(values)
