"""What DHL Express knows about waybills. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from carriers.dhl_express import parts
from shipcli.carrier.json_paths import Json
from shipcli.carrier.xml import every, find
from shipcli.models import Tracking, TrackingEvent, TrackingInfo

if TYPE_CHECKING:
    from lxml.etree import _Element

MOST = 10  # numbers of one question
DELIVERED = "OK"
WEIGHT_UNITS = {"K": "KG", "L": "LB", "G": "G"}


def write_tracking(numbers: Sequence[str], language: str) -> Json:
    return {"LanguageCode": language, "AWBNumber": list(numbers), "LevelOfDetails": "ALL_CHECK_POINTS"}


def read_trackings(answer: _Element, link: str) -> list[Tracking]:
    """What is known of the numbers; one without scans is left out. `link` holds {} for the number.

    Errors: LookupError when this is no answer to the question.
    """
    if answer.tag not in ("TrackingResponse", "ShipmentTrackingErrorResponse", "ErrorResponse"):
        raise LookupError(f"TrackingResponse, got {answer.tag}")
    known = (one for one in every(answer, "AWBInfo") if one.find("ShipmentInfo/ShipmentEvent") is not None)
    return [_read_tracking(one, link) for one in known]


def _read_tracking(waybill: _Element, link: str) -> Tracking:
    """Shapes: events come oldest first and are given newest first."""
    number = find(waybill, "AWBNumber", "")
    events = waybill.findall("ShipmentInfo/ShipmentEvent")
    codes = [find(event, "ServiceEvent/EventCode") for event in events]
    due = find(waybill, "ShipmentInfo/EstDlvyDate")
    return Tracking(
        tracking_number=number,
        events=[_read_event(event) for event in reversed(events)],
        delivered=DELIVERED in codes,
        status=parts.CATALOGUE.statuses.read(codes[-1]),
        estimated_delivery=due[:10] if due else None,
        info=_read_info(waybill, link.format(number)),
    )


def _read_event(event: _Element) -> TrackingEvent:
    """Shapes: date and time (HH:MM:SS) are local to the place."""
    said = (find(event, "ServiceEvent/Description"), find(event, "Signatory"))
    time = find(event, "Time")
    return TrackingEvent(
        date=find(event, "Date"),
        time=f"{datetime.strptime(time[:5], '%H:%M'):%I:%M %p}" if time else None,
        code=find(event, "ServiceEvent/EventCode"),
        description=" ".join(text for text in said if text) or None,
        location=find(event, "ServiceArea/Description"),
    )


def _read_info(waybill: _Element, link: str) -> TrackingInfo:
    def read(name: str) -> str | None:
        return find(waybill, f"ShipmentInfo/{name}")

    signed = [find(event, "Signatory") for event in waybill.findall("ShipmentInfo/ShipmentEvent")]
    return TrackingInfo(
        carrier_tracking_link=link,
        customer_name=read("ConsigneeName"),
        shipping_date=(read("ShipmentDate") or "")[:10] or None,
        package_weight=read("Weight"),
        package_weight_unit=WEIGHT_UNITS.get(read("WeightUnit") or ""),
        shipment_package_count=read("Pieces"),
        shipment_origin_country=read("Shipper/CountryCode"),
        shipment_destination_country=read("Consignee/CountryCode"),
        shipment_destination_postal_code=read("Consignee/PostalCode"),
        signed_by=next((name for name in reversed(signed) if name), None),
    )
