"""Connections for many threads: each has its own, none crosses a fork."""

from __future__ import annotations

import threading
import weakref
from pathlib import Path

from shipcli.store.engine import PATIENCE_S, Session


class Pool:
    """One session per thread and process, closed with its thread."""

    def __init__(self, path: Path, patience_s: float = PATIENCE_S) -> None:
        self.path = path
        self._patience_s = patience_s
        self._local = threading.local()
        self._all: weakref.WeakSet[Session] = weakref.WeakSet()
        self._lock = threading.Lock()

    def session(self) -> Session:
        """The session of this thread."""
        session: Session | None = getattr(self._local, "session", None)
        return session if session is not None and session.belongs_here() else self._open()

    def _open(self) -> Session:
        session = Session(self.path, self._patience_s)
        self._local.session = session
        with self._lock:
            self._all.add(session)
        return session

    def close(self) -> None:
        """Close the sessions of all threads."""
        with self._lock:
            for session in list(self._all):
                session.close()
