"""Between our models and the orders of HayPost.

Units: kilograms, as recorded; the bodies name no unit.
Source: HayPost order API; its sample of a tariff, of an order and of its tracking.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from shipcli.carrier import RequestOptions, Service, load_catalogue, sum_goods
from shipcli.carrier.currencies import name_declared_currency
from shipcli.carrier.wire.address_parts import split_street
from shipcli.carrier.wire.json_paths import Json, drop_empty, get_path
from shipcli.carrier.wire.rounding import round_measure
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import CLOCK, read_moment
from shipcli.models import (
    Address,
    Commodity,
    Label,
    Message,
    Quote,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingEvent,
    TrackingInfo,
)

CATALOGUE = load_catalogue(__file__)
COUNTRIES, CURRENCIES = CATALOGUE.table("countries"), CATALOGUE.table("currencies")
HOME, DRAM = "AM", "AMD"
USUAL = "yes_ordered_value"  # priced where no service is asked for


# -- what is sent ----------------------------------------------------------------------------------


def write_price(customer: str, request: RateRequest, service: Service, options: RequestOptions) -> Json:
    """The order whose price is asked for: in drams, in which it is billed, unless another currency is wanted.

    What goods are worth in a third currency is not told: a number would go out under another than its own,
    and the order that is bought tells no value either.
    """
    parcel, country = request.parcels[0], request.recipient.country_code
    there = {"countryId": COUNTRIES[country]} if country and country != HOME else {}
    requested = options.currency(DRAM) or DRAM
    currency = requested if requested in CURRENCIES else DRAM
    is_same = name_declared_currency(request, options, DRAM) == currency
    order = {
        "customerId": int(customer),
        "serviceCategoryDirectionId": int(service.code),
        "weight": round_measure(parcel.weight_in("KG")),
        "totalPrice": sum_goods(parcel.items) if is_same else 0,
        "currencyId": CURRENCIES[currency],
        "destinationAddress": drop_empty({**there, **write_place(request.recipient)}),
        "returnAddress": drop_empty(write_place(request.shipper)),
    }
    extras = write_extras(options)
    return {**order, "additionalServices": extras} if extras else order


def write_place(address: Address) -> Json:
    return {"address": address.address_line1, **write_town(address)}


def write_town(address: Address) -> Json:
    return {
        "cityVillage": address.city,
        "postalCode": address.postal_code,
        "receiverInfo": {
            "companyName": address.company_name,
            "firstName": address.person_name,
            "phoneNumber": address.phone_number,
            "email": address.email,
        },
    }


def write_extras(options: RequestOptions) -> list[int]:
    """The numbers of the extras that are wanted, in the order of the table."""
    return [int(row.code) for row in CATALOGUE.options if options.flag(row.slug)]


def write_order(customer: str, request: ShipmentRequest, options: RequestOptions) -> Json:
    service, abroad = CATALOGUE.services.get(request.service), request.recipient.country_code != HOME
    goods = request.customs.commodities if request.customs and abroad else ()
    body = {
        "customerId": int(customer),
        "serviceCategoryDirectionId": int(service.code) if service else None,
        "weight": round_measure(request.parcels[0].weight_in("KG")),
        "destinationAddress": write_home(request.recipient),
        "returnAddress": write_home(request.shipper),
        "additionalServices": write_extras(options),
        "orderInfo": write_goods(goods) if goods else None,
    }
    return dict(drop_empty(body))


def write_home(address: Address) -> Json:
    """An address with its country and its street, the number of the house first, a flat last."""
    street = " ".join(part for part in split_street(address) if part)
    whole = ", ".join(part for part in (street, address.address_line2) if part)
    return {"countryId": COUNTRIES.get(address.country_code or ""), "street": whole, **write_town(address)}


def write_goods(goods: Sequence[Commodity]) -> Json:
    """What is declared of a shipment abroad, by line: weight and value of all its pieces.

    Source: the order of the sample tariff, `orderInfo`; UPU form CN 23.
    """
    lines = [
        {
            "description": item.title or item.description,
            "hsCode": item.hs_code,
            "quantity": item.quantity,
            "weight": round_measure((item.weight_in("KG") or Decimal(0)) * item.quantity),
            "amount": sum_goods([item]),
            "countryOfOrigin": item.origin_country,
        }
        for item in goods
    ]
    return {"enclosure": [{"enclosures": lines}]}


# -- what is read ----------------------------------------------------------------------------------


def read_token(answer: Any) -> str:
    return str(answer.get("accessToken") or "") if isinstance(answer, dict) else ""


def read_price(service: Service, order: Json, price: Any) -> Quote:
    """A price is a bare number, in the currency that was asked for."""
    currency = next(code for code, number in CURRENCIES.items() if number == order["currencyId"])
    return Quote(carrier_name="hay_post", service=service.slug, total_charge=price, currency=currency)


def read_order(order: Json) -> Label:
    """The label of an order; HayPost gives none, so the kit draws it. Simple letters have no barcode."""
    names = ("revertOrderId", "revertBarcode", "postalcode")
    return Label(
        tracking_number=order.get("barcode") or str(order["id"]),
        shipment_identifier=str(order["id"]),
        meta={name: order[name] for name in names if order.get(name) is not None},
    )


def read_tracking(detail: Json) -> Tracking:
    order = detail["order"]
    status, created = CATALOGUE.statuses.read(str(order.get("stateId"))), read_moment(order.get("createDate"))
    day = f"{created:%Y-%m-%d}" if created else None
    customer = detail.get("customer") or {}
    names = (customer.get("firstName"), customer.get("lastName"))
    return Tracking(
        tracking_number=order["trackingId"],
        status=status,
        delivered=status == "delivered",
        events=read_events(detail, created),
        info=TrackingInfo(
            customer_name=" ".join(str(name) for name in names if name) or None,
            note=order.get("comment"),
            order_date=day,
            order_id=str(order["id"]) if order.get("id") else None,
            package_weight=str(order["weight"]) if order.get("weight") is not None else None,
            shipment_pickup_date=day,
            shipment_service=get_path(order, "service/name"),
            shipment_origin_country=get_path(detail, "returnAddress/country/name"),
            shipment_origin_postal_code=get_path(detail, "returnAddress/postalCode"),
            shipment_destination_country=get_path(detail, "orderDestinationAddress/country/name"),
            shipment_destination_postal_code=get_path(detail, "orderDestinationAddress/postalCode"),
        ),
    )


def read_events(detail: Json, created: datetime | None) -> list[TrackingEvent]:
    """The states of an order, newest first; the first of them is its creation. Times are local."""
    order = detail["order"]
    states = read_each((detail.get("orderStateHistories") or ())[1:], read_state)
    first = TrackingEvent(
        date=f"{created:%Y-%m-%d}" if created else None,
        time=created.strftime(CLOCK) if created else None,
        code=order.get("transactionId"),
        description=order.get("comment") or "No description",
        location=get_path(detail, "orderDestinationAddress/address"),
    )
    return [*reversed(states), first]


def read_state(state: Json) -> TrackingEvent:
    at, number = datetime.fromisoformat(state["createDate"]), str(state["stateId"])
    phrase = CATALOGUE.statuses.read(number).replace("_", " ").capitalize()
    return TrackingEvent(date=f"{at:%Y-%m-%d}", time=at.strftime(CLOCK), code=number, description=phrase)


def read_errors(body: Any) -> list[Message]:
    """A refusal is a key in words: `order_not_found`."""
    if not isinstance(body, dict) or "key" not in body:
        return []
    return [Message(code="error", message=str(body["key"]).replace("_", " "))]
