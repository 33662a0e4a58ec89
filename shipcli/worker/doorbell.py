"""What wakes the one thread that waits for work."""

from __future__ import annotations

import selectors
import socket
from contextlib import suppress

_ENOUGH = 4096


class Doorbell:
    """Rung from any thread, and from signal handlers: ringing takes no lock."""

    def __init__(self) -> None:
        self._inside, self._outside = socket.socketpair()
        self._waiting = selectors.DefaultSelector()
        for end in (self._inside, self._outside):
            end.setblocking(False)
        self._waiting.register(self._inside, selectors.EVENT_READ)

    def __del__(self) -> None:
        self.close()

    def ring(self) -> None:
        """Wake whoever waits, or who waits next."""
        with suppress(OSError):  # full: it has rung; closed: nobody waits any more
            self._outside.send(b"!")

    def wait(self, seconds: float) -> None:
        """Until it rings, or has rung since the last time, at most so long."""
        self._waiting.select(seconds)
        with suppress(BlockingIOError):
            while len(self._inside.recv(_ENOUGH)) == _ENOUGH:
                continue

    def close(self) -> None:
        """Nobody waits any more."""
        self._waiting.close()
        self._inside.close()
        self._outside.close()
