"""The price list of the simulated UPS, in US dollars; other origins pay in their own currency."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from shipcli.carrier.simulator import Tariff
from shipcli.models.reference import countries, country_currency, eu_countries

US, PR, CA, MX = (frozenset({code}) for code in ("US", "PR", "CA", "MX"))
UNION = frozenset(eu_countries() | {"GR"})
EUROPE = UNION | {"GB", "CH", "NO"}
# Origins whose domestic services have no names of their own.
ELSEWHERE = frozenset(countries()) - US - PR - CA - EUROPE - MX

Places = frozenset[str]


def _row(
    code: str, base: str, per_kg: str, days: int, origins: Places = frozenset(), to: Places = frozenset()
) -> Tariff:
    return Tariff(
        code=code, base=Decimal(base), per_kg=Decimal(per_kg), days=days,
        domestic=False, origins=origins, destinations=to,
    )  # fmt: skip


def _home(code: str, base: str, per_kg: str, days: int, origins: Places) -> Tariff:
    return Tariff(
        code=code, base=Decimal(base), per_kg=Decimal(per_kg), days=days, domestic=True, origins=origins
    )


TARIFFS: Sequence[Tariff] = (
    _home("03", "7.90", "0.62", 3, US | PR),
    _home("12", "12.00", "1.60", 3, US),
    _home("02", "16.00", "2.20", 2, US | PR),
    _home("59", "18.50", "2.40", 2, US),
    _home("13", "26.00", "3.20", 1, US),
    _home("01", "29.00", "3.40", 1, US | PR),
    _home("14", "59.00", "3.80", 1, US | PR),
    _row("03", "16.00", "1.20", 5, US, PR),
    _row("02", "24.00", "2.60", 2, US, PR),
    _row("01", "36.00", "3.80", 1, US, PR),
    _row("11", "11.00", "1.10", 4, US, CA | MX),
    _home("11", "8.20", "0.80", 4, CA),
    _home("02", "12.00", "1.50", 2, CA),
    _home("13", "17.00", "2.00", 1, CA),
    _home("01", "20.00", "2.30", 1, CA),
    _home("14", "44.00", "2.90", 1, CA),
    _row("11", "11.50", "1.15", 4, CA, US),
    _row("12", "16.00", "1.80", 3, CA, US),
    _home("11", "7.60", "0.70", 2, EUROPE),
    _home("65", "15.00", "1.60", 1, EUROPE),
    _home("07", "19.00", "1.90", 1, EUROPE),
    _row("11", "10.00", "0.95", 3, EUROPE, EUROPE),
    _home("11", "7.00", "0.70", 3, MX),
    _home("65", "12.00", "1.40", 1, MX),
    _home("65", "13.00", "1.50", 1, ELSEWHERE),
    _row("08", "21.00", "3.90", 5),
    _row("65", "24.00", "4.20", 3),
    _row("07", "32.00", "4.80", 2),
    _row("54", "52.00", "5.20", 2),
)

# What a dollar is taken for; a currency that is not here is billed in dollars.
PER_DOLLAR: Mapping[str, Decimal] = {
    "USD": Decimal(1), "CAD": Decimal("1.35"), "EUR": Decimal("0.92"), "GBP": Decimal("0.79"),
    "MXN": Decimal(17), "PLN": Decimal(4), "CHF": Decimal("0.88"), "AUD": Decimal("1.52"),
    "JPY": Decimal(150), "CNY": Decimal("7.2"), "SEK": Decimal("10.5"), "NOK": Decimal("10.7"),
    "DKK": Decimal("6.9"), "CZK": Decimal(23), "HUF": Decimal(360), "RON": Decimal("4.6"),
}  # fmt: skip


def currency_of(origin: str) -> str:
    currency = country_currency(origin) or "USD"
    return currency if currency in PER_DOLLAR else "USD"
