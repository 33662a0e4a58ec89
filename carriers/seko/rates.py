"""Prices: the question and its answer. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from shipcli.carrier import RequestOptions
from shipcli.carrier.flow_steps import list_cheapest
from shipcli.carrier.wire.json_paths import Json, drop_empty
from shipcli.carrier.wire.rows import read_each
from shipcli.models import Parcel, Quote, RateRequest

from .parts import CATALOGUE, write_destination, write_package, write_party

META = (
    "Route", "QuoteId", "DeliveryType", "CarrierServiceType", "IsFreightForward", "IsRuralDelivery",
    "IsSaturdayDelivery",
)  # fmt: skip


def write_rate(request: RateRequest, options: RequestOptions, packages: Sequence[Json]) -> Json:
    """What is to be priced. No member says where it leaves from: the account does."""
    body = {
        "DeliveryReference": request.reference,
        "Destination": {**write_party(request.recipient), **write_destination(options)},
        "IsSaturdayDelivery": options.value("seko_is_saturday_delivery"),
        "IsSignatureRequired": options.value("seko_is_signature_required"),
        "Packages": packages,
    }
    return dict(drop_empty(body))


def write_rated_package(parcel: Parcel, options: RequestOptions) -> Json:
    """One package, with the options of its own."""
    return {**write_package(parcel, "your_packaging"), "Id": options.text("seko_package_id")}


def read_rates(body: Json, currency: str) -> list[Quote]:
    """One quote of each service, the cheapest where several carriers offer it."""
    return list_cheapest(read_each(body.get("Available") or (), read_rate, currency))


def read_rate(row: Json, currency: str) -> Quote:
    name = row["DeliveryType"]
    meta = {word: row[word] for word in META if row.get(word) is not None}
    return Quote(
        carrier_name="seko",
        service=CATALOGUE.services.slug(name),
        total_charge=row["Cost"],
        currency=currency,
        meta={"service_name": name, "seko_carrier": row.get("CarrierName"), **meta},
    )
