"""An HTTP request, with its headers, query and body parsed on demand."""

from __future__ import annotations

import asyncio
import itertools
import re
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from shipcli.models.basics.errors import ShipcliError

if TYPE_CHECKING:
    from shipcli.api.principal import Principal

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

_REQUEST_ID = re.compile(rb"[A-Za-z0-9._:/+=@-]{1,128}")
_HOST = re.compile(rb"(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")
# Random for each process, with a number for each request: a name, not a secret.
_PROCESS = secrets.token_hex(8)
_NUMBERS = itertools.count(1)
REQUEST_TIMEOUT_S = "request_timeout_s"  # a key in the lifespan state
JSON_RANGES = ("application/json", "application/*", "*/*")  # the narrowest counts
PAGE_PATHS, READS = ("/_window/", "/openapi"), ("GET", "HEAD")
SLOWEST = 4096  # bytes per second that a body must arrive with
_DRAINED = 16  # times the limit that is read and discarded, so that the sender gets the response


class ClientDisconnected(Exception):
    """The client hung up."""


class BodyTooLarge(ShipcliError):
    """The body is larger than this server accepts."""

    code = "request_too_large"
    status = 413


class TooSlow(ShipcliError):
    """The body does not arrive in time."""

    code = "request_timeout"
    status = 408


def _read_range(text: str) -> tuple[str, float]:
    """A media type of an Accept header, and how much it is liked."""
    kind, *parameters = (part.strip().lower() for part in text.split(";"))
    quality = next((word[2:] for word in parameters if word.startswith("q=")), "1")
    try:
        return kind, float(quality)
    except ValueError:
        return kind, 0.0


class HttpRequest:
    """One request and who made it."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self.scope = scope
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self.headers: dict[bytes, bytes] = dict(scope["headers"])
        self.content = b""  # the body of a request to a page, once read
        self.caller: Principal | None = None  # the caller, once known
        self.is_logged = False
        self.reads_objects = False  # whether the answer is an object of the store, or a list of them
        self._receive = receive
        header = self.headers.get(b"x-request-id", b"")
        self.id = header if _REQUEST_ID.fullmatch(header) else f"req_{_PROCESS}{next(_NUMBERS):016x}".encode()

    @property
    def host(self) -> str:
        """The base URL it was sent to, without a trailing slash; a malformed Host header is ignored."""
        host = self.headers.get(b"host", b"")
        scheme = self.scope.get("scheme", "http")
        if _HOST.fullmatch(host):
            return f"{scheme}://{host.decode()}"
        name, port = self.scope.get("server") or ("localhost", None)
        return f"{scheme}://{name}:{port}" if port else f"{scheme}://{name}"

    @property
    def host_name(self) -> str:
        """The host it names, without the port; the local address if it names none."""
        host = self.headers.get(b"host", b"").decode("latin-1").lower()
        name = host.partition("]")[0].lstrip("[") if host.startswith("[") else host.partition(":")[0]
        return name or self.local_address

    @property
    def local_address(self) -> str:
        """The address of this machine that the connection came in through."""
        server = self.scope.get("server")
        return str(server[0]) if server else ""

    @property
    def peer(self) -> str:
        """The address it came from."""
        client = self.scope.get("client")
        return str(client[0]) if client else ""

    @property
    def owner(self) -> str:
        """Who makes a request to a page: the account, or the address of a caller who named none."""
        return self.caller.owner if self.caller else f"address:{self.peer}"

    @cached_property
    def query(self) -> list[tuple[str, str]]:
        """The query's names and values, in order."""
        text = self.scope["query_string"]
        return parse_qsl(text.decode("latin-1"), keep_blank_values=True) if text else []

    @cached_property
    def values_by_name(self) -> dict[str, list[str]]:
        """The values of each query parameter, in order."""
        values: dict[str, list[str]] = {}
        for name, value in self.query:
            values.setdefault(name, []).append(value)
        return values

    @cached_property
    def is_for_people(self) -> bool:
        """Whether it is for a page of the window or the reference: of `/` those who prefer HTML to JSON get
        one.
        """
        return self.path.startswith(PAGE_PATHS) or (
            self.path == "/" and self.method in READS and self._wants_page()
        )

    def _wants_page(self) -> bool:
        ranges = self.headers.get(b"accept", b"").decode("latin-1").split(",")
        qualities = dict(map(_read_range, ranges))
        page = qualities.get("text/html", 0.0)
        data = next((qualities[kind] for kind in JSON_RANGES if kind in qualities), 0.0)
        return page > 0 and page >= data

    def values(self, name: str) -> list[str]:
        """The values of one query parameter."""
        return self.values_by_name.get(name, [])

    def media_type(self) -> str:
        """The type of the body, without parameters."""
        header = self.headers.get(b"content-type", b"")
        return header.partition(b";")[0].strip().lower().decode("latin-1")

    async def body(self, limit: int, timeout_s: int) -> bytes:
        """Read the whole body, which must start in time and keep up a minimum pace.

        Errors: BodyTooLarge, after all or much of it was read; TooSlow; ClientDisconnected.
        """
        try:
            async with asyncio.timeout(timeout_s) as deadline:
                return await self._body(limit, deadline)
        except TimeoutError:
            raise TooSlow(f"The request body did not come within {timeout_s} seconds") from None

    async def _body(self, limit: int, deadline: asyncio.Timeout) -> bytes:
        announced = self.headers.get(b"content-length", b"")
        large = announced.isdigit() and len(announced) < 20 and int(announced) > limit
        pieces: list[bytes] = []
        size, has_more = 0, True
        while has_more and size <= limit * _DRAINED:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnected
            piece: bytes = message.get("body", b"")
            size, has_more = size + len(piece), message.get("more_body", False)
            deadline.reschedule((deadline.when() or 0.0) + len(piece) / SLOWEST)
            large = large or size > limit
            if large:
                pieces.clear()
            else:
                pieces.append(piece)
        if large:
            raise BodyTooLarge(f"A request body may have at most {limit} bytes")
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)
