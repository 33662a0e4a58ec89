"""Tracking: the scans of a parcel. Pure.

Source: track.xsd (track v2). Scans come newest first, local to the depot, date and time apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from carriers.canadapost.parts import CATALOGUE
from shipcli.carrier.xml import Element, every, find
from shipcli.models import Tracking, TrackingEvent, TrackingInfo

NOON = 12


def read_tracking(root: Element, link: Callable[[str], str | None]) -> Tracking | None:
    """What is known of a number, None when the reply holds nothing. `link` gives the page of a number."""
    details = next(iter(every(root, "tracking-detail")), None)
    pin = find(details, "pin") if details is not None else None
    if details is None or pin is None:
        return None
    scans = details.findall("significant-events/occurrence")
    due = find(details, "changed-expected-date") or find(details, "expected-delivery-date")
    status = _status(scans)
    return Tracking(
        tracking_number=pin,
        events=[_event(scan) for scan in scans],
        delivered=status == "delivered",
        status=status,
        estimated_delivery=due,
        info=TrackingInfo(
            carrier_tracking_link=link(pin),
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
    place = [part for part in (find(scan, "event-site"), find(scan, "event-province")) if part]
    return TrackingEvent(
        date=find(scan, "event-date"),
        time=_clock(find(scan, "event-time")),
        code=find(scan, "event-identifier"),
        description=find(scan, "event-description"),
        location=", ".join(place) or None,
    )


def _clock(text: str | None) -> str | None:
    """14:45:48 as "14:45 PM": the product's form for hours of the day."""
    if not text:
        return None
    return f"{text[:5]} {'AM' if int(text[:2]) < NOON else 'PM'}"
