"""Prices: what FedEx's web services are asked, and what they answer. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal

from shipcli.carrier.json_paths import Json
from shipcli.carrier.office_hours import count_working_days
from shipcli.carrier.xml import Element, find
from shipcli.models import Charge, Quote, RateRequest

from .parts import CATALOGUE, WebOrder

# Prices in the currency asked for go before those of the account.
PREFERRED = ("PREFERRED_ACCOUNT_SHIPMENT", "PREFERRED_ACCOUNT_PACKAGE")
TOTALS = ("TotalNetChargeWithDutiesAndTaxes", "TotalNetCharge")


def write_rate(order: WebOrder, request: RateRequest, kinds: Sequence[str] | None) -> Json:
    """The body of a request for the prices of all services, or of the only one that is asked for."""
    wanted, options = CATALOGUE.services.chosen(request.services), order.options
    preferred = ["PREFERRED"] if options.text("currency") else []
    packages = enumerate(request.parcels, 1)
    return {
        "ReturnTransitAndCommit": True,
        "VariableOptions": options.codes_at("rating"),
        "RequestedShipment": {
            **order.write_start(wanted[0].code if len(wanted) == 1 else None),
            "SpecialServicesRequested": {"SpecialServiceTypes": options.codes_at("shipment")},
            "SmartPostDetail": order.write_smart_post(),
            "RateRequestTypes": kinds or ["LIST", *preferred],
            "PackageCount": len(request.parcels),
            "RequestedPackageLineItems": [
                order.write_package(at, parcel, group=1) for at, parcel in packages
            ],
        },
    }


def read_rates(reply: Element, day: date) -> list[Quote]:
    rows = reply.iterfind("RateReplyDetails")
    return [read_rate(row, day) for row in rows if row.find("RatedShipmentDetails") is not None]


def read_rate(row: Element, day: date) -> Quote:
    service = CATALOGUE.services.slug(find(row, "ServiceType", ""))
    prices = row.findall("RatedShipmentDetails")
    rated = choose_price(prices, "ShipmentRateDetail/RateType", find(row, "ActualRateType"))
    due = find(row, "CommitDetails/CommitTimestamp") or find(row, "DeliveryTimestamp")
    arrives = datetime.fromisoformat(due).date() if due else None
    days = CATALOGUE.table("transit_times").get(find(row, "TransitTime", ""))
    detail = rated.find("ShipmentRateDetail")
    if detail is None:
        raise ValueError("a price without its detail")
    return read_price(detail, service, find(rated, "EffectiveNetDiscount/Amount")).changed(
        transit_days=(count_working_days(day, arrives) or None) if arrives else days,
        estimated_delivery=arrives.isoformat() if arrives else None,
        meta={"service_name": service},
    )


def choose_price(prices: Sequence[Element], path: str, actual: str | None) -> Element:
    """The price that is billed, else the first; `path` leads to its kind."""
    found = {find(one, path): one for one in reversed(prices)}
    return next((found[kind] for kind in (*PREFERRED, actual) if kind in found), prices[0])


def read_price(detail: Element, service: str, discount: str | None = None) -> Quote:
    """A price, of a quote or of a label."""
    total = next(one for name in TOTALS if (one := detail.find(name)) is not None)
    currency = find(total, "Currency")
    return Quote(
        carrier_name="fedex_ws",
        service=service,
        total_charge=Decimal(find(total, "Amount", "")),
        currency=currency,
        extra_charges=[
            Charge(name=name, amount=Decimal(amount), currency=currency)
            for name, amount in _lines(detail, discount)
        ],
    )


def _lines(detail: Element, discount: str | None) -> Iterable[tuple[str, str]]:
    extras = [*detail.iterfind("Surcharges"), *detail.iterfind("Taxes")]
    lines = [
        ("Base charge", find(detail, "TotalBaseCharge/Amount")),
        ("Discount", discount),
        *((find(one, "Description", ""), find(one, "Amount/Amount")) for one in extras),
    ]
    return [(name, amount) for name, amount in lines if amount is not None]
