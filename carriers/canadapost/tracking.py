"""Tracking: the scans of a parcel. Pure.

Source: track.xsd (track v2). Scans come newest first, local to the depot, date and time apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import time as clock

from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import CLOCK
from shipcli.carrier.wire.xml import Element, find
from shipcli.models import Tracking, TrackingEvent, TrackingInfo

from .parts import CATALOGUE


def read_tracking(root: Element, number: str) -> Tracking | None:
    """What is known of a number, None when the reply holds nothing."""
    details = next(root.iter("tracking-detail"), None)
    if details is None or not len(details):
        return None
    scans = details.findall("significant-events/occurrence")
    due = find(details, "changed-expected-date") or find(details, "expected-delivery-date")
    status = _status(scans)
    return Tracking(
        tracking_number=find(details, "pin", number),
        events=read_each(scans, _event),
        delivered=status == "delivered",
        status=status,
        estimated_delivery=due,
        info=TrackingInfo(
            shipment_destination_postal_code=find(details, "destination-postal-id"),
            shipment_delivery_date=due,
            shipment_service=find(details, "service-name"),
            signed_by=find(scans[0], "signatory-name") if scans else None,
        ),
    )


def _status(scans: Sequence[Element]) -> str:
    """The latest scan's status; scan codes come with and without leading zeros."""
    if not scans:
        return "pending"
    return CATALOGUE.statuses.read((find(scans[0], "event-identifier") or "").lstrip("0"))


def _event(scan: Element) -> TrackingEvent:
    names = [part for part in (find(scan, "event-site"), find(scan, "event-province")) if part]
    return TrackingEvent(
        date=find(scan, "event-date"),
        time=clock.fromisoformat(at).strftime(CLOCK) if (at := find(scan, "event-time")) else None,
        code=find(scan, "event-identifier"),
        description=find(scan, "event-description"),
        location=", ".join(names) or None,
    )
