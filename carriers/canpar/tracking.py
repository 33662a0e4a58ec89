"""What Canpar knows about barcodes. Pure.

Shapes: texts come in English and in French, `code_description_en` and `code_description_fr`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import read_clock, read_day
from shipcli.carrier.wire.xml import every, find
from shipcli.models import Tracking, TrackingEvent, TrackingInfo

from . import parts

if TYPE_CHECKING:
    from lxml.etree import _Element

DELIVERED = "DEL"
PLACE = ("address_line_1", "address_line_2", "city", "province", "country")


def write_tracking(number: str) -> Json:
    return {"barcode": number, "track_shipment": True}


def read_trackings(answer: _Element, language: str) -> list[Tracking]:
    """What is known of a barcode; nothing of one without events."""
    results = (result for result in every(answer, "result") if result.find("events") is not None)
    return read_each(results, _read_tracking, language)


def _read_tracking(result: _Element, language: str) -> Tracking:
    """Shapes: events come newest first."""
    events = result.findall("events")
    delivered = any(find(event, "code") == DELIVERED for event in events)
    code = DELIVERED if delivered else find(events[0], "code")
    return Tracking(
        tracking_number=find(result, "barcode", ""),
        events=read_each(events, _read_event, language),
        delivered=delivered,
        status=parts.CATALOGUE.statuses.read(code),
        estimated_delivery=read_day(find(result, "estimated_delivery_date")),
        info=TrackingInfo(
            carrier_tracking_link=find(result, f"tracking_url_{language}"),
            shipment_destination_country=find(result, "consignee_address/country"),
            shipment_destination_postal_code=find(result, "consignee_address/postal_code"),
            shipment_service=find(result, f"service_description_{language}"),
            shipping_date=read_day(find(result, "shipping_date")),
            signed_by=find(result, "signed_by"),
        ),
    )


def _read_event(event: _Element, language: str) -> TrackingEvent:
    """Shapes: the time is `YYYYMMDD HHMMSS`, local to the place."""
    at = find(event, "local_date_time")
    names = [text for name in PLACE if (text := find(event, f"address/{name}"))]
    return TrackingEvent(
        date=read_day(at),
        time=read_clock(at),
        code=find(event, "code"),
        description=find(event, f"code_description_{language}"),
        location=", ".join(names) or None,
    )
