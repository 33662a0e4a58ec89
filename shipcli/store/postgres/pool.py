"""Sessions for many threads on PostgreSQL, and the locks of their transactions."""

from __future__ import annotations

import os
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import datetime
from hashlib import blake2b
from pathlib import Path

from shipcli.store.errors import StoreFull
from shipcli.store.ports import Risk
from shipcli.store.postgres import backups, care
from shipcli.store.postgres.connections import ConnectionPool
from shipcli.store.postgres.definitions import STEPS
from shipcli.store.postgres.listening import Bell, JobListener
from shipcli.store.postgres.session import PostgresSession

Clock = Callable[[], float]
STORE_LOCK = "store"
_SNAPSHOT = "select pg_current_snapshot()::text"
_SLOTS = 32  # a power of two
# How old the number of changes may be: to ask is a way to the server and back, for each request with a key.
_CHANGES_S = 1.0
# The server has room for 64 locks a connection, for all connections together. With more names than these a
# transaction is alone: a manifest has thousands of shipments.
_MOST_LOCKS = 512


class PostgresPool:
    """A session per thread; a transaction takes the locks it names, or that of the whole store."""

    takes_locks = True

    def __init__(self, connections: ConnectionPool, check: Callable[[int], None]) -> None:
        """`check` is called with the version of the schema at the start of every transaction."""
        self._connections = connections
        self._check = check
        self._local = _PostgresLocal()
        self._bell = Bell(connections)
        self._changes, self._changes_until = 0, float("-inf")
        self.was_full = False

    @property
    def place(self) -> str:
        """The URL, without a password."""
        return self._connections.place

    @property
    def is_writing(self) -> bool:
        """Whether this thread has a transaction open."""
        return self._local.is_writing and self._local.process == os.getpid()

    def forget_full(self) -> None:
        """Note that the disk has room again."""
        self.was_full = False

    def session(self) -> PostgresSession:
        """The session of this thread."""
        local = self._local
        if local.session is None or local.process != os.getpid():
            local.session, local.process = PostgresSession(self._connections), os.getpid()
            local.is_writing = False
        return local.session

    def changes(self) -> int:
        """A number that changes with every commit, whoever makes it; at most a second late."""
        now = time.monotonic()
        if now >= self._changes_until:
            self._changes_until = now + _CHANGES_S
            self._changes = zlib.crc32(str(self.session().rows(_SNAPSHOT)[0][0]).encode())
        return self._changes

    def own_session(self) -> PostgresSession:
        """The session of this thread: one that writes is the same."""
        return self.session()

    @contextmanager
    def transaction(
        self, *, durable: bool = False, locks: Sequence[str] | None = None
    ) -> Iterator[PostgresSession]:
        """Run a transaction of this thread; it is on the disk when the block has ended, always.

        The locks are taken first, so that all that is read afterwards is as the last holder left it. For what
        is `durable`, a server that is away is waited for.
        Errors: CommitUnknown if the connection broke during the commit, and it can't be found out what was
                saved; StoreError.
        """
        session = self.session()
        if locks is not None and len(locks) > _MOST_LOCKS:
            locks = None
        script = f"{self._write_locks(locks)}; select count(*), {self._write_slot(locks)} from {STEPS}"
        session.take_ring()  # that of one that failed
        with session.transaction(script, waits=durable) as (version, session.slot):
            self._check(version)
            self._local.is_writing = True
            try:
                yield session
            except StoreFull:
                self.was_full = True
                raise
            finally:
                self._local.is_writing = False
        if locks is None:
            self._changes_until = float("-inf")
        if session.take_ring():
            self._bell.ring()

    def _write_locks(self, locks: Sequence[str] | None) -> str:
        schema = self._connections.url.schema
        if locks is None:
            return f"select pg_advisory_xact_lock({compute_lock(schema, STORE_LOCK)})"
        keys = sorted({compute_lock(schema, f"/{name}") for name in locks})
        shared = f"select pg_advisory_xact_lock_shared({compute_lock(schema, STORE_LOCK)})"
        return "; ".join([shared, *(f"select pg_advisory_xact_lock({key})" for key in keys)])

    def _write_slot(self, locks: Sequence[str] | None) -> str:
        """The expression that gives a slot of the counts which no other transaction has, and holds it."""
        if locks is None:  # it is alone
            return "0"
        first = compute_lock(self._connections.url.schema, "slots") & ~(_SLOTS - 1)
        numbers = f"generate_series(0, {_SLOTS - 1}) s"
        free = f"select s from {numbers} where pg_try_advisory_xact_lock({first} + s) limit 1"
        own = f"pg_backend_pid() % {_SLOTS}"
        return f"coalesce(({free}), (select {own} from pg_advisory_xact_lock({first} + {own})))"

    def listen(self) -> JobListener | None:
        """Listen to the transactions that ring; a pooler has no connection that stays."""
        return None if self._connections.url.pooler else self._bell.listen()

    def batch(self) -> nullcontext[None]:
        """Nothing is batched: PostgreSQL groups commits itself."""
        return nullcontext()

    def open_clock(self) -> Clock:
        """The clock of the database server, for leases that several machines measure."""
        now = float(self.session().rows("select extract(epoch from clock_timestamp())::float8")[0][0])
        began = now - time.monotonic()
        return lambda: began + time.monotonic()

    def write_backup(self, target: Path) -> None:
        """Let pg_dump write the schema into a file.

        Errors: StoreError if that is not possible; nothing is replaced then.
        """
        backups.write_backup(self._connections, target)

    def find_damage(self) -> list[str]:
        """List what is wrong with indexes and pages, one sentence each."""
        return care.find_damage(self.session(), self._connections.url.schema)

    def find_risks(self, now: datetime) -> list[Risk]:
        """Settings of the server with which purchases may be lost, and others that are not expected."""
        return care.find_risks(self.session(), self._connections.url.schema, now)

    def close(self) -> None:
        """Close the connections that are free."""
        self._connections.close()


class _PostgresLocal(threading.local):
    """The session of a thread."""

    def __init__(self) -> None:
        self.session: PostgresSession | None = None
        self.process = 0
        self.is_writing = False


def compute_lock(schema: str, name: str) -> int:
    """The number of an advisory lock: all stores of a database share these."""
    return int.from_bytes(blake2b(f"{schema}/{name}".encode(), digest_size=8).digest(), "big", signed=True)
