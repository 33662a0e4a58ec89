"""What is known of consignments. Pure."""

from __future__ import annotations

from typing import Any

from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import read_clock, read_day
from shipcli.models import Tracking, TrackingEvent, TrackingInfo

from .parts import CATALOGUE, is_unknown


def read_trackings(body: Any) -> list[Tracking]:
    """Shapes: a list with an entry for each number; an object has errors only."""
    entries = body if isinstance(body, list) else ()
    return read_each([entry for entry in entries if not is_unknown(entry)], read_tracking)


def read_tracking(entry: Json) -> Tracking:
    """One consignment; its events come oldest first."""
    events = read_each(reversed(entry.get("Events") or ()), read_event)
    status = CATALOGUE.statuses.read(events[0].code if events else entry.get("Status"))
    return Tracking(
        tracking_number=entry["ConsignmentNo"],
        status=status,
        delivered=status == "delivered",
        events=events,
        info=TrackingInfo(
            carrier_tracking_link=entry.get("Tracking"),
            shipping_date=read_day(entry.get("Picked")),
            shipment_delivery_date=read_day(entry.get("Delivered")),
        ),
        meta={"reference": entry["Reference1"]} if entry.get("Reference1") else {},
    )


def read_event(event: Json) -> TrackingEvent:
    """One scan. Shapes: EventDT is local to the place, with or without a fraction of a second."""
    at = event.get("EventDT")
    return TrackingEvent(
        date=read_day(at),
        time=read_clock(at),
        code=event.get("OmniCode"),
        description=event.get("Description"),
        location=event.get("Location") or None,
    )
