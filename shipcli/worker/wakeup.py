"""Wakes the one thread that waits for work."""

from __future__ import annotations

import selectors
import socket
from contextlib import suppress

_ENOUGH = 4096


class Wakeup:
    """Can be set from any thread and from signal handlers: that takes no lock."""

    def __init__(self) -> None:
        self._inside, self._outside = socket.socketpair()
        self._waiting = selectors.DefaultSelector()
        for end in (self._inside, self._outside):
            end.setblocking(False)
        self._waiting.register(self._inside, selectors.EVENT_READ)

    def __del__(self) -> None:
        self.close()

    def set(self) -> None:
        """Wake the waiting thread, or make its next wait return at once."""
        with suppress(OSError):  # full: it is set; closed: no thread waits any more
            self._outside.send(b"!")

    def wait(self, seconds: float) -> None:
        """Wait for at most this long, until it is set; return at once if it was since the last wait."""
        self._waiting.select(seconds)
        with suppress(BlockingIOError):
            while len(self._inside.recv(_ENOUGH)) == _ENOUGH:
                continue

    def close(self) -> None:
        """Close the sockets; no thread may wait any more."""
        self._waiting.close()
        self._inside.close()
        self._outside.close()
