"""What is done with each column of a file."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import NamedTuple

from shipcli.readers.mapping import MappedFile

CHOOSES = "says which rows count"
MOST_LOOKED_AT = 1000  # rows in which the first value of a column is looked for
# Columns of our own exports that say what became of a row: an import does not read them.
UNUSED: Mapping[str, frozenset[str]] = {
    "orders": frozenset({"id", "order_status", "order_total", "order_created_at"}),
    "shipments": frozenset({"id", "created_at", "shipper_id", "recipient_id", "rate"}),
    "trackers": frozenset({"id", "status"}),
}


class ColumnUse(NamedTuple):
    """A column, the fields that it fills (none if it is ignored), and its first value."""

    header: str
    fields: tuple[str, ...]
    first_value: str


def list_uses(table: MappedFile) -> list[ColumnUse]:
    """What is done with each column of a file, with its first value."""
    first = _find_first_values(table)
    return [ColumnUse(name, fields, first.get(name, "")) for name, fields in list_fields(table).items()]


def list_fields(table: MappedFile) -> dict[str, tuple[str, ...]]:
    """The fields that each column of a file fills, by its heading; no row is read."""
    uses = {name: list[str]() for name in table.table.headers if name}
    for name, source in table.sources.items():
        is_unused = name in UNUSED.get(table.resource_type, ())
        for header in () if is_unused else source.headers:
            if header in uses:
                uses[header].append(name)
    for header in table.rules.columns:
        if not uses.get(header, True):
            uses[header].append(CHOOSES)
    return {name: tuple(fields) for name, fields in uses.items()}


def _find_first_values(table: MappedFile) -> dict[str, str]:
    first: dict[str, str] = {}
    for row in islice(table.table, MOST_LOOKED_AT):
        for name, value in row.cells.items():
            if value:
                first.setdefault(name, value)
    return first
