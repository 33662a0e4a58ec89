"""Sends messages to subscribers: one signed POST, its outcome as a value. Nothing is stored here."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

from shipcli.clocks import read_real_seconds
from shipcli.events.envelope import SECRET_HEADER, make_headers
from shipcli.loopback import is_here

if TYPE_CHECKING:
    from shipcli.http import HttpClient, HttpReply

TIMEOUT_S = 10.0
WRONG_SECRET = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
PAUSES_S: Mapping[str, float] = {"delayed": 5.0, "reordered": 1.0}  # of messages that are to be late
EXCERPT_BYTES = 500
LONGEST_RETRY_AFTER_S = 86_400.0
_TEMPORARY = frozenset({408, 425, 429})
_MOST_HOSTS = 64
_LOOKUP_THREADS = 32
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """A message to send: its URL, the secret it is signed with, its id and its body.

    `shows_secret` sends the secret itself as well, for older consumers; `public_only` sends to public
    addresses only.
    """

    url: str
    secret: str
    id: str
    body: bytes
    shows_secret: bool = True
    public_only: bool = False
    injected: str = ""  # the fault of a sandbox that it is sent with


class SendFault(NamedTuple):
    """What is to happen to a message: by which rule, what, after how many seconds."""

    rule_id: str
    kind: str
    pause_s: float = 0.0


ChooseFault = Callable[[], SendFault | None]


@dataclass(frozen=True, slots=True)
class SendResult:
    """The outcome of a message. If there was no answer, `status` is None and `error` says why."""

    status: int | None
    error: str | None
    latency_ms: int
    excerpt: str
    retry_after_s: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether the target accepted it. A redirect does not count, as it is not followed."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def is_temporary(self) -> bool:
        """Whether a retry may succeed: there was no answer, 408, 425, 429 or a server error."""
        return self.status is None or self.status >= 500 or self.status in _TEMPORARY


@dataclass(eq=False)
class _HostConnections:
    """The connections to one host."""

    client: HttpClient
    users: int = 0


class Sender:
    """Sends on the process's background loop.

    Each host has its own connection pool: no host waits for another, and finding a free one stays cheap.
    """

    def __init__(
        self,
        loop: Callable[[], asyncio.AbstractEventLoop],
        timeout_s: float = TIMEOUT_S,
        *,
        stays_here: bool = False,
        choose_fault: ChooseFault = lambda: None,
    ) -> None:
        """With `stays_here` it sends to this machine only: a sandbox opens no outside connection. There
        `choose_fault` says what is to happen to a message.
        """
        self._choose_fault = choose_fault
        self._loop, self.timeout_s, self.stays_here = loop, timeout_s, stays_here
        self._hosts: dict[str, _HostConnections] = {}
        self._lookups: ThreadPoolExecutor | None = None

    def send(self, message: OutgoingMessage) -> SendResult:
        """Send and wait."""
        return self.submit(self.post(message)).result()

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Run a coroutine on the loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop())

    async def post(self, message: OutgoingMessage) -> SendResult:
        """Send one POST, which ends within `timeout_s` whatever the target does."""
        if self.stays_here and not is_here(urlsplit(message.url).hostname or ""):
            return SendResult(None, "a sandbox sends to this machine only", 0, "")
        host = self._take(urlsplit(message.url).netloc)
        try:
            await self._close_surplus()
            if self.stays_here and (fault := await asyncio.to_thread(self._choose_fault)):
                return await self._post_with_fault(host.client, message, fault)
            return await self._post(host.client, message)
        finally:
            host.users -= 1

    async def _post_with_fault(
        self, client: HttpClient, message: OutgoingMessage, fault: SendFault
    ) -> SendResult:
        """Send a message as a fault of the sandbox has it; the outcome names the fault."""
        if fault.kind == "receiver_down":
            return SendResult(None, f"the receiver is down ({fault.rule_id})", 0, "")
        if fault.kind in ("delayed", "reordered"):
            await asyncio.sleep(fault.pause_s or PAUSES_S[fault.kind])
        if fault.kind == "bad_signature":
            message = replace(message, secret=WRONG_SECRET)
        if fault.kind == "duplicate":
            await self._post(client, replace(message, injected=fault.rule_id))
        result = await self._post(client, replace(message, injected=fault.rule_id))
        return replace(result, excerpt=f"[{fault.rule_id}: {fault.kind}] {result.excerpt}")

    async def _post(self, client: HttpClient, message: OutgoingMessage) -> SendResult:
        from shipcli.http import HttpError

        start = time.perf_counter()
        signed = make_headers(message.secret, message.id, message.body, int(read_real_seconds()))
        if not message.shows_secret:
            del signed[SECRET_HEADER]
        signed["Accept-Encoding"] = "identity"
        if message.injected:
            signed["X-Sandbox-Injected"] = message.injected
        try:
            reply = await asyncio.wait_for(self._ask(client, message, signed), self.timeout_s)
        except HttpError as error:
            return SendResult(None, str(error), _measure_ms(start), "")
        except TimeoutError:
            return SendResult(None, "no answer in time", _measure_ms(start), "")
        excerpt = reply.content.decode("utf-8", "replace")
        pause_s = read_retry_after(reply.headers.get("retry-after", ""))
        return SendResult(reply.status, None, _measure_ms(start), excerpt, pause_s)

    async def _ask(
        self, client: HttpClient, message: OutgoingMessage, signed: Mapping[str, str]
    ) -> HttpReply:
        from shipcli.http import find_public_address

        address = await find_public_address(message.url) if message.public_only else None
        return await client.send(
            "POST",
            message.url,
            signed,
            message.body,
            self.timeout_s,
            most_bytes=EXCERPT_BYTES,
            address=address,
        )

    def _take(self, name: str) -> _HostConnections:
        """Return the connections to a host, counting one more user."""
        from shipcli.http import HttpClient

        if self._lookups is None:
            # Host names that resolve slowly, or never, would otherwise hold up all the others.
            self._lookups = ThreadPoolExecutor(_LOOKUP_THREADS, thread_name_prefix="lookup")
            asyncio.get_running_loop().set_default_executor(self._lookups)
        self._hosts[name] = host = self._hosts.pop(name, None) or _HostConnections(HttpClient())
        host.users += 1
        return host

    async def _close_surplus(self) -> None:
        """Close the surplus connections idle longest; all are removed from the pool before any is closed."""
        idle = [name for name, host in self._hosts.items() if not host.users]
        surplus = [self._hosts.pop(name) for name in idle[: max(0, len(self._hosts) - _MOST_HOSTS)]]
        for host in surplus:
            await host.client.aclose()

    async def aclose(self) -> None:
        """Close all connections, on the loop."""
        while self._hosts:
            await self._hosts.popitem()[1].client.aclose()

    def close(self) -> None:
        """Close all connections."""
        if self._hosts:
            self.submit(self.aclose()).result()
        if self._lookups is not None:
            self._lookups.shutdown(wait=False, cancel_futures=True)
            self._lookups = None


def read_retry_after(text: str) -> float:
    """Return the seconds to wait by a Retry-After header, which has seconds or a date; 0 if unreadable."""
    try:
        now_s = read_real_seconds()
        pause_s = float(text) if text.isdigit() else parsedate_to_datetime(text).timestamp() - now_s
    except (ValueError, OverflowError):
        return 0.0
    return min(max(pause_s, 0.0), LONGEST_RETRY_AFTER_S)


def _measure_ms(start: float) -> int:
    return round((time.perf_counter() - start) * 1000)
