"""Prices of Teleship: one call for each parcel. Pure.

Source: Teleship API 1.0.0 (published description): QuoteRequestDto, QuoteResponseDto.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shipcli.carrier import RequestOptions, list_charges
from shipcli.carrier.wire.json_paths import Json, drop_empty
from shipcli.carrier.wire.times import read_day
from shipcli.models import Parcel, Quote

from . import customs
from .parts import CATALOGUE, Request, write_parcel

DUTIES = "duties_and_taxes"  # the member of a rate's meta that holds what they cost


def write_order(request: Request, parcel: Parcel, options: RequestOptions) -> Json:
    """A price is asked for, and a label ordered, in nearly the same words."""
    body = {
        **write_parcel(request, parcel, options, customs.is_paid(request)),
        "commodities": customs.write_goods(request, parcel),
        "customs": customs.write_declaration(request),
    }
    return dict(drop_empty(body))


def read_quote(row: dict[str, Any]) -> Quote:
    service = row["service"]["code"]
    lines = [(line.get("name"), line.get("amount")) for line in row.get("charges") or ()]
    return Quote(
        carrier_name="teleship",
        service=CATALOGUE.services.slug(service),
        total_charge=row["price"],
        currency=row["currency"],
        transit_days=row.get("transit"),
        estimated_delivery=read_day(row.get("estimatedDelivery")),
        extra_charges=list_charges(lines, row["currency"]),
        meta=drop_empty({"service_name": row["service"].get("name")}),
    )


def add_duties(quote: Quote, costs: Sequence[Json]) -> Quote:
    """A price beside what duties and taxes cost; Teleship itself adds them where the sender pays."""
    return quote.model_copy(update={"meta": {**(quote.meta or {}), DUTIES: costs[0]}}) if costs else quote
