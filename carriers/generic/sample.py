"""A courier of the sandbox with a price list: domestic by the kilogram, abroad by groups of countries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

CENT = Decimal("0.01")
HEAVY_KG = 6


class Area(NamedTuple):
    """Where a price list holds; no countries means everywhere else."""

    label: str
    countries: tuple[str, ...]
    base: str
    per_kg: str
    days: int
    heavy_per_kg: str = "0"  # more for each kilogram above HEAVY_KG

    def price(self, weight: int) -> Decimal:
        heavy = Decimal(self.heavy_per_kg) * max(0, weight - HEAVY_KG)
        return Decimal(self.base) + Decimal(self.per_kg) * weight + heavy


# Cheaper than the sandbox's other carriers between a letter's weight and a heavy parcel's, no further.
HOME = Area("Domestic", (), "8.90", "1.00", 3, heavy_per_kg="1.50")
HOME_EXPRESS = Area("Domestic express", (), "21.00", "2.60", 1)
EUROPE = (
    "AT",
    "BE",
    "CH",
    "DE",
    "DK",
    "ES",
    "FI",
    "FR",
    "GB",
    "IE",
    "IT",
    "LU",
    "NL",
    "NO",
    "PL",
    "PT",
    "SE",
)
ABROAD = (
    Area("North America", ("US", "CA", "MX"), "17.50", "2.50", 4),
    Area("Europe", EUROPE, "26.00", "4.90", 6),
    Area("World", (), "30.00", "5.40", 8),
)
HOME_STEPS = range(2, 71, 2)
ABROAD_STEPS = (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70)


def zones(area: Area, steps: Iterable[int], faster: Decimal = Decimal(1)) -> list[dict[str, Any]]:
    """A zone for each weight bracket, priced at its upper end."""
    days = area.days if faster == 1 else max(1, area.days // 2)
    return [
        {
            "label": area.label,
            "country_codes": list(area.countries),
            "max_weight": step,
            "rate": (area.price(step) * faster).quantize(CENT),
            "transit_days": days,
        }
        for step in steps
    ]


def level(code: str, name: str, priced: list[dict[str, Any]], *, domestic: bool) -> dict[str, Any]:
    return {
        "service_code": code,
        "service_name": name,
        "currency": "USD",
        "domicile": domestic,
        "international": not domestic,
        "weight_unit": "KG",
        "zones": priced,
    }


def everywhere(faster: Decimal = Decimal(1)) -> list[dict[str, Any]]:
    return [zone for area in ABROAD for zone in zones(area, ABROAD_STEPS, faster)]


SHEET = [
    level("standard_service", "Standard Service", zones(HOME, HOME_STEPS), domestic=True),
    level("express_service", "Express Service", zones(HOME_EXPRESS, HOME_STEPS), domestic=True),
    level("standard_international", "Standard International", everywhere(), domestic=False),
    level("express_international", "Express International", everywhere(Decimal("1.7")), domestic=False),
]
# Its name is the slug, so that a sandbox shows one name for it. It has no country: it ships from anywhere.
SAMPLE_ACCOUNT: Mapping[str, Any] = {
    "display_name": "Sandbox Courier",
    "custom_carrier_name": "generic",
    "services": SHEET,
}
