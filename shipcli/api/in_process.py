"""The API without a server: requests answered in this process, for those who can read the store anyway."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shipcli.api.app import build
from shipcli.api.principal import Principal
from shipcli.http import HttpReply

if TYPE_CHECKING:
    from shipcli.api.http.request import HttpRequest
    from shipcli.features.core.app import App


@dataclass(frozen=True)
class _Own:
    """Accepts the secret of this very process, and returns its caller."""

    secret: bytes
    caller: Principal

    def authenticate(self, request: HttpRequest) -> Principal | None:
        """The caller of this process, if the secret is right."""
        credentials = request.headers.get(b"authorization", b"")
        return self.caller if secrets.compare_digest(credentials, self.secret) else None


class InProcess:
    """Answers requests as the server would. Whoever opens it must close it."""

    def __init__(self, app: App) -> None:
        self._secret = b"Process " + secrets.token_hex(16).encode()
        self._served = build(app, schemes=[_Own(self._secret, Principal(app.caller, app.test_mode))])
        self._runner = asyncio.Runner()

    def send(
        self, method: str, path: str, query: str, headers: Mapping[str, str], content: bytes
    ) -> HttpReply:
        """Send one request and return its whole response; as this process, unless it has credentials."""
        return self._runner.run(self._send(method, path, query, headers, content))

    async def _send(
        self, method: str, path: str, query: str, headers: Mapping[str, str], content: bytes
    ) -> HttpReply:
        named = {name.lower().encode(): value.encode("latin-1") for name, value in headers.items()}
        own = {b"host": b"localhost", b"authorization": self._secret}
        scope = {
            "type": "http", "method": method, "path": path, "query_string": query.encode(),
            "headers": list((own | named).items()),
            "scheme": "http", "server": ("localhost", 80), "client": ("127.0.0.1", 0),
        }  # fmt: skip
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": content, "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        await self._served(scope, receive, send)
        received = {name.decode(): value.decode("latin-1") for name, value in sent[0]["headers"]}
        return HttpReply(
            sent[0]["status"], received, b"".join(message.get("body", b"") for message in sent[1:])
        )

    def close(self) -> None:
        """Let requests in progress finish."""
        self._runner.run(self._end())
        self._runner.close()

    async def _end(self) -> None:
        async with self._served.lifespan():
            return
