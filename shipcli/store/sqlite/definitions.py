"""The SQL that creates the tables, indexes and text indexes of a store in SQLite."""

from __future__ import annotations

from collections.abc import Callable

from shipcli.store.schema import KINDS, TABLES, Column, Kind, Table
from shipcli.store.shared_sql import define_indexes
from shipcli.store.sqlite.session import SqliteSession

_TYPES = {
    "text": "text", "integer": "integer", "real": "real", "blob": "blob",
    "json": "text", "flag": "integer", "time": "text",
}  # fmt: skip


def list_definitions(version: int) -> list[str]:
    """The statements that turn an empty file into a store of this version."""
    tables = [kind.table for kind in KINDS.values()] + [*TABLES.values()]
    texts = [text for kind in KINDS.values() if kind.since <= version for text in _define_documents(kind)]
    there = [table for table in tables if table.since <= version]
    return [text for table in there for text in define_table(table, version)] + texts


def define_table(table: Table, version: int) -> list[str]:
    """The statements that create a table, with its indexes, as it was in a version."""
    columns = [_define_column(table, column) for column in table.list_columns(version)]
    key = [] if table.key == ("seq",) else [f"primary key ({', '.join(table.list_key(version))})"]
    ending = " without rowid" if table.clustered else ""
    made = [f"create table {table.name} ({', '.join(columns + key)}){ending}"]
    return [*made, *define_indexes(table, version)]


def _define_column(table: Table, column: Column) -> str:
    if table.key == (column.name,) and column.name == "seq":
        return "seq integer primary key"
    required = " not null" if column.name in (*table.key, "id") else ""
    return f"{column.name} {_TYPES[column.type]}{required}"


def _define_documents(kind: Kind) -> list[str]:
    made = [f"create table {kind.documents} (seq integer primary key, json text not null)"]
    if kind.text:
        # Text arrives folded, so the tokenizer can ignore case.
        fields = ", ".join(kind.text)
        made.append(
            f"create virtual table {kind.words} using fts5({fields}, tokenize = 'trigram case_sensitive 1')"
        )
    return made


def define(session: SqliteSession, version: int, record: Callable[[SqliteSession], None]) -> None:
    """Turn an empty file into a store of this version, unless another process was quicker."""
    session.use_journal()
    with session.transaction(exclusive=True):
        if session.is_empty():
            for statement in list_definitions(version):
                session.run(statement)
            record(session)
            session.set_version(version)
