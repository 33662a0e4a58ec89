"""What TNT knows about consignments. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import read_clock, read_day
from shipcli.carrier.wire.xml import check_root, every, find
from shipcli.models import Message, Tracking, TrackingEvent, TrackingInfo

from . import parts

if TYPE_CHECKING:
    from lxml.etree import _Element

VERSION, LOCALE, USUAL_ORIGIN = "3.1", "en_US", "US"
DELIVERED, NOT_FOUND = "DEL", "CNF"


def write_tracking(numbers: Sequence[str], origin: str | None) -> Json:
    market = {"@marketType": "International", "@originCountry": origin or USUAL_ORIGIN}
    return {
        "@locale": LOCALE,
        "@version": VERSION,
        "SearchCriteria": {**market, "ConsignmentNumber": list(numbers)},
        "LevelOfDetail": {"Complete": {"@originAddress": True, "@destinationAddress": True}},
    }


def read_trackings(answer: _Element) -> list[Tracking]:
    """What is known of the numbers; one without events is left out.

    Errors: LookupError when this is no answer to the question.
    """
    check_root(answer, "TrackResponse")
    consignments = (
        consignment
        for consignment in every(answer, "Consignment")
        if consignment.find("StatusData") is not None
    )
    return read_each(consignments, _read_consignment)


def read_unknown(answer: _Element) -> list[Message]:
    """The numbers that nobody knows."""
    missing = (
        consignment
        for consignment in every(answer, "Consignment")
        if find(consignment, "SummaryCode") == NOT_FOUND
    )
    return [
        Message(
            code=NOT_FOUND, message=f"Consignment {find(consignment, 'ConsignmentNumber', '')} was not found"
        )
        for consignment in missing
    ]


def _read_consignment(node: _Element) -> Tracking:
    """Shapes: events come newest first."""
    events, summary = node.findall("StatusData"), find(node, "SummaryCode")
    latest, statuses = find(events[0], "StatusCode"), parts.CATALOGUE.statuses
    delivered = summary == DELIVERED
    return Tracking(
        tracking_number=find(node, "ConsignmentNumber", ""),
        events=read_each(events, _read_event),
        delivered=delivered,
        status=statuses.read(summary if delivered or latest not in statuses.codes else latest),
        info=TrackingInfo(
            shipping_date=read_day(find(node, "CollectionDate")),
            shipment_package_count=find(node, "PieceQuantity"),
            shipment_origin_country=find(node, "OriginCountry/CountryCode"),
            shipment_destination_country=find(node, "DestinationCountry/CountryCode"),
            signed_by=find(node, "Signatory"),
        ),
    )


def _read_event(event: _Element) -> TrackingEvent:
    """Shapes: the time is HHMM, local to the depot."""
    day, time = find(event, "LocalEventDate"), find(event, "LocalEventTime")
    texts = (find(event, "Depot"), find(event, "DepotName"))
    return TrackingEvent(
        date=read_day(day),
        time=read_clock(f"{day}T{time}"),
        code=find(event, "StatusCode"),
        description=find(event, "StatusDescription"),
        location="-".join(text for text in texts if text) or None,
    )
