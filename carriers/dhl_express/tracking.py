"""What DHL Express knows about waybills. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import CLOCK
from shipcli.carrier.wire.xml import Element, check_root, every, find, find_texts, first
from shipcli.models import Tracking, TrackingEvent, TrackingInfo

from . import parts

DAY = 10  # characters of a day
DELIVERED = "OK"
WAYBILL, PIECE, IDENTIFIER = "AWBNumber", "LPNumber", "J"
LONGEST_WAYBILL = 11  # characters; what is longer is the number of a piece. Source: datatypes.xsd, AWBNumber


def write_tracking(numbers: Sequence[str], language: str) -> Json:
    """Shapes: the numbers are all of one kind, waybills or pieces."""
    kind = find_kind(numbers[0])
    return {"LanguageCode": language, kind: list(numbers), "LevelOfDetails": "ALL_CHECK_POINTS"}


def write_number(number: str) -> str:
    """A number as DHL knows it: that of a piece without the identifier that scanners read before it."""
    return number.removeprefix(IDENTIFIER) if number.startswith(f"{IDENTIFIER}JD") else number


def find_kind(number: str) -> str:
    return WAYBILL if len(number) <= LONGEST_WAYBILL else PIECE


def read_trackings(answer: Element, requested: Mapping[str, str]) -> list[Tracking]:
    """What is known of the numbers, under those that were asked for; one without scans is left out.

    Errors: LookupError when this is no answer to the question.
    """
    check_root(answer, "TrackingResponse", "ShipmentTrackingErrorResponse", "ErrorResponse")
    waybills = (
        waybill
        for waybill in every(answer, "AWBInfo")
        if waybill.find("ShipmentInfo/ShipmentEvent") is not None
    )
    return read_each(waybills, _read_tracking, requested)


def _read_tracking(waybill: Element, requested: Mapping[str, str]) -> Tracking:
    """Shapes: events come oldest first and are given newest first; a piece has its waybill beside it."""
    number = find(waybill, "TrackedBy/LPNumber") or find(waybill, "AWBNumber", "")
    shipment = first(waybill, "ShipmentInfo")
    events = shipment.findall("ShipmentEvent")
    codes = [find(event, "ServiceEvent/EventCode") for event in events]
    return Tracking(
        tracking_number=requested.get(number, number),
        events=read_each(reversed(events), _read_event),
        delivered=DELIVERED in codes,
        status=parts.CATALOGUE.statuses.read(codes[-1]),
        estimated_delivery=cut_text(find(shipment, "EstDlvyDate"), DAY),
        info=_read_info(shipment, [find(event, "Signatory") for event in reversed(events)]),
    )


def _read_event(event: Element) -> TrackingEvent:
    """Shapes: date and time (HH:MM:SS) are local to the place."""
    texts = (find(event, "ServiceEvent/Description"), find(event, "Signatory"))
    time = find(event, "Time")
    return TrackingEvent(
        date=find(event, "Date"),
        time=datetime.strptime(time[:5], "%H:%M").strftime(CLOCK) if time else None,
        code=find(event, "ServiceEvent/EventCode"),
        description=" ".join(text for text in texts if text) or None,
        location=find(event, "ServiceArea/Description"),
    )


def _read_info(shipment: Element, signed: Sequence[str | None]) -> TrackingInfo:
    return TrackingInfo(
        shipping_date=cut_text(find(shipment, "ShipmentDate"), DAY),
        package_weight_unit=parts.CATALOGUE.table("weight_units").get(find(shipment, "WeightUnit", "")),
        signed_by=next((name for name in signed if name), None),
        **find_texts(shipment, parts.CATALOGUE.table("tracking_info")),
    )
