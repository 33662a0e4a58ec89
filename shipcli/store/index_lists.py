"""Lists that an index already holds in order: a page is read straight from it, and nothing else is read.

A list for several values has several sources, which share no documents and are merged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from shipcli.store.codecs import encode
from shipcli.store.ports import Dialect
from shipcli.store.query import Filter, Sql, match_entries, write_condition
from shipcli.store.schema import SHARED, Kind

# Each value is a separate source; a statement allows 500 of them, and merging many is slower than sorting.
_MOST_SOURCES = 20
_STORED_COUNT = (
    "select coalesce(sum(n), 0) from tallies where kind = ? and test_mode = ? and scope = ? and key = ?"
)
_TOTAL_COUNT = "select (select coalesce(sum(n), 0) from totals where kind = ? and test_mode = ?)"


@dataclass(frozen=True, slots=True)
class RowSource:
    """Rows in list order. `rows` selects the place and seq of each, `count` their number."""

    rows: Sql
    count: Sql


def list_sources(
    kind: Kind, where: Sequence[Filter], test_mode: bool | None, dialect: Dialect
) -> list[RowSource]:
    """The sources of a list in one mode; none if no index holds it in order."""
    if kind.moded and test_mode is None:
        return []
    mode = int(bool(test_mode)) if kind.moded else SHARED
    if len(where) == 1 and where[0].test == "pair":
        return [_select_entries(kind, where[0], mode, dialect)]
    chosen = [each for each in where if each.column != "created_at"]
    if len(chosen) > 1:
        return []
    date_filters = [each for each in where if each.column == "created_at"]
    parts = list(_list_parts(kind, chosen[0])) if chosen else [_Part()]
    if not 0 < len(parts) <= _MOST_SOURCES:
        return []
    return [_select_documents(kind, part, (mode, date_filters), dialect) for part in parts]


def select_page(
    kind: Kind,
    sources: Sequence[RowSource],
    limit: int,
    offset: int,
    *,
    is_reversed: bool = False,
    extra: Sql = ("null", []),
) -> Sql:
    """Select the document texts of a page of the merged sources, newest first, with one extra value.

    `offset` counts from the newest row; from the oldest one if `is_reversed`.
    """
    merged = " union all ".join(sql for sql, _ in (source.rows for source in sources))
    order = "place, seq" if is_reversed else "place desc, seq desc"
    values = [value for source in sources for value in source.rows[1]]
    return (
        f"select d.json, {extra[0]} from (select * from ({merged} order by {order} limit ? offset ?) m) p "
        f"join {kind.documents} d on d.seq = p.seq order by p.place desc, p.seq desc"
    ), [*extra[1], *values, limit, offset]


def count_sources(sources: Sequence[RowSource]) -> Sql:
    """The expression that counts the rows of all sources."""
    counts = [source.count for source in sources]
    return " + ".join(f"({sql})" for sql, _ in counts), [value for _, values in counts for value in values]


def _select_entries(kind: Kind, each: Filter, mode: int, dialect: Dialect) -> RowSource:
    tests, values = match_entries(kind, each)
    if "value" not in each.value:
        rows = f"select at as place, seq from entries where {tests} and test_mode = ?"
        return RowSource((rows, [*values, mode]), _select_stored_count(kind, mode, each.scope, values[-1]))
    if "key" in each.value:
        tests = tests.replace("key = ?", f"{dialect.disable_index('key')} = ?")
    # A document may hold the value under several keys.
    rows = f"select distinct at as place, seq from entries where {tests} and test_mode = ?"
    return RowSource((rows, [*values, mode]), (f"select count(*) from ({rows}) counted", [*values, mode]))


@dataclass(frozen=True, slots=True)
class _Part:
    """One value of a column (all documents if no column is named), and further conditions."""

    column: str = ""
    value: Any = None
    more: Sql = ("1 = 1", [])


def _list_parts(kind: Kind, each: Filter) -> Iterator[_Part]:
    if each.test == "any_of":
        yield from _split_any_of(kind, each.value)
    elif each.test in ("equal", "one_of") and kind.order_of(each.column):
        yield from (_Part(each.column, value) for value in list_values(kind, each))


def _split_any_of(kind: Kind, filters: Sequence[Filter]) -> Iterator[_Part]:
    """Split a search for values in any of several columns; a document is in the part of the first match."""
    if any(each.test != "one_of" or set(each.value) != set(filters[0].value) for each in filters):
        return
    orders = [kind.order_of(each.column, partial=True) for each in filters]
    if None in orders:
        return
    values, earlier = _encode(kind, filters[0].column, filters[0].value), ""
    marks = ", ".join("?" * len(values))
    for position, (each, index) in enumerate(zip(filters, orders, strict=True)):
        # What a partial index leaves out has the value in an earlier column.
        only = f" and {index.only}" if index and index.only else ""
        condition = (f"1 = 1{earlier}{only}", [*values] * position)
        yield from (_Part(each.column, value, condition) for value in values)
        earlier += f" and coalesce({each.column}, '') not in ({marks})"


def list_values(kind: Kind, each: Filter) -> list[Any]:
    """The values of a filter for one or several values, as the column stores them."""
    return _encode(kind, each.column, each.value if each.test == "one_of" else (each.value,))


def _encode(kind: Kind, column: str, values: Sequence[Any]) -> list[Any]:
    """The values as the column stores them, without duplicates and without None, which nothing equals."""
    encoded = (encode(kind.table.type_of(column), value) for value in values)
    return [value for value in dict.fromkeys(encoded) if value is not None]


def _select_documents(
    kind: Kind, part: _Part, within: tuple[int, Sequence[Filter]], dialect: Dialect
) -> RowSource:
    mode, date_filters = within
    in_mode = [Filter("equal", "test_mode", bool(mode))] if kind.moded else []
    chosen = [Filter("equal", part.column, part.value)] if part.column else []
    filters = [*in_mode, *chosen, *date_filters]
    condition, values = write_condition(kind, filters, dialect)
    tests, all_values = f"{condition} and {part.more[0]}", [*values, *part.more[1]]
    rows = f"select created_at as place, seq from {kind.plural} where {tests}"
    if part.column in kind.counted and not date_filters:
        count = _select_stored_count(kind, mode, part.column, "")
        return RowSource((rows, all_values), count if part.value else _count_others(kind, mode, count))
    return RowSource((rows, all_values), (f"select count(*) from {kind.plural} where {tests}", all_values))


def _select_stored_count(kind: Kind, mode: int, scope: str, key: str) -> Sql:
    return _STORED_COUNT, [kind.name, mode, scope, key]


def _count_others(kind: Kind, mode: int, count: Sql) -> Sql:
    return f"{_TOTAL_COUNT} - ({count[0]})", [kind.name, mode, *count[1]]
