"""Prices of SmartKargo, one question for each package. Pure.

Source: IHUB Swagger 1.0.0, quotation; `total` is without taxes, `totalTax` are those.
"""

from __future__ import annotations

from decimal import Decimal

from shipcli.carrier import RequestOptions, list_charges
from shipcli.carrier.wire.json_paths import Json, drop_empty
from shipcli.carrier.wire.rounding import read_amount
from shipcli.models import Quote, RateRequest

from .parts import CATALOGUE

ZERO = Decimal(0)


def write_question(request: RateRequest, package: Json, options: RequestOptions) -> Json:
    """A package to be priced; by one service alone where one is asked for."""
    chosen = CATALOGUE.services.list_chosen(request.services)
    question = {**package, "serviceType": chosen[0].code if len(chosen) == 1 else None}
    options.write(question, "rate")
    return dict(drop_empty(question))


def read_price(row: Json, currency: str) -> Quote:
    tax = read_amount(row.get("totalTax")) or ZERO
    total = Decimal(str(row["total"]))
    code = row["serviceType"]
    return Quote(
        carrier_name="smartkargo",
        service=CATALOGUE.services.find_slug(code) or code,
        total_charge=total + tax,
        currency=currency,
        transit_days=row.get("slaInDays"),
        extra_charges=list_charges([("Base Rate", total), ("Tax", tax)], currency),
        meta=drop_empty({"service_type": code, "estimated_delivery": row.get("deliveryDateBasedOnShipment")}),
    )
