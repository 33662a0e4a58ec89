"""Identifiers: a prefix and 32 lowercase hex digits that sort by creation.

The digits are 48 bits of Unix milliseconds, then a counter that grows within the millisecond, then
unguessable bits (or, with a seed, reproducible ones).
"""

from __future__ import annotations

import hashlib
import itertools
import os
import secrets
import threading
from collections.abc import Callable
from datetime import datetime
from typing import Protocol

Clock = Callable[[], datetime]

_COUNTER_LIMIT = 1 << 24
_TAIL = 7  # unguessable bytes
_DRAWN = 128  # tails drawn from the system at a time: each call there lets other threads run first


class IdSource(Protocol):
    """Where new identifiers come from."""

    def new(self, prefix: str) -> str:
        """A new id, greater than every id this source gave before."""


class SystemIds:
    """Identifiers for real work: unguessable, strictly increasing inside the process."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._at = 0
        self._start = ""  # the digits of that millisecond
        self._counter = 0
        self._tails: list[str] = []
        self._process = 0

    def new(self, prefix: str) -> str:
        """Prefix, time, counter and 56 random bits."""
        tail, now = self._tail(), _count_milliseconds(self._clock())
        with self._lock:
            self._counter += 1
            if now > self._at or self._counter == _COUNTER_LIMIT:
                self._at, self._counter = max(now, self._at + 1), 0
                self._start = f"{self._at:012x}"
            return f"{prefix}{self._start}{self._counter:06x}{tail}"

    def _tail(self) -> str:
        """Return a tail drawn in advance. Takes no lock: other threads run while the system is asked."""
        while True:
            if self._process != os.getpid():  # a forked child must not reuse its parent's tails
                self._tails, self._process = [], os.getpid()
            try:
                return self._tails.pop()
            except IndexError:
                drawn = secrets.token_hex(_TAIL * _DRAWN)
                self._tails = [drawn[at : at + 2 * _TAIL] for at in range(0, len(drawn), 2 * _TAIL)]


class SeededIds:
    """Identifiers for the sandbox: the same seed, clock and sequence of calls give the same ids.

    `numbers` gives the position in the sequence. Processes that share a store pass in a counter of that
    store; otherwise each of them would start over and repeat the ids of the one before.
    """

    def __init__(self, clock: Clock, seed: str | int, numbers: Callable[[], int] | None = None) -> None:
        self._clock = clock
        self._seed = str(seed).encode()
        self._numbers = numbers or itertools.count(1).__next__
        self._lock = threading.Lock()
        self._at = 0

    def new(self, prefix: str) -> str:
        """Prefix, time, position in the sequence and 48 bits made from the seed."""
        # Drawn outside the lock: it may wait for a transaction whose own thread is asking for an id.
        number = self._numbers()
        with self._lock:
            self._at = max(self._at, _count_milliseconds(self._clock()))
            at = self._at
        tail = hashlib.blake2b(b"%d" % number, key=self._seed[:64], digest_size=6).hexdigest()
        return f"{prefix}{at:012x}{number:08x}{tail}"


def _count_milliseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1_000_000) // 1000
