"""Tracking by eShipper: up to a page of numbers in one question. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from shipcli.carrier import Call, Reply
from shipcli.carrier.wire.json_paths import Json, as_list
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import read_clock, read_day
from shipcli.models import Tracking, TrackingEvent, TrackingInfo
from shipcli.models import json as plain_json

from .parts import CATALOGUE

PAGE = 25
NOT_FOUND = "ERR_SHIPMENT_NOT_FOUND"


def write_tracking(numbers: Sequence[str]) -> Call:
    """Shapes: `pageable` is JSON in a parameter; the flag is a word of Python, as it was recorded."""
    page = plain_json.dumps({"page": 0, "size": PAGE})
    query = {"includePublished": "True", "pageable": page, "trackingNumbers": list(numbers)}
    about = {"tracking_number": numbers[0]} if len(numbers) == 1 else {}
    return Call("GET", "/api/v2/track/events", query=query, about=about)


def is_spoilt(numbers: Sequence[str], reply: Reply) -> bool:
    """Whether numbers were refused for one among them."""
    return len(numbers) > 1 and not reply.ok and reply.json.get("code") == NOT_FOUND


def read_tracking(record: Json) -> Tracking:
    reached = record.get("shipmentStatus") or {}
    return Tracking(
        tracking_number=record["trackingNumber"],
        events=read_each(as_list(record.get("event")), _event),
        delivered=bool(reached.get("delivered")),
        status=_status(reached),
        estimated_delivery=read_day(record.get("expectedDeliveryDate")),
        info=TrackingInfo(
            carrier_tracking_link=record.get("trackingUrl"), shipment_service=record.get("carrierService")
        ),
    )


def _status(reached: Json) -> str:
    """The farthest that was reached; the rows of the table stand in that order."""
    return CATALOGUE.statuses.read(
        next((name for name in CATALOGUE.statuses.codes if reached.get(name)), None)
    )


def _event(event: Json) -> TrackingEvent:
    """Shapes: the time of the depot, 2024-07-16 10:20:44."""
    original = event.get("originalEvent") or {}
    at = original.get("eventDate") or event.get("dateTime")
    return TrackingEvent(
        date=read_day(at),
        time=read_clock(at),
        code=original.get("name"),
        description=event.get("description"),
        location=event.get("location"),
    )
