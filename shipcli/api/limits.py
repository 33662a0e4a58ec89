"""Limits of requests: how many per caller and minute, counted in this process, and what a body may hold.

Failed log-ins are counted apart, by `shipcli.features.identity.users`, in the store.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from shipcli.api.http.responses import Header
from shipcli.config import Config
from shipcli.models.basics.errors import Invalid

DEEPEST = 64
GOODS = ("commodities", "items", "line_items")


@dataclass(frozen=True, slots=True)
class BodyLimits:
    """The most that a body may hold: keys of one object, parcels and commodities of one shipment or order."""

    keys: int
    parcels: int
    commodities: int

    @classmethod
    def read(cls, config: Config) -> BodyLimits:
        """Read the limits from the settings."""
        return cls(config["key_limit"], config["parcel_limit"], config["commodity_limit"])

    def check(self, body: dict[str, Any]) -> None:
        """Errors: Invalid naming the field that holds too much."""
        self._count_goods(body, "", 1)

    def _count_goods(self, value: dict[str, Any] | list[Any], path: str, depth: int) -> int:
        """Check a part of the body, and count the commodities it holds."""
        if depth > DEEPEST:
            raise Invalid(path.partition(".")[0], f"must not be nested deeper than {DEEPEST} levels")
        if isinstance(value, list):
            parts = (self._count_goods(part, f"{path}[{index}]", depth + 1)
                     for index, part in enumerate(value) if isinstance(part, dict | list))  # fmt: skip
            return sum(parts)
        if len(value) > self.keys:
            raise Invalid(path, f"must have at most {self.keys} keys, not {len(value)}")
        goods = 0
        for name, part in value.items():
            if isinstance(part, dict | list):
                inner = f"{path}.{name}" if path else name
                goods += self._count_goods(part, inner, depth + 1)
                if isinstance(part, list):
                    goods += self._check_list(name, part, inner)
        if goods > self.commodities and ("parcels" in value or any(name in value for name in GOODS)):
            raise Invalid(path, f"must hold at most {self.commodities} commodities, not {goods}")
        return goods

    def _check_list(self, name: str, part: list[Any], path: str) -> int:
        """Check the length of a list of parcels, and count the commodities in one of goods."""
        if name == "parcels" and len(part) > self.parcels:
            raise Invalid(path, f"must hold at most {self.parcels} parcels, not {len(part)}")
        return len(part) if name in GOODS else 0


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
