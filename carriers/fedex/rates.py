"""Prices with time in transit: what FedEx is asked, and what it answers. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from itertools import chain

from shipcli.carrier import RequestOptions
from shipcli.carrier.flow_steps import list_first
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, get_path
from shipcli.carrier.wire.rounding import read_amount
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import count_working_days
from shipcli.models import Charge, Parcel, Quote, RateRequest

from .customs import write_goods_to_price
from .parts import (
    CATALOGUE,
    Consignment,
    write_package,
    write_priced_address,
    write_priced_services,
    write_shipment_services,
    write_smart_post,
)

KINDS = ("LIST", "ACCOUNT", "PREFERRED")
# The price in the currency asked for goes before the account's own, that before the published one.
QUOTED = ("PREFERRED_CURRENCY", "ACCOUNT")
TOTALS = ("totalNetChargeWithDutiesAndTaxes", "totalNetCharge")


def write_rate(consignment: Consignment, request: RateRequest) -> Json:
    """The body of a request for the prices of all services, or of the only one that is asked for."""
    options = consignment.options
    chosen = CATALOGUE.services.list_chosen(request.services)
    packages = zip(request.parcels, consignment.parcel_options, consignment.covers(), strict=True)
    body = {
        "accountNumber": {"value": consignment.account},
        "rateRequestControlParameters": {
            "returnTransitTimes": True,
            "servicesNeededOnRateFailure": True,
            "variableOptions": ",".join(options.codes_at("rating")),
            "rateSortOrder": "COMMITASCENDING",
        },
        "requestedShipment": {
            "shipper": {"address": write_priced_address(request.shipper)},
            "recipient": {"address": write_priced_address(request.recipient)},
            "serviceType": chosen[0].code if len(chosen) == 1 else None,
            "preferredCurrency": consignment.currency,
            "rateRequestType": list(KINDS),
            "shipDateStamp": consignment.day.isoformat(),
            "pickupType": consignment.pickup_type,
            "requestedPackageLineItems": [_package(consignment, *package) for package in packages],
            "documentShipment": consignment.is_document,
            "packagingType": consignment.packaging,
            "totalWeight": consignment.total_weight(),
            "shipmentSpecialServices": write_shipment_services(options),
            "customsClearanceDetail": write_goods_to_price(consignment) if consignment.is_abroad else None,
            "smartPostInfoDetail": write_smart_post(consignment),
        },
    }
    return dict(drop_empty(body))


def _package(
    consignment: Consignment, parcel: Parcel, options: RequestOptions, cover: Decimal | None
) -> Json:
    kinds = CATALOGUE.table("sub_packaging")
    return {
        **write_package(consignment, parcel),
        "subPackagingType": kinds.get(parcel.packaging_type or "", "OTHER"),
        "declaredValue": consignment.write_amount(cover) if cover else None,
        "packageSpecialServices": write_priced_services(options),
    }


# -- the answer ------------------------------------------------------------------------------------


def read_rates(body: Json, consignment: Consignment) -> list[Quote]:
    """One quote of each service that FedEx has a price for; it lists others too.

    Shapes: asked for Saturdays, FedEx prices a service with and without them: what is ordered counts.
    """
    saturday = consignment.options.flag("fedex_saturday_delivery")
    rows = as_list(get_path(body, "output/rateReplyDetails"))
    rows.sort(key=lambda row: bool(get_path(row, "commit/saturdayDelivery")) != saturday)
    return list_first(filter(None, read_each(rows, read_row, consignment.day)))


def read_row(row: Json, day: date) -> Quote | None:
    """The price of a service; None when FedEx has none."""
    price = choose_price(row.get("ratedShipmentDetails"), QUOTED, read_service(row))
    return read_rate(row, price, day) if price else None


def read_service(row: Json) -> str:
    return CATALOGUE.services.slug(str(row.get("serviceType")))


def read_rate(row: Json, price: Quote, day: date) -> Quote:
    """A price, and when it arrives."""
    due = get_path(row, "operationalDetail/commitDate") or get_path(row, "commit/dateDetail/dayFormat")
    arrives = datetime.fromisoformat(due).date() if due else None
    takes, words = get_path(row, "operationalDetail/transitTime"), CATALOGUE.table("transit_times")
    return price.model_copy(
        update={
            "transit_days": count_working_days(day, arrives) if arrives else words.get(takes),
            "estimated_delivery": arrives.isoformat() if arrives else None,
            "meta": {"service_name": price.service, **({"transit_time": takes} if takes else {})},
        }
    )


def choose_price(details: object, kinds: Iterable[str | None], service: str) -> Quote | None:
    """The price of the first kind that there is, else the first price; None when none can be read."""
    read = [(detail.get("rateType"), read_price(detail, service)) for detail in as_list(details)]
    preferred = (price for name in kinds for kind, price in read if kind == name and price)
    return next(chain(preferred, (price for _, price in read if price)), None)


def read_price(price: Json, service: str) -> Quote | None:
    """A price, of a quote or of a label; None without a total.

    Shapes: a quote has shipmentRateDetail/surCharges and totalDiscounts, a label surcharges and
            totalFreightDiscounts; both have taxes.
    """
    amounts = (read_amount(price.get(name)) for name in TOTALS)
    total = next((amount for amount in amounts if amount is not None), None)
    if total is None:
        return None
    currency = price.get("currency") or get_path(price, "shipmentRateDetail/currency")
    return Quote(
        carrier_name="fedex",
        service=service,
        total_charge=total,
        currency=currency,
        extra_charges=[Charge(name=name, amount=amount, currency=currency) for name, amount in _lines(price)],
    )


def _lines(price: Json) -> Iterable[tuple[str, Decimal]]:
    detail = price.get("shipmentRateDetail") or {}
    extras = as_list(detail.get("surCharges") or price.get("surcharges"))
    taxes = as_list(detail.get("taxes") or price.get("taxes"))
    lines = [
        ("Base Charge", price.get("totalBaseCharge")),
        ("Discounts", price.get("totalDiscounts", price.get("totalFreightDiscounts"))),
        *((row.get("description") or row.get("type"), row.get("amount")) for row in (*extras, *taxes)),
    ]
    amounts = ((name, read_amount(value)) for name, value in lines if name and value is not None)
    return [(name, amount) for name, amount in amounts if amount is not None]
