"""Collections of Easyship: by courier, of shipments that are bought. Pure."""

from __future__ import annotations

from shipcli.carrier.wire.json_paths import Json, drop_empty, get_path
from shipcli.models import PickupDetails, PickupRequest

from .parts import desk_options, named_shipments


def write_pickup(request: PickupRequest, courier: str) -> Json:
    """The address is that of the shipments; a time slot, where one is named, goes before the times."""
    body = {
        "courier_id": courier,
        "easyship_shipment_ids": named_shipments(request),
        "selected_date": request.pickup_date[:10],
        "selected_from_time": request.ready_time,
        "selected_to_time": request.closing_time,
        "time_slot_id": desk_options(request).text("easyship_time_slot_id"),
    }
    written: Json = drop_empty(body)
    return written


def read_pickup(body: Json) -> PickupDetails:
    """Shapes: the times are 2022-02-23T12:00, local to the shipper."""
    booked = body["pickup"]
    opens, closes = (str(booked.get(f"selected_{name}_time") or "") for name in ("from", "to"))
    return PickupDetails(
        confirmation_number=booked["easyship_pickup_id"],
        pickup_date=opens[:10] or None,
        ready_time=opens[11:16] or None,
        closing_time=closes[11:16] or None,
        meta={
            "easyship_courier_id": get_path(booked, "courier/id"),
            "easyship_pickup_id": booked["easyship_pickup_id"],
            "easyship_shipment_ids": get_path(body, "meta/easyship_shipment_ids"),
        },
    )
