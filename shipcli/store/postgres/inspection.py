"""Read-only access to the schema of a store of any version, for operators."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from decimal import Decimal
from typing import Any

import psycopg

from shipcli.models.basics.errors import Invalid
from shipcli.store.errors import StoreError
from shipcli.store.inspection import ONLY_READING, check_table, encode_bytes
from shipcli.store.postgres.connections import Connection, ConnectionPool
from shipcli.store.postgres.dialect import translate
from shipcli.store.postgres.errors import explain, is_lost

_PATIENCE_MS = 30_000
_READING = frozenset({"select", "with", "values", "table", "explain", "show"})
_PLAIN = (str, int, float, bytes, Decimal, type(None))
_TABLES = (
    "select c.relname, c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace "
    "where n.nspname = %s and c.relkind = 'r' order by 1"
)
_COLUMNS = (
    "select a.attname, format_type(a.atttypid, a.atttypmod) || "
    "case when a.attnotnull then ' not null' else '' end from pg_attribute a "
    "where a.attrelid = %s::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum"
)
_INDEXES = "select pg_get_indexdef(indexrelid) from pg_index where indrelid = %s::regclass order by 1"


@contextmanager
def open_inspection(connections: ConnectionPool) -> Iterator[PostgresInspection]:
    """Read in a transaction that the server lets change nothing, each statement for half a minute at most.

    Errors: StoreError; Invalid for SQL that is wrong or does more than read.
    """
    begin = f"begin isolation level repeatable read read only; set local statement_timeout = {_PATIENCE_MS}"
    with closing(connections), connections.lend_begun(begin) as (connection, _):
        inspection = PostgresInspection(connection, connections.url.schema)
        try:
            if not inspection.list_names():
                raise StoreError(f"there is no store {connections.place}")
            yield inspection
        except psycopg.Error as error:
            raise _explain(error, connections.place) from error


def _explain(error: psycopg.Error, place: str) -> Exception:
    code = error.sqlstate or ""
    if code == "25006":
        return Invalid("sql", ONLY_READING)
    if code == "57014":
        return Invalid("sql", f"the statement took longer than {_PATIENCE_MS // 1000} s and was ended")
    return explain(error, place) if is_lost(error) else Invalid("sql", str(error).partition("\n")[0])


class PostgresInspection:
    """The schema of a store, on one connection."""

    def __init__(self, connection: Connection, schema: str) -> None:
        self._connection, self._schema = connection, schema

    def list_names(self) -> dict[str, str]:
        """The tables, with their names as SQL writes them."""
        return dict(self._connection.execute(_TABLES, (self._schema,)).fetchall())

    def list_tables(self) -> list[dict[str, Any]]:
        """List the tables by name with their row counts."""
        return [{"table": name, "rows": self._count(sql)} for name, sql in self.list_names().items()]

    def _count(self, table: str) -> int:
        row = self._connection.execute(f"select count(*) from {table}").fetchone()
        return int(row[0]) if row else 0

    def read_schema(self, table: str = "") -> list[dict[str, Any]]:
        """The statements that create the tables and indexes, or those of one table."""
        names = self.list_names()
        chosen = [check_table(table, list(names))] if table else list(names)
        return [{"table": name, "sql": sql} for name in chosen for sql in self._define(name, names[name])]

    def _define(self, name: str, table: str) -> list[str]:
        columns = self._connection.execute(_COLUMNS, (table,)).fetchall()
        indexes = self._connection.execute(_INDEXES, (table,)).fetchall()
        made = ", ".join(f"{column} {kind}" for column, kind in columns)
        return [f"create table {name} ({made})", *(sql for (sql,) in indexes)]

    def read_table(self, table: str) -> tuple[list[str], Iterator[dict[str, Any]]]:
        """The columns of a table and all its rows."""
        names = self.list_names()
        sql = names[check_table(table, list(names))]
        columns = [name for name, _ in self._connection.execute(_COLUMNS, (sql,)).fetchall()]
        return columns, self.run_query(f"select * from {sql}")

    def run_query(self, sql: str, values: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
        """Run a statement and return its rows; the values replace its question marks."""
        if sql.strip().partition(" ")[0].lower().strip("(;\n") not in _READING:
            raise Invalid("sql", ONLY_READING)
        text = translate(sql) if values else sql
        # Binary results take the way on which the server accepts one statement only.
        cursor = self._connection.cursor(binary=True).execute(text, values or None)
        if cursor.description is None:
            raise Invalid("sql", ONLY_READING)
        names = [column.name for column in cursor.description]
        return (encode_bytes(dict(zip(names, map(_write_plain, row), strict=True))) for row in cursor)


def _write_plain(value: Any) -> Any:
    return value if isinstance(value, _PLAIN) else str(value)
