"""Choose the rate to buy: the cheapest, the fastest or a given service, in one currency."""

from __future__ import annotations

from datetime import date
from typing import Literal

from shipcli.features.core.dates import add_working_days
from shipcli.models import Invalid, Rate, Shipment, find_nearest, reference

Rule = Literal["cheapest", "fastest", "service"]
SERVICE_UNAVAILABLE = "service_unavailable"
SLOWEST = 10_000


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
        shipment = shipment.model_copy(update={"rates": list_offering(shipment, named)})
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
        named = f"offered: {', '.join(offered)}." if offered else "nothing is, on this lane."
        instead = f"did you mean {close}?" if close else named
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
