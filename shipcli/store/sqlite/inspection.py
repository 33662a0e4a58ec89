"""Read-only access to the file of a store of any version.

It is for operators: `shipcli db tables|schema|query|export`. Files and sealed values are shown as base64.
"""

from __future__ import annotations

import sqlite3
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shipcli.models.basics.errors import Invalid, NotFound
from shipcli.models.basics.text import find_nearest
from shipcli.store.errors import StoreError
from shipcli.store.sqlite.session import explain

if TYPE_CHECKING:
    from sqlite_utils import Database

ONLY_READING = "Only statements that return rows and change nothing can be run here, such as `select ...`."


@contextmanager
def open_inspection(path: Path) -> Iterator[Database]:
    """Open a store read-only with sqlite-utils.

    Errors: StoreError for a file that can't be read; Invalid for SQL that is wrong or does more than read.
    """
    if not path.is_file():
        raise StoreError(f"there is no store {path}")
    from sqlite_utils import Database

    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
    try:
        database = Database(connection, recursive_triggers=False)
        connection.set_authorizer(_authorize)
        yield database
    except sqlite3.Error as error:
        raise _explain(error, path) from error
    finally:
        connection.close()


def _authorize(action: int, *_: str | None) -> int:
    """Deny attaching another file, which the connection could write to."""
    return sqlite3.SQLITE_DENY if action == sqlite3.SQLITE_ATTACH else sqlite3.SQLITE_OK


def _explain(error: sqlite3.Error, path: Path) -> Exception:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)  # Python's own errors have none
    if code & 0xFF in (sqlite3.SQLITE_AUTH, sqlite3.SQLITE_READONLY):
        return Invalid("sql", ONLY_READING)
    return Invalid("sql", str(error)) if code == sqlite3.SQLITE_ERROR else explain(error, path)


def list_tables(database: Database) -> list[dict[str, Any]]:
    """List the tables by name with their row counts, without SQLite's own tables for text indexes."""
    return [{"table": name, "rows": database.table(name).count} for name in _list_names(database)]


def read_schema(database: Database, table: str = "") -> list[dict[str, Any]]:
    """The statements that create the tables and indexes, or those of one table.

    Errors: NotFound naming the nearest table.
    """
    names = [_check_known(database, table)] if table else _list_names(database)
    rows = database.query(
        "select tbl_name as 'table', sql from sqlite_master where sql is not null order by type desc, name"
    )
    return [row for row in rows if row["table"] in names]


def read_table(database: Database, table: str) -> tuple[list[str], Iterator[dict[str, Any]]]:
    """The columns of a table and all its rows.

    Errors: NotFound naming the nearest table.
    """
    contents = database.table(_check_known(database, table))
    return [column.name for column in contents.columns], _encode_bytes(contents.rows)


def run_query(database: Database, sql: str, values: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
    """Run a statement and return its rows; the values replace its question marks.

    Errors: Invalid for a statement that returns no rows.
    """
    try:
        return _encode_bytes(database.query(sql, values))
    except ValueError as error:
        raise Invalid("sql", ONLY_READING) from error


def _list_names(database: Database) -> list[str]:
    rows = database.query("select name, sql from sqlite_master where type = 'table' order by name")
    statements = {row["name"]: row["sql"] or "" for row in rows}
    indexes = {name for name, sql in statements.items() if sql.lower().startswith("create virtual")}
    return [name for name in statements if name.rpartition("_")[0] not in indexes]


def _check_known(database: Database, table: str) -> str:
    names = _list_names(database)
    if table not in names:
        near = find_nearest(table, names)
        hint = f"Did you mean {near}?" if near else "`shipcli db tables` lists them."
        raise NotFound("table", table, message=f"There is no table {table!r}. {hint}")
    return table


def _encode_bytes(rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for row in rows:
        yield {
            name: b64encode(value).decode() if isinstance(value, bytes) else value
            for name, value in row.items()
        }
