"""Tracking of Hermes: all numbers in one call, scans in any order. Pure.

Source: HSI Shipment Info API 2025-12-08: ShipmentInfo.
"""

from __future__ import annotations

from typing import Any

from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, get_path
from shipcli.carrier.wire.rows import read_each, sort_newest_first
from shipcli.carrier.wire.times import read_clock, read_day
from shipcli.models import Message, Tracking, TrackingEvent, TrackingInfo

from .parts import CATALOGUE

ERROR = "e"


def is_missing(row: Json) -> bool:
    return str(get_path(row, "result/code") or "").startswith(ERROR)


def read_missing(body: Json) -> list[Message]:
    """Of each number that Hermes does not know, what it says."""
    return [
        Message(
            code=row["result"].get("code"),
            message=row["result"].get("message"),
            details={"shipment_id": row.get("shipmentID")},
        )
        for row in as_list(body.get("shipmentinfo"))
        if is_missing(row)
    ]


def read_trackings(body: Json) -> list[Tracking]:
    rows = [row for row in as_list(body.get("shipmentinfo")) if not is_missing(row)]
    return read_each(rows, read_tracking)


def read_tracking(row: Json) -> Tracking:
    events = sort_newest_first(as_list(row.get("status")), "timestamp")
    status = CATALOGUE.statuses.read(events[0].get("code")) if events else "pending"
    return Tracking(
        tracking_number=row["shipmentID"],
        status=status,
        delivered=status == "delivered",
        estimated_delivery=get_path(row, "deliveryForecast/date"),
        events=read_each(events, read_event),
        info=TrackingInfo(
            carrier_tracking_link=row.get("trackingLink"),
            shipment_destination_country=get_path(row, "receiverAddress/countryCode"),
            shipment_destination_postal_code=get_path(row, "receiverAddress/zipCode"),
        ),
        meta=drop_empty({name: row.get(key) for name, key in CATALOGUE.table("tracking_meta").items()}),
    )


def read_event(scan: dict[str, Any]) -> TrackingEvent:
    at, unit = scan.get("timestamp"), scan.get("scanningUnit") or {}
    return TrackingEvent(
        date=read_day(at),
        time=read_clock(at),
        code=scan.get("code"),
        description=scan.get("description"),
        location=", ".join(filter(None, (unit.get("city"), unit.get("countryCode")))) or None,
    )
