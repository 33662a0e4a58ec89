"""The ports of the driver: how carriers are reached, and where tokens, numbers and traces are stored."""

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
    """No reply came, or (`refused`) none that is read.

    `sent` is False only when the carrier can't have seen the request.
    """

    def __init__(self, reason: str, *, sent: bool, timed_out: bool = False, refused: bool = False) -> None:
        super().__init__(reason)
        self.sent, self.timed_out, self.refused = sent, timed_out, refused


class Transport(Protocol):
    async def send(self, request: Request) -> Reply:
        """Return the reply to a request.

        Errors: TransportError; ShipcliError only when the carrier can't have seen the request.
        """


@dataclass(frozen=True, slots=True)
class Trace:
    """One exchange with a carrier as it may be stored: secrets masked, documents left out."""

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
        """Return the exchange with a secret masked that only its response revealed: the token of a login."""
        mask = Mask([secret])
        response = {k: mask.text(v) if isinstance(v, str) else v for k, v in self.response.items()}
        return replace(self, response=response)


class TraceLog(Protocol):
    def record(self, traces: Sequence[Trace]) -> None:
        """Store the exchanges of the flows that ran together."""


class TokenCache(Protocol):
    """Tokens by connection and name, shared by all processes.

    `renew` and `end_renewal` are called on the loop and may not wait; the others may.
    """

    def get_all(self, connection_ids: Collection[str]) -> Mapping[str, Mapping[str, Token]]:
        """Return the tokens of connections, by connection and name; `get` reports what can't be read."""

    def get(self, connection_id: str, name: str) -> Token | None:
        """Return the stored token, expired or not."""

    def put(self, connection_id: str, name: str, token: Token) -> None:
        """Store a token."""

    async def renew(self, connection_id: str, name: str) -> bool:
        """Return True to the caller that has to renew the token, False to others once that is done."""

    async def end_renewal(self, connection_id: str, name: str) -> None:
        """Say that the renewal is over, whether it succeeded or not."""


class RenewalTurns:
    """Which of the flows of one process renews a token."""

    def __init__(self) -> None:
        self._renewals: dict[tuple[str, str], asyncio.Event] = {}

    async def take(self, connection_id: str, name: str) -> bool:
        """Return True to the caller that has to renew the token, False to others once that is done."""
        renewal = self._renewals.get((connection_id, name))
        if renewal is None:
            self._renewals[connection_id, name] = asyncio.Event()
            return True
        await renewal.wait()
        return False

    def give_back(self, connection_id: str, name: str) -> None:
        """Say that the renewal is over, whether it succeeded or not."""
        if renewal := self._renewals.pop((connection_id, name), None):
            renewal.set()


class MemoryTokens:
    """Tokens of one process."""

    def __init__(self) -> None:
        self._tokens: dict[tuple[str, str], Token] = {}
        self._turns = RenewalTurns()

    def get_all(self, connection_ids: Collection[str]) -> Mapping[str, Mapping[str, Token]]:
        tokens: dict[str, dict[str, Token]] = {id: {} for id in connection_ids}
        for (id, name), token in self._tokens.copy().items():
            if id in tokens:
                tokens[id][name] = token
        return tokens

    def get(self, connection_id: str, name: str) -> Token | None:
        return self._tokens.get((connection_id, name))

    def put(self, connection_id: str, name: str, token: Token) -> None:
        self._tokens[connection_id, name] = token

    async def renew(self, connection_id: str, name: str) -> bool:
        return await self._turns.take(connection_id, name)

    async def end_renewal(self, connection_id: str, name: str) -> None:
        self._turns.give_back(connection_id, name)


class Counters(Protocol):
    """Numbers that are given out once, shared by all processes. Called in threads, and may wait."""

    def reserve(self, counter: str, count: int, above: int = 0) -> list[int]:
        """Return so many consecutive numbers above the last of a counter, and above `above`.

        They are durably taken when this returns: power may fail the moment after.
        """


class MemoryCounters:
    """Counters of one process."""

    def __init__(self) -> None:
        self._last: dict[str, int] = {}
        self._lock = threading.Lock()

    def reserve(self, counter: str, count: int, above: int = 0) -> list[int]:
        with self._lock:
            last = max(self._last.get(counter, 0), above)
            self._last[counter] = last + count
            return list(range(last + 1, last + count + 1))


class NullTraceLog:
    """A trace log that stores nothing."""

    def record(self, traces: Sequence[Trace]) -> None:
        """Drop the traces."""
