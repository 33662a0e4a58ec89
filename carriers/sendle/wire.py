"""Between our models and Sendle's JSON.

Units: kilograms to the hundredth, centimetres, cubic metres to the hundredth of a litre.
Source: Sendle API reference: products, orders, tracking.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from shipcli.carrier import RequestOptions, list_parcel_goods, load_catalogue, read_cost
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, get_path
from shipcli.carrier.wire.rounding import round_measure
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import CLOCK
from shipcli.models import (
    Address,
    Charge,
    Commodity,
    Label,
    Message,
    Parcel,
    Quote,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingEvent,
    TrackingInfo,
)
from shipcli.models.basics.reference import find_currency

CATALOGUE = load_catalogue(__file__)
VOLUME_STEP = Decimal("0.00001")


def read_messages(body: Any) -> list[Message]:
    """Shapes: prices are a list, everything else an object; `messages` are a text or lists by field."""
    if not isinstance(body, dict) or not body.get("error"):
        return []
    messages, text = body.get("messages"), body.get("error_description")
    details = {"messages": messages, "error_description": text}
    return [
        Message(
            code=str(body["error"]),
            message=messages if isinstance(messages, str) else text,
            details={name: value for name, value in details.items() if value},
        )
    ]


# -- prices ----------------------------------------------------------------------------------------


def write_rate(request: RateRequest, parcel: Parcel) -> Json:
    """The query for the prices of one parcel."""
    weight, volume, sizes = _weight(parcel), _volume(parcel), _sizes(parcel)
    return {
        **_place("sender", request.shipper),
        **_place("receiver", request.recipient),
        "weight_value": weight,
        "weight_units": "kg",
        "volume_value": volume,
        "volume_units": "m3" if volume else None,
        **{f"{name}_value": value for name, value in sizes.items()},
        "dimension_units": "cm" if sizes else None,
    }


def _place(side: str, address: Address) -> Json:
    return {
        f"{side}_address_line1": " ".join(address.lines[:1]) or None,
        f"{side}_address_line2": " ".join(address.lines[1:]) or None,
        f"{side}_suburb": address.city,
        f"{side}_postcode": address.postal_code,
        f"{side}_country": address.country_code,
    }


def _weight(parcel: Parcel) -> Decimal:
    return round_measure(parcel.weight_in("KG"))


def _volume(parcel: Parcel) -> Decimal | None:
    volume = parcel.volume_in("M")
    return round_measure(volume, VOLUME_STEP) if volume else None


def _sizes(parcel: Parcel) -> dict[str, Decimal]:
    return {name: round_measure(side) for name, side in parcel.known_sides_in("CM").items()}


def read_rates(body: Sequence[Json]) -> list[Quote]:
    return read_each(body, read_rate)


def read_rate(row: Json) -> Quote:
    service, eta = CATALOGUE.services.slug(row["product"]["code"]), row.get("eta") or {}
    days = as_list(eta.get("days_range"))
    meta = {
        "service_name": service,
        "days_range": days,
        "date_range": eta.get("date_range"),
        "plan": row.get("plan"),
    }
    return read_price(row["quote"], row, service).model_copy(
        update={
            "transit_days": int(days[-1]) if days else None,
            "meta": {name: value for name, value in meta.items() if value},
        }
    )


def read_price(price: Json, row: Json, service: str) -> Quote:
    """The gross price with the lines that cost something; discounts are in it already."""
    total = price["gross"]
    lines = {**(row.get("price_breakdown") or {}), **(row.get("tax_breakdown") or {})}
    return Quote(
        carrier_name="sendle",
        service=service,
        total_charge=total["amount"],
        currency=total["currency"],
        extra_charges=[
            Charge(name=name, amount=line["amount"], currency=total["currency"])
            for name, line in lines.items()
            if line and line["amount"] > 0
        ],
    )


# -- orders ----------------------------------------------------------------------------------------


def write_order(request: ShipmentRequest, parcel: Parcel, options: RequestOptions) -> Json:
    """The order of one parcel."""
    code, day, volume = CATALOGUE.services.code(request.service), options.ship_date(), _volume(parcel)
    abroad, sizes = request.shipper.country_code != request.recipient.country_code, _sizes(parcel)
    first_mile = "drop off" if code.endswith("DROPOFF") else "pickup"
    body = {
        "sender": write_party(request.shipper),
        "receiver": write_party(request.recipient),
        "description": parcel.description,
        "customer_reference": request.reference or parcel.reference_number,
        "product_code": code,
        "first_mile_option": first_mile if options.flag("sendle_first_mile_option") else None,
        "pickup_date": day.isoformat() if day else None,
        "weight": {"units": "KG", "value": _weight(parcel)},
        "volume": {"units": "m3", "value": volume} if volume else None,
        "dimensions": {"units": "CM", **sizes} if sizes else None,
        "metadata": request.metadata,
        "hide_pickup_address": options.flag("sendle_hide_pickup_address") or None,
        "parcel_contents": write_contents(request, parcel, options) if abroad else None,
    }
    return dict(drop_empty(body))


def write_party(address: Address) -> Json:
    tax = address.federal_tax_id or address.state_tax_id
    return {
        "address": {
            "country": address.country_code,
            "address_line1": " ".join(address.lines[:1]),
            "address_line2": " ".join(address.lines[1:]),
            "suburb": address.city,
            "postcode": address.postal_code,
            "state_name": address.state_code,
        },
        "contact": {
            "name": address.name,
            "email": address.email,
            "phone": address.phone_number,
            "company": address.company_name,
        },
        "tax_ids": {"ioss": tax} if tax else None,
    }


def write_contents(request: ShipmentRequest, parcel: Parcel, options: RequestOptions) -> list[Json]:
    """The goods of a parcel that leaves the country."""
    home = request.shipper.country_code
    currency = options.currency(find_currency(home or ""))
    return [_item(item, currency, home) for item in list_parcel_goods(request, parcel)]


def _item(item: Commodity, currency: str | None, home: str | None) -> Json:
    value = item.value_amount
    return {
        "description": item.title or item.description,
        "value": None if value is None else str(value),
        "currency": None if value is None else item.value_currency or currency,
        "quantity": item.quantity,
        "country_of_origin": item.origin_country or home,
        "hs_code": item.hs_code or item.sku,
    }


def read_order(body: Json, service: str) -> Label:
    """The label of one parcel, its file still to be fetched."""
    facts = {
        "carrier_tracking_link": body.get("tracking_url"),
        "customer_reference": body.get("customer_reference"),
        "order_url": body.get("order_url"),
        "order_id": body["order_id"],
        "service_name": service,
    }
    price = body.get("price")
    return Label(
        tracking_number=str(body["sendle_reference"]),
        shipment_identifier=str(body["order_id"]),
        label_type="PDF",
        selected_rate=read_cost(read_price, price, body, service) if price else None,
        meta={name: value for name, value in facts.items() if value},
    )


# -- tracking --------------------------------------------------------------------------------------


def read_tracking(body: Json, number: str, link: str | None) -> Tracking:
    """Shapes: events are oldest first; ours are newest first."""
    status = CATALOGUE.statuses.read(body.get("state"))
    times = body.get("scheduling") or {}
    return Tracking(
        tracking_number=number,
        events=read_each(reversed(as_list(body.get("tracking_events"))), read_event),
        delivered=status == "delivered",
        status=status,
        estimated_delivery=times.get("estimated_delivery_date_minimum") or times.get("delivered_on") or None,
        info=TrackingInfo(
            carrier_tracking_link=link,
            shipment_origin_country=get_path(body, "origin/country"),
            shipment_destination_country=get_path(body, "destination/country"),
        ),
    )


def read_event(event: Json) -> TrackingEvent:
    """Shapes: local_scan_time is the clock of the place; scan_time is there when that is not."""
    at = datetime.fromisoformat(event.get("local_scan_time") or event["scan_time"])
    names = ("origin_location", "destination_location", "location")
    return TrackingEvent(
        date=at.date().isoformat(),
        time=at.strftime(CLOCK),
        code=event.get("event_type"),
        description=event.get("description"),
        location=", ".join(event[name] for name in names if event.get(name)) or None,
    )
