"""A wire to a server of PostgreSQL that can be cut: at once, or when the answer to a commit comes back."""

from __future__ import annotations

import re
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SOCKET = ".s.PGSQL.5432"
COMMITTED = b"C\x00\x00\x00\x0bCOMMIT\x00"  # how the server says that it has saved a transaction
_VERSION = re.compile(rb"(server_version\x00)\d\d")
_CHUNK = 1 << 16


class Wire:
    """Carries what clients and the server say; `folder` is where clients find it."""

    def __init__(self, folder: Path, server: Path, version: bytes = b"") -> None:
        """`version` has two digits, and is what the server says that it is."""
        self._version = version
        self.folder, self._server = folder, server
        self._lock = threading.Lock()
        self._ends: set[socket.socket] = set()
        self._answers_left = 0
        self.is_cut = threading.Event()
        self.open()

    def open(self) -> None:
        """Take clients, after it was closed as well."""
        (self.folder / SOCKET).unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.folder / SOCKET))
        self._listener.listen(200)
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True, name="wire").start()

    def cut_at_answer(self, number: int) -> None:
        """Lose the answer to this commit of those that follow, and the connection with it."""
        with self._lock:
            self.is_cut.clear()
            self._answers_left = number

    def cut_all(self) -> None:
        """Lose all connections at once."""
        with self._lock:
            ends, self._answers_left = list(self._ends), 0
        for end in ends:
            _shut(end)
        self.is_cut.set()

    def close(self) -> None:
        """Take no more clients, and lose those there are."""
        _shut(self._listener)
        self.cut_all()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(str(self._server / SOCKET))
            except OSError:
                client.close()
                continue
            with self._lock:
                self._ends |= {client, server}
            for source, target, answers in ((client, server, False), (server, client, True)):
                words = (source, target, answers)
                threading.Thread(target=self._carry, args=words, daemon=True, name="wire").start()

    def _carry(self, source: socket.socket, target: socket.socket, answers: bool) -> None:
        with suppress(OSError):
            while data := source.recv(_CHUNK):
                if answers and COMMITTED in data and self._is_next_lost():
                    break
                if answers and self._version:
                    data = _VERSION.sub(rb"\g<1>" + self._version, data)
                target.sendall(data)
        for end in (source, target):
            _shut(end)
        with self._lock:
            self._ends -= {source, target}

    def _is_next_lost(self) -> bool:
        """Whether the answer to this commit is the one that is to be lost."""
        with self._lock:
            self._answers_left -= 1
            is_lost = self._answers_left == 0
        if is_lost:
            self.is_cut.set()
        return is_lost


def _shut(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()


@contextmanager
def run_older_server(server: Path) -> Iterator[Path]:
    """Where the server whose socket is in a folder is found under an older version."""
    with tempfile.TemporaryDirectory() as folder:
        wire = Wire(Path(folder), server, b"12")
        try:
            yield wire.folder
        finally:
            wire.close()


@contextmanager
def run_wire(folder: Path, server: Path) -> Iterator[Wire]:
    """A wire to the server whose socket is in a folder."""
    folder.mkdir()
    wire = Wire(folder, server)
    try:
        yield wire
    finally:
        wire.close()
