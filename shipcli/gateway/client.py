"""Requests to a server that speaks this API: one at a time, never repeated."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from shipcli import __version__
from shipcli.carrier.wire.multipart import MultipartPart, choose_boundary, join
from shipcli.features.identity.oauth_grants import ACCESS
from shipcli.gateway.failures import UnreadableAnswer, read_failure
from shipcli.http import HttpClient as Http
from shipcli.http import HttpError, HttpReply
from shipcli.loopback import is_loopback
from shipcli.models import json
from shipcli.models.basics.errors import Invalid, ShipcliError, Unreachable

TIMEOUT_S = 120.0  # a carrier behind the server may take its time
_BEARER_PARTS = 3  # a token of a log-in has three parts, a key has one
SUCCESSES = range(200, 300)
SANDBOX_HEADER = "x-sandbox-now"
MODES = {"true": "test", "false": "live"}  # by what answers say of their mode
Query = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class RemoteServer:
    """Which server, and as whom; `test_mode` matters for log-ins only: a key has its own mode.

    Shapes: `wanted` is the mode, "test" or "live", that the caller insists on.
    """

    url: str
    key: str | None = field(default=None, repr=False)
    test_mode: bool = True
    wanted: str | None = None

    def headers(self) -> dict[str, str]:
        """The headers that go with every request."""
        headers = {"accept": "application/json", "user-agent": f"shipcli/{__version__}"}
        if self.key:
            bearer = self.key.count(".") == _BEARER_PARTS - 1 or self.key.startswith(ACCESS)
            headers["authorization"] = f"{'Bearer' if bearer else 'Token'} {self.key}"
            headers["x-test-mode"] = "true" if self.test_mode else "false"
        return headers


def read_server_address(text: str) -> str:
    """The address of a server, without a slash at its end.

    Errors: Invalid for a wrong address, and for one that would send a key unencrypted over a network.
    """
    parts = urlsplit(text.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.username:
        raise Invalid(
            "api-url", f"{text!r} is not an address such as http://127.0.0.1:5002 or https://ship.example"
        )
    if parts.scheme == "http" and not is_loopback(parts.hostname):
        raise Invalid("api-url", f"{text} would send your key in clear: use https")
    return text.strip().rstrip("/")


@dataclass(frozen=True)
class MultipartForm:
    """A body of several parts, as a browser sends files."""

    parts: tuple[MultipartPart, ...]

    @property
    def boundary(self) -> str:
        """The line that separates the parts."""
        return choose_boundary(self.parts, "shipcli-part")


class OtherMode(ShipcliError):
    """The key has another mode than the caller insists on; no other request was sent."""

    code = "usage"
    exit_code = 2

    def __init__(self, url: str, mode: str, requested: str) -> None:
        super().__init__(f"--{requested}: the key for {url} is one for {mode} data")
        self.hint = f"name another with --api-key-file, or leave out --{requested}"


class ServerClient:
    """A server and the connection to it. Redirects are not followed: the key is for this server only.

    Shapes: `mode` is "test" or "live" as the last answer said, None before the first.
    """

    def __init__(self, server: RemoteServer) -> None:
        self.server = server
        self.mode: str | None = None
        self.is_sandbox = False  # as the last answer said
        self._wanted = server.wanted
        self._runner = asyncio.Runner()
        self._http: Http | None = None

    def ask(
        self, method: str, path: str, body: Any = None, query: Query = (), *, key: str | None = None
    ) -> Any:
        """The server's answer as JSON; with a `key` it does the work only once.

        Errors: those of the API; Unreachable; UnreadableAnswer.
        """
        reply = self._good(self.send(method, path, body, query, key=key))
        try:
            return json.loads(reply.content)
        except ValueError:
            raise UnreadableAnswer(self.server.url, "it is not JSON") from None

    def fetch(self, address: str) -> bytes:
        """A file of the server, by its path or its full address.

        Errors: as `ask`; UnreadableAnswer for an address of another server, which must not see the key.
        """
        path = address.removeprefix(self.server.url)
        if not path.startswith("/"):
            raise UnreadableAnswer(self.server.url, f"it names a file of another server, {address[:80]}")
        return self._good(self.send("GET", path)).content

    def _good(self, reply: HttpReply) -> HttpReply:
        """Errors: those of the API."""
        if reply.status not in SUCCESSES:
            raise read_failure(reply, self.server.url)
        return reply

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        query: Query = (),
        *,
        key: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> HttpReply:
        """Send any request; a body is sent as JSON, unless it is a form.

        Errors: Unreachable; OtherMode, before the request is sent.
        """
        self._check_mode()
        named = {**self.server.headers(), **({"idempotency-key": key} if key else {})}
        if isinstance(body, MultipartForm):
            content = join(body.parts, body.boundary)
            named["content-type"] = f"multipart/form-data; boundary={body.boundary}"
        else:
            content = b"" if body is None else json.dump_bytes(body)
            named |= {} if body is None else {"content-type": "application/json"}
        url = f"{self.server.url}{path}{f'?{urlencode(query)}' if query else ''}"
        reply = self._runner.run(self._send(method, url, {**named, **(headers or {})}, content))
        self.is_sandbox = SANDBOX_HEADER in reply.headers
        self.mode = MODES.get(reply.headers.get("x-test-mode", "").lower(), self.mode)
        return reply

    def _check_mode(self) -> None:
        """Check the key's mode, once: a live key must not buy for a command that says test.

        Errors: OtherMode.
        """
        requested, self._wanted = self._wanted, None
        if not requested or not self.server.key:
            return
        self.send("GET", "/v1/addresses", query=[("limit", "1")])
        if self.mode and self.mode != requested:
            raise OtherMode(self.server.url, self.mode, requested)

    async def _send(self, method: str, url: str, headers: Mapping[str, str], content: bytes) -> HttpReply:
        self._http = self._http or Http(kept_open=1)
        try:
            return await self._http.send(method, url, headers, content, TIMEOUT_S)
        except HttpError as error:
            done = "; it may have done the work" if error.sent and method != "GET" else ""
            raise Unreachable(f"{self.server.url} does not answer: {error}{done}") from None

    def close(self) -> None:
        """Close the connection."""
        if self._http is not None:
            self._runner.run(self._http.aclose())
        self._runner.close()


def fill_path(template: str, values: Sequence[str]) -> str:
    """A path with its values, in order, each as one step."""
    remaining = iter(values)
    steps = (
        quote(next(remaining), safe="") if step.startswith("{") else step for step in template.split("/")
    )
    return "/".join(steps)
