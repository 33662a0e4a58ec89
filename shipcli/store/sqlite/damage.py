"""Checks of the file of a store: which tables and indexes are damaged."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from shipcli.store.errors import StoreError
from shipcli.store.sqlite.session import SqliteSession, is_file_of_ours

_PLACE = re.compile(r"(?:Tree (\d+))|(?:index (\w+))")
_MOST_LINES = 100
UNREADABLE = "the list of tables can't be read: nothing in the file can be found"


def find_damage(session: SqliteSession) -> list[str]:
    """List what is wrong with the file, one sentence per table or index; empty if it is sound."""
    try:
        roots = dict(session.rows("select rootpage, type || ' ' || name from sqlite_master"))
        tables = session.rows(
            "select name from sqlite_master where type = 'table' and sql not like 'create virtual %'"
        )
    except StoreError:
        return [UNREADABLE]
    if _list_reports(session, "") == ["ok"]:
        return [f"table {row[0]}: a broken reference" for row in session.rows("pragma foreign_key_check")]
    sentences = [sentence for (name,) in tables for sentence in _list_damage(session, name, roots)]
    return list(dict.fromkeys(sentences)) or ["the pages that belong to no table are damaged"]


def _list_damage(session: SqliteSession, table: str, roots: dict[int, str]) -> Iterator[str]:
    for line in _list_reports(session, f'("{table}")'):
        if line != "ok" and not line.startswith("***"):
            part = f"table {table}"
            if match := _PLACE.search(line):
                root, index = match.groups()
                part = f"index {index}" if index else roots.get(int(root), part)
            yield f"{part} is damaged"


def _list_reports(session: SqliteSession, of: str) -> list[str]:
    """Return what SQLite reports; a single line if it can't read the table to the end."""
    try:
        rows = session.rows(f"pragma integrity_check{of or f'({_MOST_LINES})'}")
    except StoreError:
        return ["it can't be read to its end"]
    return [line for (text,) in rows for line in str(text).splitlines()]


def find_damage_in(file: Path) -> list[str]:
    """The same as `find_damage`, for a file that may be too damaged to open."""
    try:
        with closing(SqliteSession(file)) as session:
            return find_damage(session)
    except StoreError:
        return [UNREADABLE]


def is_sound(file: Path) -> bool:
    """Whether a file is an undamaged store or backup of one."""
    return is_file_of_ours(file) and not find_damage_in(file)
