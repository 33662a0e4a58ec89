"""Connections for many threads: each reads with its own, all write with one; none crosses a fork."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from types import TracebackType

from shipcli.store.engine import PATIENCE_S, Session
from shipcli.store.errors import StoreError


class Pool:
    """A session per thread and process, closed with its thread, and one that writes for whoever has its turn.

    One writer keeps the pages it wrote in memory: a session that finds the file changed by another reads
    them anew. And threads that wait for each other wait for a lock, not by asking SQLite again and again.
    """

    def __init__(self, path: Path, patience_s: float = PATIENCE_S) -> None:
        self.path = path
        self._patience_s = patience_s
        self._local = _Local()
        self._all: weakref.WeakSet[Session] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._writer = _Writer()

    def session(self) -> Session:
        """The session this thread reads with: the one that writes while it has its turn, else its own."""
        writing = self._local.writing
        return writing if writing is not None and writing.belongs_here() else self.own_session()

    def own_session(self) -> Session:
        """The session of this thread, whoever writes."""
        session = self._local.own
        if session is None or not session.belongs_here():
            session = self._local.own = self._made()
        return session

    @property
    def is_writing(self) -> bool:
        """Whether this thread has a transaction open."""
        return self._local.is_open and self.session().busy

    @contextmanager
    def transaction(self, *, durable: bool = False) -> Iterator[Session]:
        """A transaction of this thread, on the session that writes.

        Errors: StoreError, also when another thread writes for too long.
        """
        group = self._local.group
        with ExitStack() as stack:
            if group is None:
                session = stack.enter_context(self._turn())
                stack.enter_context(session.transaction(durable=durable))
            else:
                session = stack.enter_context(group.part(durable=durable))
            self._local.is_open = True
            stack.callback(self._local.close)
            yield session

    @contextmanager
    def together(self) -> Iterator[None]:
        """The transactions that this thread makes meanwhile reach the file at the end, all at once.

        Each may fail for itself. Nobody may be told of any before the end.
        Errors: StoreError when they could not be kept: then none of them was.
        """
        with Group(self._turn) as group:
            self._local.group = group
            try:
                yield
            finally:
                self._local.group = None

    @contextmanager
    def _turn(self) -> Iterator[Session]:
        if self._writer.process != os.getpid():
            self._writer = _Writer()
        writer = self._writer
        if not writer.turn.acquire(timeout=self._patience_s):
            raise StoreError(f"the store {self.path} is locked by a long write; try again when it is done")
        try:
            writer.session = self._local.writing = writer.session or self._made()
            yield writer.session
        finally:
            self._local.writing = None
            writer.turn.release()

    def _made(self) -> Session:
        session = Session(self.path, self._patience_s)
        with self._lock:
            self._all.add(session)
        return session

    def close(self) -> None:
        """Close the sessions of all threads."""
        with self._lock:
            for session in list(self._all):
                session.close()


class Group:
    """Transactions of one thread that end as one; it begins with the first of them.

    A transaction that waits for the disk begins another group, as SQLite decides that at the beginning.
    """

    def __init__(self, turn: Callable[[], AbstractContextManager[Session]]) -> None:
        self._turn = turn
        self._session: Session | None = None
        self._stack = ExitStack()

    def __enter__(self) -> Group:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, trace)

    @contextmanager
    def part(self, *, durable: bool) -> Iterator[Session]:
        """One of the transactions."""
        if durable:
            self._end()
        session = self._session or self._begin(durable=durable)
        with session.part():
            yield session

    def _begin(self, *, durable: bool) -> Session:
        session = self._stack.enter_context(self._turn())
        self._stack.enter_context(session.transaction(durable=durable))
        self._session = session
        return session

    def _end(self) -> None:
        self._session = None
        self._stack.close()


class _Local(threading.local):
    """What a thread has: its own session, in its turn the one that writes, a group, an open transaction."""

    def __init__(self) -> None:
        self.own: Session | None = None
        self.writing: Session | None = None
        self.group: Group | None = None
        self.is_open = False

    def close(self) -> None:
        """The transaction is over."""
        self.is_open = False


class _Writer:
    """The session that writes, made with the first write, and whose turn it is."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self.turn = threading.Lock()
        self.session: Session | None = None
