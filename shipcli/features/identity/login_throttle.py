"""Throttling of failed log-ins: after a few failures, each one doubles the wait before the next attempt.

Failures are counted in the store, for all processes. An attempt counts as failed until it succeeds, so that
parallel attempts get no further than successive ones. The clock is the system's, never the sandbox's.
How often a caller may use the API is another matter, counted by `shipcli.api.limits` in each process.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shipcli.clocks import read_real_seconds
from shipcli.models.basics.errors import Throttled
from shipcli.store.query import below, equal

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.transaction import Transaction

LONGEST_WAIT_S = 300
FORGOTTEN_S = 3600


@dataclass(frozen=True, slots=True)
class Counter:
    """What failures are counted by, and how many are free."""

    name: str
    free: int

    def wait_s(self, failures: int) -> int:
        """Return how many seconds after the last attempt the next one is allowed."""
        excess = failures - self.free
        return 0 if excess < 0 else min(2 ** min(excess, 30), LONGEST_WAIT_S)


def make_email_counter(email: str) -> Counter:
    """Return the counter of guesses at one account."""
    return Counter(f"email:{email[:254]}", 5)


def make_address_counter(address: str) -> Counter:
    """Return the counter of guesses from one network address, at any account."""
    return Counter(f"address:{address}", 20)


def make_code_counter(user_id: str) -> Counter:
    """Return the counter of guesses at a user's second-step code."""
    return Counter(f"code:{user_id}", 5)


def begin(app: App, counters: Sequence[Counter], clock: Callable[[], float] = read_real_seconds) -> None:
    """Count an attempt.

    Errors: Throttled if it comes too early; then it is not counted.
    """
    now = clock()
    with app.store.transaction() as tx:
        tx.remove("attempts", [below("at", now - FORGOTTEN_S)])
        counts = {counter: _count(tx, counter) for counter in counters}
        waits = [min(at, now) + counter.wait_s(n) - now for counter, (n, at) in counts.items()]
        if max(waits) > 0:
            raise Throttled(math.ceil(max(waits)))
        for counter, (n, _) in counts.items():
            tx.upsert("attempts", {"name": counter.name, "n": n + 1, "at": now})


def succeed(app: App, cleared: Counter, *others: Counter) -> None:
    """Record that an attempt succeeded: reset the `cleared` counter, and take the attempt off the others.

    An address keeps its other failures; otherwise a guesser could log in to their own account in between.
    """
    with app.store.transaction() as tx:
        tx.remove("attempts", [equal("name", cleared.name)])
        for counter in others:
            n, at = _count(tx, counter)
            tx.upsert("attempts", {"name": counter.name, "n": max(n - 1, 0), "at": at})


def _count(tx: Transaction, counter: Counter) -> tuple[int, float]:
    rows = tx.select("attempts", {"name": counter.name})
    return (rows[0]["n"], rows[0]["at"]) if rows else (0, 0.0)
