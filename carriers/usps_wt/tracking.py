"""What is known of tracking numbers. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from shipcli.carrier.wire import xml
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import CLOCK
from shipcli.models import Tracking, TrackingEvent, TrackingInfo

from .parts import CATALOGUE, texts

if TYPE_CHECKING:
    from lxml.etree import _Element

CLIENT, SOURCE = "127.0.0.1", "shipcli"
DELIVERED = "delivered"
PLACE = ("EventCity", "EventState", "EventCountry", "EventZIPCode")


def write_tracking(numbers: Sequence[str]) -> Json:
    return {
        "Revision": 1,
        "ClientIp": CLIENT,
        "SourceId": SOURCE,
        "TrackID": [{"@ID": number} for number in numbers],
    }


def read_trackings(root: _Element, link: Callable[[str], str | None]) -> list[Tracking]:
    """The numbers of which something is known; of the others the answer has an error."""
    nodes = (node for node in xml.every(root, "TrackInfo") if node.find("Error") is None)
    return read_each(nodes, read_tracking, link)


def read_tracking(node: _Element, link: Callable[[str], str | None]) -> Tracking:
    """One number; its summary is the latest event, the details those before it."""
    number = node.get("ID") or ""
    summary = xml.every(node, "TrackSummary")
    events = read_each((*summary, *xml.every(node, "TrackDetail")), read_event)
    status = read_status(node, events[0].code if events else None)
    return Tracking(
        tracking_number=number,
        status=status,
        delivered=status == DELIVERED,
        estimated_delivery=read_day(xml.find(node, "ExpectedDeliveryDate")),
        events=events,
        info=TrackingInfo(
            carrier_tracking_link=link(number),
            shipment_service=xml.find(node, "Class"),
            shipment_origin_country=xml.find(node, "OriginCountryCode"),
            shipment_origin_postal_code=xml.find(node, "OriginZip"),
            shipment_destination_country=xml.find(node, "DestinationCountryCode"),
            shipment_destination_postal_code=xml.find(node, "DestinationZip"),
        ),
    )


def read_status(node: _Element, code: str | None) -> str:
    """The category says that it is delivered, else the event; codes have a leading zero or none."""
    if xml.find(node, "StatusCategory", "").lower() == DELIVERED:
        return DELIVERED
    return CATALOGUE.statuses.read((code or "").lstrip("0"))


def read_event(node: _Element) -> TrackingEvent:
    """One scan. Shapes: `January 6, 2016` and `10:45 pm`, local to the place; the time may be missing."""
    time = read_moment(xml.find(node, "EventTime"), "%I:%M %p")
    return TrackingEvent(
        date=read_day(xml.find(node, "EventDate")),
        time=time.strftime(CLOCK) if time else None,
        code=xml.find(node, "EventCode"),
        description=xml.find(node, "Event"),
        location=", ".join(texts(node, PLACE)) or None,
    )


def read_day(text: str | None) -> str | None:
    day = read_moment(text, "%B %d, %Y")
    return day.date().isoformat() if day else None


def read_moment(text: str | None, form: str) -> datetime | None:
    """None for what is not in the form."""
    try:
        return datetime.strptime(text or "", form)
    except ValueError:
        return None
