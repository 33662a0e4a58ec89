"""Between our models and Roadie's JSON.

Units: pounds and inches to the hundredth, dollars, instants in UTC.
Source: Roadie API reference: estimates, shipments.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from shipcli.carrier import Bought, RequestOptions, load_catalogue
from shipcli.carrier.contents import join_words
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, get_path
from shipcli.carrier.wire.rounding import read_amount, round_measure
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import CLOCK, read_day
from shipcli.models import (
    Address,
    Charge,
    Invalid,
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
(SERVICE,) = CATALOGUE.services
DOLLARS = "USD"
WRITTEN = "%Y-%m-%dT%H:%M:%SZ"
EARLIEST, LATEST = timedelta(minutes=30), timedelta(minutes=60)  # after the pickup, unless the caller says


def read_messages(body: Any) -> list[Message]:
    """Shapes: errors are a list; of a number that is not known the list of shipments is empty."""
    if body == [] or (isinstance(body, dict) and body.get("shipments") == []):
        return [Message(code="not_found", message="Roadie knows no such shipment")]
    errors = as_list(body.get("errors")) if isinstance(body, dict) else []
    return [
        Message(
            code=str(error["code"]) if error.get("code") else None,
            message=error.get("message"),
            details={"parameter": error["parameter"]} if error.get("parameter") else None,
        )
        for error in errors
    ]


# -- what is asked ---------------------------------------------------------------------------------


def write_estimate(
    request: RateRequest, options: RequestOptions, of_parcels: Sequence[RequestOptions], now: datetime
) -> Json:
    pairs = zip(request.parcels, map(read_worth, of_parcels), strict=True)
    body = {
        "items": [{**_box(parcel), "value": value or Decimal(0)} for parcel, value in pairs],
        "pickup_location": {"address": _place(request.shipper, " ".join(request.shipper.lines))},
        "delivery_location": {"address": _place(request.recipient, " ".join(request.recipient.lines))},
        **write_times(options, now),
        "options": write_options(options),
    }
    return dict(drop_empty(body))


def write_shipment(
    request: ShipmentRequest, options: RequestOptions, of_parcels: Sequence[RequestOptions], now: datetime
) -> Json:
    """Errors: Invalid for a service that Roadie does not sell."""
    if request.service != SERVICE.slug:
        raise Invalid("service", f"Roadie sells {SERVICE.slug} alone")
    pairs = zip(request.parcels, map(read_worth, of_parcels), strict=True)
    body = {
        "reference_id": request.reference,
        "description": join_words([_describe(parcel) for parcel in request.parcels]),
        "items": [_item(parcel, value) for parcel, value in pairs],
        "pickup_location": write_location(request.shipper),
        "delivery_location": write_location(request.recipient),
        **write_times(options, now),
        "options": write_options(options),
    }
    return dict(drop_empty(body))


def _box(parcel: Parcel) -> Json:
    sizes = {name: round_measure(side) for name, side in parcel.known_sides_in("IN").items()}
    return {**sizes, "weight": round_measure(parcel.weight_in("LB")), "quantity": 1}


def _item(parcel: Parcel, value: Decimal | None) -> Json:
    names = {"description": _describe(parcel), "reference_id": parcel.reference_number}
    return {**names, **_box(parcel), "value": value}


def _describe(parcel: Parcel) -> str | None:
    return join_words([parcel.description], [item.title or item.description for item in parcel.items])


def read_worth(options: RequestOptions) -> Decimal | None:
    """What an item is worth: Roadie answers for it."""
    return options.insurance() or options.amount("declared_value")


def _place(address: Address, street: str | None) -> Json:
    return {
        "street1": street,
        "city": address.city,
        "state": address.state_code,
        "zip": address.postal_code,
    }


def write_location(address: Address) -> Json:
    first, *remaining = address.lines or [""]
    return {
        "address": {
            **_place(address, first),
            "street2": " ".join(remaining),
            "name": address.company_name,
        },
        "contact": {"name": address.name, "phone": address.phone_number},
    }


def write_times(options: RequestOptions, now: datetime) -> Json:
    """When it is fetched and brought."""
    start = _instant(options, "pickup_after") or now
    between = {
        "start": f"{_instant(options, 'deliver_start') or start + EARLIEST:{WRITTEN}}",
        "end": f"{_instant(options, 'deliver_end') or start + LATEST:{WRITTEN}}",
    }
    return {"pickup_after": f"{start:{WRITTEN}}", "deliver_between": between}


def _instant(options: RequestOptions, name: str) -> datetime | None:
    """Shapes: `2025-03-05 13:00:00`, UTC unless it says otherwise.

    Errors: Invalid naming the option.
    """
    text = options.text(name)
    if text is None:
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise Invalid(f"options.{name}", f"{text!r} is no date and time") from None
    return at.astimezone(UTC) if at.tzinfo else at


def write_options(options: RequestOptions) -> Json:
    """What is wanted, and what is refused: of the others Roadie has its own opinion."""
    rows = [row for row in CATALOGUE.options if row.path]
    return {row.code: value for row in rows if (value := options.value(row.slug)) is not None}


# -- what is answered ------------------------------------------------------------------------------


def read_price(body: Json) -> Quote:
    price = Decimal(str(body["price"]))
    facts = {name: body[name] for name in ("estimated_distance", "size") if body.get(name)}
    return Quote(
        carrier_name="roadie",
        service=SERVICE.slug,
        total_charge=price,
        currency=DOLLARS,
        transit_days=1,
        extra_charges=[Charge(name="Base Price", amount=price, currency=DOLLARS)],
        meta={"service_name": SERVICE.code, **facts},
    )


def read_shipment(body: Json) -> Bought:
    """What is bought; its paper is a file of its own. The id is what Roadie is asked by."""
    references = [item["reference_id"] for item in as_list(body.get("items")) if item.get("reference_id")]
    meta = {"tracking_number": body.get("tracking_number"), "reference_ids": references}
    return Bought(
        str(body["id"]),
        str(body["id"]),
        selected_rate=read_price(body) if read_amount(body.get("price")) else None,
        meta={"service_name": SERVICE.code, **drop_empty(meta)},
    )


def list_shipments(body: Any) -> Sequence[Json]:
    """Shapes: a list, or an object that holds one."""
    return body if isinstance(body, list) else as_list(body.get("shipments"))


def read_tracking(row: Json, requested: Collection[str], link: str) -> Tracking:
    """The number is the id that was asked for; the status is that of the newest event."""
    shipment_id, events = str(row["id"]), as_list(row.get("events"))
    newest: Json = max(events, key=lambda event: str(event.get("occurred_at") or ""), default={})
    number = shipment_id if shipment_id in requested else str(row.get("tracking_number") or shipment_id)
    status = CATALOGUE.statuses.read(newest.get("name"))
    return Tracking(
        tracking_number=number,
        events=read_each(events, read_event),
        delivered=status == "delivered",
        status=status,
        estimated_delivery=read_day(get_path(row, "deliver_between/end")),
        info=_info(row, link.format(row.get("tracking_number") or shipment_id)),
        meta=drop_empty({"reference": row.get("reference_id"), "shipment_id": shipment_id}),
    )


def _info(row: Json, link: str) -> TrackingInfo:
    items = as_list(row.get("items"))
    weight = sum((read_amount(item.get("weight")) or Decimal(0) for item in items), Decimal(0))
    return TrackingInfo(
        carrier_tracking_link=link,
        customer_name=get_path(row, "delivery_location/contact/name"),
        signed_by=row.get("signatory_name"),
        shipping_date=read_day(row.get("created_at")),
        shipment_origin_country="US",
        shipment_destination_country="US",
        shipment_origin_postal_code=get_path(row, "pickup_location/address/zip"),
        shipment_destination_postal_code=get_path(row, "delivery_location/address/zip"),
        package_weight=str(weight),
        package_weight_unit="LB",
        shipment_package_count=str(len(items)),
    )


def read_event(event: Json) -> TrackingEvent:
    """Shapes: instants in UTC with milliseconds."""
    at = datetime.fromisoformat(event["occurred_at"])
    return TrackingEvent(
        date=at.date().isoformat(),
        time=at.strftime(CLOCK),
        code=event["name"],
        description=event["name"],
        latitude=get_path(event, "location/latitude"),
        longitude=get_path(event, "location/longitude"),
    )
