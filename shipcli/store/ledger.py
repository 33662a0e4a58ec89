"""The records of simulated carriers, apart from the store; they survive a crash and serve all processes."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from decimal import Decimal
from typing import Any

from shipcli.models.basics.json import dumps, loads
from shipcli.store.codecs import write_search_value
from shipcli.store.places import Place, choose_engine
from shipcli.store.ports import PATIENCE_S, Pool, Session

Record = dict[str, Any]
Mark = tuple[str, str]  # a field and the text of its value

_CHUNK = 500
_NEXT = (
    "insert into numbers (slug, series, value) values (?, ?, 1) "
    "on conflict (slug, series) do update set value = numbers.value + 1 returning value"
)
_ADD = (
    "insert into records (slug, kind, key, record) values (?, ?, ?, ?) "
    "on conflict (slug, kind, key) do nothing returning seq"
)
_HELD = "select seq, record from records where slug = ? and kind = ? and key = ?"
_CHANGE = "update records set record = ? where seq = ?"
_MARK = "insert into marks (slug, kind, name, value, seq) values (?, ?, ?, ?, ?) on conflict do nothing"
_UNMARK = "delete from marks where slug = ? and kind = ? and name = ? and value = ? and seq = ?"
_MARKED = (
    "select seq from records where slug = ? and kind = ? and key = ? "
    "union all select seq from marks where slug = ? and kind = ? and name = ? and value = ?"
)
# Fields by which simulators look up records; each one indexed costs a page of the file at every sale.
_MARKS = frozenset({"group", "identifier", "key", "manifest", "number"})


class LedgerFile:
    """A ledger in a SQLite file, or in a schema of PostgreSQL; created on first use."""

    def __init__(self, place: Place, patience_s: float = PATIENCE_S) -> None:
        self.place, self._patience_s = place, patience_s
        self._opened: Pool | None = None
        self._lock = threading.Lock()
        self._local = _OpenBlock()

    def close(self) -> None:
        """Close every connection of this process."""
        if self._opened is not None:
            self._opened.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Save all writes of the block or none. A nested block of the same thread joins the outer one.

        The transaction starts with the first record that is looked up or written: pricing needs none.
        """
        if self._local.block is not None:
            yield
            return
        with ExitStack() as block:
            self._local.block = block
            try:
                yield
            finally:
                self._local.block = None

    def next_number(self, slug: str, series: str = "label") -> int:
        """The next number of a carrier's series, from 1."""
        return int(self._session().rows(_NEXT, (slug, series))[0][0])

    def put(self, slug: str, kind: str, key: str, record: Mapping[str, Any]) -> None:
        """Write a record, replacing the one with the same key."""
        with self.transaction():
            session, text = self._session(), dumps(record)
            row, held = session.row(_ADD, (slug, kind, key, text)), set[Mark]()
            if row is None:
                row = session.rows(_HELD, (slug, kind, key))[0]
                session.run(_CHANGE, (text, row[0]))
                held = _list_marks(key, loads(row[1]))
            _mark(session, (slug, kind, row[0]), held, _list_marks(key, record))

    def get(self, slug: str, kind: str, key: str) -> Record | None:
        """Return the record with this key, or None."""
        row = self._session().row(
            "select record from records where slug = ? and kind = ? and key = ?", (slug, kind, key)
        )
        return None if row is None else dict(loads(row[0]))

    def find(self, slug: str, kind: str, **equal: Any) -> list[Record]:
        """Find records whose top-level fields equal the given values, oldest first."""
        # The marks narrow the search; the records themselves decide.
        marks = _list_marks(None, equal)
        tests = [f"seq in ({_MARKED})"] * len(marks) or ["slug = ? and kind = ?"]
        values = [part for name, value in marks for part in (slug, kind, value, slug, kind, name, value)]
        sql = f"select record from records where {' and '.join(tests)} order by seq"
        rows = self._session().rows(sql, values or [slug, kind])
        return [record for (text,) in rows if fits(record := loads(text), equal)]

    def remove(self, slug: str, kind: str, key: str) -> None:
        """Delete a record."""
        with self.transaction():
            session = self._session()
            row = session.row(_HELD, (slug, kind, key))
            if row is not None:
                session.run("delete from records where seq = ?", (row[0],))
                _mark(session, (slug, kind, row[0]), _list_marks(key, loads(row[1])), set())

    def everything(self, kind: str | None = None) -> Iterator[tuple[str, str, str, Record]]:
        """Yield slug, kind, key and record of all, oldest first; later writes do not disturb this."""
        test, values = ("1 = 1", []) if kind is None else ("kind = ?", [kind])
        sql = f"select slug, kind, key, record, seq from records where {test} and seq > ?"
        sql = f"{sql} order by seq limit {_CHUNK}"
        last = 0
        while rows := self._session().rows(sql, [*values, last]):
            for slug, held_kind, key, text, _ in rows:
                yield slug, held_kind, key, loads(text)
            last = rows[-1][-1]

    @property
    def pool(self) -> Pool:
        """The sessions of this process."""
        return self._opened or self._open()

    def _session(self) -> Session:
        pool = self.pool
        if self._local.block is not None and not pool.is_writing:
            self._local.block.enter_context(pool.transaction())
        return pool.session()

    def _open(self) -> Pool:
        with self._lock:
            if self._opened is None:
                self._opened = choose_engine(self.place).open_ledger_pool(self.place, self._patience_s)
            return self._opened


class _OpenBlock(threading.local):
    """The transaction block a thread is in; the transaction itself may not have started yet."""

    block: ExitStack | None = None


def _list_marks(key: str | None, record: Mapping[str, Any]) -> set[Mark]:
    """The fields a record is looked up by, without those that equal its key, which finds it anyway."""
    marks = {
        (name, write_search_value(value))
        for name in _MARKS
        if isinstance(value := record.get(name), str | int | Decimal)
    }
    return {mark for mark in marks if mark[1] != key}


def _mark(session: Session, place: tuple[str, str, int], held: set[Mark], current: set[Mark]) -> None:
    """Update the marks of a record; its place is its carrier, kind and row."""
    slug, kind, seq = place
    for statement, marks in ((_UNMARK, held - current), (_MARK, current - held)):
        if marks:
            session.run_many(statement, [(slug, kind, *mark, seq) for mark in sorted(marks)])


def fits(record: Mapping[str, Any], equal: Mapping[str, Any]) -> bool:
    """Whether the fields of a record equal these values."""
    return all(record.get(name) == value for name, value in equal.items())
