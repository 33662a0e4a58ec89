"""Tracking of SmartKargo: one call for each number. Pure.

Source: IHUB Swagger 1.0.0, tracking; recorded answers, whose seconds have up to seven decimals.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.rounding import read_amount
from shipcli.carrier.wire.rows import read_each, sort_newest_first
from shipcli.carrier.wire.times import read_clock, read_day
from shipcli.models import Tracking, TrackingEvent, TrackingInfo

from .parts import CATALOGUE

CLOCK = "%H:%M"
WAYBILL = re.compile(r"([A-Za-z]{3})[-_ ]?(\d+)\Z")


def write_query(number: str, details: Mapping[str, Any]) -> Json:
    """A waybill, given or read from the number, else the reference of a package."""
    given = details.get("smartkargo_prefix"), details.get("smartkargo_air_waybill")
    if all(given):
        return {"prefix": given[0], "Airwaybill": given[1]}
    if match := WAYBILL.match(number):
        return {"prefix": match[1].upper(), "Airwaybill": match[2]}
    return {"packageReference": number}


def read_tracking(body: Any, number: str) -> Tracking:
    """What is known of a package, the latest first; a booked one may have no events yet."""
    rows = sort_newest_first(as_list(body), "eventDate")
    latest = rows[0] if rows else {}
    status = CATALOGUE.statuses.read(latest.get("eventType")) if rows else "pending"
    meta = {name: latest.get(key) for name, key in CATALOGUE.table("tracking_meta").items()}
    weight = read_amount(latest.get("weight"))
    return Tracking(
        tracking_number=number,
        status=status,
        delivered=status == "delivered",
        estimated_delivery=read_day(latest.get("estimatedDeliveryDate")),
        events=read_each(rows, read_event),
        info=TrackingInfo(
            package_weight=f"{weight.normalize():f}" if weight else None,
            package_weight_unit="KG" if weight else None,
            shipment_package_count=latest.get("pieces"),
        ),
        meta=dict(drop_empty(meta)),
    )


def read_event(row: Json) -> TrackingEvent:
    at, place = row.get("eventDate"), row.get("location") or {}
    town = ", ".join(filter(None, (place.get("city"), place.get("state"))))
    return TrackingEvent(
        date=read_day(at),
        time=read_clock(at, CLOCK),
        code=row["eventType"],
        description=row.get("description"),
        location=town or row.get("eventLocation"),
        latitude=read_amount(place.get("latitude")),
        longitude=read_amount(place.get("longitude")),
    )
