"""Connections for many threads: each reads with its own, all write with one; none crosses a fork."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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
        self._local = threading.local()
        self._all: weakref.WeakSet[Session] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._writer = _Writer()

    def session(self) -> Session:
        """The session of this thread; inside `writing` the one that writes."""
        session: Session | None = getattr(self._local, "session", None)
        return session if session is not None and session.belongs_here() else self._open()

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """The session that writes, for this thread alone.

        Errors: StoreError when another thread keeps it too long.
        """
        if self._writer.process != os.getpid():
            self._writer = _Writer()
        writer, own = self._writer, self.session()
        if not writer.turn.acquire(timeout=self._patience_s):
            raise StoreError(f"the store {self.path} is locked by a long write; try again when it is done")
        try:
            writer.session = writer.session or self._made()
            self._local.session = writer.session
            yield writer.session
        finally:
            self._local.session = own
            writer.turn.release()

    def _open(self) -> Session:
        self._local.session = session = self._made()
        return session

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


class _Writer:
    """The session that writes, made with the first write, and whose turn it is."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self.turn = threading.Lock()
        self.session: Session | None = None
