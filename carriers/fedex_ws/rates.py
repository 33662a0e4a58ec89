"""Prices: what FedEx's web services are asked, and what they answer. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal

from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import read_amount
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import count_working_days
from shipcli.carrier.wire.xml import Element, find
from shipcli.models import Charge, Quote, RateRequest

from .parts import CATALOGUE, WebOrder

# Prices in the currency asked for go before those of the account.
PREFERRED = ("PREFERRED_ACCOUNT_SHIPMENT", "PREFERRED_ACCOUNT_PACKAGE")
TOTALS = ("TotalNetChargeWithDutiesAndTaxes", "TotalNetCharge")


def write_rate(order: WebOrder, request: RateRequest, kinds: Sequence[str] | None) -> Json:
    """The body of a request for the prices of all services, or of the only one that is asked for."""
    chosen, options = CATALOGUE.services.list_chosen(request.services), order.options
    preferred = ["PREFERRED"] if options.text("currency") else []
    packages = enumerate(request.parcels, 1)
    return {
        "ReturnTransitAndCommit": True,
        "VariableOptions": options.codes_at("rating"),
        "RequestedShipment": {
            **order.write_start(chosen[0].code if len(chosen) == 1 else None),
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
    """The services that FedEx has a price for."""
    return [quote for quote in read_each(reply.iterfind("RateReplyDetails"), read_row, day) if quote]


def read_row(row: Element, day: date) -> Quote | None:
    """The price of a service; None when FedEx has none."""
    price = read_row_price(row)
    return read_rate(row, price, day) if price else None


def read_rate(row: Element, price: Quote, day: date) -> Quote:
    """A price, and when it arrives."""
    due = find(row, "CommitDetails/CommitTimestamp") or find(row, "DeliveryTimestamp")
    arrives = datetime.fromisoformat(due).date() if due else None
    days = CATALOGUE.table("transit_times").get(find(row, "TransitTime", ""))
    return price.model_copy(
        update={
            "transit_days": (count_working_days(day, arrives) or None) if arrives else days,
            "estimated_delivery": arrives.isoformat() if arrives else None,
            "meta": {"service_name": price.service},
        }
    )


def read_row_price(row: Element) -> Quote | None:
    prices, actual = row.findall("RatedShipmentDetails"), find(row, "ActualRateType")
    rated = choose_price(prices, "ShipmentRateDetail/RateType", actual)
    if rated is None or (detail := rated.find("ShipmentRateDetail")) is None:
        return None
    service = CATALOGUE.services.slug(find(row, "ServiceType", ""))
    return read_price(detail, service, find(rated, "EffectiveNetDiscount/Amount"))


def choose_price(prices: Sequence[Element], path: str, actual: str | None) -> Element | None:
    """The price that is billed, else the first; `path` leads to its kind."""
    prices_by_kind = {find(price, path): price for price in reversed(prices)}
    return next(
        (prices_by_kind[kind] for kind in (*PREFERRED, actual) if kind in prices_by_kind),
        next(iter(prices), None),
    )


def read_price(detail: Element, service: str, discount: str | None = None) -> Quote | None:
    """A price, of a quote or of a label; None without a total that can be read."""
    totals = [node for name in TOTALS if (node := detail.find(name)) is not None]
    amount = read_amount(find(totals[0], "Amount")) if totals else None
    if amount is None:
        return None
    currency = find(totals[0], "Currency")
    return Quote(
        carrier_name="fedex_ws",
        service=service,
        total_charge=amount,
        currency=currency,
        extra_charges=[
            Charge(name=name, amount=amount, currency=currency) for name, amount in _lines(detail, discount)
        ],
    )


def _lines(detail: Element, discount: str | None) -> Iterable[tuple[str, Decimal]]:
    extras = [*detail.iterfind("Surcharges"), *detail.iterfind("Taxes")]
    lines = [
        ("Base charge", find(detail, "TotalBaseCharge/Amount")),
        ("Discount", discount),
        *((find(extra, "Description", ""), find(extra, "Amount/Amount")) for extra in extras),
    ]
    amounts = ((name, read_amount(text)) for name, text in lines)
    return [(name, amount) for name, amount in amounts if amount is not None]
