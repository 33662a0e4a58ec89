"""The reads that a store and an open transaction share."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from heapq import merge
from typing import Any

from shipcli.models.basics.json import loads, peek
from shipcli.store import index_lists, query
from shipcli.store.changes import encode_status
from shipcli.store.codecs import Stored, find_decoder, unpack
from shipcli.store.errors import DamagedRow
from shipcli.store.paging import IndexedList
from shipcli.store.ports import Session
from shipcli.store.query import Conditions, Filter, equal, one_of
from shipcli.store.schema import Kind, Table, find_kind, find_table

_ID_DIGITS = re.compile(r"[0-9a-f]{4,}")  # all ids start with the same few: 01 is an order instead
# SQLite allows 32,766 values in a statement; this many owners are looked up at a time.
_OWNERS_AT_ONCE = 500
# A page that begins this early is read from the start of its list, whatever the list's length.
_NEAR = 5000
Skip = Callable[[DamagedRow], None]  # takes each damaged row that is left out of a list


@dataclass(frozen=True, slots=True)
class ResultPage:
    """One page of a list: the number of documents in all, and the JSON texts of those on the page."""

    count: int
    items: list[str]


@dataclass(frozen=True, slots=True)
class Found:
    """An object that a person may have meant."""

    kind: str
    id: str


class Reader(ABC):
    """Reads of documents, rows and files.

    A `test_mode` of None reads both modes. Kinds that both modes share ignore it.
    Errors: DamagedRow for a document that is no JSON object; with `skip` a list leaves it out.
    """

    @abstractmethod
    def _session(self) -> Session:
        """The connection to read with."""

    def _match(self, target: query.Target, where: Conditions) -> query.Sql:
        """The condition of these filters in the SQL of the engine."""
        return query.write_condition(target, where, self._session().dialect)

    def get(self, kind: str, id: str, test_mode: bool | None = None) -> dict[str, Any] | None:
        """Return a document, or None if there is none in this mode."""
        text = self.raw(kind, id, test_mode)
        return None if text is None else dict(loads(text))

    def raw(self, kind: str, id: str, test_mode: bool | None = None) -> str | None:
        """Return the JSON text of a document, or None if there is none in this mode."""
        shape = find_kind(kind)
        sql = f"select d.json from {shape.plural} k join {shape.documents} d on d.seq = k.seq where k.id = ?"
        values: list[Any] = [id]
        if shape.moded and test_mode is not None:
            sql, values = f"{sql} and k.test_mode = ?", [id, int(test_mode)]
        row = self._session().row(sql, values)
        if row is None:
            return None
        text = unpack(row[0])
        if not _is_sound(text):
            raise DamagedRow(kind, id)
        return text

    def page(
        self,
        kind: str,
        where: Sequence[Filter] = (),
        limit: int = 20,
        offset: int = 0,
        test_mode: bool | None = None,
        skip: Skip | None = None,
    ) -> ResultPage:
        """One page of the list of a kind, newest first."""
        count, items = self._read_page(kind, where, limit, offset, test_mode)
        return ResultPage(count, list(self._keep_sound(find_kind(kind), items, skip)))

    def _keep_sound(self, shape: Kind, items: Iterable[Stored], skip: Skip | None) -> Iterator[str]:
        for stored in items:
            text = unpack(stored)
            if _is_sound(text):
                yield text
            elif skip is None:
                raise self._name_damaged(shape, stored)
            else:
                skip(self._name_damaged(shape, stored))

    def _name_damaged(self, shape: Kind, stored: Stored) -> DamagedRow:
        sql = f"select k.id from {shape.plural} k join {shape.documents} d on d.seq = k.seq where d.json = ?"
        return DamagedRow(shape.name, str(self._session().rows(sql, [stored])[0][0]))

    def _read_page(
        self, kind: str, where: Sequence[Filter], limit: int, offset: int, test_mode: bool | None
    ) -> tuple[int, list[Stored]]:
        shape, session = find_kind(kind), self._session()
        if sources := index_lists.list_sources(shape, where, test_mode, session.dialect):
            return self._ordered_page(shape, sources, where, test_mode, (limit, offset))
        condition, values = self._match(shape, _limit_to_mode(shape, where, test_mode))
        beside = query.choose_count(shape, where, (condition, values), session.dialect)
        if beside:
            sql = query.select_page(shape, condition, beside[0])
            if rows := session.rows(sql, [*beside[1], *values, limit, offset]):
                return rows[0][1], [row[0] for row in rows]
        with session.snapshot():
            count = self.count(kind, where, test_mode)
            if offset >= count:
                return count, []
            rows = session.rows(query.select_page(shape, condition), [*values, limit, offset])
        return count, [row[0] for row in rows]

    def _ordered_page(
        self,
        shape: Kind,
        sources: Sequence[index_lists.RowSource],
        where: Sequence[Filter],
        test_mode: bool | None,
        window: tuple[int, int],
    ) -> tuple[int, list[Stored]]:
        session = self._session()
        listed = IndexedList(session, shape, sources)
        if session.dialect.counts_beside and window[1] <= _NEAR:
            total = self._select_total(shape, where, test_mode) if _is_tallied(shape, where) else None
            if page := listed.counted_page(total, *window):
                return page
        with session.snapshot():
            if _is_tallied(shape, where):
                count = self._read_total(shape, where, test_mode)
            else:
                count = listed.count()
            return count, listed.page(count, *window)

    def count(self, kind: str, where: Sequence[Filter] = (), test_mode: bool | None = None) -> int:
        """Count the documents that match, from the stored totals where possible."""
        shape = find_kind(kind)
        if _is_tallied(shape, where):
            return self._read_total(shape, where, test_mode)
        if sources := index_lists.list_sources(shape, where, test_mode, self._session().dialect):
            return IndexedList(self._session(), shape, sources).count()
        condition, values = self._match(shape, _limit_to_mode(shape, where, test_mode))
        return int(
            self._session().rows(f"select count(*) from {shape.plural} where {condition}", values)[0][0]
        )

    def each(
        self,
        kind: str,
        filters: Sequence[Filter] = (),
        test_mode: bool | None = None,
        chunk: int = 500,
        skip: Skip | None = None,
    ) -> Iterator[dict[str, Any]]:
        """Yield all documents that match, newest first; writes in the meantime do not disturb this."""
        shape = find_kind(kind)
        # Each mode has an index in this order; both together would be sorted again for every chunk.
        modes = [False, True] if shape.moded and test_mode is None else [test_mode]
        walks = [self._walk(shape, _limit_to_mode(shape, filters, mode), chunk) for mode in modes]
        for row in merge(*walks, key=_read_place, reverse=True):
            try:
                yield loads(unpack(row[0]))
            except (ValueError, TypeError):
                list(self._keep_sound(shape, [row[0]], skip))

    def _walk(self, shape: Kind, filters: Sequence[Filter], chunk: int) -> Iterator[tuple[Any, ...]]:
        condition, values = self._match(shape, filters)
        last: list[Any] = []
        while True:
            after = f"{condition} and (created_at, seq) < (?, ?)" if last else condition
            rows = self._session().rows(query.select_chunk(shape, after), [*values, *last, chunk])
            yield from rows
            if len(rows) < chunk:
                return
            last = [rows[-1][1], rows[-1][2]]

    def find_prefix(
        self, kinds: Sequence[str], text: str, test_mode: bool | None = None, limit: int = 10
    ) -> list[Found]:
        """Find the objects a person may mean by an id, the start of an id, a number or a reference.

        A whole id or number wins over the start of an id.
        """
        shapes = [find_kind(kind) for kind in kinds]
        for tests in (_match_name, _match_id_start):
            matches = [
                Found(shape.name, row[0])
                for shape in shapes
                for row in self._matching_ids(shape, tests(shape, text), test_mode, limit)
            ]
            if matches:
                return matches[:limit]
        return []

    def select(
        self, table: str, where: Conditions = (), order: str | Sequence[str] = (), limit: int | None = None
    ) -> list[dict[str, Any]]:
        """Return rows of a table; a minus sign before a column name sorts in descending order."""
        shape = find_table(table)
        condition, values = self._match(shape, where)
        names = [order] if isinstance(order, str) else order
        sql = query.select(shape, (condition, values), names, limit, self._session().dialect)
        return [decode_row(shape, row) for row in self._session().rows(sql, values)]

    def columns(self, table: str, names: Sequence[str], where: Conditions = ()) -> list[tuple[Any, ...]]:
        """Return some columns of the rows that match, unordered and as stored: times are fixed-width text."""
        shape = find_table(table)
        condition, values = self._match(shape, where)
        return self._session().rows(f"select {', '.join(names)} from {table} where {condition}", values)

    def group(
        self, table: str, by: Sequence[str], sums: Mapping[str, tuple[str, str]], where: Conditions = ()
    ) -> list[dict[str, Any]]:
        """Add up rows of a table: a row for each combination of values of the columns `by`, in their order.

        Shapes: `sums` has for each name a function (sum, count distinct, least, most) and its column.
        """
        shape = find_table(table)
        condition, values = self._match(shape, where)
        rows = self._session().rows(query.group(shape, by, sums, condition), values)
        decoders = [find_decoder(shape.type_of(name)) for name in by]
        return [
            {name: None if value is None else decode(value)
             for name, decode, value in zip(by, decoders, row, strict=False)}
            | dict(zip(sums, row[len(by):], strict=True))
            for row in rows
        ]  # fmt: skip

    def count_rows(self, table: str, where: Conditions = ()) -> int:
        """Count the rows of a table that match."""
        shape = find_table(table)
        condition, values = self._match(shape, where)
        return int(self._session().rows(f"select count(*) from {table} where {condition}", values)[0][0])

    def file(self, owner: str, name: str) -> dict[str, Any] | None:
        """Return a file of an object with its content, or None if there is none."""
        rows = self.select("files", {"owner_id": owner, "name": name})
        return rows[0] if rows else None

    def files(self, owners: Sequence[str], name: str) -> dict[str, dict[str, Any]]:
        """The files of this name by owner, in the order of the owners; those without one are left out."""
        files: dict[str, dict[str, Any]] = {}
        for start in range(0, len(owners), _OWNERS_AT_ONCE):
            some = owners[start : start + _OWNERS_AT_ONCE]
            rows = self.select("files", [one_of("owner_id", some), equal("name", name)])
            files.update((row["owner_id"], row) for row in rows)
        return {owner: files[owner] for owner in owners if owner in files}

    def _read_total(self, shape: Kind, where: Sequence[Filter], test_mode: bool | None) -> int:
        return int(self._session().rows(*self._select_total(shape, where, test_mode))[0][0])

    def _select_total(self, shape: Kind, where: Sequence[Filter], test_mode: bool | None) -> query.Sql:
        mode = [int(test_mode)] if shape.moded and test_mode is not None else []
        values = (each.value if each.test == "one_of" else (each.value,) for each in where)
        statuses = [encode_status(shape, value) for some in values for value in some]
        sql = query.select_total(bool(mode), len(statuses) if where else None)
        return sql, [shape.name, *mode, *statuses]

    def _matching_ids(
        self, shape: Kind, tests: Sequence[Filter], test_mode: bool | None, limit: int
    ) -> list[tuple[Any, ...]]:
        if not tests:
            return []
        filters = _limit_to_mode(shape, [query.any_of(*tests)], test_mode)
        condition, values = self._match(shape, filters)
        order = "order by created_at desc, seq desc limit ?"
        return self._session().rows(
            f"select id from {shape.plural} where {condition} {order}", [*values, limit]
        )


def _limit_to_mode(shape: Kind, where: Sequence[Filter], test_mode: bool | None) -> list[Filter]:
    mode = [equal("test_mode", test_mode)] if shape.moded and test_mode is not None else []
    return [*mode, *where]


def _is_sound(text: str) -> bool:
    """Whether the text of a document is a JSON object."""
    try:
        return text.startswith("{") and bool(peek(text.encode()))
    except (ValueError, AttributeError):
        return False


def _read_place(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return row[1:]


def _is_tallied(shape: Kind, where: Sequence[Filter]) -> bool:
    if not where:
        return True
    return len(where) == 1 and where[0].column == shape.tally and where[0].test in ("equal", "one_of")


def _match_name(shape: Kind, text: str) -> list[Filter]:
    return [equal(column, text) for column in ("id", *shape.lookups)]


def _match_id_start(shape: Kind, text: str) -> list[Filter]:
    return [query.starts("id", start) for start in list_id_starts(shape.prefix, text)]


def list_id_starts(prefix: str, text: str) -> list[str]:
    """The starts of ids that a text may stand for: with the kind's prefix, or digits without it."""
    return [text] * text.startswith(prefix) + [prefix + text] * bool(_ID_DIGITS.fullmatch(text))


def decode_row(table: Table, row: Sequence[Any]) -> dict[str, Any]:
    """Decode a row of a table into values by column name."""
    return {
        name: None if value is None else decode(value)
        for (name, decode), value in zip(_list_decoders(table.name), row, strict=True)
    }


@cache
def _list_decoders(table: str) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    return tuple((name, find_decoder(type_name)) for name, type_name in find_table(table).types.items())
