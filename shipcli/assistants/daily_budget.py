"""What assistants may spend on a day, all together: the amount is kept in the store of this machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from shipcli.features.shipments.budget import Budget
from shipcli.models import Invalid

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.models import Rate

TABLE = "cursors"
SPENT = "assistants/spent"


class DailyBudget(Budget):
    """A limit for a day of UTC. What was reserved is on disk before a carrier is asked to sell.

    `app` has the store that counts, `place` is the address of the server where labels are bought.
    """

    def __init__(self, app: App, limit: str, place: str = "") -> None:
        """Errors: Invalid on `max_total` for an amount without a currency."""
        budget = Budget.read(limit)
        if budget.currency is None:
            raise Invalid("max_total", f"{limit} has no currency; an amount is written as 50USD.")
        super().__init__(budget.most, budget.currency)
        self._app, self._place = app, place

    @property
    def left(self) -> Decimal:
        """What may still be spent today."""
        with self._counting():
            return (self.most or Decimal(0)) - self.spent

    def reserve(self, rate: Rate) -> None:
        """Errors: LimitReached if the price exceeds what is left today, or is in another currency."""
        with self._counting():
            super().reserve(rate)

    def check(self, rate: Rate) -> None:
        """Errors: LimitReached, as for `reserve`; nothing is reserved."""
        with self._counting():
            self.copy().reserve(rate)

    def release(self, rate: Rate) -> None:
        """Release a reservation after the purchase failed."""
        with self._counting():
            super().release(rate)

    def correct(self, quoted: Rate, billed: Rate | None) -> bool:
        """Count what was billed in place of what was reserved; False if the limit would be passed."""
        with self._counting():
            return super().correct(quoted, billed)

    def count_spent(self, amount: Decimal, currency: str | None) -> None:
        """Add an amount that was paid."""
        with self._counting():
            super().count_spent(amount, currency)

    @contextmanager
    def _counting(self) -> Iterator[None]:
        """Read the amount of today and write it afterwards, while no other process does."""
        day = self._app.now().date().isoformat()
        mode = "test" if self._app.test_mode else "live"
        name = "/".join((SPENT, mode, self._place, str(self.currency), day))
        with self._app.store.transaction(durable=True) as tx:
            # Written first, so that the store is locked when the amount is read.
            tx.add(TABLE, {"name": name, "position": "0"})
            row: dict[str, Any] = tx.select(TABLE, {"name": name})[0]
            self.spent = Decimal(str(row["position"]))
            yield
            tx.upsert(TABLE, {"name": name, "position": str(self.spent)})
