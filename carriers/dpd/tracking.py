"""What DPD knows about a parcel. Pure."""

from __future__ import annotations

from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import CLOCK, read_moment
from shipcli.carrier.wire.xml import Element, every, find
from shipcli.models import Tracking, TrackingEvent

from . import parts

PATH = "/soap/services/ParcelLifeCycleService/V2_0"
TRACK = parts.operation("ParcelLifeCycleService", "2.0", "getTrackingData")
DELIVERED = "Delivered"
TIMES = ("%m/%d/%Y %I:%M:%S %p", "%d-%m-%Y %H:%M:%S", "%d/%m/%Y %H:%M:%S", "%d.%m.%Y %H:%M:%S")


def read_tracking(answer: Element, number: str) -> Tracking:
    """What is known of a number; events come oldest first and are given newest first."""
    events = every(answer, "statusInfo")
    codes = [find(event, "status", "") for event in events]
    delivered = DELIVERED in codes
    return Tracking(
        tracking_number=number,
        events=read_each(reversed(events), _read_event),
        delivered=delivered,
        status="delivered" if delivered else parts.CATALOGUE.statuses.read(codes[-1]),
    )


def _read_event(event: Element) -> TrackingEvent:
    """One scan; its time is local to the place, in the form of the language: `8/19/2021 5:11:26 PM`."""
    moment = read_moment(find(event, "date/content"), *TIMES)
    return TrackingEvent(
        date=f"{moment:%Y-%m-%d}" if moment else None,
        time=moment.strftime(CLOCK) if moment else None,
        code=find(event, "status"),
        description=find(event, "description/content/content"),
        location=find(event, "location/content"),
    )
