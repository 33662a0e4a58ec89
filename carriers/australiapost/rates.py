"""Prices: the items as they are asked about, and what each would cost. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from shipcli.carrier import RequestOptions
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.rows import read_each
from shipcli.models import Address, Parcel, Quote, RateRequest

from .parts import CATALOGUE, CURRENCY, read_charges, write_measures


def write_rate(request: RateRequest, items: Sequence[Json]) -> Json:
    return {"from": _place(request.shipper), "to": _place(request.recipient), "items": list(items)}


def _place(address: Address) -> Json:
    return {"postcode": address.postal_code, "country": address.country_code}


def write_item(parcel: Parcel, at: int, services: Sequence[str], options: RequestOptions) -> Json:
    """One parcel; without products all of the account are priced."""
    name = parcel.packaging_type
    packaging = CATALOGUE.packaging.get(name) or CATALOGUE.packaging.of_code(name)
    item = {
        "item_reference": getattr(parcel, "id", None) or str(at),
        **write_measures(parcel),
        "packaging_type": packaging.code if packaging else None,
        "product_ids": [row.code for row in CATALOGUE.services.list_chosen(services)],
    }
    options.write(item, "rate")
    return dict(drop_empty(item))


def read_rates(body: Json) -> list[list[Quote]]:
    """The prices of each item."""
    return [read_each(as_list(item.get("prices")), read_price) for item in as_list(body.get("items"))]


def read_price(price: Json) -> Quote:
    parts = {"base charge": price.get("calculated_price_ex_gst"), "GST": price.get("calculated_gst")}
    return Quote(
        carrier_name="australiapost",
        service=CATALOGUE.services.slug(price["product_id"]),
        total_charge=price["calculated_price"],
        currency=CURRENCY,
        extra_charges=read_charges(parts),
        meta={"service_name": price.get("product_type")},
    )
