"""Choose the rate to buy: the cheapest, the fastest or a given service, in one currency, within a budget."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Literal

from shipcli.features.core.dates import add_working_days
from shipcli.models import (
    Invalid,
    LimitReached,
    OutcomeUnknown,
    Rate,
    Shipment,
    ShippingRequestData,
    Unreachable,
    find_nearest,
    read_decimal,
    reference,
)

Rule = Literal["cheapest", "fastest", "service"]
SERVICE_UNAVAILABLE = "service_unavailable"
SLOWEST = 10_000
CEILING = "max_total"  # in the metadata of a shipment, or its options: the most that its label may cost


def list_comparable(shipment: Shipment, currency: str | None = None) -> list[Rate]:
    """Return the shipment's rates in a single currency for comparison, cheapest first.

    The currency is the one given, else `options.currency`, else the one that all rates share, else that of
    the shipper's country.
    Errors: Invalid on `currency` if several are quoted and none of these rules applies, or if nothing is
            quoted in the requested one; otherwise as for `list_purchasable`.
    """
    rates = list_purchasable(shipment)
    quoted = sorted({str(rate.currency) for rate in rates})
    named = str(currency or shipment.options.get("currency") or "").upper()
    domestic = reference.find_currency(shipment.shipper.country_code or "")
    chosen = named or (quoted[0] if len(quoted) == 1 else domestic if domestic in quoted else None)
    if chosen is None:
        reason = f"Prices are quoted in {', '.join(quoted)}: name the currency to compare them in."
        raise Invalid("currency", reason)
    comparable = [rate for rate in rates if rate.currency == chosen]
    if not comparable:
        raise Invalid("currency", f"No price is quoted in {chosen}, only in {', '.join(quoted)}.")
    return sorted(comparable, key=lambda rate: rate.total_charge)


def list_purchasable(shipment: Shipment) -> list[Rate]:
    """Return the shipment's rates without those that are priced only.

    Errors: Invalid if there is none.
    """
    if not shipment.rates:
        raise Invalid("rates", "There is no rate to choose from.", SERVICE_UNAVAILABLE)
    purchasable = [rate for rate in shipment.rates if not rate.priced_only]
    if not purchasable:
        reason = f"No rate can be bought: {shipment.rates[0].priced_only}."
        raise Invalid("rates", reason, SERVICE_UNAVAILABLE)
    return purchasable


def list_cheapest_first(shipment: Shipment, currency: str | None = None) -> list[Rate]:
    """Return the shipment's rates for a person to choose from: its preferred service first, then the rates
    that can be compared, then the others.

    Errors: Invalid as for `list_purchasable`.
    """
    rates = list_purchasable(shipment)
    try:
        first = list_comparable(shipment, currency)
    except Invalid:
        first = rates
    currencies = {rate.currency for rate in first}
    others = [rate for rate in rates if rate.currency not in currencies]
    preferred = shipment.options.get("preferred_service")
    return sorted([*first, *others], key=lambda rate: not preferred or rate.service != preferred)


def choose_rate(
    shipment: Shipment, rule: Rule, *, currency: str | None = None, service: str | None = None
) -> Rate:
    """Return the rate that a rule selects.

    Errors: Invalid as for `list_comparable`, and on `service` if the requested service is not offered.
    """
    if rule == "service":
        named = service or shipment.options.get("preferred_service")
        shipment = shipment.changed(rates=list_offering(shipment, named))
    rates = list_comparable(shipment, currency)
    if rule == "fastest":
        return min(rates, key=lambda rate: (count_days(rate), rate.total_charge))
    return rates[0]


def list_offering(shipment: Shipment, service: str | None) -> list[Rate]:
    """Return the rates of a service, in their original order.

    Errors: Invalid on `service` suggesting the closest one, else listing all that are offered.
    """
    if not service:
        raise Invalid("service", "No service is named.", SERVICE_UNAVAILABLE)
    offers = [rate for rate in shipment.rates if rate.service == service]
    if not offers:
        offered = sorted({str(rate.service) for rate in shipment.rates})
        close = find_nearest(service, offered)
        instead = f"did you mean {close}?" if close else f"offered: {', '.join(offered) or 'nothing'}."
        raise Invalid("service", f"The service {service!r} is not offered; {instead}", SERVICE_UNAVAILABLE)
    return offers


def count_days(rate: Rate) -> int:
    """Return the transit days; a rate without them counts as the slowest."""
    return SLOWEST if rate.transit_days is None else rate.transit_days


def list_in_time(shipment: Shipment, by: date) -> list[Rate]:
    """Return the rates that promise delivery by a given day.

    Errors: Invalid on `by` with the earliest promised day.
    """
    promised = [(day, rate) for rate in shipment.rates if (day := find_arrival(shipment, rate))]
    in_time = [rate for day, rate in promised if day <= by]
    if shipment.rates and not in_time:
        day, first = min(promised, key=lambda pair: pair[0], default=(None, None))
        earliest = (
            f"the earliest is {first.service} on {day:%A %Y-%m-%d}"
            if first and day
            else "none promises a day"
        )
        raise Invalid("by", f"No rate arrives by {by:%A %Y-%m-%d}; {earliest}.", SERVICE_UNAVAILABLE)
    return in_time


def find_arrival(shipment: Shipment, rate: Rate) -> date | None:
    """Return the delivery day of a rate: the carrier's estimate, else its transit days as working days."""
    promised, leaves = _read_day(rate.estimated_delivery), _read_day(shipment.options.get("shipment_date"))
    if promised or leaves is None or rate.transit_days is None:
        return promised
    return add_working_days(leaves, rate.transit_days)


def _read_day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(str(text)[:10])
    except ValueError:
        return None


@dataclass(frozen=True)
class Reservation:
    """A rate that is to be bought, with the budget that its price is reserved in.

    `open` says that another rate may be taken if the carrier refuses this one.
    """

    rate: Rate
    budget: Budget
    open: bool = False

    def limit(self, draft: Shipment) -> Shipment:
        """Return the draft with what its label may cost at most: whatever its carrier bills."""
        most = self.budget.find_most(self.rate)
        return draft.changed(metadata={**draft.metadata, CEILING: most}) if most else draft

    def settle(self, bought: Shipment) -> Shipment:
        """Count the price that was billed in place of the quoted one."""
        self.budget.correct(self.rate, bought.selected_rate)
        return bought


BUDGET = re.compile(r"(\d+(?:\.\d+)?)\s*([A-Za-z]{3})?\Z")


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
        return cls(read_decimal(match.group(1)), currency)

    @property
    def limit(self) -> str | None:
        """The limit as text, if there is one."""
        return None if self.most is None else f"{self.most} {self.currency or ''}".strip()

    @contextmanager
    def reserved(self, rate: Rate) -> Iterator[Reservation]:
        """Reserve the price of a rate while its label is bought, and release it if nothing was bought.

        It stays reserved if the outcome is unknown, as the money may have been spent.
        Errors: LimitReached as for `reserve`; whatever the purchase raises.
        """
        self.reserve(rate)
        try:
            yield Reservation(rate, self)
        except (OutcomeUnknown, Unreachable):
            raise
        except BaseException:
            self.release(rate)
            raise

    def reserve(self, rate: Rate) -> None:
        """Errors: LimitReached if the price exceeds what is left, or is in another currency."""
        if self.most is None:
            return
        with self._lock:
            self.currency = self.currency or rate.currency
            if rate.currency != self.currency:
                text = f"The budget is in {self.currency} and the next price in {rate.currency}"
                raise LimitReached(f"{text}: nothing more was bought")
            if self.spent + rate.total_charge > self.most:
                text = f"The next purchase of {rate.total_charge} {rate.currency} would exceed {self.most}"
                raise LimitReached(f"{text}: {self.spent} was spent, nothing more was bought")
            self.spent += rate.total_charge

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

    def correct(self, quoted: Rate, billed: Rate | None) -> None:
        """Count what was billed in place of what was reserved; a price in another currency can't be."""
        if self.most is None or billed is None or billed.currency != quoted.currency:
            return
        with self._lock:
            self.spent += billed.total_charge - quoted.total_charge

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


def limit_request(request: ShippingRequestData, most: str, rate: Rate) -> ShippingRequestData:
    """Return the purchase of a label that is not stored with the most that the label may cost.

    Errors: Invalid; LimitReached if the rate costs more.
    """
    budget = Budget.read(most)
    budget.reserve(rate)
    return request.changed(options={**request.options, CEILING: budget.find_most(rate)})
