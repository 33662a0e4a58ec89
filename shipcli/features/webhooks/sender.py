"""Messages to subscribers: one signed POST, its outcome as a value. Nothing is stored here."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from shipcli.events.envelope import SECRET_HEADER, headers
from shipcli.loopback import is_here
from shipcli.security.public_addresses import is_public

if TYPE_CHECKING:
    from shipcli.http import HttpClient, HttpReply

TIMEOUT_S = 10.0
EXCERPT_BYTES = 500
LONGEST_RETRY_AFTER_S = 86_400.0
_PASSING = frozenset({408, 425, 429})
_LINES = 64
_LOOKUPS = 32
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """What is sent: where to, signed with which secret, under which id.

    `shows_secret` sends the secret itself as well, for older consumers; `public_only` sends to nobody within
    the network of this machine.
    """

    url: str
    secret: str
    id: str
    body: bytes
    shows_secret: bool = True
    public_only: bool = False


@dataclass(frozen=True, slots=True)
class Sent:
    """What came of it. Without an answer `status` is None and `error` says why."""

    status: int | None
    error: str | None
    latency_ms: int
    excerpt: str
    retry_after_s: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether the target took it. One that has moved has not: redirects are not followed."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def is_passing(self) -> bool:
        """Whether it may go better later: no answer, asked too early or too often, or a server's error."""
        return self.status is None or self.status >= 500 or self.status in _PASSING


@dataclass(eq=False)
class _Line:
    """The connections to one host."""

    client: HttpClient
    users: int = 0


class Sender:
    """Sends on the process's background loop.

    Every host has connections of its own: none waits for another's, and finding a free one stays cheap.
    """

    def __init__(
        self,
        loop: Callable[[], asyncio.AbstractEventLoop],
        timeout_s: float = TIMEOUT_S,
        *,
        stays_here: bool = False,
    ) -> None:
        """`stays_here` sends to this machine only: a sandbox opens no outside connection."""
        self._loop, self.timeout_s, self.stays_here = loop, timeout_s, stays_here
        self._lines: dict[str, _Line] = {}
        self._lookups: ThreadPoolExecutor | None = None

    def send(self, message: OutgoingMessage) -> Sent:
        """Send and wait."""
        return self.submit(self.post(message)).result()

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Run on the loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop())

    async def post(self, message: OutgoingMessage) -> Sent:
        """One POST, over in `timeout_s` whatever the target does."""
        if self.stays_here and not is_here(urlsplit(message.url).hostname or ""):
            return Sent(None, "a sandbox sends to this machine only", 0, "")
        line = self._take(urlsplit(message.url).netloc)
        try:
            await self._close_surplus()
            return await self._post(line.client, message)
        finally:
            line.users -= 1

    async def _post(self, client: HttpClient, message: OutgoingMessage) -> Sent:
        from shipcli.http import HttpError

        start = time.perf_counter()
        signed = headers(message.secret, message.id, message.body, int(time.time()))
        if not message.shows_secret:
            del signed[SECRET_HEADER]
        signed["Accept-Encoding"] = "identity"
        try:
            reply = await asyncio.wait_for(self._ask(client, message, signed), self.timeout_s)
        except HttpError as error:
            return Sent(None, str(error), _passed_ms(start), "")
        except TimeoutError:
            return Sent(None, "no answer in time", _passed_ms(start), "")
        excerpt = reply.content.decode("utf-8", "replace")
        later_s = retry_after_s(reply.headers.get("retry-after", ""))
        return Sent(reply.status, None, _passed_ms(start), excerpt, later_s)

    async def _ask(
        self, client: HttpClient, message: OutgoingMessage, signed: Mapping[str, str]
    ) -> HttpReply:
        address = await public_address(message.url) if message.public_only else None
        return await client.send(
            "POST",
            message.url,
            signed,
            message.body,
            self.timeout_s,
            most_bytes=EXCERPT_BYTES,
            address=address,
        )

    def _take(self, host: str) -> _Line:
        """The connections to a host, with one user more."""
        from shipcli.http import HttpClient

        if self._lookups is None:
            # Names that resolve slowly, or never, would otherwise hold up all the others.
            self._lookups = ThreadPoolExecutor(_LOOKUPS, thread_name_prefix="lookup")
            asyncio.get_running_loop().set_default_executor(self._lookups)
        line = self._lines.pop(host, None) or _Line(HttpClient())
        self._lines[host] = line
        line.users += 1
        return line

    async def _close_surplus(self) -> None:
        """Give back what is idle longest; all of it is out of reach before the first is closed."""
        idle = [host for host, line in self._lines.items() if not line.users]
        surplus = [self._lines.pop(host) for host in idle[: max(0, len(self._lines) - _LINES)]]
        for line in surplus:
            await line.client.aclose()

    async def _hang_up(self) -> None:
        while self._lines:
            await self._lines.popitem()[1].client.aclose()

    def close(self) -> None:
        """Give back the connections."""
        if self._lines:
            self.submit(self._hang_up()).result()
        if self._lookups is not None:
            self._lookups.shutdown(wait=False, cancel_futures=True)
            self._lookups = None


async def public_address(url: str) -> str:
    """The address to connect to: looked up once, so that no second look leads elsewhere.

    Errors: HttpError when the host has none that is public.
    """
    from shipcli.http import HttpError

    host = urlsplit(url).hostname or ""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise HttpError(str(error), sent=False) from error
    public = [str(place[0]) for *_, place in found if is_public(str(place[0]))]
    if not public:
        raise HttpError(f"{host} is within the network of this machine; see webhook_targets", sent=False)
    return public[0]


def retry_after_s(text: str) -> float:
    """How long a target asks to be left alone, by seconds or a date; 0 when it says nothing of use."""
    try:
        wanted = float(text) if text.isdigit() else parsedate_to_datetime(text).timestamp() - time.time()
    except (ValueError, OverflowError):
        return 0.0
    return min(max(wanted, 0.0), LONGEST_RETRY_AFTER_S)


def _passed_ms(start: float) -> int:
    return round((time.perf_counter() - start) * 1000)
