"""Writes: everything inside `with store.transaction()` is saved together or not at all."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from typing import Any, Self

from shipcli.clocks import Clock
from shipcli.store import query
from shipcli.store.changes import DocumentChange, Existing, encode_mode, make_change
from shipcli.store.codecs import write_moment
from shipcli.store.document_statements import delete_document, find_existing
from shipcli.store.ids import Ids
from shipcli.store.ports import Session
from shipcli.store.queries import Reader, decode_row
from shipcli.store.query import Conditions
from shipcli.store.schema import Kind, find_kind, find_writable

Row = dict[str, Any]
FindLocks = Callable[[Reader], Sequence[str]]
Open = Callable[[Sequence[str] | None], AbstractContextManager[Session]]

# How often locks that are found by reading are looked for again, before the transaction is alone.
_TRIES = 5
_LOCK = re.compile(r"[a-z][a-z_-]*(/.+)?", re.DOTALL)


class Transaction(Reader):
    """The writes of one use-case; its reads see them at once. Valid only inside the block that opens it."""

    def __init__(
        self,
        opens: Open,
        clock: Clock,
        ids: Ids,
        locks: Sequence[str] | FindLocks | None = None,
        before: Reader | None = None,
    ) -> None:
        """`before` reads which locks are needed, before they are held; None if the engine takes none."""
        self.find_locks = locks if callable(locks) else None
        self.locks = None if locks is None or callable(locks) else tuple(locks)
        self._before = before
        self._opens = opens
        self._opened: AbstractContextManager[Session] | None = None
        self._open_session: Session | None = None
        self._clock = clock
        self._ids = ids

    def __enter__(self) -> Self:
        if self.find_locks and self._before:
            self._begin_with_found(self.find_locks, self._before)
        else:
            self._begin(self.locks)
        return self

    def _begin(self, locks: Sequence[str] | None) -> None:
        self._opened = self._opens(locks)
        self._open_session = self._opened.__enter__()

    def _begin_with_found(self, find: FindLocks, before: Reader) -> None:
        """Begin with locks that cover what is there once they are held, as others may have changed it before.

        Nothing is written yet: what was begun with too few is ended, and begun again with those it needs.
        """
        names = tuple(find(before))
        for _ in range(_TRIES):
            check_locks(names)
            self._begin(names)
            try:
                needed = tuple(find(self))
            except BaseException:
                self.__exit__(*sys.exc_info())
                raise
            if set(needed) <= set(names):
                self.locks = names
                return
            self.__exit__(None, None, None)
            names = needed
        self._begin(None)

    def __exit__(self, *raised: Any) -> None:
        opened, self._open_session, self._opened = self._opened, None, None
        if opened is not None:
            opened.__exit__(*raised)

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

        def make(existing: Existing | None) -> DocumentChange:
            mode = _choose_mode(shape, doc, existing.row if existing else None, test_mode)
            return make_change(shape, doc, existing, mode, extra or {}, self._moment)

        may_be_new = not shape.moded or test_mode is not None or doc.get("test_mode") is not None
        return self._session().put_document(shape, doc["id"], make, may_be_new=may_be_new)

    def delete(self, kind: str, id: str) -> bool:
        """Delete a document with all that belongs to it, files included; returns False if there is none."""
        shape, session = find_kind(kind), self._session()
        existing = find_existing(session, shape, id)
        if existing is None:
            return False
        delete_document(session, shape, existing)
        session.run("delete from files where owner_id = ?", (id,))
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
        session = self._session()
        rows = session.rows(sql, (*where[1], value))
        changes = [
            (shape.name, encode_mode(shape, mode), name, "", number * step, session.slot)
            for mode, number in rows
        ]
        session.run_many(query.TALLY, changes)

    @cached_property
    def _moment(self) -> str:
        """The time of writing, for documents that carry no time of their own."""
        return write_moment(self._clock())

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
        """Write rows that name the same columns, each as `upsert` does; of one key, the last."""
        if rows:
            shape = find_writable(table)
            sql = query.upsert(table, tuple(rows[0]), shape.key)
            by_key = {tuple(row[name] for name in shape.key): row for row in rows}
            self._session().run_many(sql, map(shape.encode, by_key.values()))

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

    def next_number(self, counter: str, *, may_skip: bool = False) -> int:
        """The next number of a counter, from 1. Others wait for the next one until this is committed.

        If it `may_skip` numbers, they need not wait on engines where many write: that of a transaction which
        fails is lost then.
        """
        return self._session().next_number(counter, may_skip=may_skip)


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
