"""Collections of ShipEngine, of labels that are bought. Pure.

Source: ShipEngine API 1.1.202511061111 (published description): schedule_pickup.
"""

from __future__ import annotations

from datetime import datetime, tzinfo

from shipcli.carrier.wire.json_paths import Json, drop_empty
from shipcli.carrier.wire.times import read_day
from shipcli.models import Invalid, PickupDetails, PickupRequest


def write_pickup(request: PickupRequest, zone: tzinfo | None) -> Json:
    """Errors: Invalid without labels."""
    if not request.shipment_identifiers:
        raise Invalid("shipment_identifiers", "ShipEngine collects shipments that are named")
    address = request.address
    times = {"start_at": request.ready_time, "end_at": request.closing_time}
    notes = ", ".join(filter(None, (request.instruction, request.package_location)))
    return {
        "label_ids": list(request.shipment_identifiers),
        "contact_details": {"name": address.name, "email": address.email, "phone": address.phone_number},
        "pickup_window": {name: write_moment(request, text, zone) for name, text in times.items()},
        **({"pickup_notes": notes} if notes else {}),
    }


def write_moment(request: PickupRequest, text: str, zone: tzinfo | None) -> str:
    """A time of the day of the collection, where the parcels are.

    Errors: Invalid for a text that is no day, or no time.
    """
    if read_day(request.pickup_date) is None:
        raise Invalid("pickup_date", f"{request.pickup_date!r} is not a day")
    try:
        at = datetime.fromisoformat(f"{request.pickup_date[:10]}T{text}")
    except ValueError:
        name = "ready_time" if text == request.ready_time else "closing_time"
        raise Invalid(name, f"{text!r} is not a time") from None
    return at.replace(tzinfo=zone).isoformat(timespec="seconds")


def read_pickup(body: Json) -> PickupDetails:
    """A collection is cancelled by ShipEngine's id, not by the number of the carrier."""
    number = body["pickup_id"]
    meta = {"carrier_confirmation_number": body.get("confirmation_number"), "pickup_id": number}
    return PickupDetails(confirmation_number=number, meta=drop_empty(meta))
