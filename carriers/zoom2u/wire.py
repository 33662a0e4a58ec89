"""Between our models and Zoom2u's JSON. Pure.

Nothing is said of weight and size: the type of the package and the vehicle tell them.
Source: Zoom2u API, Get Quote and Create Delivery.
"""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from shipcli.carrier import RequestOptions, load_catalogue, read_cost
from shipcli.carrier.flow_steps import list_cheapest
from shipcli.carrier.wire.address_parts import split_street
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import read_clock, read_day
from shipcli.models import (
    Address,
    Invalid,
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

CATALOGUE = load_catalogue(__file__)
CURRENCY, CAR, BOX = "AUD", "Car", "Box"
A_DAY = 1  # what every speed takes at most


# -- deliveries ------------------------------------------------------------------------------------


def write_delivery(
    request: RateRequest | ShipmentRequest,
    options: RequestOptions,
    speed: str | None,
    reference: str | None,
) -> Json:
    """A delivery as it is priced and booked.

    Errors: Invalid for a time that is none.
    """
    [parcel] = request.parcels
    delivery = {
        "PurchaseOrderNumber": options.text("purchase_order_number") or reference,
        "PackageDescription": parcel.description or parcel.content,
        "DeliverySpeed": speed,
        "ReadyDateTime": _ready(options),
        "VehicleType": _vehicle(options),
        "PackageType": _package_type(parcel),
        "Pickup": {**write_place(request.shipper), "Notes": options.text("pickup_notes")},
        "Dropoff": {**write_place(request.recipient), "Notes": options.text("dropoff_notes")},
    }
    return dict(drop_empty(delivery))


def write_place(address: Address) -> Json:
    """An address; what has no field of its own (a unit, a company beside a person) goes to the unit."""
    street = split_street(address)
    company = address.company_name if address.person_name else None
    return {
        "ContactName": address.name,
        "Email": address.email,
        "Phone": address.phone_number,
        "UnitNumber": ", ".join(part for part in (company, address.address_line2) if part),
        "StreetNumber": street.number,
        "Street": street.name,
        "Suburb": address.city,
        "State": address.state_code,
        "Postcode": address.postal_code,
        "Country": address.country_name,
    }


def _ready(options: RequestOptions) -> str | None:
    """When the courier may come, in UTC; a time without a zone is taken for that."""
    text = options.text("ready_datetime") or options.text("shipping_date")
    if not text:
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise Invalid("options.ready_datetime", f"{text!r} is not a date and time") from None
    utc = at.astimezone(UTC) if at.tzinfo else at
    return f"{utc:%Y-%m-%dT%H:%M:%S.%f}Z"


def _vehicle(options: RequestOptions) -> str:
    """Ours or the carrier's word for a vehicle; a car unless one is named."""
    vehicles = CATALOGUE.table("vehicles")
    names = {**vehicles, **{word: word for word in vehicles.values()}}
    word = options.text("vehicle_type") or CAR
    if word not in names:
        raise Invalid("options.vehicle_type", f"is one of {', '.join(names)}")
    return str(names[word])


def _package_type(parcel: Parcel) -> str:
    name = parcel.packaging_type
    row = CATALOGUE.packaging.get(name) or CATALOGUE.packaging.of_code(name)
    return row.code if row else BOX


# -- answers ---------------------------------------------------------------------------------------


def read_problems(body: Any) -> list[Message]:
    """The refusal; prices come as a list, which holds none."""
    if not isinstance(body, dict) or not body.get("message"):
        return []
    fields = body.get("modelState")
    details = {"modelState": fields} if fields else None
    return [Message(code=body.get("error-code"), message=body["message"], details=details)]


def read_prices(prices: Any) -> list[Quote]:
    """One quote of each speed, the cheapest of those that come at several hours, then the earliest."""
    ranked = sorted(as_list(prices), key=lambda price: str(price.get("deliveredBy")))
    return list_cheapest(read_each(ranked, lambda price: read_price(price, price["deliverySpeed"])))


def read_price(price: Json, speed: str) -> Quote:
    due = price.get("deliveredBy")
    hours = {name: price[name] for name in ("earliestPickupEta", "earliestDropEta") if price.get(name)}
    return Quote(
        carrier_name="zoom2u",
        service=CATALOGUE.services.slug(speed),
        total_charge=Decimal(str(price["price"])),
        currency=CURRENCY,
        transit_days=A_DAY,
        estimated_delivery=due[:10] if due else None,
        meta={"service_name": speed, **hours},
    )


def read_delivery(body: Json, speed: str) -> Label:
    """What was booked; its label is drawn by us."""
    return Label(
        tracking_number=body["reference"],
        shipment_identifier=body["reference"],
        selected_rate=read_cost(read_price, body, speed) if body.get("price") else None,
        meta={
            "trackingCode": body.get("trackingCode"),
            "carrier_tracking_link": body.get("tracking-link"),
        },
    )


def read_status(number: str, body: Json) -> Tracking:
    """Where a delivery stands: no more than its latest change is told."""
    at = body.get("statusChangeDateTime")
    event = TrackingEvent(
        date=read_day(at),
        time=read_clock(at),
        code=body.get("status"),
        description=body.get("status"),
    )
    status = CATALOGUE.statuses.read(body.get("status"))
    proofs = ("proofOfDeliveryPhotoUrl", "signatureUrl")
    return Tracking(
        tracking_number=body.get("reference") or number,
        events=[event],
        delivered=status == "delivered",
        status=status,
        info=TrackingInfo(carrier_tracking_link=body.get("tracking-link")),
        meta={name: body[name] for name in proofs if body.get(name)},
    )
