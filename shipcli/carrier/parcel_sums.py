"""Prices of several parcels as prices of a shipment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import Any

from shipcli.carrier.wire.calls import UNREADABLE
from shipcli.models import Charge, Quote


def sum_parcels(parcels: Sequence[Sequence[Quote]]) -> list[Quote]:
    """Shipment prices from parcel prices: a service stands only where every parcel was quoted."""
    if not parcels:
        return []
    priced = [{quote.service: quote for quote in quotes} for quotes in parcels]
    common = [quote for quote in priced[0].values() if all(quote.service in prices for prices in priced)]
    return [sum_quotes([prices[quote.service] for prices in priced]) for quote in common]


def list_cheapest(quotes: Iterable[Quote]) -> list[Quote]:
    """One quote of each service, the cheapest first: a hub may offer it from several accounts."""
    found: dict[str | None, Quote] = {}
    for quote in sorted(quotes, key=lambda one: one.total_charge):
        found.setdefault(quote.service, quote)
    return list(found.values())


def read_cost(read: Callable[..., Quote | None], *told: Any) -> Quote | None:
    """What a label cost; None where the answer makes no sense of it: the label is bought all the same."""
    try:
        return read(*told)
    except UNREADABLE:
        return None


def list_charges(lines: Iterable[tuple[str | None, Decimal | None]], currency: str | None) -> list[Charge]:
    """The lines of a price that cost something, or take something off it."""
    return [Charge(name=name, amount=amount, currency=currency) for name, amount in lines if amount]


def sum_quotes(quotes: Sequence[Quote]) -> Quote:
    """One price from those of the parcels: charges added up by name, the longest transit time."""
    if len(quotes) == 1:
        return quotes[0]
    charges: dict[tuple[str | None, str | None], Any] = {}
    for charge in (one for quote in quotes for one in quote.extra_charges):
        known = charges.get((charge.name, charge.currency))
        amount = (charge.amount or Decimal(0)) + (known.amount or Decimal(0)) if known else charge.amount
        charges[charge.name, charge.currency] = charge.model_copy(update={"amount": amount})
    days = [quote.transit_days for quote in quotes if quote.transit_days is not None]
    return quotes[0].model_copy(
        update={
            "total_charge": sum((quote.total_charge for quote in quotes), Decimal(0)),
            "extra_charges": list(charges.values()),
            "transit_days": max(days) if days else None,
        }
    )
