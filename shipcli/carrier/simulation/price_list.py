"""The price list of a simulated carrier: services by zone and weight, in dollars or the sender's currency."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from shipcli.carrier.limits import is_among
from shipcli.models.basics.reference import find_currency

FUEL_SHARE = Decimal("0.12")
CENT = Decimal("0.01")
# Exchange rates; a country whose currency is not here is billed in dollars.
PER_DOLLAR: Mapping[str, Decimal] = {
    "USD": Decimal(1), "CAD": Decimal("1.35"), "EUR": Decimal("0.92"), "GBP": Decimal("0.79"),
    "MXN": Decimal(17), "PLN": Decimal(4), "CHF": Decimal("0.88"), "AUD": Decimal("1.52"),
    "NZD": Decimal("1.65"), "JPY": Decimal(150), "CNY": Decimal("7.2"), "SEK": Decimal("10.5"),
    "NOK": Decimal("10.7"), "DKK": Decimal("6.9"), "CZK": Decimal(23), "HUF": Decimal(360),
    "RON": Decimal("4.6"), "AMD": Decimal(390), "RUB": Decimal(90),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Tariff:
    """One service of a simulated price list.

    Shapes: `origins` and `destinations` hold countries, "EU" for the union, or with "!" in front what is
            excluded; none means anywhere. `packaging` is the carrier's code of the packaging in which alone
            it is sold at this price.
    Units: `base` and `per_kg` in the currency of the quote, at zone 1; `zone_step` is a share added per zone.
    """

    code: str
    base: Decimal
    per_kg: Decimal
    days: int
    zone_step: Decimal = Decimal("0.08")
    domestic: bool | None = None  # None: both
    origins: Collection[str] = ()
    destinations: Collection[str] = ()
    max_kg: Decimal = Decimal(70)
    packaging: str = ""

    def serves(self, origin: str, destination: str, weight_kg: Decimal) -> bool:
        return (
            self.domestic in (None, origin == destination)
            and is_among(origin, self.origins)
            and is_among(destination, self.destinations)
            and weight_kg <= self.max_kg
        )


def read_tariff(row: Mapping[str, Any]) -> Tariff:
    """Return a row of a data file as a tariff; numbers may be written as text."""
    names = ("base", "per_kg", "zone_step", "max_kg")
    return Tariff(**{**row, **{name: Decimal(str(row[name])) for name in names if name in row}})


@dataclass(frozen=True, slots=True)
class Offer:
    """A priced service. `base` + `fuel` = `total`, to the cent."""

    code: str
    total: Decimal
    base: Decimal
    fuel: Decimal
    days: int


def zone(origin: str, destination: str, from_postal: str = "", to_postal: str = "") -> int:
    """Return 1 to 8 in a country, by how far postal codes are apart; 9 to a neighbour, 12 elsewhere."""
    if origin == destination:
        apart = abs(ord((from_postal.upper() or "0")[0]) - ord((to_postal.upper() or "0")[0]))
        return 1 + min(apart, 7)
    neighbours = {frozenset({"US", "CA"}), frozenset({"US", "MX"})}
    return 9 if frozenset({origin, destination}) in neighbours else 12


def price(tariff: Tariff, zone_number: int, weight_kg: Decimal) -> Offer:
    """Return what a tariff costs; never 0."""
    factor = 1 + tariff.zone_step * (zone_number - 1)
    base = max(to_cents((tariff.base + tariff.per_kg * weight_kg) * factor), CENT)
    fuel = to_cents(base * FUEL_SHARE)
    days = tariff.days + (zone_number >= 5)
    return Offer(tariff.code, base + fuel, base, fuel, days)


def sum_offers(offers: list[Offer], rate: Decimal = Decimal(1)) -> Offer:
    """Return the price of several parcels, at an exchange rate."""
    base = to_cents(sum((offer.base for offer in offers), Decimal(0)) * rate)
    fuel = to_cents(sum((offer.fuel for offer in offers), Decimal(0)) * rate)
    return Offer(offers[0].code, base + fuel, base, fuel, max(offer.days for offer in offers))


def to_cents(amount: Decimal) -> Decimal:
    return amount.quantize(CENT, ROUND_HALF_UP)


def find_arrival_day(start: date, days: int) -> date:
    """Return the day so many working days later."""
    while days:
        start += timedelta(days=1)
        days -= start.weekday() < 5
    return start


def choose_currency(country: str) -> str:
    """Return the currency in which a simulated carrier bills a country."""
    currency = find_currency(country) or "USD"
    return currency if currency in PER_DOLLAR else "USD"
