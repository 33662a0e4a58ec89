"""Rate limits: the number of requests per caller and minute, counted in this process.

Failed log-ins are counted apart, by `shipcli.features.identity.login_throttle`, in the store.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from shipcli.api.responses import Header

WINDOW_S = 60
MOST_CALLERS = 10_000


@dataclass(frozen=True, slots=True)
class Allowance:
    """What is left of a caller's requests in this minute."""

    limit: int
    left: int
    resets_in_s: int

    @property
    def is_spent(self) -> bool:
        """Whether this request exceeds the limit."""
        return self.left < 0

    def headers(self) -> tuple[Header, ...]:
        """The allowance as response headers."""
        values = {b"ratelimit-limit": self.limit, b"ratelimit-remaining": max(self.left, 0),
                b"ratelimit-reset": self.resets_in_s}  # fmt: skip
        return tuple((name, str(value).encode()) for name, value in values.items())


class Limiter:
    """Counts requests by caller. The clock is the system's, never the sandbox's."""

    def __init__(self, limit: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.limit = limit
        self._clock = clock
        self._counts: dict[str, int] = {}
        self._ends = 0.0

    def count(self, caller: str) -> Allowance:
        """Count one more request of a caller; returns what is left."""
        now = self._clock()
        if now >= self._ends or len(self._counts) > MOST_CALLERS:
            self._counts.clear()
            self._ends = now + WINDOW_S
        self._counts[caller] = count = self._counts.get(caller, 0) + 1
        return Allowance(self.limit, self.limit - count, max(int(self._ends - now), 1))
