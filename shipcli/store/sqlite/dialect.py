"""SQL that only SQLite understands: text search, case-insensitive text, index hints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shipcli.store.codecs import escape_wildcards, fold
from shipcli.store.schema import Kind, Table

skip_locked = ""  # there is one writer
counts_beside = False
text_key = "rowid"
_SHORTEST_TRIGRAM = 3


def match_text(kind: Kind, fields: Sequence[str], text: str) -> tuple[str, list[Any]]:
    """Match documents with this text anywhere in one of the fields, ignoring case."""
    words = fold(text)
    if len(words) >= _SHORTEST_TRIGRAM:
        quoted = words.replace('"', '""')
        test, values = f"{kind.words} match ?", [f'{{{" ".join(fields)}}} : "{quoted}"']
    else:
        test = " or ".join(f"{name} like ? escape '\\'" for name in fields)
        values = [f"%{escape_wildcards(words)}%"] * len(fields)
    return f"seq in (select rowid from {kind.words} where {test})", list(values)


def fold_case(column: str) -> str:
    """The column in the folded form that is used for case-insensitive comparison."""
    return f"folded({column})"


def order_by(table: Table, column: str, *, descending: bool) -> str:
    """Sort by a column; SQLite puts empty values first in ascending order."""
    return column + (" desc" if descending else "")


def disable_index(column: str) -> str:
    """The column, with its index disabled: without statistics SQLite thinks any index is good."""
    return f"+{column}"


def continue_numbers(table: str) -> tuple[str, ...]:
    """Nothing: SQLite looks at the rows."""
    return ()


def check_text(kind: Kind) -> str:
    """The statement that fails if the text index is damaged."""
    return f"insert into {kind.words} ({kind.words}) values ('integrity-check')"
