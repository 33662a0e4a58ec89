"""SQL that only PostgreSQL understands, and the translation of what the store writes for every engine."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from shipcli.store.codecs import escape_wildcards, fold
from shipcli.store.schema import Kind, Table

skip_locked = " for update skip locked"
counts_beside = True
text_key = "seq"
# Columns that are never empty although they are not part of a key.
_FILLED = frozenset({"id", "seq", "created_at", "updated_at", "started_at", "run_at", "rank", "state"})


@lru_cache(4096)
def translate(sql: str) -> str:
    """A statement of the store with the placeholders of this engine."""
    return sql.replace("%", "%%").replace("?", "%s")


@lru_cache(512)
def repeat_values(sql: str, number: int) -> str | None:
    """An insertion of one row as one of several; None for other statements."""
    start, insert, rest = sql.partition(" values (")
    marks, closes, end = rest.partition(")")
    if not (number and insert and closes):
        return None
    return f"{start} values {', '.join([f'({marks})'] * number)}{end}"


def match_text(kind: Kind, fields: Sequence[str], text: str) -> tuple[str, list[Any]]:
    """Match documents with this text anywhere in one of the fields, ignoring case."""
    test = " or ".join(f"{name} like ? escape '\\'" for name in fields)
    values = [f"%{escape_wildcards(fold(text))}%"] * len(fields)
    return f"seq in (select seq from {kind.words} where {test})", list(values)


def fold_case(column: str) -> str:
    """The column in the folded form that is used for case-insensitive comparison."""
    return f"folded({column})"


def disable_index(column: str) -> str:
    """The column as it is: this engine has statistics and chooses its indexes itself."""
    return column


def order_by(table: Table, column: str, *, descending: bool) -> str:
    """Sort by a column, with empty values first in ascending order, as in every engine."""
    way = " desc" if descending else ""
    if column in table.key or column in _FILLED:
        return column + way
    return f"{column}{way} nulls {'last' if descending else 'first'}"


def continue_numbers(table: str) -> tuple[str, ...]:
    """The statement that sets the counter of a table behind its rows, if it has one."""
    last = f"(select coalesce(max(seq), 0) + 1 from {table})"
    return (f"select setval(s, {last}, false) from pg_get_serial_sequence('{table}', 'seq') s where s <> ''",)


def check_text(kind: Kind) -> str:
    """The statement that fails if documents lack their searched text."""
    lone = f"select 1 from {kind.plural} where seq not in (select seq from {kind.words})"
    return f"select 1 / (case when exists ({lone}) then 0 else 1 end)"
