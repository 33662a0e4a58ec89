"""Identifiers: a prefix and 32 lowercase hex digits that sort by creation.

The digits are 48 bits of Unix milliseconds, a counter that grows within the millisecond, and 56 random bits.
"""

from __future__ import annotations

import os
import secrets
import threading
from datetime import datetime
from typing import Protocol

from shipcli.clocks import Clock
from shipcli.store.draws import SeededDraws

_COUNTER_LIMIT = 1 << 24
_RANDOM_BYTES = 7
_DRAWN = 128  # ids whose digits are drawn at a time: each call of the system lets other threads run first


class Ids(Protocol):
    """A source of ids."""

    def new(self, prefix: str) -> str:
        """A new id with this prefix."""


class IdGenerator:
    """Makes ids that cannot be guessed, strictly increasing inside the process."""

    def __init__(self, clock: Clock, draws: SeededDraws | None = None) -> None:
        self._clock, self._draws = clock, draws
        self._lock = threading.Lock()
        self._milliseconds = 0
        self._counter = 0
        self._drawn: list[str] = []
        self._process = 0

    def new(self, prefix: str) -> str:
        """A new id, greater than every id with this prefix that this generator made before."""
        now = _count_milliseconds(self._clock())
        if self._draws:
            return self._make_repeatable(prefix, now, self._draws)
        random = self._draw()
        with self._lock:
            self._counter += 1
            if now > self._milliseconds or self._counter == _COUNTER_LIMIT:
                self._milliseconds, self._counter = max(now, self._milliseconds + 1), 0
            return f"{prefix}{self._milliseconds:012x}{self._counter:06x}{random}"

    def _make_repeatable(self, prefix: str, now: int, draws: SeededDraws) -> str:
        count, random = draws.take(prefix, _RANDOM_BYTES)
        with self._lock:
            self._milliseconds = max(now, self._milliseconds)
            return f"{prefix}{self._milliseconds:012x}{count % _COUNTER_LIMIT:06x}{random.hex()}"

    def _draw(self) -> str:
        """Return digits drawn in advance. Takes no lock: others run while the system is asked."""
        while True:
            if self._process != os.getpid():  # a forked child must not reuse its parent's digits
                self._drawn, self._process = [], os.getpid()
            try:
                return self._drawn.pop()
            except IndexError:
                digits, each = secrets.token_hex(_RANDOM_BYTES * _DRAWN), 2 * _RANDOM_BYTES
                self._drawn = [digits[at : at + each] for at in range(0, len(digits), each)]


def _count_milliseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1_000_000) // 1000
