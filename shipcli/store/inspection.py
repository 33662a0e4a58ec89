"""A look into a store that can't change it: what an engine offers to `shipcli db query` and others."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from shipcli.models.basics.errors import NotFound
from shipcli.models.basics.text import find_nearest

ONLY_READING = "Only statements that return rows and change nothing can be run here, such as `select ...`."


class Inspection(Protocol):
    """A store that is only read, whatever its version. Files and sealed values are shown as base64."""

    def list_tables(self) -> list[dict[str, Any]]:
        """List the tables by name with their row counts."""

    def read_schema(self, table: str = "") -> list[dict[str, Any]]:
        """The statements that create the tables and indexes, or those of one table.

        Errors: NotFound naming the nearest table.
        """

    def read_table(self, table: str) -> tuple[list[str], Iterator[dict[str, Any]]]:
        """The columns of a table and all its rows.

        Errors: NotFound naming the nearest table.
        """

    def run_query(self, sql: str, values: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
        """Run a statement and return its rows; the values replace its question marks.

        Errors: Invalid for a statement that returns no rows.
        """


def check_table(table: str, names: Sequence[str]) -> str:
    """The name of a table, if it is one of these.

    Errors: NotFound naming the nearest table.
    """
    if table not in names:
        near = find_nearest(table, names)
        hint = f"Did you mean {near}?" if near else "`shipcli db tables` lists them."
        raise NotFound("table", table, message=f"There is no table {table!r}. {hint}")
    return table


def encode_bytes(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with its bytes as base64."""
    return {
        name: b64encode(value).decode() if isinstance(value, bytes) else value for name, value in row.items()
    }
