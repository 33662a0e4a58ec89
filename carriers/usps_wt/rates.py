"""Prices inside the country: a package of the question, and the prices of it. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from shipcli.carrier import RequestOptions
from shipcli.carrier.wire import xml
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_measure
from shipcli.carrier.wire.rows import read_each
from shipcli.models import Charge, Quote, RateRequest

from .parts import CATALOGUE, CURRENCY, list_priced_codes, packaging_code, write_sides, zip5

if TYPE_CHECKING:
    from lxml.etree import _Element

ALL, WITH_SORTING, DROP_OFF = "All", ("All", "Online"), "13:30"
# What a label of a business costs goes before what the counter asks; extras are priced alike.
PRICES = (("CommercialPlusRate", "PriceCPP"), ("CommercialRate", "PriceOnline"), ("Rate", "Price"))


def write_package(request: RateRequest, at: int, options: RequestOptions) -> Json:
    """One parcel; a single service is asked for by its name, else all of them."""
    parcel = request.parcels[at]
    listed = [row for row in CATALOGUE.services.list_chosen(request.services) if row.listed]
    service, slug = (listed[0].code, listed[0].slug) if listed else (ALL, "")
    packaging = CATALOGUE.packaging.get(parcel.packaging_type) or CATALOGUE.packaging.get("your_packaging")
    kind = packaging.slug if packaging else ""
    extras, day, back = list_priced_codes(options), options.ship_date(), "usps_option_return_service_info"
    mail_type = CATALOGUE.table("first_class_types").get(kind) if "first_class" in slug else None
    return {
        "@ID": at,
        "Service": service,
        "FirstClassMailType": mail_type,
        "ZipOrigination": zip5(request.shipper.postal_code),
        "ZipDestination": zip5(request.recipient.postal_code),
        "Pounds": 0,
        "Ounces": round_measure(parcel.weight_in("OZ")),
        "Container": packaging_code(CATALOGUE, parcel, "your_packaging"),
        **write_sides(parcel),
        "Value": options.amount("declared_value"),
        "AmountToCollect": options.amount("cash_on_delivery"),
        "SpecialServices": {"SpecialService": extras} if extras else None,
        "GroundOnly": options.value("usps_option_ground_only"),
        "SortBy": CATALOGUE.table("sort_levels").get(kind) if service in WITH_SORTING else None,
        "Machinable": options.flag("usps_option_machinable_item"),
        "ReturnLocations": options.value(back),
        "ReturnServiceInfo": options.value(back),
        "DropOffTime": DROP_OFF if day else None,
        "ShipDate": day,
    }


def read_package(node: _Element, options: RequestOptions, day: date) -> list[Quote]:
    """The services of one parcel, each at what it costs with the extras that are asked for."""
    codes = set(list_priced_codes(options))
    return read_each(xml.every(node, "Postage"), read_postage, codes, day)


def read_postage(node: _Element, codes: set[str], day: date) -> Quote:
    """Errors: LookupError for a service without a price."""
    prices = [(tag, price, amount) for tag, price in PRICES if (amount := read_amount(node, tag))]
    if not prices:
        raise LookupError(f"no price in {node.get('CLASSID')}")
    _, price, amount = prices[0]
    extras = list(read_charges(node, "SpecialService", codes, price))
    service = CATALOGUE.services.find_slug(node.get("CLASSID") or "")
    return Quote(
        carrier_name="usps_wt",
        service=service,
        total_charge=amount + sum((extra.amount or Decimal(0) for extra in extras), Decimal(0)),
        currency=CURRENCY,
        transit_days=count_days(xml.find(node, "CommitmentDate"), day),
        extra_charges=extras,
        meta={"service_name": service},
    )


def read_charges(node: _Element, tag: str, codes: set[str], price: str) -> Iterator[Charge]:
    """The extras among those that are on offer that were asked for and cost something."""
    for extra in xml.every(node, tag):
        amount = read_amount(extra, price) or read_amount(extra, "Price")
        if amount and xml.find(extra, "ServiceID") in codes:
            yield Charge(name=xml.find(extra, "ServiceName"), amount=amount, currency=CURRENCY)


def read_amount(node: _Element, tag: str) -> Decimal | None:
    """An amount above zero; a price that does not exist is written as zero."""
    amount = Decimal(xml.find(node, tag, "0"))
    return amount or None


def count_days(arrives: str | None, leaves: date) -> int | None:
    try:
        return (date.fromisoformat(arrives or "") - leaves).days
    except ValueError:
        return None
