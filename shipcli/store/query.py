"""The only SQL builder: filters become conditions, rows become statements; values are passed separately.

Every statement has `?` for a value; an engine with another placeholder rewrites it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Any

from shipcli.store.codecs import encode, escape_wildcards, fold, write_search_value
from shipcli.store.ports import Dialect
from shipcli.store.schema import Kind, Table, find_table

Sql = tuple[str, list[Any]]


@dataclass(frozen=True, slots=True)
class Filter:
    """One condition on documents or rows; made by the functions below."""

    test: str
    column: str = ""
    value: Any = None
    scope: str = ""


Conditions = Mapping[str, Any] | Sequence[Filter]


def equal(column: str, value: Any) -> Filter:
    """The column has this value; None matches an empty column."""
    return Filter("equal", column, value)


def flag(column: str, value: bool) -> Filter:
    """The flag in this column is set, or is not, as given."""
    return Filter("equal", column, value)


def differs(column: str, value: Any) -> Filter:
    """The column is not empty and has a different value."""
    return Filter("differs", column, value)


def one_of(column: str, values: Sequence[Any]) -> Filter:
    """The column has one of these values."""
    return Filter("one_of", column, tuple(values))


def contains(column: str, text: str) -> Filter:
    """The column contains this text, ignoring case."""
    return Filter("contains", column, text)


def text(words: str, scope: str = "keyword") -> Filter:
    """One of the fields of a named search contains this text, ignoring case."""
    return Filter("text", value=words, scope=scope)


def below(column: str, value: Any) -> Filter:
    """The column is less than this value."""
    return Filter("below", column, value)


def at_most(column: str, value: Any) -> Filter:
    """The column is this value or less."""
    return Filter("at_most", column, value)


def at_least(column: str, value: Any) -> Filter:
    """The column is this value or more."""
    return Filter("at_least", column, value)


def since(moment: datetime | str) -> Filter:
    """Created at this moment or later."""
    return at_least("created_at", moment)


def until(moment: datetime | str) -> Filter:
    """Created at this moment or earlier."""
    return at_most("created_at", moment)


def pair_key(scope: str, key: str) -> Filter:
    """The object called `scope` has this top-level key."""
    return Filter("pair", scope=scope, value={"key": key})


def pair_value(scope: str, value: Any) -> Filter:
    """The object called `scope` has this value under any of its top-level keys."""
    return Filter("pair", scope=scope, value={"value": value})


def pair(scope: str, key: str, value: Any) -> Filter:
    """The object called `scope` has this value under this key."""
    return Filter("pair", scope=scope, value={"key": key, "value": value})


def starts(column: str, text: str) -> Filter:
    """The column begins with this text, case-sensitively."""
    return Filter("starts", column, text)


def marked(table: str, column: str, **equal: Any) -> Filter:
    """A row of a free table names the document in this column, with these values in others."""
    return Filter("marked", column, equal, table)


def unmarked(table: str, column: str, **equal: Any) -> Filter:
    """No row of a free table names the document in this column, with these values in others."""
    return Filter("unmarked", column, equal, table)


def outdated(table: str, column: str, **same: str) -> Filter:
    """No row of a free table names the document in this column and has, in others, the values of its columns.

    Shapes: `same` are columns of the table, and those of the document that they must equal.
    """
    return Filter("outdated", column, same, table)


def present(column: str) -> Filter:
    """The column is not empty."""
    return Filter("present", column)


def any_of(*filters: Filter) -> Filter:
    """At least one of these conditions holds."""
    return Filter("any_of", value=filters)


# -- conditions --------------------------------------------------------------------------------

Target = Table | Kind


def write_condition(target: Target, where: Conditions, dialect: Dialect) -> Sql:
    """Join all filters into one condition, `1 = 1` if there are none."""
    if isinstance(where, Mapping):
        return _match_all_equal(_choose_table(target), where)
    if narrows(target, where):
        where = [_skip_flag_index(target, each) for each in where]
    parts = [_TESTS[each.test](target, each, dialect) for each in where]
    return " and ".join(sql for sql, _ in parts) or "1 = 1", [
        value for _, values in parts for value in values
    ]


def _match_all_equal(table: Table, where: Mapping[str, Any]) -> Sql:
    values = table.encode(where)
    tests = [
        f"{name} is null" if value is None else f"{name} = ?"
        for name, value in zip(where, values, strict=True)
    ]
    return " and ".join(tests) or "1 = 1", [value for value in values if value is not None]


def narrows(target: Target, filters: Sequence[Filter]) -> bool:
    """Whether one of the filters leaves so few documents that all matches can be read."""
    return any(_narrows(target, each) for each in filters)


def _narrows(target: Target, each: Filter) -> bool:
    """Whether a filter leaves few documents, so that it should be applied first."""
    if not isinstance(target, Kind):
        return False
    named = each.column in ("seq", "id", *target.lookups) and each.test in ("equal", "one_of", "starts")
    within = each.test == "any_of" and all(_narrows(target, part) for part in each.value)
    return named or within or each.test in ("pair", "text", "contains")


def _skip_flag_index(target: Target, each: Filter) -> Filter:
    """Do not search by a flag's index: a flag halves the table at best, and reading half of it is slow."""
    is_flag = each.test == "equal" and _choose_table(target).type_of(each.column) == "flag"
    return replace(each, test="without_index") if is_flag else each


def _choose_table(target: Target) -> Table:
    return target.table if isinstance(target, Kind) else target


def _encode_value(target: Target, column: str, value: Any) -> Any:
    return encode(_choose_table(target).type_of(column), value)


def _match_equal(target: Target, each: Filter, _: Dialect) -> Sql:
    value = _encode_value(target, each.column, each.value)
    return (f"{each.column} is null", []) if value is None else (f"{each.column} = ?", [value])


def _match_equal_without_index(target: Target, each: Filter, dialect: Dialect) -> Sql:
    return f"{dialect.disable_index(each.column)} = ?", [_encode_value(target, each.column, each.value)]


def _match_one_of(target: Target, each: Filter, _: Dialect) -> Sql:
    values = [_encode_value(target, each.column, value) for value in each.value]
    return (f"{each.column} in ({_write_marks(values)})", values) if values else ("1 = 0", [])


def _make_comparison(sign: str) -> Callable[[Target, Filter, Dialect], Sql]:
    def test(target: Target, each: Filter, _: Dialect) -> Sql:
        return f"{each.column} {sign} ?", [_encode_value(target, each.column, each.value)]

    return test


def _match_start(target: Target, each: Filter, _: Dialect) -> Sql:
    # A range, because an index answers it; the end is the text with its last character raised by one.
    first = _encode_value(target, each.column, each.value)
    if not first:
        return "1 = 1", []
    return f"{each.column} >= ? and {each.column} < ?", [first, first[:-1] + chr(ord(first[-1]) + 1)]


def _match_contained(target: Target, each: Filter, dialect: Dialect) -> Sql:
    _choose_table(target).type_of(each.column)
    if not each.value:
        return "1 = 1", []
    if isinstance(target, Kind) and each.column in target.text:
        return dialect.match_text(target, (each.column,), each.value)
    words = escape_wildcards(fold(each.value))
    return f"{dialect.fold_case(each.column)} like ? escape '\\'", [f"%{words}%"]


def _match_text(target: Target, each: Filter, dialect: Dialect) -> Sql:
    fields = _require_kind(target).fields(each.scope)
    return dialect.match_text(_require_kind(target), fields, each.value) if each.value else ("1 = 1", [])


def _match_pair(target: Target, each: Filter, _: Dialect) -> Sql:
    tests, values = match_entries(_require_kind(target), each)
    return f"seq in (select seq from entries where {tests})", values


def match_entries(kind: Kind, each: Filter) -> Sql:
    """The condition of a pair filter on the rows of `entries`."""
    if each.scope not in kind.pairs:
        raise LookupError(f"{kind.plural} have no searchable {each.scope}")
    tests = "".join(f" and {name} = ?" for name in each.value)
    return f"kind = ? and scope = ?{tests}", [
        kind.name,
        each.scope,
        *map(write_search_value, each.value.values()),
    ]


def _match_any_of(target: Target, each: Filter, dialect: Dialect) -> Sql:
    parts = [write_condition(target, [part], dialect) for part in each.value]
    return "(" + " or ".join(f"({sql})" for sql, _ in parts) + ")", [
        value for _, values in parts for value in values
    ]


def _match_marked(target: Target, each: Filter, dialect: Dialect) -> Sql:
    table = find_table(each.scope)
    table.type_of(each.column)
    tests = "".join(f" and m.{name} = ?" for name in each.value)
    outer = f"{_choose_table(target).name}.id"
    return (
        f"exists (select 1 from {table.name} m where m.{each.column} = {outer}{tests})",
        list(table.encode(each.value)),
    )


def _match_unmarked(target: Target, each: Filter, dialect: Dialect) -> Sql:
    sql, values = _match_marked(target, each, dialect)
    return f"not {sql}", values


def _match_outdated(target: Target, each: Filter, dialect: Dialect) -> Sql:
    table, outer = find_table(each.scope), _choose_table(target)
    for name, own in (*each.value.items(), (each.column, "id")):
        table.type_of(name), outer.type_of(own)
    pairs = ((each.column, "id"), *each.value.items())
    tests = " and ".join(f"m.{name} = {outer.name}.{own}" for name, own in pairs)
    return f"not exists (select 1 from {table.name} m where {tests})", []


def _match_present(target: Target, each: Filter, dialect: Dialect) -> Sql:
    _choose_table(target).type_of(each.column)
    return f"{each.column} is not null", []


def _require_kind(target: Target) -> Kind:
    if not isinstance(target, Kind):
        raise LookupError(f"{target.name} can be searched by column only")
    return target


_TESTS: dict[str, Callable[[Target, Filter, Dialect], Sql]] = {
    "equal": _match_equal,
    "without_index": _match_equal_without_index,
    "one_of": _match_one_of,
    "differs": _make_comparison("<>"),
    "below": _make_comparison("<"),
    "at_most": _make_comparison("<="),
    "at_least": _make_comparison(">="),
    "starts": _match_start,
    "contains": _match_contained,
    "text": _match_text,
    "pair": _match_pair,
    "any_of": _match_any_of,
    "marked": _match_marked,
    "unmarked": _match_unmarked,
    "outdated": _match_outdated,
    "present": _match_present,
}


# -- statements --------------------------------------------------------------------------------


def _write_marks(values: Sequence[Any]) -> str:
    return ", ".join("?" * len(values))


@cache
def insert(table: str, columns: tuple[str, ...]) -> str:
    """Insert a new row."""
    return f"insert into {table} ({', '.join(columns)}) values ({_write_marks(columns)})"


@cache
def insert_absent(table: str, columns: tuple[str, ...]) -> str:
    """Insert a new row unless its key is taken."""
    return f"{insert(table, columns)} on conflict do nothing"


@cache
def upsert(table: str, columns: tuple[str, ...], key: tuple[str, ...]) -> str:
    """Insert a row, or update the row with the same key."""
    changes = ", ".join(f"{name} = excluded.{name}" for name in columns if name not in key)
    action = f"do update set {changes}" if changes else "do nothing"
    return f"{insert(table, columns)} on conflict ({', '.join(key)}) {action}"


@cache
def update(table: str, columns: tuple[str, ...], condition: str) -> str:
    """Update the rows that match a condition."""
    return f"update {table} set {', '.join(f'{name} = ?' for name in columns)} where {condition}"


def take(table: Table, columns: Sequence[str], where: Sql, order: Sequence[str], dialect: Dialect) -> str:
    """Update the first rows that match and return them; the last parameter is the limit."""
    keys, names = ", ".join(table.key), ", ".join(order)
    first = f"select {keys} from {table.name} where {where[0]} order by {names} limit ?{dialect.skip_locked}"
    changed = update(table.name, tuple(columns), f"({keys}) in ({first})")
    return f"{changed} returning {', '.join(table.types)}"


NEXT_NUMBER = (
    "insert into counters (name, value) values (?, 1) "
    "on conflict (name) do update set value = counters.value + 1 returning value"
)


@cache
def select_total(moded: bool, statuses: int | None) -> str:
    """Count the documents of a kind, in one mode or both.

    `statuses` is the number of statuses to count; None means all.
    """
    tests = ["test_mode = ?"] if moded else []
    if statuses is not None:
        tests.append(f"status in ({_write_marks(range(statuses))})" if statuses else "1 = 0")
    return f"select coalesce(sum(n), 0) from totals where {' and '.join(['kind = ?', *tests])}"


COUNT = (
    "insert into totals (kind, test_mode, status, n, slot) values (?, ?, ?, ?, ?) "
    "on conflict (kind, test_mode, status, slot) do update set n = totals.n + excluded.n"
)
TALLY = (
    "insert into tallies (kind, test_mode, scope, key, n, slot) values (?, ?, ?, ?, ?, ?) "
    "on conflict (kind, test_mode, scope, key, slot) do update set n = tallies.n + excluded.n"
)
UNTALLY = (
    "delete from tallies where kind = ? and test_mode = ? and scope = ? and key = ? and slot = ? and n = 0"
)


def add_up_slots(table: Table) -> str:
    """Add what the other slots of each count hold to the first one."""
    names = ", ".join(name for name in table.key if name != "slot")
    sums = f"select {names}, sum(n), 0 from {table.name} where slot > 0 group by {names}"
    changed = f"do update set n = {table.name}.n + excluded.n"
    return f"insert into {table.name} ({names}, n, slot) {sums} on conflict ({names}, slot) {changed}"


def select(table: Table, where: Sql, order: Sequence[str], limit: int | None, dialect: Dialect) -> str:
    """Select rows of a table; a minus sign before a column name sorts in descending order."""
    names = [(name.removeprefix("-"), name.startswith("-")) for name in order]
    for name, _ in names:
        table.type_of(name)
    parts = [dialect.order_by(table, name, descending=descending) for name, descending in names]
    ordered = f" order by {', '.join(parts)}" if parts else ""
    limited = f" limit {limit:d}" if limit is not None else ""
    return f"select {', '.join(table.types)} from {table.name} where {where[0]}{ordered}{limited}"


FUNCTIONS = {"sum": "sum({})", "count distinct": "count(distinct {})", "least": "min({})", "most": "max({})"}


def group(table: Table, by: Sequence[str], sums: Mapping[str, tuple[str, str]], condition: str) -> str:
    """Add up the rows that match, for each combination of values of some columns."""
    for name in (*by, *(column for _, column in sums.values())):
        table.type_of(name)
    added = [FUNCTIONS[function].format(column) for function, column in sums.values()]
    names = ", ".join(by)
    grouped = f"where {condition} group by {names} order by {names}"
    return f"select {', '.join((*by, *added))} from {table.name} {grouped}"


def select_page(kind: Kind, condition: str, extra: str = "null") -> str:
    """Select document texts in list order with one extra value; the last two parameters are limit and offset.

    The narrow table alone decides which documents are read: a far page reads none of those it skips.
    """
    order = "test_mode, created_at desc, seq desc" if kind.live_first else "created_at desc, seq desc"
    rows = f"select seq, created_at, test_mode, {extra} as extra from {kind.plural} where {condition}"
    chosen = f"{rows} order by {order} limit ? offset ?"
    joined = f"({chosen}) p join {kind.documents} d on d.seq = p.seq"
    return f"select d.json, p.extra from {joined} order by {_qualify_columns('p', order)}"


def choose_count(kind: Kind, where: Sequence[Filter], condition: Sql, dialect: Dialect) -> Sql | None:
    """The number of all matches as the extra value of a page; None if it is read before.

    A short list is searched once for both.
    """
    if narrows(kind, where):
        return "count(*) over ()", []
    counted = f"(select count(*) from {kind.plural} where {condition[0]})", condition[1]
    return counted if dialect.counts_beside else None


def select_chunk(kind: Kind, condition: str) -> str:
    """Select document texts with their place, newest first; the last parameter is the limit."""
    rows = f"select seq, created_at from {kind.plural} where {condition}"
    chosen = f"{rows} order by created_at desc, seq desc limit ?"
    return (
        f"select d.json, p.created_at, p.seq from ({chosen}) p join {kind.documents} d on d.seq = p.seq "
        "order by p.created_at desc, p.seq desc"
    )


def _qualify_columns(alias: str, order: str) -> str:
    return ", ".join(f"{alias}.{part}" for part in order.split(", "))
