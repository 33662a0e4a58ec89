"""Statements that are the same in both engines: those that make indexes, and those of the searched text."""

from __future__ import annotations

from shipcli.store.schema import Index, Kind, Table


def define_indexes(table: Table, version: int) -> list[str]:
    """The statements that make the indexes which a table has in a version."""
    return [_define_index(table, index) for index in table.indexes if index.since <= version < index.until]


def redefine_indexes(table: Table, version: int) -> list[str]:
    """The statements that replace the indexes which a version has otherwise than the one before."""
    ended = [index for index in table.indexes if index.until == version]
    added = [index for index in table.indexes if index.since == version]
    drops = [f"drop index if exists {_name_index(table, index)}" for index in ended]
    return [*drops, *(_define_index(table, index) for index in added)]


def _define_index(table: Table, index: Index) -> str:
    unique = "unique " if index.unique else ""
    only = f" where {index.only}" if index.only else ""
    columns = ", ".join(index.columns)
    return f"create {unique}index {_name_index(table, index)} on {table.name} ({columns}){only}"


def _name_index(table: Table, index: Index) -> str:
    return "_".join((table.name, *index.columns))


def add_text(kind: Kind, key: str) -> str:
    """Add the searched text of a document: its fields, then its seq; `key` is the column of the seq."""
    marks = ", ".join("?" * (len(kind.text) + 1))
    return f"insert into {kind.words} ({', '.join(kind.text)}, {key}) values ({marks})"


def change_text(kind: Kind, key: str) -> str:
    """Replace that text, with the same values in the same order."""
    return f"update {kind.words} set {', '.join(f'{name} = ?' for name in kind.text)} where {key} = ?"


def drop_text(kind: Kind, key: str) -> str:
    """Remove that text."""
    return f"delete from {kind.words} where {key} = ?"
