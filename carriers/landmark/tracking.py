"""Tracking of Landmark Global: one call for each number. Pure.

Source: schema of TrackResponse; times are ISO's without a zone, or American ones.
"""

from __future__ import annotations

from shipcli.carrier.wire.json_paths import drop_empty
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import read_moment
from shipcli.carrier.wire.xml import Element, every, find, first, require
from shipcli.models import Tracking, TrackingEvent

from .parts import CATALOGUE

DELIVERED = ("500", "510")
TIMES = ("%Y-%m-%d %H:%M:%S", "%m/%d/%Y %I:%M %p")
CLOCK = "%I:%M %p"
NOT_YET = "to be routed"


def read_tracking(answer: Element) -> Tracking:
    """What is known of the first package: events with the latest first, whichever way they come."""
    package = first(answer, "Package")
    events = every(package, "Event")
    if len(events) > 1 and read_at(events[0]) < read_at(events[-1]):
        events = events[::-1]
    codes = [find(event, "EventCode", "") for event in events]
    delivered = any(code in DELIVERED for code in codes)
    carrier = find(answer, ".//EndDeliveryCarrier", "")
    status = CATALOGUE.statuses.read(codes[0]) if codes else "pending"
    return Tracking(
        tracking_number=require(package, "LandmarkTrackingNumber"),
        status="delivered" if delivered else status,
        delivered=delivered,
        events=read_each(events, read_event),
        meta=drop_empty(
            {
                "last_mile_tracking_number": find(package, "TrackingNumber"),
                "last_mile_carrier": None if carrier.lower() == NOT_YET else carrier,
            }
        ),
    )


def read_at(event: Element) -> str:
    at = read_moment(find(event, "DateTime"), *TIMES)
    return at.isoformat() if at else ""


def read_event(event: Element) -> TrackingEvent:
    at = read_moment(find(event, "DateTime"), *TIMES)
    return TrackingEvent(
        date=at.date().isoformat() if at else None,
        time=at.strftime(CLOCK) if at else None,
        code=find(event, "EventCode"),
        description=find(event, "Status"),
        location=find(event, "Location"),
    )
