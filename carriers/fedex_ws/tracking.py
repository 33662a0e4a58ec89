"""What FedEx's web services know about tracking numbers. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import CLOCK
from shipcli.carrier.wire.xml import Element, every, find
from shipcli.models import Tracking, TrackingEvent, TrackingInfo

from .parts import BAD, CATALOGUE, EXPRESS

PLACE = ("City", "StateOrProvinceCode", "PostalCode", "CountryCode")
DUE = ("ESTIMATED_DELIVERY", "ACTUAL_DELIVERY", "ANTICIPATED_TENDER", "ACTUAL_TENDER")


def write_tracking(numbers: Sequence[str], language: str) -> Json:
    kind = "TRACKING_NUMBER_OR_DOORTAG"
    return {
        "Transaction": {"Localization": {"LanguageCode": language}},
        "SelectionDetails": [
            {"CarrierCode": EXPRESS, "PackageIdentifier": {"Type": kind, "Value": number}}
            for number in numbers
        ],
        "ProcessingOptions": "INCLUDE_DETAILED_SCANS",
    }


def read_trackings(reply: Element, link: str) -> list[Tracking]:
    """What is known of each number: of one that was used again, the shipment with the newest scan."""
    newest: dict[str, Element] = {}
    for detail in every(reply, "TrackDetails"):
        number = find(detail, "TrackingNumber", "")
        tracked = find(detail, "Notification/Severity") not in BAD
        if tracked and (number not in newest or _last(detail) > _last(newest[number])):
            newest[number] = detail
    return read_each(newest.values(), read_tracking, link)


def _last(detail: Element) -> str:
    return max((find(event, "Timestamp", "") for event in detail.iterfind("Events")), default="")


def read_tracking(detail: Element, link: str) -> Tracking:
    """Shapes: events are newest first; without any the status stands apart."""
    events, number = detail.findall("Events"), find(detail, "TrackingNumber", "")
    code = find(events[0], "EventType") if events else find(detail, "StatusDetail/Code")
    dates = {
        find(moment, "Type"): find(moment, "DateOrTimestamp") for moment in detail.iterfind("DatesOrTimes")
    }
    due = next((day for kind in DUE if (day := dates.get(kind))), None)
    return Tracking(
        tracking_number=number,
        events=read_each(events, read_event),
        delivered=any(find(event, "EventType") == "DL" for event in events),
        status=CATALOGUE.statuses.read(code),
        estimated_delivery=due[:10] if due else None,
        info=TrackingInfo(
            carrier_tracking_link=link.format(number),
            shipment_service=find(detail, "Service/Description"),
            package_weight=find(detail, "PackageWeight/Value"),
            package_weight_unit=find(detail, "PackageWeight/Units"),
            shipment_origin_country=find(detail, "ShipperAddress/CountryCode"),
            shipment_destination_country=find(detail, "DestinationAddress/CountryCode"),
            signed_by=find(detail, "DeliverySignatureName"),
        ),
    )


def read_event(event: Element) -> TrackingEvent:
    """Shapes: the time has the offset of the place, whose clock is shown."""
    stamp = find(event, "Timestamp")
    at = datetime.fromisoformat(stamp) if stamp else None
    names = [find(event, f"Address/{name}") for name in PLACE]
    return TrackingEvent(
        date=at.date().isoformat() if at else None,
        time=at.strftime(CLOCK) if at else None,
        code=find(event, "EventType"),
        description=find(event, "EventDescription"),
        location=", ".join(name for name in names if name) or find(event, "ArrivalLocation"),
    )
