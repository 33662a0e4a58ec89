"""Between our models and BoxKnight's JSON. Pure.

Units: weights and sides as they are given, to the hundredth; prices in CAD.
Source: recorded requests and answers of API version 1.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from shipcli.carrier import RequestOptions, load_catalogue
from shipcli.carrier.wire.json_paths import Json, drop_empty, get_path
from shipcli.carrier.wire.rounding import round_measure
from shipcli.carrier.wire.rows import read_each, read_or_skip
from shipcli.carrier.wire.times import read_day
from shipcli.models import (
    Address,
    Message,
    Parcel,
    Quote,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingEvent,
    TrackingInfo,
)
from shipcli.models.basics.places import find_country_code
from shipcli.models.basics.reference import list_countries, list_states

CATALOGUE = load_catalogue(__file__)
HOME, CURRENCY, LEAST_DAYS = "CA", "CAD", 1
NEW = ("CREATED", "GEOCODED")  # the statuses of an order that nothing happened to


# -- what goes out ---------------------------------------------------------------------------------


def write_rate(request: RateRequest) -> Json:
    body = {
        "postalCode": request.recipient.postal_code,
        "originPostalCode": request.shipper.postal_code,
        "packages": write_packages(request),
    }
    return dict(drop_empty(body))


def write_order(request: ShipmentRequest, options: RequestOptions) -> Json:
    recipient, shipper = request.recipient, request.shipper
    contact = {"name": recipient.name, "phone": recipient.phone_number, "email": recipient.email}
    merchant = options.text("boxknight_merchant_display_name") or shipper.company_name
    body = {
        "recipient": contact,
        "recipientAddress": write_address(recipient),
        "originAddress": write_address(shipper),
        "packageCount": len(request.parcels),
        "service": CATALOGUE.services.code(request.service),
        "notes": options.text("boxknight_notes"),
        "refNumber": request.reference,
        "merchantDisplayName": merchant,
        "signatureRequired": options.value("boxknight_signature_required"),
        "packages": write_packages(request),
    }
    return dict(drop_empty(body))


def write_address(address: Address) -> Json:
    """Shapes: province and country in full."""
    return {
        "street": address.street,
        "unit": address.address_line2,
        "city": address.city,
        "province": list_states()[HOME].get(address.state_code or "", address.state_code),
        "country": list_countries()[HOME],
        "postalCode": address.postal_code,
        "isBusinessAddress": not address.residential,
    }


def write_packages(request: RateRequest | ShipmentRequest) -> list[Json]:
    return [write_package(parcel, at) for at, parcel in enumerate(request.parcels, 1)]


def write_package(parcel: Parcel, at: int) -> Json:
    """One parcel; its number in the shipment stands for a reference that nobody gave."""
    sides = {"length": parcel.length, "width": parcel.width, "height": parcel.height}
    weight = parcel.weight_in(parcel.weight_unit or "")
    return {
        "refNumber": parcel.reference_number or str(at),
        "weightOptions": {"weight": round_measure(weight), "unit": (parcel.weight_unit or "").lower()},
        "sizeOptions": {
            **{name: round_measure(side) for name, side in sides.items() if side is not None},
            "unit": CATALOGUE.table("dimension_unit").get(parcel.size_unit),
        },
    }


def label_kind(request: ShipmentRequest) -> str:
    """PDF unless another is asked for; a picture holds the label of one parcel only."""
    kind = (request.label_type or "PDF").upper()
    return "PDF" if kind == "PNG" and len(request.parcels) > 1 else kind


# -- what comes back -------------------------------------------------------------------------------


def read_messages(body: Any) -> list[Message]:
    """Shapes: a refusal is a sentence under `error`; prices are a list, or stand in one."""
    error = body.get("error") if isinstance(body, dict) else None
    return [Message(message=str(error))] if error else []


def read_rates(body: Any) -> list[Quote]:
    rows = body if isinstance(body, list) else body["rates"]
    return read_each(rows, read_rate)


def read_rate(row: Json) -> Quote:
    """One service. Shapes: it is delivered from one day to another; a day at least."""
    start, end = (date.fromisoformat(row[name]) for name in ("estimateFrom", "estimateTo"))
    return Quote(
        carrier_name="boxknight",
        service=CATALOGUE.services.slug(row["service"]),
        total_charge=row["price"],
        currency=CURRENCY,
        transit_days=max((end - start).days, LEAST_DAYS),
        meta={"service_name": row["name"]},
    )


def read_tracking(order: Json, link: Callable[[str], str | None], today: date) -> Tracking:
    """Where an order is. It tells its status alone, which stands for an event."""
    code, made = order.get("orderStatus"), read_day(order.get("createdAt"))
    status, day = CATALOGUE.statuses.read(code), made if code in NEW else None
    count, reference = order.get("packageCount"), order.get("refNumber")
    return Tracking(
        tracking_number=order["id"],
        status=status,
        delivered=status == "delivered",
        events=[TrackingEvent(date=day or today.isoformat(), code=code, description=code)],
        info=TrackingInfo(
            carrier_tracking_link=link(order["id"]),
            customer_name=get_path(order, "recipient/name"),
            shipment_package_count=None if count is None else str(count),
            shipment_service=order.get("service"),
            shipment_origin_postal_code=get_path(order, "originAddress/postalCode"),
            shipment_origin_country=read_or_skip(find_country_code, get_path(order, "originAddress/country")),
            shipment_destination_postal_code=get_path(order, "recipientAddress/postalCode"),
            shipment_destination_country=read_or_skip(
                find_country_code, get_path(order, "recipientAddress/country")
            ),
            shipping_date=made,
        ),
        meta={"reference": reference} if reference else {},
    )
