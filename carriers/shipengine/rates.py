"""Prices of the carriers that are connected at ShipEngine. Pure.

Source: ShipEngine API 1.1.202511061111 (published description): calculate_rates, rate.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from shipcli.carrier import list_charges, list_cheapest
from shipcli.carrier.wire.json_paths import Json, as_list
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import read_day
from shipcli.models import Quote

from .parts import CATALOGUE, describe_provider, find_service

AMOUNTS = ("shipping", "insurance", "confirmation", "other")


def write_rates(shipment: Json, accounts: Sequence[str], services: Sequence[str], is_return: bool) -> Json:
    """The question what a shipment costs with some accounts, whose carriers answer at once."""
    codes = [row.wire_code for row in CATALOGUE.services.list_chosen(services)]
    options: Json = {"carrier_ids": list(accounts)}
    if codes and len(codes) == len(services):
        options["service_codes"] = codes
    if is_return:
        options["is_return"] = True
    return {"shipment": {"validate_address": "no_validation", **shipment}, "rate_options": options}


def read_rates(body: Json) -> list[Quote]:
    """One quote of each service, the cheapest where several accounts offer it."""
    return list_cheapest(read_each(list_rates(body), read_rate))


def list_rates(body: Json) -> list[Any]:
    return [
        row
        for row in as_list((body.get("rate_response") or {}).get("rates"))
        if not row.get("error_messages")
    ]


def find_rate(body: Json, service: str) -> Json | None:
    """The cheapest rate of a service, by our word for it or by ShipEngine's; None if there is none."""
    rows = read_each(list_rates(body), lambda row: (total(row), read_names(row), row))
    fitting = [(price, row) for price, names, row in rows if service in names]
    return min(fitting, key=lambda pair: pair[0], default=(None, None))[1]


def read_names(row: Json) -> tuple[str, str]:
    return find_service(row["service_code"], row.get("carrier_code")), row["service_code"]


def list_amounts(row: Json) -> list[tuple[str, Decimal]]:
    amounts = [(name, row.get(f"{name}_amount") or {}) for name in AMOUNTS]
    return [(name, Decimal(str(amount.get("amount") or 0))) for name, amount in amounts]


def total(row: Json) -> Decimal:
    return sum((amount for _, amount in list_amounts(row)), Decimal(0))


def read_rate(row: Json) -> Quote:
    currency = str(row["shipping_amount"]["currency"]).upper()
    return Quote(
        carrier_name="shipengine",
        service=find_service(row["service_code"], row.get("carrier_code")),
        total_charge=total(row),
        currency=currency,
        transit_days=row.get("delivery_days"),
        estimated_delivery=read_day(row.get("estimated_delivery_date")),
        extra_charges=list_charges(list_amounts(row), currency),
        meta=describe_provider(row),
    )
