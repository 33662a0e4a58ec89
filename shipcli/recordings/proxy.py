"""A proxy that passes requests to a server and answers on, piece by piece, and keeps a redacted copy."""

from __future__ import annotations

import logging
import zlib
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qsl, unquote

from shipcli.http import HttpClient, HttpError, StreamedReply
from shipcli.models import json
from shipcli.recordings.exchanges import Exchange, RecordingWriter
from shipcli.recordings.redaction import Redactor

log = logging.getLogger("shipcli.recordings")
TIMEOUT_S = 120.0
MOST_SENT = 32 * 1024 * 1024  # bytes of a request
MOST_KEPT = 4 * 1024 * 1024  # bytes of a body that is recorded; longer ones are passed on all the same
JSON_TYPE = "json"
OF_A_CONNECTION = frozenset({
    "connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "te", "trailer",
    "transfer-encoding", "upgrade", "host", "content-length", "expect",
})  # fmt: skip
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class AnswerCut(Exception):
    """The server did not end its answer: the client must not take it for a whole one."""


class RecordingProxy:
    """Passes on what comes in, as an ASGI application."""

    def __init__(self, server: str, writer: RecordingWriter) -> None:
        self._server, self._writer = server, writer
        self._redactor = Redactor(server)
        self._http = HttpClient()

    async def aclose(self) -> None:
        """Close the connections to the server."""
        await self._http.aclose()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request.

        Errors: AnswerCut, after which the connection is closed.
        """
        if scope["type"] != "http":
            return
        content = await read_content(receive)
        if content is None:
            await answer_json(send, 413, "too_large", "The body is too large to be recorded")
            return
        query = scope["query_string"].decode("latin-1")
        path = scope["raw_path"].decode("latin-1") if scope.get("raw_path") else scope["path"]
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]
        url = f"{self._server}{path}{f'?{query}' if query else ''}"
        try:
            async with self._http.stream(
                scope["method"], url, select_headers(headers), content, TIMEOUT_S
            ) as reply:
                copy, end = await pass_on(reply, send)
        except HttpError as error:
            log.warning("%s %s: %s", scope["method"], path, error)
            await answer_json(send, 502, "unreachable", f"The server does not answer: {error}")
            return
        # Whoever has the whole answer may end this process at once: what is kept comes first.
        self._writer.add(self._make_exchange(scope["method"], path, query, headers, content, reply, copy))
        await send({"type": "http.response.body", "body": end})

    def _make_exchange(
        self,
        method: str,
        path: str,
        query: str,
        headers: list[tuple[str, str]],
        content: bytes,
        reply: StreamedReply,
        copy: bytes | None,
    ) -> Exchange:
        named, answered = dict(headers), dict(reply.headers)
        sent, sent_file = read_body(content, named.get("content-type", ""))
        received, file = read_body(unpack(copy, answered), answered.get("content-type", ""))
        body, answer = self._redactor.hide_bodies(sent, received)
        return Exchange(
            method,
            unquote(path),
            self._redactor.hide_query(parse_qsl(query, keep_blank_values=True)),
            self._redactor.hide_headers(named),
            body,
            reply.status,
            self._redactor.hide_headers(answered),
            answer,
            file,
            sent_file,
        )


def select_headers(headers: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The headers that go on to the server; an answer is compressed only if the client asked for that."""
    passed = [(name, value) for name, value in headers if name.lower() not in OF_A_CONNECTION]
    names = {name.lower() for name, _ in passed}
    return passed if "accept-encoding" in names else [*passed, ("accept-encoding", "identity")]


async def read_content(receive: Receive) -> bytes | None:
    """The whole body of a request; None if it is too large."""
    pieces, length, more = [], 0, True
    while more:
        message = await receive()
        pieces.append(message.get("body", b""))
        length += len(pieces[-1])
        more = message.get("more_body", False)
        if length > MOST_SENT:
            return None
    return b"".join(pieces)


async def pass_on(reply: StreamedReply, send: Send) -> tuple[bytes | None, bytes]:
    """Send an answer as it comes, but for its end; returns a copy, and the end.

    Shapes: the copy is None for an answer that is too long to be kept; the end is the piece that completes an
            answer whose length was said, and empty for others.

    Errors: AnswerCut if the server stops in the middle.
    """
    headers = [
        (name.encode("latin-1"), value.encode("latin-1"))
        for name, value in reply.headers
        if name.lower() not in OF_A_CONNECTION or name.lower() == "content-length"
    ]
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    copy: list[bytes] = []
    length, end = 0, b""
    said = next((int(value) for name, value in reply.headers if name.lower() == "content-length"), None)
    try:
        async for piece in reply.pieces:
            length += len(piece)
            if length == said:
                end = piece
            else:
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            if length <= MOST_KEPT:
                copy.append(piece)
    except HttpError as error:
        raise AnswerCut(str(error)) from error
    return b"".join(copy) if length <= MOST_KEPT else None, end


def unpack(content: bytes | None, headers: dict[str, str]) -> bytes | None:
    """A copy without its compression; None if it is too long, or compressed in another way than usual."""
    encoding = headers.get("content-encoding", "").strip().lower()
    if content is None or encoding in ("", "identity"):
        return content
    if encoding not in ("gzip", "deflate"):
        return None
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 32)
    try:
        whole = unpacker.decompress(content, MOST_KEPT)
    except zlib.error:
        return None
    return whole if unpacker.eof else None


def read_body(content: bytes | None, media: str) -> tuple[Any, dict[str, Any] | None]:
    """A body as JSON; of any other only its type and size."""
    kind = media.partition(";")[0].strip().lower()
    if content == b"":
        return None, None
    if content is not None and kind.rpartition("/")[2].rpartition("+")[2] == JSON_TYPE:
        try:
            return json.loads(content), None
        except ValueError:
            return None, {"type": kind, "bytes": len(content), "broken": True}
    return None, {"type": kind, "bytes": None if content is None else len(content)}


async def answer_json(send: Send, status: int, code: str, message: str) -> None:
    """An answer of our own, as the API tells errors."""
    await send_content(send, status, {"errors": [{"code": code, "message": message}]}, {})


async def send_content(send: Send, status: int, body: Any, headers: dict[str, str]) -> None:
    """Send JSON; no body at all for None."""
    content = b"" if body is None else json.dump_bytes(body)
    named = {"content-type": "application/json", **headers, "content-length": str(len(content))}
    encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in named.items()]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": content})
