"""Writes: everything inside `with store.transaction()` is saved together or not at all."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from typing import Any, Self

from shipcli.clocks import Clock
from shipcli.models.basics.json import dumps, loads
from shipcli.store import query
from shipcli.store.codecs import count_microseconds, pack, unpack, write_moment
from shipcli.store.ids import Ids
from shipcli.store.ports import Session
from shipcli.store.queries import Reader, decode_row, encode_mode, encode_status
from shipcli.store.query import Conditions
from shipcli.store.schema import Kind, find_kind, find_writable
from shipcli.store.shared_sql import add_text, change_text, drop_text

Row = dict[str, Any]

# Scope, key, mode, moment and value of a row of `entries`.
Entry = tuple[str, str, int, int, str]
# Mode, scope and key of a row of `tallies`.
Counted = tuple[int, str, str]

_ADD_ENTRY = query.insert("entries", ("kind", "seq", "scope", "key", "test_mode", "at", "value"))
_DROP_ENTRY = (
    "delete from entries where kind = ? and seq = ? and scope = ? and key = ? and test_mode = ? and at = ?"
)
_LOCK = re.compile(r"[a-z][a-z_-]*(/.+)?", re.DOTALL)


class Transaction(Reader):
    """The writes of one use-case; its reads see them at once. Valid only inside the block that opens it."""

    def __init__(
        self,
        opens: AbstractContextManager[Session],
        clock: Clock,
        ids: Ids,
        locks: Sequence[str] | None = None,
    ) -> None:
        self.locks = None if locks is None else tuple(locks)
        self._opens = opens
        self._open_session: Session | None = None
        self._clock = clock
        self._ids = ids

    def __enter__(self) -> Self:
        self._open_session = self._opens.__enter__()
        return self

    def __exit__(self, *raised: Any) -> None:
        self._open_session = None
        self._opens.__exit__(*raised)

    def _session(self) -> Session:
        if self._open_session is None:
            raise RuntimeError("this transaction has ended; open another one")
        return self._open_session

    # -- documents -----------------------------------------------------------------------------

    def put(
        self,
        kind: str,
        doc: Mapping[str, Any],
        *,
        test_mode: bool | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> bool:
        """Save a new or changed document; returns True if it is new.

        The mode is `test_mode`, else the document's own, else its previous one. `extra` sets columns that
        are not part of the document; on a change, those not named keep their values.

        Errors: ValueError if the kind has modes and none is known, LookupError for an unknown name.
        """
        shape = find_kind(kind)
        old = self._row_of(shape, doc["id"])
        row = _make_row(shape, doc, old, _choose_mode(shape, doc, old, test_mode), extra or {}, self._moment)
        before = self._document_of(shape, old) if old else {}
        held = _list_entries(shape, old, before) if old else set()
        entries = _list_entries(shape, row, doc)
        seq = self._change(shape, old, row) if old else self._add(shape, row)
        self._write_document(shape, seq, doc)
        self._write_text(shape, seq, before if old else None, doc)
        self._write_entries(shape, seq, held, entries)
        self._count(shape, old, row)
        self._tally(shape, _list_tallied(shape, old, held), _list_tallied(shape, row, entries))
        return old is None

    def delete(self, kind: str, id: str) -> bool:
        """Delete a document with all that belongs to it, files included; returns False if there is none."""
        shape, session = find_kind(kind), self._session()
        old = self._row_of(shape, id)
        if old is None:
            return False
        seq, held = old["seq"], _list_entries(shape, old, self._document_of(shape, old))
        session.run(f"delete from {shape.plural} where seq = ?", (seq,))
        session.run(f"delete from {shape.documents} where seq = ?", (seq,))
        if shape.text:
            session.run(drop_text(shape, session.dialect.text_key), (seq,))
        self._write_entries(shape, seq, held, set())
        session.run("delete from files where owner_id = ?", (id,))
        self._count(shape, old, None)
        self._tally(shape, _list_tallied(shape, old, held), set())
        return True

    def mark(self, kind: str, ids: Sequence[str], values: Mapping[str, Any]) -> None:
        """Set columns that are not part of the document, for these documents; nothing else changes.

        Errors: LookupError for a column that is read from the document.
        """
        shape = find_kind(kind)
        if not set(values) <= set(shape.extra_columns):
            raise LookupError(
                f"columns of {shape.plural} that can be marked: {', '.join(shape.extra_columns)}"
            )
        condition, tests = self._match(shape, [query.one_of("id", ids)])
        encoded = dict(zip(values, shape.table.encode(values), strict=True))
        for name in shape.counted:
            if name in encoded:
                self._count_marked(shape, name, encoded[name], (condition, tests))
        sql = query.update(shape.plural, tuple(values), condition)
        self._session().run(sql, (*encoded.values(), *tests))

    def _count_marked(self, shape: Kind, name: str, value: int, where: query.Sql) -> None:
        """Adjust the counts for the documents whose flag is about to change."""
        sql = f"select test_mode, count(*) from {shape.plural} where {where[0]} and {name} <> ? group by 1"
        step = 1 if value else -1
        rows = self._session().rows(sql, (*where[1], value))
        changes = [(shape.name, encode_mode(shape, mode), name, "", number * step) for mode, number in rows]
        self._session().run_many(query.TALLY, changes)

    @cached_property
    def _moment(self) -> str:
        """The time of writing, for documents that carry no time of their own."""
        return write_moment(self._clock())

    def _row_of(self, shape: Kind, id: str) -> Row | None:
        names = tuple(shape.table.types)
        row = self._session().row(f"select {', '.join(names)} from {shape.plural} where id = ?", (id,))
        return None if row is None else dict(zip(names, row, strict=True))

    def _add(self, shape: Kind, row: Row) -> int:
        return self._session().add(query.insert(shape.plural, tuple(row)), tuple(row.values()))

    def _change(self, shape: Kind, old: Row, row: Row) -> int:
        # Only changed columns are written: each column named means updating its indexes.
        changed = {name: value for name, value in row.items() if value != old[name]}
        if changed:
            sql = query.update(shape.plural, tuple(changed), "seq = ?")
            self._session().run(sql, (*changed.values(), old["seq"]))
        return int(old["seq"])

    def _write_document(self, shape: Kind, seq: int, doc: Mapping[str, Any]) -> None:
        sql = query.upsert(shape.documents, ("seq", "json"), ("seq",))
        self._session().run(sql, (seq, pack(dumps(doc))))

    def _write_text(
        self, shape: Kind, seq: int, before: Mapping[str, Any] | None, doc: Mapping[str, Any]
    ) -> None:
        if not shape.text:
            return
        session, texts = self._session(), shape.texts(doc)
        if before is None:
            session.run(add_text(shape, session.dialect.text_key), (*texts, seq))
        elif shape.texts(before) != texts:
            session.run(change_text(shape, session.dialect.text_key), (*texts, seq))

    def _document_of(self, shape: Kind, row: Row) -> dict[str, Any]:
        """The stored document of a row; empty for kinds without search values, which do not need it."""
        if not (shape.pairs or shape.text):
            return {}
        document = self._session().row(f"select json from {shape.documents} where seq = ?", (row["seq"],))
        return dict(loads(unpack(document[0]))) if document else {}

    def _write_entries(self, shape: Kind, seq: int, held: set[Entry], entries: set[Entry]) -> None:
        session, start = self._session(), (shape.name, seq)
        if gone := held - entries:
            session.run_many(_DROP_ENTRY, [(*start, *entry[:4]) for entry in sorted(gone)])
        if new := entries - held:
            session.run_many(_ADD_ENTRY, [(*start, *entry) for entry in sorted(new)])

    def _tally(self, shape: Kind, before: set[Counted], after: set[Counted]) -> None:
        """Count one document fewer where it was and one more where it is."""
        gone, new = before - after, after - before
        changes = [(shape.name, *counted, 1) for counted in new] + [
            (shape.name, *counted, -1) for counted in gone
        ]
        if changes:
            self._session().run_many(query.TALLY, changes)
        if gone:
            self._session().run_many(query.UNTALLY, [(shape.name, *counted) for counted in gone])

    def _count(self, shape: Kind, old: Row | None, new: Row | None) -> None:
        before, after = _find_place(shape, old), _find_place(shape, new)
        if before == after:
            return
        if before:
            self._session().run(query.COUNT, (shape.name, *before, -1))
        if after:
            self._session().run(query.COUNT, (shape.name, *after, 1))

    # -- rows ----------------------------------------------------------------------------------

    def insert(self, table: str, row: Mapping[str, Any]) -> None:
        """Write a new row.

        Errors: Duplicate if its key is taken.
        """
        shape = find_writable(table)
        self._session().insert(query.insert(table, tuple(row)), shape.encode(row))

    def insert_many(self, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Write new rows that name the same columns.

        Errors: as `insert`.
        """
        if rows:
            shape = find_writable(table)
            self._session().run_many(query.insert(table, tuple(rows[0])), map(shape.encode, rows))

    def add(self, table: str, row: Mapping[str, Any]) -> bool:
        """Write a new row unless its key is taken; returns True if it was written."""
        shape = find_writable(table)
        return self._session().run(query.insert_absent(table, tuple(row)), shape.encode(row)) == 1

    def upsert(self, table: str, row: Mapping[str, Any]) -> None:
        """Write a row, replacing these columns of the row with the same key."""
        shape = find_writable(table)
        self._session().run(query.upsert(table, tuple(row), shape.key), shape.encode(row))

    def upsert_many(self, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Write rows that name the same columns, each as `upsert` does."""
        if rows:
            shape = find_writable(table)
            sql = query.upsert(table, tuple(rows[0]), shape.key)
            self._session().run_many(sql, map(shape.encode, rows))

    def update(self, table: str, where: Conditions, values: Mapping[str, Any]) -> int:
        """Update the rows that match; returns how many there were, so that callers can act on that."""
        shape = find_writable(table)
        condition, tests = self._match(shape, where)
        sql = query.update(table, tuple(values), condition)
        return self._session().run(sql, (*shape.encode(values), *tests))

    def take(
        self, table: str, where: Conditions, order: Sequence[str], limit: int, values: Mapping[str, Any]
    ) -> list[Row]:
        """Update the first rows that match, in this order; returns them as they are now, unordered.

        Two transactions never take the same row.
        """
        shape = find_writable(table)
        condition = self._match(shape, where)
        sql = query.take(shape, tuple(values), condition, order, self._session().dialect)
        rows = self._session().rows(sql, (*shape.encode(values), *condition[1], limit))
        return [decode_row(shape, row) for row in rows]

    def remove(self, table: str, where: Conditions) -> int:
        """Delete the rows that match; returns how many there were.

        Errors: ValueError if there is no condition.
        """
        if not where:
            raise ValueError(f"name the rows of {table} to remove")
        condition, tests = self._match(find_writable(table), where)
        return self._session().run(f"delete from {table} where {condition}", tests)

    def put_file(self, owner: str, name: str, content: bytes, *, format: str, media_type: str) -> str:
        """Save a file of an object, replacing the one with the same name; returns its id."""
        row = {"format": format, "media_type": media_type, "content": content, "created_at": self._clock()}
        held = self._session().row("select id from files where owner_id = ? and name = ?", (owner, name))
        if held:
            self.update("files", {"id": held[0]}, row)
            return str(held[0])
        id = self._ids.new("file_")
        self.insert("files", {"id": id, "owner_id": owner, "name": name, **row})
        return id

    def ring(self) -> None:
        """Have waiting workers of other processes look for work once this is committed, where they listen."""
        self._session().ring()

    def next_number(self, counter: str) -> int:
        """The next number of a counter, from 1."""
        return int(self._session().rows(query.NEXT_NUMBER, (counter,))[0][0])


def check_locks(locks: Sequence[str]) -> None:
    """Errors: ValueError for a lock that is not a name, or a kind and an id (`shipment/shp_1`)."""
    if isinstance(locks, str) or not all(_LOCK.fullmatch(name) for name in locks):
        raise ValueError(f"locks are names, or a kind and an id (shipment/shp_1), not {locks!r}")


def _choose_mode(shape: Kind, doc: Mapping[str, Any], old: Row | None, test_mode: bool | None) -> int | None:
    if not shape.moded:
        return None
    mode = doc.get("test_mode") if test_mode is None else test_mode
    if mode is None and old:
        mode = old["test_mode"]
    if mode is None:
        raise ValueError(f"say the mode of the new {shape.name} {doc['id']}")
    return int(bool(mode))


def _make_row(
    shape: Kind,
    doc: Mapping[str, Any],
    old: Row | None,
    mode: int | None,
    extra: Mapping[str, Any],
    now: str,
) -> Row:
    """Build the narrow row of a document."""
    row = _choose_times(doc, old, extra, now)
    row["id"], row["test_mode"] = doc["id"], mode
    for column in shape.columns:
        name = column.name
        if name in extra or column.source is not None:
            value = extra[name] if name in extra else column.read(doc)
            row[name] = column.empty if value is None else column.encode(value)
        else:
            row[name] = old[name] if old else column.empty
    _refuse_unknown(shape, extra, row)
    return row


def _choose_times(doc: Mapping[str, Any], old: Row | None, extra: Mapping[str, Any], now: str) -> Row:
    created = extra.get("created_at") or doc.get("created_at")
    updated = extra.get("updated_at") or doc.get("updated_at")
    before = old["created_at"] if old else now
    return {
        "created_at": write_moment(created) if created else before,
        "updated_at": write_moment(updated) if updated else now,
    }


def _refuse_unknown(shape: Kind, extra: Mapping[str, Any], row: Row) -> None:
    for name in extra:
        if name not in row:
            raise LookupError(f"{shape.plural} have no column {name}")


def _list_entries(shape: Kind, row: Row, doc: Mapping[str, Any]) -> set[Entry]:
    pairs = list(shape.pairs_of(doc)) if shape.pairs else []
    if not pairs:
        return set()
    mode, at = encode_mode(shape, row["test_mode"]), count_microseconds(row["created_at"])
    return {(scope, key, mode, at, value) for scope, key, value in pairs}


def _list_tallied(shape: Kind, row: Row | None, entries: set[Entry]) -> set[Counted]:
    """The counts that include a document with this row and these entries."""
    counts = {(mode, scope, key) for scope, key, mode, _, _ in entries}
    if row is None or not shape.counted:
        return counts
    mode = encode_mode(shape, row["test_mode"])
    return counts | {(mode, name, "") for name in shape.counted if row[name]}


def _find_place(shape: Kind, row: Row | None) -> tuple[int, str] | None:
    """Where a document is counted in `totals`."""
    if row is None:
        return None
    return encode_mode(shape, row["test_mode"]), encode_status(
        shape, row[shape.tally] if shape.tally else None
    )
