"""Ends the waiting of the loop: for what this process did, and for what others have committed."""

from __future__ import annotations

import selectors
import socket
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shipcli.store.ports import RingListener

_ENOUGH = 4096


class Wakeup:
    """Can be set from any thread and from signal handlers: that takes no lock."""

    def __init__(self) -> None:
        self._inside, self._outside = socket.socketpair()
        self._waiting = selectors.DefaultSelector()
        self._listener: RingListener | None = None
        for end in (self._inside, self._outside):
            end.setblocking(False)
        self._waiting.register(self._inside, selectors.EVENT_READ)

    def __del__(self) -> None:
        self.close()

    def set(self) -> None:
        """Wake the waiting thread, or make its next wait return at once."""
        with suppress(OSError):  # full: it is set; closed: no thread waits any more
            self._outside.send(b"!")

    def wait(self, seconds: float) -> bool:
        """Wait for at most this long, until it is set; return at once if it was since the last wait.

        Returns whether it was set, or others rang.
        """
        is_set = bool(self._waiting.select(seconds))
        with suppress(BlockingIOError):
            while len(self._inside.recv(_ENOUGH)) == _ENOUGH:
                continue
        if self._listener is not None and not self._listener.hear():
            self._stop_listening()
        return is_set

    @property
    def is_listening(self) -> bool:
        """Whether it is set when others ring."""
        return self._listener is not None

    def listen(self, listener: RingListener | None) -> None:
        """End waits when others ring, as long as the connection of this listener lives."""
        if listener is not None:
            self._waiting.register(listener, selectors.EVENT_READ)
            self._listener = listener

    def _stop_listening(self) -> None:
        listener, self._listener = self._listener, None
        if listener is not None:
            self._waiting.unregister(listener)
            listener.close()

    def close(self) -> None:
        """Close the sockets; no thread may wait any more."""
        if self._waiting.get_map() is not None:
            self._stop_listening()
        self._waiting.close()
        self._inside.close()
        self._outside.close()
