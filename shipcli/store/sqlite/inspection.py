"""Read-only access to the file of a store of any version, for operators."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shipcli.models.basics.errors import Invalid
from shipcli.store.errors import StoreError
from shipcli.store.inspection import ONLY_READING, check_table, encode_bytes
from shipcli.store.sqlite.session import explain

if TYPE_CHECKING:
    from sqlite_utils import Database


@contextmanager
def open_inspection(path: Path) -> Iterator[SqliteInspection]:
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
        yield SqliteInspection(database)
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


class SqliteInspection:
    """The file of a store, read with sqlite-utils."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def list_tables(self) -> list[dict[str, Any]]:
        """List the tables by name with their row counts, without SQLite's own tables for text indexes."""
        return [{"table": name, "rows": self._database.table(name).count} for name in self._list_names()]

    def read_schema(self, table: str = "") -> list[dict[str, Any]]:
        """The statements that create the tables and indexes, or those of one table."""
        names = [check_table(table, self._list_names())] if table else self._list_names()
        rows = self._database.query(
            "select tbl_name as 'table', sql from sqlite_master where sql is not null "
            "order by type desc, name"
        )
        return [row for row in rows if row["table"] in names]

    def read_table(self, table: str) -> tuple[list[str], Iterator[dict[str, Any]]]:
        """The columns of a table and all its rows."""
        contents = self._database.table(check_table(table, self._list_names()))
        return [column.name for column in contents.columns], map(encode_bytes, contents.rows)

    def run_query(self, sql: str, values: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
        """Run a statement and return its rows; the values replace its question marks."""
        try:
            return map(encode_bytes, self._database.query(sql, values))
        except ValueError as error:
            raise Invalid("sql", ONLY_READING) from error

    def _list_names(self) -> list[str]:
        rows = self._database.query("select name, sql from sqlite_master where type = 'table' order by name")
        statements = {row["name"]: row["sql"] or "" for row in rows}
        indexes = {name for name, sql in statements.items() if sql.lower().startswith("create virtual")}
        return [name for name in statements if name.rpartition("_")[0] not in indexes]
