"""Tracking: scans and where a package stands. Pure."""

from __future__ import annotations

from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.carrier.wire.rows import read_each, sort_newest_first
from shipcli.carrier.wire.times import read_clock, read_day
from shipcli.models import Tracking, TrackingEvent

from .parts import CATALOGUE

RETURNED, DELIVERED, FAILED, NOTHING_YET = "RETURNS", "delivered", "delivery_failed", "pending"


def read_tracking(body: Json) -> Tracking:
    """A package on its way back failed, wherever it is: its status is that of the way back.

    Shapes: an answer may leave its status out, which is that of the newest scan then.
    """
    scans = sort_newest_first(as_list(body.get("eventHistory")), "eventTime")
    code = get_path(body, "summary/status") or (scans[0].get("eventCode") if scans else None)
    status = CATALOGUE.statuses.read(code) if code else NOTHING_YET
    if scans and scans[0].get("shipmentType") == RETURNED:
        status = FAILED
    return Tracking(
        tracking_number=str(body["trackingId"]),
        events=read_each(scans, read_event),
        delivered=status == DELIVERED,
        status=status,
        estimated_delivery=read_day(body.get("promisedDeliveryDate")),
    )


def read_event(scan: Json) -> TrackingEvent:
    """One scan, its time in UTC."""
    location, at = scan.get("location") or {}, scan.get("eventTime")
    parts = (location.get(name) for name in ("city", "stateOrRegion", "postalCode", "countryCode"))
    return TrackingEvent(
        date=read_day(at),
        time=read_clock(at),
        code=scan["eventCode"],
        description=scan["eventCode"],
        location=", ".join(part for part in parts if part) or None,
    )
