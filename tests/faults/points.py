"""The writes of this process, counted; and the one before which it kills itself."""

from __future__ import annotations

import io
import os
import signal
import sqlite3
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

Grain = Literal["effect", "statement"]
STATEMENTS = frozenset({"insert", "update", "delete", "replace"})
FILE_EVENTS = frozenset({"os.rename", "os.remove", "os.link", "os.truncate"})
OPENED_FOR_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
CONNECTED = frozenset({"socket.connect"})


class Points:
    """Counts what outlives the process, and ends it before one of these.

    A point is named as it comes, in a file: the list must survive the process.
    """

    def __init__(self, names: Path, last: int | None, grain: Grain) -> None:
        self._names = os.open(names, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        self._last = last
        self._grain = grain
        self._count = 0
        self._lock = threading.Lock()

    def pass_one(self, name: str) -> None:
        """Count a write that is about to happen."""
        with self._lock:
            self._count += 1
            os.write(self._names, f"{name}\n".encode())
            if self._count == self._last:
                os.kill(os.getpid(), signal.SIGKILL)

    def watch(self) -> None:
        """Count from now on: every SQLite connection, every file, every connection to another program."""
        sqlite3.connect = self._watching(sqlite3.connect)
        sys.addaudithook(self._on_event)
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(_Output(self)), encoding="utf-8", line_buffering=False
        )

    def _watching(self, connect: Callable[..., sqlite3.Connection]) -> Callable[..., sqlite3.Connection]:
        def connect_and_watch(path: Any, *given: Any, **named: Any) -> sqlite3.Connection:
            connection = connect(path, *given, **named)
            file = Path(str(path)).name
            connection.set_trace_callback(lambda statement: self._on_statement(file, statement))
            return connection

        return connect_and_watch

    def _on_statement(self, file: str, statement: str) -> None:
        words = statement[:200].split()
        verb = words[0].lower() if words else ""
        if verb == "commit":
            self.pass_one(f"commit {file}")
        elif verb in STATEMENTS and self._grain == "statement":
            self.pass_one(f"{' '.join(words[:3])} {file}")

    def _on_event(self, event: str, given: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(given[0], str | bytes | os.PathLike):
            flags = given[2] if isinstance(given[2], int) else 0
            if flags & OPENED_FOR_WRITING and not os.fsdecode(given[0]).startswith("/dev/"):
                self.pass_one(f"open {Path(os.fsdecode(given[0])).name}")
        elif event in FILE_EVENTS:
            name = given[0] if isinstance(given[0], int) else Path(os.fsdecode(given[0])).name
            self.pass_one(f"{event} {name}")
        elif event in CONNECTED:
            self.pass_one(event)


class _Output(io.FileIO):
    """Standard output: what was written is seen by whoever typed the line."""

    def __init__(self, points: Points) -> None:
        super().__init__(sys.__stdout__.fileno() if sys.__stdout__ else 1, "w", closefd=False)
        self._points = points

    def write(self, data: Any, /) -> int:
        self._points.pass_one("output")
        return super().write(data) or 0
