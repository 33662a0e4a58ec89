"""The store of all objects, for many threads and processes: one SQLite file, or a schema of PostgreSQL."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from copy import copy
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Literal, Self

from shipcli.clocks import Clock
from shipcli.store import query
from shipcli.store.draws import SeededDraws
from shipcli.store.ids import IdGenerator, Ids
from shipcli.store.integrity import check_content
from shipcli.store.places import Place, choose_engine
from shipcli.store.ports import LAST_BACKUP, PATIENCE_S, MigrationResult, Pool, RingListener, Risk, Session
from shipcli.store.queries import Reader
from shipcli.store.query import below
from shipcli.store.schema import SLOTTED, find_table, find_writable
from shipcli.store.transaction import FindLocks, Transaction, check_locks

# Pruning locks the store for this many rows at a time, so that nobody else waits long.
_PRUNED_AT_ONCE = 2000
# Random bytes stay as many when the row is deflated.
_ROOM, _ROOM_BYTES = "room", 64 * 1024


class Store(Reader):
    """The documents, files and rows of one home. Opened with `Store.open`.

    `clock` gives the time of events, `steady` measures how long leases and claims last.
    """

    def __init__(
        self, pool: Pool, clock: Clock, steady: Callable[[], float], draws: SeededDraws | None = None
    ) -> None:
        self.place = pool.place
        self.clock = clock
        self.steady = steady
        self._draws = draws
        self._ids: Ids = IdGenerator(clock, draws)
        self._pool = pool

    @classmethod
    def open(
        cls,
        place: Place,
        *,
        clock: Clock,
        migrate: Literal["auto", "refuse"] = "auto",
        patience_s: float = PATIENCE_S,
        draws: SeededDraws | None = None,
    ) -> Self:
        """Open the store at this place; create it if missing, and migrate an old one if `migrate` is "auto".
        `draws` make its ids repeatable.

        Errors: StoreTooNew, StoreOutdated, StoreError if the place cannot be used.
        """
        pool = choose_engine(place).open_pool(place, clock, migrate == "auto", patience_s)
        try:
            steady = pool.open_clock()
        except BaseException:
            pool.close()
            raise
        return cls(pool, clock, steady, draws)

    @staticmethod
    def migrate(place: Place, *, clock: Clock) -> MigrationResult:
        """Migrate a store to the version of this program; one in a file after a backup beside it."""
        return choose_engine(place).migrate(place, clock())

    def close(self) -> None:
        """Close every connection of this process."""
        self._pool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _session(self) -> Session:
        return self._pool.session()

    def transaction(
        self, durable: bool = False, *, locks: Sequence[str] | FindLocks | None = None
    ) -> Transaction:
        """Open a transaction: its writes are saved together or, if the block raises, not at all.

        `durable` waits until they are on the disk and survive a power failure. Other writers wait in the
        meantime, so call no carrier inside the block. `locks` names what the block reads before it writes,
        as `kind/id` or a topic; nobody else holds the same name meanwhile. Without it, the block is alone.
        Names that are found by reading are given as a function: it is asked again once they are held, so
        that the block begins only with all that it needs.

        Errors: RuntimeError if this thread has a transaction open already; StoreError; ValueError for a lock
                without a name.
        """
        if not callable(locks):
            check_locks(locks or ())
        if self._pool.is_writing:
            raise RuntimeError(
                "a transaction is open in this thread already; hand it on instead of opening another"
            )
        before = self if self._pool.takes_locks else None
        return Transaction(partial(self._begin, durable), self.clock, self._ids, locks, before)

    def _begin(self, durable: bool, locks: Sequence[str] | None) -> AbstractContextManager[Session]:
        return self._pool.transaction(durable=durable, locks=locks)

    def batch(self) -> AbstractContextManager[None]:
        """Let the transactions of this thread share one commit at the end of the block.

        Each still fails alone; report none as done before the end. Call no carrier inside the block.

        Errors: StoreError if some of them were not saved.
        """
        return self._pool.batch()

    def with_ids(self, ids: Ids) -> Self:
        """The same store, with the ids of another source."""
        copied = copy(self)
        copied._ids = ids
        return copied

    def new_id(self, prefix: str) -> str:
        """A new identifier."""
        return self._ids.new(prefix)

    def draw(self, series: str, size: int) -> bytes:
        """Random bytes, at most 32; those of a sandbox with a seed can be repeated."""
        return self._draws.take(series, size)[1] if self._draws else secrets.token_bytes(size)

    def listen(self) -> RingListener | None:
        """Listen to the transactions that ring; None if the engine or its connections can't.

        Errors: StoreError.
        """
        return self._pool.listen()

    def changes(self) -> int:
        """A number that changes when another thread or process has written.

        It belongs to the calling thread: compare it only with earlier ones from the same thread. A server
        is asked once a second, and again once this process has written alone, without declared locks.
        """
        return self._pool.changes()

    def check_room(self) -> None:
        """Check whether a disk that was full has room again, with a write too large to fit by chance.

        Errors: StoreFull if it has none.
        """
        if self._pool.was_full:
            with self.transaction() as tx:
                tx.upsert("store_facts", {"name": _ROOM, "value": os.urandom(_ROOM_BYTES).hex()})
            with self.transaction() as tx:
                tx.remove("store_facts", {"name": _ROOM})
            self._pool.forget_full()

    # -- care ----------------------------------------------------------------------------------

    def backup(self, path: str | Path) -> None:
        """Copy the store as it is now, complete even while others write, and check that the copy is sound.

        An existing backup at that path is kept under its name with `.1` at the end.
        Errors: StoreError if the path is taken by another file or the store itself, or if the store is
                damaged; nothing is replaced then.
        """
        target = Path(path)
        self._pool.write_backup(target)
        with self.transaction() as tx:
            tx.upsert("store_facts", {"name": LAST_BACKUP, "value": str(target.resolve())})

    @property
    def pool(self) -> Pool:
        """The sessions of this process, for what looks at the store as a whole."""
        return self._pool

    def check(self) -> list[str]:
        """List what is wrong with the store, one sentence each; empty if all is well."""
        return self._pool.find_damage() or check_content(self._session())

    def find_risks(self, now: datetime) -> list[Risk]:
        """Settings of the engine with which purchases may be lost, and others that are not expected."""
        return self._pool.find_risks(now)

    def info(self) -> dict[str, Any]:
        """Describe the store and count what it holds."""
        session = self._session()
        objects = session.rows("select kind, sum(n) from totals group by kind order by kind")
        files, size = session.rows("select count(*), coalesce(sum(length(content)), 0) from files")[0]
        return {
            **session.facts(),
            "version": session.version(),
            "objects": {kind: number for kind, number in objects if number},
            "files": files,
            "file_bytes": size,
        }

    def prune(self, older_than: datetime, tables: Sequence[str] = ("traces", "logs")) -> dict[str, int]:
        """Delete the rows of these tables that are older; returns how many, by table.

        Errors: LookupError for a table whose rows do not age.
        """
        return {table: self._prune(table, older_than) for table in tables}

    def fold_counts(self) -> None:
        """Add up the slots of each count in the first one, so that few rows are kept; reads give the same."""
        for table in map(find_table, SLOTTED):
            if self._session().rows(f"select 1 from {table.name} where slot > 0 limit 1"):
                with self._pool.transaction() as session:
                    session.run(query.add_up_slots(table))
                    session.run(f"delete from {table.name} where slot > 0")
                    session.run(f"delete from {table.name} where n = 0")

    def _prune(self, table: str, older_than: datetime) -> int:
        shape, removed = find_writable(table), 0
        if shape.age is None:
            raise LookupError(f"rows of {table} do not age")
        keys = ", ".join(shape.key)
        condition, values = self._match(shape, [below(shape.age, older_than)])
        some = f"select {keys} from {table} where {condition} limit {_PRUNED_AT_ONCE}"
        while True:
            with self._pool.transaction() as session:
                count = session.run(f"delete from {table} where ({keys}) in ({some})", values)
            removed += count
            if count < _PRUNED_AT_ONCE:
                return removed
