"""What is known of a tracking number. Pure."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from shipcli.carrier import ServiceTable
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rows import read_each, read_or_skip
from shipcli.carrier.wire.times import CLOCK
from shipcli.models import Tracking, TrackingEvent, TrackingInfo

from .parts import CATALOGUE

TRACKED = {"PRIORITY_MAIL_INTERNATIONAL_PARCELS": "PRIORITY_MAIL_INTERNATIONAL"}  # names of tracking alone


def read_tracking(body: Json, services: ServiceTable, link: Callable[[str], str | None]) -> Tracking:
    """What is known of one number; scans newest first, as they come."""
    number, mail_class = body["trackingNumber"], body.get("mailClass")
    status, due = read_status(body), read_or_skip(read_moment, body.get("expectedDeliveryTimeStamp"))
    day = due.date().isoformat() if due else None
    return Tracking(
        tracking_number=number,
        status=status,
        delivered=status == "delivered",
        estimated_delivery=day,
        events=read_each(body.get("trackingEvents") or (), read_event),
        info=TrackingInfo(
            carrier_tracking_link=link(number),
            expected_delivery=day,
            shipment_service=services.slug(str(TRACKED.get(mail_class, mail_class))) if mail_class else None,
            shipment_origin_country=body.get("originCountry"),
            shipment_origin_postal_code=body.get("originZIP"),
            shipment_destination_country=body.get("destinationCountryCode"),
            shipment_destination_postal_code=body.get("destinationZIP"),
        ),
    )


def read_status(body: Json) -> str:
    """The unified status: the first known word that occurs in the carrier's status or its category."""
    text = f"{body.get('status') or ''} | {body.get('statusCategory') or ''}".lower()
    statuses = CATALOGUE.statuses
    return next((ours for word, ours in statuses.codes.items() if word in text), statuses.default)


def read_event(scan: Json) -> TrackingEvent:
    """One scan.

    Shapes: eventTimestamp is local to the place, with or without a Z; the time is told as "13:58 PM".
    """
    at = read_moment(scan.get("eventTimestamp"))
    names = [scan.get(name) for name in ("eventCity", "eventZIP", "eventState", "eventCountry")]
    return TrackingEvent(
        date=at.date().isoformat() if at else None,
        time=at.strftime(CLOCK) if at else None,
        code=scan.get("eventCode"),
        description=scan.get("eventType"),
        location=", ".join(part for part in names if part) or None,
    )


def read_moment(text: str | None) -> datetime | None:
    """The local instant of a timestamp, without its zone and fraction; None when it is not one."""
    try:
        return datetime.fromisoformat((text or "")[:19])
    except ValueError:
        return None
