"""Values as text in a cell, a column or a line."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from shipcli.cli.console.paths import MISSING, look_up
from shipcli.models.basics.json import dumps, loads, write_number
from shipcli.models.basics.text import guard_formula


class Raw(str):
    """The JSON text of an object as it is stored; it is parsed only if a form needs its parts."""

    __slots__ = ()


def convert_to_plain(item: Any) -> Any:
    """An item as plain values: stored text read, models in their REST form."""
    if isinstance(item, Raw):
        return loads(item)
    if hasattr(item, "model_dump"):
        return item.model_dump()
    return item.to_dict() if hasattr(item, "to_dict") else item


def encode_json(item: Any) -> str:
    """An item as JSON; stored text as it is."""
    return item if isinstance(item, Raw) else dumps(item)


def format_cell(value: Any) -> str:
    """A value as one cell: exact digits, lists of plain values joined, objects as JSON."""
    if value is None or value is MISSING:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return write_number(value)
    if isinstance(value, list | tuple) and not any(
        isinstance(item, Mapping | list | tuple) for item in value
    ):
        return ", ".join(format_cell(item) for item in value)
    return dumps(value) if isinstance(value, Mapping | list | tuple) else str(value)


def format_column(row: Any, path: str) -> str:
    """The cell of a row under a column."""
    return format_cell(look_up(row, path))


def format_csv_column(row: Any, path: str) -> str:
    """The same for a CSV file: text that a spreadsheet would run as a formula is guarded."""
    value = look_up(row, path)
    text = format_cell(value)
    return text if isinstance(value, int | float | Decimal) else guard_formula(text)


def count_objects(value: Any) -> str:
    """How many objects are in a list; empty for anything else."""
    is_list = isinstance(value, list | tuple) and any(isinstance(item, Mapping) for item in value)
    return str(len(value)) if is_list else ""


def show_cell(value: Any, path: str = "") -> str:
    """A cell for people: instants in local time to the minute, lists of objects as their number."""
    if isinstance(value, str) and path.endswith("_at"):
        return _format_local_time(value)
    if objects := count_objects(value):
        return f"{objects} item{'' if objects == '1' else 's'}"
    return format_cell(value)


def _format_local_time(text: str) -> str:
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        return text
    return f"{instant.astimezone():%Y-%m-%d %H:%M}" if instant.tzinfo else text


def flatten_fields(row: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """The fields of an object, with those of nested objects under dotted names."""
    fields: list[tuple[str, Any]] = []
    for key, value in row.items():
        path = f"{prefix}{key}"
        is_nested = isinstance(value, Mapping) and value
        fields += flatten_fields(value, f"{path}.") if is_nested else [(path, value)]
    return fields
