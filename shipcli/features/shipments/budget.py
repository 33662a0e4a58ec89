"""What may be spent: the budget of a run, and the ceiling of each of its purchases.

A purchase reserves its quoted price, and its shipment is told what is left of the budget: that ceiling is on
disk with the purchase and reaches a server (`price_ceiling`). What is billed replaces what was reserved.
Purchases made at the same moment may each stay below their ceilings and pass the budget together: the one
that passes it is taken back.
"""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass, field
from decimal import Decimal

from shipcli.models import (
    Invalid,
    LimitReached,
    Rate,
    Shipment,
    ShippingRequestData,
    reference,
)
from shipcli.models.basics.decimals import AMOUNT, read_typed_amount

CEILING = "max_total"  # in the metadata of a shipment, or its options: the most that its label may cost
BUDGET = re.compile(rf"{AMOUNT}\s*([A-Za-z]{{3}})?\Z")


@dataclass
class Budget:
    """A spending limit and the amount spent. Purchases reserve their price before they are made.

    Without a limit nothing is counted; without a currency, the first price determines it.
    """

    most: Decimal | None = None
    currency: str | None = None
    spent: Decimal = Decimal(0)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @classmethod
    def read(cls, text: str, field: str = "max_total") -> Budget:
        """Parse "500" or "500USD".

        Errors: Invalid on the field.
        """
        match = BUDGET.match(text.strip())
        if not match:
            raise Invalid(field, f"{text!r} is not an amount such as 500 or 500USD.")
        currency = match.group(2).upper() if match.group(2) else None
        if currency and currency not in reference.list_currencies():
            raise Invalid(field, f"{currency} is not a currency; an amount is written as 500 or 500USD.")
        return cls(read_typed_amount(match.group(1)), currency)

    @property
    def limit(self) -> str | None:
        """The limit as text, if there is one."""
        if self.most is None:
            return None
        decimals = max(2, -int(self.most.as_tuple().exponent)) if self.most % 1 else 0
        return f"{self.most:,.{decimals}f} {self.currency or ''}".strip()

    def reserve(self, rate: Rate) -> None:
        """Errors: LimitReached if the price exceeds what is left, or is in another currency."""
        if self.most is None:
            return
        with self._lock:
            self.currency = self.currency or rate.currency
            if rate.currency != self.currency:
                text = f"The budget is in {self.currency} and the next price in {rate.currency}"
                raise LimitReached(text)
            if self.spent + rate.total_charge > self.most:
                text = f"A price of {rate.total_charge:,.2f} {rate.currency} would exceed {self.limit}"
                raise LimitReached(f"{text}: {self.spent:,.2f} of it is taken")
            self.spent += rate.total_charge

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left of the limit."""
        return self.most is not None and self.spent >= self.most

    def copy(self) -> Budget:
        """A budget with the same limit and amount, to plan with: what is reserved in it is not spent."""
        return Budget(self.most, self.currency, self.spent)

    def release(self, rate: Rate) -> None:
        """Release a reservation after the purchase failed."""
        if self.most is None:
            return
        with self._lock:
            self.spent -= rate.total_charge

    def find_most(self, rate: Rate) -> str | None:
        """Return the most that a label may cost whose price is reserved, as text; None without a limit."""
        if self.most is None:
            return None
        with self._lock:
            return f"{self.most - self.spent + rate.total_charge}{self.currency}"

    def correct(self, quoted: Rate, billed: Rate | None) -> bool:
        """Count what was billed in place of what was reserved; a price in another currency can't be.

        False if the limit would be passed: then nothing is counted.
        """
        if self.most is None or billed is None or billed.currency != quoted.currency:
            return True
        with self._lock:
            spent = self.spent + billed.total_charge - quoted.total_charge
            if spent > max(self.most, self.spent):
                return False
            self.spent = spent
            return True

    def has_room(self, price: Rate) -> bool:
        """Whether a price, reserved now, would keep within the limit; in another currency it may."""
        if self.most is None or self.currency not in (None, price.currency):
            return True
        with self._lock:
            return self.spent + price.total_charge <= self.most

    def count_spent(self, amount: Decimal, currency: str | None) -> None:
        """Add an amount that was paid earlier.

        Errors: LimitReached if it was paid in another currency.
        """
        if self.most is None:
            return
        with self._lock:
            self.currency = self.currency or currency
            if currency != self.currency:
                raise LimitReached(f"Earlier runs paid in {currency}, the budget is in {self.currency}")
            self.spent += amount


# -- the ceiling of a purchase ---------------------------------------------------------------------


def check_ceiling(shipment: Shipment, rate: Rate) -> None:
    """Errors: LimitReached if a rate costs more than the shipment may; Invalid for a ceiling that is none."""
    read_ceiling(shipment).reserve(rate)


def read_ceiling(shipment: Shipment) -> Budget:
    """Errors: Invalid naming the metadata or the option."""
    for name, values in (("metadata", shipment.metadata), ("options", shipment.options)):
        if text := values.get(CEILING):
            return Budget.read(str(text), f"{name}.{CEILING}")
    return Budget()


def exceeds_ceiling(bought: Shipment) -> bool:
    """Whether a label was billed above what its shipment may cost."""
    if bought.selected_rate is None:
        return False
    try:
        check_ceiling(bought, bought.selected_rate)
    except LimitReached:
        return True
    return False


def limit_draft(draft: Shipment, budget: Budget, rate: Rate) -> Shipment:
    """Return the draft with what its label may cost at most, whatever its carrier bills."""
    most = budget.find_most(rate)
    return draft.model_copy(update={"metadata": {**draft.metadata, CEILING: most}}) if most else draft


def limit_request(request: ShippingRequestData, most: str, rate: Rate) -> ShippingRequestData:
    """Return the purchase of a label that is not stored with the most that the label may cost.

    Errors: Invalid; LimitReached if the rate costs more.
    """
    budget = Budget.read(most)
    budget.reserve(rate)
    return request.model_copy(update={"options": {**request.options, CEILING: budget.find_most(rate)}})
