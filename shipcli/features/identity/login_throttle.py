"""Failed log-ins are slowed down: after a few, each one doubles the time until the next is looked at.

They are counted in the store, for all processes. An attempt counts as failed until it has succeeded, so that
many at once get no further than one after the other. The clock is the system's, never the sandbox's.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shipcli.models.basics.errors import Throttled
from shipcli.store.query import below, equal

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.transaction import Transaction

LONGEST_WAIT_S = 300
FORGOTTEN_S = 3600


@dataclass(frozen=True, slots=True)
class Counter:
    """What failures are counted by, and how many cost nothing."""

    name: str
    free: int

    def wait_s(self, failures: int) -> int:
        """How long the next attempt has to wait after the last one."""
        excess = failures - self.free
        return 0 if excess < 0 else min(2 ** min(excess, 30), LONGEST_WAIT_S)


def by_email(email: str) -> Counter:
    """Guesses at one account."""
    return Counter(f"email:{email[:254]}", 5)


def by_address(address: str) -> Counter:
    """Guesses from one place, at whatever account."""
    return Counter(f"address:{address}", 20)


def by_code(user_id: str) -> Counter:
    """Guesses at the code of the second step."""
    return Counter(f"code:{user_id}", 5)


def begin(app: App, counters: Sequence[Counter], clock: Callable[[], float] = time.time) -> None:
    """Count an attempt.

    Errors: Throttled when it comes too early; then it does not count.
    """
    now = clock()
    with app.store.transaction() as tx:
        tx.remove("attempts", [below("at", now - FORGOTTEN_S)])
        counts = {one: _count(tx, one) for one in counters}
        waits = [min(at, now) + one.wait_s(n) - now for one, (n, at) in counts.items()]
        if max(waits) > 0:
            raise Throttled(math.ceil(max(waits)))
        for one, (n, _) in counts.items():
            tx.upsert("attempts", {"name": one.name, "n": n + 1, "at": now})


def succeed(app: App, cleared: Counter, *others: Counter) -> None:
    """The attempt succeeded: its counter starts over, on the others it does not count.

    A place keeps its other failures: whoever guesses could else log in to an account of their own in between.
    """
    with app.store.transaction() as tx:
        tx.remove("attempts", [equal("name", cleared.name)])
        for one in others:
            n, at = _count(tx, one)
            tx.upsert("attempts", {"name": one.name, "n": max(n - 1, 0), "at": at})


def _count(tx: Transaction, counter: Counter) -> tuple[int, float]:
    rows = tx.select("attempts", {"name": counter.name})
    return (rows[0]["n"], rows[0]["at"]) if rows else (0, 0.0)
