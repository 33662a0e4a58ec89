"""Collections of Teleship: a window of one to twelve hours on a working day. Pure.

Source: Teleship API 1.0.0 (published description): CreatePickupDto.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from shipcli.carrier.wire.json_paths import Json, drop_empty
from shipcli.carrier.wire.times import read_day
from shipcli.models import Invalid, PickupDetails, PickupRequest

from .parts import write_party

SHORTEST, LONGEST = timedelta(hours=1), timedelta(hours=12)
LONGEST_MOMENT = len("2025-01-20T18:00:00")


def write_pickup(request: PickupRequest) -> Json:
    """Errors: Invalid without shipments, and for a window that Teleship does not have."""
    if not request.shipment_identifiers:
        raise Invalid("shipment_identifiers", "Teleship collects shipments that are named")
    start, end = (write_moment(request, name) for name in ("ready_time", "closing_time"))
    if not SHORTEST <= datetime.fromisoformat(end) - datetime.fromisoformat(start) <= LONGEST:
        raise Invalid("closing_time", "is one to twelve hours after ready_time at Teleship")
    body = {
        "startAt": start,
        "endAt": end,
        "shipmentIds": list(request.shipment_identifiers),
        "address": write_party(request.address),
        "reference": ", ".join(filter(None, (request.instruction, request.package_location))),
    }
    return dict(drop_empty(body))


def write_moment(request: PickupRequest, name: str) -> str:
    """A time of the day of the collection, local to it; some callers write the day with it.

    Errors: Invalid for a text that is no day, or no time.
    """
    text = str(getattr(request, name))
    if read_day(request.pickup_date) is None:
        raise Invalid("pickup_date", f"{request.pickup_date!r} is not a day")
    whole = text if "T" in text else f"{request.pickup_date[:10]}T{text}"
    try:
        datetime.fromisoformat(whole)
    except ValueError:
        raise Invalid(name, f"{text!r} is not a time") from None
    return whole[:LONGEST_MOMENT]


def read_pickup(body: Json) -> PickupDetails:
    booked = body["pickup"]
    return PickupDetails(
        confirmation_number=booked["id"], pickup_date=read_day(booked.get("startAt")), meta=dict(booked)
    )


def is_cancelled(body: Json) -> bool:
    """Shapes: a status is described; recorded answers have a flag in its place."""
    return body.get("status", "cancelled") == "cancelled" and body.get("success") is not False
