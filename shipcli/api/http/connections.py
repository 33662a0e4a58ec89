"""Limits on connections: requests must arrive in time, and the number of connections is limited.

Otherwise, a client that opens connections and sends little or nothing would keep everyone else out. A
connection is closed when the head of its next request is late, or when its client stops reading a response.
When there are too many, the one that has waited longest without a request is closed to make room.

The figures come from the state of the application's lifespan and uvicorn's `limit_concurrency`.
"""

from __future__ import annotations

import asyncio
import sys
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from shipcli.api.http import responses
from shipcli.api.http.request import REQUEST_TIMEOUT_S

LOOKS = 4  # how often a connection is checked within the time-out
LARGEST_HEAD = 65536
KEPT_DESCRIPTORS = 96  # for the store, the carriers, webhooks


class WatchedConnection(AutoHTTPProtocol):  # type: ignore[misc, valid-type]  # a class chosen by what is installed
    """A monitored connection. `waiting_since` is when its last request ended, None during a request."""

    app_state: dict[str, Any]
    connections: set[WatchedConnection]
    limit_concurrency: int | None
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    waiting_since: float | None = None
    _unsent = 0  # bytes of responses that the client has not read yet
    _unsent_since = 0.0
    _timer: asyncio.TimerHandle | None = None
    _read = 0  # bytes in the current read
    _head: int | None = None  # bytes of a head or trailer after its first read; None outside both
    _in_trailer = False

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Accept the connection; if there are too many, another one is closed."""
        if self.limit_concurrency is not None and len(self.connections) >= self.limit_concurrency - 1:
            give_way(self.connections)
        super().connection_made(transport)
        self.waiting_since = self._unsent_since = self.loop.time()
        self._look_later()

    def connection_lost(self, error: Exception | None) -> None:
        """Stop watching the connection."""
        super().connection_lost(error)
        if self._timer:
            self._timer.cancel()

    def data_received(self, data: bytes) -> None:
        """Read on: a complete head starts a request, and one that is too long is refused."""
        self._read = len(data)
        super().data_received(data)
        if self._head is not None:
            self._head += len(data)
            if self._head > LARGEST_HEAD and not self.transport.is_closing():
                self.send_400_response(f"The head of a request may have at most {LARGEST_HEAD >> 10} KB")
        if self.cycle is not None and not self.cycle.response_complete:
            self.waiting_since = None

    def on_message_begin(self) -> None:
        """Measure the head. Called only by httptools, which sets no limit; h11 has one of this size."""
        super().on_message_begin()
        self._head, self._in_trailer = -self._read, False  # part of this read may be of the request before

    def on_header(self, name: bytes, value: bytes) -> None:
        """Add a header. One that follows the body is dropped: proxies have neither checked nor set it.

        Called only by httptools, as are the next three; h11 keeps trailers apart.
        """
        if not self._in_trailer:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Stop measuring the head; what follows is the body, and perhaps a trailer."""
        self._in_trailer = True
        super().on_headers_complete()
        self._head = None

    def on_chunk_header(self) -> None:
        """Measure what follows: after the last chunk, which is empty, that is the trailer."""
        self._head = -self._read

    def on_body(self, body: bytes) -> None:
        """Stop measuring: this chunk has content."""
        self._head = None
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Stop measuring the trailer."""
        self._head = None
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Wait for the next request, unless it has already arrived."""
        super().on_response_complete()
        under_way = self.cycle is not None and not self.cycle.response_complete
        self.waiting_since = None if under_way else self.loop.time()

    def send_400_response(self, msg: str) -> None:
        """Answer malformed HTTP with an error body like any other."""
        rejection = responses.write_failure(HTTPStatus.BAD_REQUEST, "bad_request", msg)
        head = [
            b"HTTP/1.1 400 Bad Request",
            b"connection: close",
            b"content-length: %d" % len(rejection.body),
        ]
        head += [name + b": " + value for name, value in rejection.headers]
        self.transport.write(b"\r\n".join([*head, b"", rejection.body]))
        self.transport.close()

    def _look_later(self) -> None:
        self._timer = self.loop.call_later(self.app_state[REQUEST_TIMEOUT_S] / LOOKS, self._look)

    def _look(self) -> None:
        if self._is_late(self.loop.time()):
            self.transport.abort()
        else:
            self._look_later()

    def _is_late(self, now: float) -> bool:
        """Whether a head is overdue, or the client has read nothing of a response for too long."""
        patience_s: int = self.app_state[REQUEST_TIMEOUT_S]
        unsent = self.transport.get_write_buffer_size()
        if unsent:
            if unsent != self._unsent:
                self._unsent, self._unsent_since = unsent, now
            return now - self._unsent_since > patience_s
        self._unsent = 0
        return self.waiting_since is not None and now - self.waiting_since > patience_s


def give_way(connections: set[WatchedConnection]) -> None:
    """Close the connection that has waited longest without a request, if there is one."""
    waiting = [connection for connection in connections if connection.waiting_since is not None]
    if waiting:
        oldest = min(waiting, key=lambda connection: connection.waiting_since or 0.0)
        connections.discard(oldest)  # its closing is reported later
        oldest.transport.abort()


def limit_of(requested: int) -> int:
    """How many connections are possible: as many as wanted, with file descriptors left for other work."""
    if sys.platform == "win32":
        return requested
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return requested
    needed = requested + KEPT_DESCRIPTORS
    if soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(hard, needed)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return max(min(requested, soft - KEPT_DESCRIPTORS), 2)
