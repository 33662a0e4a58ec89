"""The price list of the simulated Postal Service, in USD, and a price as it words it."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from shipcli.carrier.simulator import Offer, Tariff

POUNDS_PER_KG = Decimal("2.205")
COMMON_EXTRAS: Mapping[str, tuple[str, str]] = {
    "415": ("Label Delivery", "1.25"), "910": ("Certified Mail", "4.85"), "920": ("USPS Tracking", "0"),
    "921": ("Signature Confirmation", "3.70"), "922": ("Adult Signature Required", "9.35"),
    "930": ("Insurance <= $500", "2.60"), "931": ("Insurance > $500", "13.90"),
    "955": ("Return Receipt", "4.10"),
}  # fmt: skip


def _tariff(code: str, base: str, per_kg: str, days: int, most_pounds: str = "70") -> Tariff:
    most = Decimal(most_pounds) / POUNDS_PER_KG + Decimal("0.01")
    return Tariff(
        code=code, base=Decimal(base), per_kg=Decimal(per_kg), days=days, max_kg=most, domestic=True
    )


PRICE_LIST = (
    _tariff("USPS_GROUND_ADVANTAGE", "4.10", "1.35", 4),
    _tariff("PRIORITY_MAIL", "6.20", "1.55", 2),
    _tariff("PRIORITY_MAIL_EXPRESS", "24.00", "3.00", 1),
    _tariff("PARCEL_SELECT", "5.00", "1.40", 6),
    _tariff("LIBRARY_MAIL", "3.60", "1.10", 7),
    _tariff("MEDIA_MAIL", "3.90", "1.15", 7),
    _tariff("BOUND_PRINTED_MATTER", "3.50", "1.05", 7, most_pounds="15"),
)

# Sold to those who ask for them by name: their contents or their entry must qualify.
BY_NAME = frozenset({"PARCEL_SELECT", "LIBRARY_MAIL", "MEDIA_MAIL", "BOUND_PRINTED_MATTER"})
TYPE_CODES: Mapping[str, str] = {"PRIORITY_MAIL": "055", "PRIORITY_MAIL_EXPRESS": "701"}  # in the numbers


def rate_option(offer: Offer, body: Mapping[str, Any]) -> dict[str, Any]:
    title, kind = offer.code.replace("_", " ").title(), body.get("priceType", "COMMERCIAL")
    rate = {
        "description": f"{title} Machinable Single-piece", "priceType": kind, "price": offer.total,
        "weight": body["weight"], "dimWeight": 0, "fees": [], "startDate": body.get("mailingDate"),
        "mailClass": offer.code, "zone": "01", "productName": title, "processingCategory": "MACHINABLE",
        "rateIndicator": "SP", "destinationEntryFacilityType": "NONE",
    }  # fmt: skip
    extras = [extra(str(code), str(kind)) for code in body.get("extraServices", ())]
    return {"totalBasePrice": offer.total, "rates": [rate], "extraServices": extras}


def extra(code: str, price_type: str) -> dict[str, Any]:
    name, price = COMMON_EXTRAS.get(code, (f"Extra Service {code}", "1.00"))
    return {"extraService": code, "name": name, "priceType": price_type, "price": Decimal(price)}
