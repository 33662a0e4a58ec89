"""What the driver is handed: ways to reach a carrier, and places to keep tokens and traces."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol

from shipcli.carrier.sending.redaction import Mask
from shipcli.carrier.wire.calls import Reply, Request, Token


class TransportError(Exception):
    """No answer. `sent` is False only when the carrier can't have seen the request."""

    def __init__(self, reason: str, *, sent: bool, timed_out: bool = False) -> None:
        super().__init__(reason)
        self.sent, self.timed_out = sent, timed_out


class Transport(Protocol):
    async def send(self, request: Request) -> Reply:
        """The answer to a request.

        Errors: TransportError; ShipcliError only when the carrier can't have seen the request.
        """


@dataclass(frozen=True, slots=True)
class Trace:
    """One exchange with a carrier as it may be kept: secrets masked, documents left out."""

    verb: str
    connection_id: str
    carrier_name: str
    carrier_id: str
    test_mode: bool
    object_id: str | None
    started_at: datetime
    duration_ms: int
    request: dict[str, Any]
    response: dict[str, Any]

    def without(self, secret: str) -> Trace:
        """The same exchange with a secret hidden that was learnt from it: the token of a login."""
        mask = Mask([secret])
        response = {k: mask.text(v) if isinstance(v, str) else v for k, v in self.response.items()}
        return replace(self, response=response)


class TraceLog(Protocol):
    def record(self, traces: Sequence[Trace]) -> None:
        """Keep the exchanges of the flows that ran together."""


class TokenCache(Protocol):
    """Tokens by connection and name, shared by all processes.

    `renew` and `end_renewal` are called on the loop and may not wait; the others may.
    """

    def get_all(self, connection_ids: Collection[str]) -> Mapping[str, Mapping[str, Token]]:
        """The tokens kept of connections, by connection and name; one that can't be read is left to `get`."""

    def get(self, connection_id: str, name: str) -> Token | None:
        """The token kept, expired or not."""

    def put(self, connection_id: str, name: str, token: Token) -> None:
        """Keep a token."""

    async def renew(self, connection_id: str, name: str) -> bool:
        """True for the one that renews; others wait for it and are told False when it is done."""

    async def end_renewal(self, connection_id: str, name: str) -> None:
        """The renewal is over, done or failed."""


class RenewalTurns:
    """Who renews a token, among the flows of one process."""

    def __init__(self) -> None:
        self._locks: dict[tuple[str, str], asyncio.Lock] = {}

    async def take(self, connection_id: str, name: str) -> bool:
        """True for the one that renews; others wait for it and are told False when it is done."""
        lock = self._locks.setdefault((connection_id, name), asyncio.Lock())
        waited = lock.locked()
        await lock.acquire()
        if waited:
            lock.release()
        return not waited

    def give_back(self, connection_id: str, name: str) -> None:
        """The renewal is over, done or failed."""
        lock = self._locks.get((connection_id, name))
        if lock and lock.locked():
            lock.release()


class MemoryTokens:
    """Tokens of one process."""

    def __init__(self) -> None:
        self._tokens: dict[tuple[str, str], Token] = {}
        self._turns = RenewalTurns()

    def get_all(self, connection_ids: Collection[str]) -> Mapping[str, Mapping[str, Token]]:
        found: dict[str, dict[str, Token]] = {id: {} for id in connection_ids}
        for (id, name), token in self._tokens.copy().items():
            if id in found:
                found[id][name] = token
        return found

    def get(self, connection_id: str, name: str) -> Token | None:
        return self._tokens.get((connection_id, name))

    def put(self, connection_id: str, name: str, token: Token) -> None:
        self._tokens[connection_id, name] = token

    async def renew(self, connection_id: str, name: str) -> bool:
        return await self._turns.take(connection_id, name)

    async def end_renewal(self, connection_id: str, name: str) -> None:
        self._turns.give_back(connection_id, name)


class Counters(Protocol):
    """Numbers that are given once, shared by all processes. Called in threads, and may wait."""

    def reserve(self, counter: str, count: int, above: int = 0) -> list[int]:
        """So many numbers in a row above the last of a counter, and above `above`.

        They are taken for good: power may fail the moment after.
        """


class MemoryCounters:
    """Counters of one process."""

    def __init__(self) -> None:
        self._given: dict[str, int] = {}
        self._giving = threading.Lock()

    def reserve(self, counter: str, count: int, above: int = 0) -> list[int]:
        with self._giving:
            last = max(self._given.get(counter, 0), above)
            self._given[counter] = last + count
            return list(range(last + 1, last + count + 1))


class NullTraceLog:
    """A trace log that keeps nothing."""

    def record(self, traces: Sequence[Trace]) -> None:
        """Nothing is kept."""
