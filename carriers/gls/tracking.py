"""Tracking of GLS: status and events of up to ten parcels. Pure.

Source: Track And Trace 1.0.7, ParcelDTO and EventDTO.
"""

from __future__ import annotations

from shipcli.carrier.wire.json_paths import Json, drop_empty
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import read_clock, read_day
from shipcli.models import Tracking, TrackingEvent

from .parts import CATALOGUE

CLOCK = "%H:%M"


def read_trackings(body: Json) -> list[Tracking]:
    """Those that GLS knows; the others are messages."""
    return read_each([row for row in body["parcels"] if not row.get("errorCode")], read_tracking)


def read_tracking(row: Json) -> Tracking:
    status = CATALOGUE.statuses.read(row["status"])
    meta = {
        "requested": row.get("requested"),
        "status_datetime": row.get("statusDateTime"),
        "unitno": row.get("unitno"),
    }
    return Tracking(
        tracking_number=str(row.get("requested") or row["unitno"]),
        status=status,
        delivered=status == "delivered" or None,
        events=read_each(row.get("events") or (), read_event),
        meta=drop_empty(meta),
    )


def read_event(event: Json) -> TrackingEvent:
    """One scan; its time is local to the place, with the zone behind it."""
    at = event.get("eventDateTime")
    places = [event.get(name) for name in ("city", "postalCode", "country")]
    return TrackingEvent(
        date=read_day(at),
        time=read_clock(at, CLOCK),
        code=event.get("code"),
        description=event.get("description"),
        location=", ".join(str(place) for place in places if place) or None,
    )
