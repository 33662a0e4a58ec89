"""The only module that knows the HTTP library: one pooled asynchronous client.

Errors: every failure to get an answer is an `HttpError`, which says whether the request may have reached the
        server.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import zlib
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from typing import cast

import httpx

from shipcli.loopback import is_here
from shipcli.public_addresses import is_public

MOST_CONNECTIONS = 100
GZIP_BITS, ZLIB_BITS, DEFLATE_BITS = zlib.MAX_WBITS | 16, zlib.MAX_WBITS, -zlib.MAX_WBITS
# What is asked for, and how it may be written: senders disagree about what "deflate" means.
ENCODINGS = {"gzip": (GZIP_BITS,), "deflate": (ZLIB_BITS, DEFLATE_BITS)}


class HttpError(Exception):
    """No answer. `sent` is False only when the server can't have seen the request."""

    def __init__(self, reason: str, *, sent: bool, timed_out: bool = False) -> None:
        super().__init__(reason)
        self.sent, self.timed_out = sent, timed_out


class AnswerRefused(HttpError):
    """An answer that was not read to its end, as it is too large."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, sent=True)


@dataclass(frozen=True, slots=True)
class HttpReply:
    status: int
    headers: Mapping[str, str]
    content: bytes


@dataclass(frozen=True, slots=True)
class StreamedReply:
    """An answer that is still being received: its pieces are compressed if the answer is."""

    status: int
    headers: Sequence[tuple[str, str]]
    pieces: AsyncIterator[bytes]


# An invalid host name (`xn--`) is noticed only on connecting, by the IDNA codec.
NEVER_SENT = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.UnsupportedProtocol,
    httpx.InvalidURL,
    UnicodeError,
)


class HttpClient:
    """A connection pool. Made on, and used from, one event loop. Redirects are not followed."""

    def __init__(self, *, kept_open: int = 20) -> None:
        self._kept_open = kept_open
        self._clients: dict[bool, httpx.AsyncClient] = {}

    async def send(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        content: bytes,
        timeout_s: float,
        *,
        most_bytes: int | None = None,
        refuse_above: int | None = None,
        address: str | None = None,
    ) -> HttpReply:
        """Send one request and read the whole answer, or only its first `most_bytes` bytes.

        With an `address` the host of the URL is not looked up: the request goes there, under the host's name.

        Errors: HttpError, for an answer of more than `refuse_above` bytes (decompressed) as well.
        """
        timeout = httpx.Timeout(timeout_s, connect=min(timeout_s, 10.0))
        with _telling_errors():
            target = httpx.URL(url)
            client = self._client_for(target.host)
            request = client.build_request(
                method, target, headers=dict(headers), content=content, timeout=timeout
            )
            if address is not None:
                _set_address(request, address)
            answer = await client.send(request, stream=True)
            if most_bytes is None:
                body = await _read_whole(answer, refuse_above)
            else:
                body = await _read_start(answer, most_bytes)
        return HttpReply(answer.status_code, dict(answer.headers), body)

    @asynccontextmanager
    async def stream(
        self,
        method: str,
        url: str,
        headers: Sequence[tuple[str, str]],
        content: bytes,
        timeout_s: float,
    ) -> AsyncIterator[StreamedReply]:
        """Send one request and receive the answer piece by piece, as it was sent.

        Errors: HttpError, from reading the pieces as well.
        """
        timeout = httpx.Timeout(timeout_s, connect=min(timeout_s, 10.0))
        with _telling_errors():
            target = httpx.URL(url)
            client = self._client_for(target.host)
            request = client.build_request(
                method, target, headers=list(headers), content=content or None, timeout=timeout
            )
            answer = await client.send(request, stream=True)
        client.cookies.clear()  # those of one caller must not go along with the requests of another
        async with aclosing(_Pieces(answer)) as pieces:
            yield StreamedReply(answer.status_code, answer.headers.multi_items(), pieces)

    def _client_for(self, host: str) -> httpx.AsyncClient:
        """The client for a host: this machine is asked directly, others through the environment's proxy."""
        here = is_here(host)
        if here not in self._clients:
            limits = httpx.Limits(max_connections=MOST_CONNECTIONS, max_keepalive_connections=self._kept_open)
            self._clients[here] = httpx.AsyncClient(
                verify=_load_trusted(),
                headers={"Accept-Encoding": ", ".join(ENCODINGS)},
                limits=limits,
                follow_redirects=False,
                trust_env=not here,
            )
        return self._clients[here]

    async def aclose(self) -> None:
        while self._clients:
            await self._clients.popitem()[1].aclose()


@contextmanager
def _telling_errors() -> Iterator[None]:
    """Errors: HttpError in place of those of the library."""
    try:
        yield
    except (*NEVER_SENT, httpx.TransportError) as error:
        sent, timed_out = not isinstance(error, NEVER_SENT), isinstance(error, httpx.TimeoutException)
        raise HttpError(_describe_error(error), sent=sent, timed_out=timed_out) from error


async def find_public_address(url: str) -> str:
    """Return the address to connect to, looked up once, so that a second lookup can't lead elsewhere.

    Errors: HttpError if the host has no public address.
    """
    try:
        host = httpx.URL(url).host
        places = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError, httpx.InvalidURL) as error:
        raise HttpError(str(error), sent=False) from error
    public = [str(address[0]) for *_, address in places if is_public(str(address[0]))]
    if not public:
        raise HttpError(f"{host} is within the network of this machine; see webhook_targets", sent=False)
    return public[0]


@cache
def _load_trusted() -> ssl.SSLContext:
    """The trusted certificates; loading them takes longer than a request, so all clients share them."""
    return httpx.create_ssl_context()


def _set_address(request: httpx.Request, address: str) -> None:
    """Send a request to this address; its `Host` header is set already."""
    request.extensions["sni_hostname"] = request.url.host
    request.url = request.url.copy_with(host=address)


async def _read_whole(answer: httpx.Response, refuse_above: int | None) -> bytes:
    """The whole answer, decompressed.

    Errors: AnswerRefused for a longer one than allowed, or one compressed in a way that was not asked for;
            HttpError for one that can't be decompressed.
    """
    received, length = [], 0
    async with aclosing(_Pieces(answer)) as pieces:
        decompress = _start_decompression(answer)
        async for piece in pieces:
            # One byte more than allowed tells that there are more.
            received.append(decompress(piece, 0 if refuse_above is None else refuse_above - length + 1))
            length += len(received[-1])
            if refuse_above is not None and length > refuse_above:
                raise AnswerRefused(f"more than {refuse_above // 1024**2} MB")
    return b"".join(received)


def _start_decompression(answer: httpx.Response) -> Callable[[bytes, int], bytes]:
    """What turns the next piece of an answer into at most so many bytes (0: into all).

    Errors: AnswerRefused when it is compressed twice, or in a way that was not asked for.
    """
    named = answer.headers.get("Content-Encoding", "").lower().split(",")
    encodings = [name.strip() for name in named if name.strip() not in ("", "identity")]
    if not encodings:
        return lambda piece, most: piece
    if encodings[1:] or encodings[0] not in ENCODINGS:
        raise AnswerRefused(f"something compressed as {', '.join(encodings)}")
    return _Decompression(ENCODINGS[encodings[0]]).decompress


class _Decompression:
    """The decompression of an answer that is written in one of a few ways; its first piece tells which."""

    def __init__(self, ways: Sequence[int]) -> None:
        self._ways = [zlib.decompressobj(bits) for bits in ways]

    def decompress(self, piece: bytes, most: int) -> bytes:
        """Errors: HttpError."""
        way, *others = self._ways
        try:
            content = way.decompress(piece, most)
            self._ways = [way]
            return content
        except zlib.error as error:
            if not others:
                raise HttpError(f"an answer that can't be decompressed: {error}", sent=True) from error
        self._ways = others
        return self.decompress(piece, most)


async def _read_start(answer: httpx.Response, most_bytes: int) -> bytes:
    """The first bytes of an answer as received; the connection of a longer one is closed.

    Nothing is decompressed: a small answer may decompress to any size.
    """
    received = b""
    async with aclosing(_Pieces(answer)) as pieces:
        async for piece in pieces:
            received += piece
            if len(received) >= most_bytes:
                break
    return received[:most_bytes]


class _Pieces:
    """The pieces of an answer as they are sent. Closing closes its connection, unless all of them were taken.

    The library reads through a chain of generators. Left in the middle they would be closed by the garbage
    collector one after the other, maybe after the loop; a closed connection ends them all at once.

    Errors: HttpError.
    """

    def __init__(self, answer: httpx.Response) -> None:
        self._answer = answer
        self._pieces = aiter(cast("httpx.AsyncByteStream", answer.stream))

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        with _telling_errors():
            return await anext(self._pieces)

    async def aclose(self) -> None:
        await self._answer.aclose()
        with suppress(HttpError):
            async for _ in self:
                pass


def _describe_error(error: Exception) -> str:
    if isinstance(error, httpx.TimeoutException):
        return "no answer in time"
    return str(error) or type(error).__name__
