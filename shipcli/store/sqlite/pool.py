"""Connections for many threads: each reads on its own, all write through one; none survives a fork."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from shipcli.store.ports import PATIENCE_S, Risk
from shipcli.store.sqlite import backups, damage
from shipcli.store.sqlite.session import SqliteSession
from shipcli.store.sqlite.steady_clock import SteadyClock, open_steady_clock
from shipcli.store.sqlite.writer import CommitGroup, Writer


class SqlitePool:
    """A session per thread and process, closed with its thread, and a shared one to write with, by turns.

    A single writer keeps the pages it wrote in memory, whereas a session that finds the file changed by
    another has to read them again. And threads wait for each other at a lock instead of polling SQLite.
    """

    takes_locks = False

    def __init__(
        self,
        path: Path,
        patience_s: float = PATIENCE_S,
        check: Callable[[SqliteSession], None] = lambda session: None,
    ) -> None:
        """`check` is called at the start of every SQLite transaction; if it raises, that is rolled back."""
        self.path = path
        self._check = check
        self._patience_s = patience_s
        self._local = _Local()
        self._all: weakref.WeakSet[SqliteSession] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._writer = Writer(path, self._make_session, check)

    def session(self) -> SqliteSession:
        """The session this thread reads with: the writing one during its turn, otherwise its own."""
        writing = self._local.writing
        return writing if writing is not None and writing.belongs_here() else self.own_session()

    def changes(self) -> int:
        """A number that changes with commits of other connections, but not with that of this thread."""
        return self.own_session().changes()

    def own_session(self) -> SqliteSession:
        """This thread's own session, whichever thread is writing."""
        session = self._local.own
        if session is None or not session.belongs_here():
            session = self._local.own = self._make_session()
        return session

    @property
    def place(self) -> str:
        """The path of the file."""
        return str(self.path)

    @property
    def is_writing(self) -> bool:
        """Whether this thread has a transaction open."""
        return self._local.is_open

    @contextmanager
    def transaction(
        self, *, durable: bool = False, locks: Sequence[str] | None = None
    ) -> Iterator[SqliteSession]:
        """Run a transaction of this thread on the writing session, committed at the end of the block.

        `locks` are not needed: one transaction writes at a time.

        Inside `batch` it is committed with the batch; a durable one at its own end, with all before it.
        Errors: StoreError, also if another thread writes for too long.
        """
        if self._local.batch is None:
            with self.batch(), self._part(durable) as session:
                yield session
            return
        for group in self._local.batch:
            group.refuse_lost()
        with self._part(durable) as session:
            yield session
        if durable:
            self._writer.commit()
            self._local.batch[-1].refuse_lost()

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Let the transactions of this thread share a commit; report none as done before the block ends.

        Errors: StoreError if some of them were lost; later ones in the batch raise it as well.
        """
        writer, groups = self._of_process(), list[CommitGroup]()
        with writer.turn(self._patience_s) as session:
            self._local.writing, self._local.batch = session, groups
            try:
                yield
            finally:
                self._local.writing = self._local.batch = None
        for group in groups:
            writer.wait_for(group)

    @contextmanager
    def _part(self, durable: bool) -> Iterator[SqliteSession]:
        session, groups = self._local.writing, self._local.batch
        assert session is not None
        assert groups is not None
        self._local.is_open = True
        try:
            with self._writer.part(session, durable=durable) as group:
                yield session
                if group not in groups:
                    groups.append(group)
        finally:
            self._local.is_open = False

    def _of_process(self) -> Writer:
        if self._writer.process != os.getpid():
            self._writer = Writer(self.path, self._make_session, self._check)
        return self._writer

    @property
    def was_full(self) -> bool:
        """Whether a transaction of this process has found the disk full since the last `forget_full`."""
        return self._writer.was_full

    def forget_full(self) -> None:
        """Note that the disk has room again."""
        self._writer.was_full = False

    def open_clock(self) -> SteadyClock:
        """The clock of this machine that leases are measured by."""
        return open_steady_clock(self.session())

    def listen(self) -> None:
        """Nothing rings: other processes look into the file by themselves."""

    def write_backup(self, target: Path) -> None:
        """Copy the file as it is now, complete even while others write, and check that the copy is sound.

        Errors: StoreError if the path is taken by another file or the store itself, or if the store is
                damaged; nothing is replaced then.
        """
        backups.write_backup(self.session(), target)

    def find_damage(self) -> list[str]:
        """List what is wrong with the file, one sentence per table or index; empty if it is sound."""
        return damage.find_damage(self.session())

    def find_risks(self, now: datetime) -> list[Risk]:
        """None: the file is kept by this program alone."""
        return []

    def _make_session(self) -> SqliteSession:
        session = SqliteSession(self.path, self._patience_s)
        with self._lock:
            self._all.add(session)
        return session

    def close(self) -> None:
        """Close the sessions of all threads."""
        with self._lock:
            for session in list(self._all):
                session.close()


class _Local(threading.local):
    """The state of a thread: its own session, the writing one during its turn, and its batch of commits."""

    def __init__(self) -> None:
        self.own: SqliteSession | None = None
        self.writing: SqliteSession | None = None
        self.batch: list[CommitGroup] | None = None
        self.is_open = False
