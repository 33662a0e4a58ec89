"""How clients reach the tools: over standard input and output, or over HTTP with a token."""

from __future__ import annotations

import asyncio
import secrets
import signal
import socket
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings

from shipcli.assistants.protocol import AssistantServer
from shipcli.small_server import serve_application

PATH = "/mcp"
LOCAL = ("127.0.0.1", "localhost", "[::1]")
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]


async def serve_stdio(assistant: AssistantServer, leave: Callable[[], None]) -> None:
    """Answer the client at the other end of standard input and output, until it leaves.

    `leave` ends the process at a signal: a thread that waits for input can't be interrupted.
    """
    server, loop = assistant.server, asyncio.get_running_loop()
    with suppress(NotImplementedError):  # on Windows
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, leave)
    async with stdio_server() as (reader, writer):
        await server.run(reader, writer, server.create_initialization_options())


@dataclass(frozen=True)
class HttpDoor:
    """A socket that listens, the token that clients must send, and the names it answers to."""

    listener: socket.socket
    token: str
    names: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        """Where clients connect to."""
        host, port = self.listener.getsockname()[:2]
        return f"http://{f'[{host}]' if ':' in host else host}:{port}{PATH}"


def list_rules(names: Iterable[str]) -> TransportSecuritySettings:
    """The hosts that requests may name, and the origins of web pages that may send them."""
    hosts = [f"{name}:*" for name in (*LOCAL, *names)]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=hosts,
        allowed_origins=[f"http://{host}" for host in hosts],
    )


class TokenGuard:
    """Answers 401 to whoever does not send the token."""

    def __init__(self, inner: Any, token: str) -> None:
        self._inner, self._expected = inner, f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through if it has the token."""
        if scope["type"] == "http" and not self._is_allowed(scope):
            challenge = [(b"www-authenticate", b"Bearer"), (b"content-length", b"0")]
            await send({"type": "http.response.start", "status": 401, "headers": challenge})
            await send({"type": "http.response.body", "body": b""})
            return
        await self._inner(scope, receive, send)

    def _is_allowed(self, scope: Scope) -> bool:
        credentials = [value for name, value in scope["headers"] if name == b"authorization"]
        return len(credentials) == 1 and secrets.compare_digest(credentials[0], self._expected)


async def serve_http(assistant: AssistantServer, door: HttpDoor, ready: Callable[[], None]) -> None:
    """Answer clients that send the token, until the process is interrupted."""
    app = assistant.server.streamable_http_app(
        streamable_http_path=PATH, transport_security=list_rules(door.names)
    )
    await serve_application(TokenGuard(app, door.token), door.listener, ready)
