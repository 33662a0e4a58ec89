"""Prices with time in transit: what FedEx is asked, and what it answers. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal

from shipcli.carrier.json_paths import Json, as_list, drop_empty, get_path
from shipcli.carrier.office_hours import count_working_days
from shipcli.models import Charge, Parcel, Quote, RateRequest

from .customs import write_goods_to_price
from .parts import (
    CATALOGUE,
    DROP_OFF,
    Consignment,
    read_amount,
    write_address,
    write_package,
    write_smart_post,
)

KINDS = ("LIST", "ACCOUNT", "PREFERRED")
# The price in the currency asked for goes before the account's own, that before the published one.
QUOTED = ("PREFERRED_CURRENCY", "ACCOUNT")
TOTALS = ("totalNetChargeWithDutiesAndTaxes", "totalNetCharge")


def write_rate(consignment: Consignment, request: RateRequest) -> Json:
    """The body of a request for the prices of all services, or of the only one that is asked for."""
    options = consignment.options
    wanted, packages = (
        CATALOGUE.services.chosen(request.services),
        zip(request.parcels, consignment.share_cover(), strict=True),
    )
    services = options.codes_at("shipment")
    body = {
        "accountNumber": {"value": consignment.account},
        "rateRequestControlParameters": {
            "returnTransitTimes": True,
            "servicesNeededOnRateFailure": True,
            "variableOptions": ",".join(options.codes_at("rating")),
            "rateSortOrder": "COMMITASCENDING",
        },
        "requestedShipment": {
            "shipper": {"address": write_address(request.shipper)},
            "recipient": {"address": write_address(request.recipient)},
            "serviceType": wanted[0].code if len(wanted) == 1 else None,
            "preferredCurrency": consignment.currency,
            "rateRequestType": list(KINDS),
            "shipDateStamp": consignment.day.isoformat(),
            "pickupType": DROP_OFF,
            "requestedPackageLineItems": [_package(consignment, *one) for one in packages],
            "documentShipment": consignment.is_document,
            "packagingType": consignment.packaging,
            "totalWeight": consignment.total_weight(),
            "shipmentSpecialServices": {"specialServiceTypes": services},
            "customsClearanceDetail": write_goods_to_price(consignment) if consignment.is_abroad else None,
            "smartPostInfoDetail": write_smart_post(consignment),
        },
    }
    return dict(drop_empty(body))


def _package(consignment: Consignment, parcel: Parcel, cover: Decimal | None) -> Json:
    kinds = CATALOGUE.table("sub_packaging")
    return {
        **write_package(consignment, parcel),
        "subPackagingType": kinds.get(parcel.packaging_type or "", "OTHER"),
        "declaredValue": consignment.write_amount(cover) if cover else None,
    }


# -- the answer ------------------------------------------------------------------------------------


def read_rates(body: Json, day: date) -> list[Quote]:
    """The services that FedEx has a price for; it lists others too."""
    rows = as_list(get_path(body, "output/rateReplyDetails"))
    return [read_rate(row, day) for row in rows if row.get("ratedShipmentDetails")]


def read_rate(row: Json, day: date) -> Quote:
    service = CATALOGUE.services.slug(row["serviceType"])
    due = get_path(row, "operationalDetail/commitDate") or get_path(row, "commit/dateDetail/dayFormat")
    arrives = datetime.fromisoformat(due).date() if due else None
    takes, words = get_path(row, "operationalDetail/transitTime"), CATALOGUE.table("transit_times")
    return read_price(choose_price(row["ratedShipmentDetails"], QUOTED), service).changed(
        transit_days=count_working_days(day, arrives) if arrives else words.get(takes),
        estimated_delivery=arrives.isoformat() if arrives else None,
        meta={"service_name": service, **({"transit_time": takes} if takes else {})},
    )


def choose_price(prices: Sequence[Json], kinds: Iterable[str | None]) -> Json:
    """The price of the first kind that there is, else the first price."""
    found = {one.get("rateType"): one for one in reversed(prices)}
    return next((found[kind] for kind in kinds if kind in found), prices[0])


def read_price(price: Json, service: str) -> Quote:
    """A price, of a quote or of a label.

    Shapes: a quote has shipmentRateDetail/surCharges and totalDiscounts, a label surcharges and
            totalFreightDiscounts.
    """
    amounts = (read_amount(price[name]) for name in TOTALS if price.get(name) is not None)
    currency = price.get("currency") or get_path(price, "shipmentRateDetail/currency")
    return Quote(
        carrier_name="fedex",
        service=service,
        total_charge=next(amount for amount in amounts if amount is not None),
        currency=currency,
        extra_charges=[Charge(name=name, amount=amount, currency=currency) for name, amount in _lines(price)],
    )


def _lines(price: Json) -> Iterable[tuple[str, Decimal]]:
    detail = price.get("shipmentRateDetail") or {}
    extras = as_list(detail.get("surCharges") or price.get("surcharges"))
    lines = [
        ("Base Charge", price.get("totalBaseCharge")),
        ("Discounts", price.get("totalDiscounts", price.get("totalFreightDiscounts"))),
        *((one.get("description") or one.get("type"), one.get("amount")) for one in extras),
    ]
    amounts = ((name, read_amount(value)) for name, value in lines if name and value is not None)
    return [(name, amount) for name, amount in amounts if amount is not None]
