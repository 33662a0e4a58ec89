"""Tracking of ParcelOne, which no description covers. Pure.

Source: the fact sheet: GET /tracklmc/tracking/{carrier}/{number}.
"""

from __future__ import annotations

from typing import Any

from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.rows import read_each, sort_newest_first
from shipcli.carrier.wire.times import read_clock, read_day
from shipcli.models import Tracking, TrackingEvent, TrackingInfo, TrackingRequest

from .parts import CATALOGUE

OWN, UPS, UPS_NUMBER = "PA1", "UPS", "1Z"


def choose_carrier(request: TrackingRequest, number: str) -> str:
    """The carrier that a number is of: the one that is named with it or for all, else by its form."""
    own, shared = request.options_of(number), request.options
    named = own.get("carrier_id") or shared.get(f"{number}_carrier_id") or shared.get("carrier_id")
    return str(named) if named else UPS if number.startswith(UPS_NUMBER) else OWN


def read_tracking(body: Json, number: str, link: str | None) -> Tracking:
    """Errors: KeyError for an answer without a result."""
    results = body["results"]
    rows = sort_newest_first(as_list(results.get("Events")), "DateTime")
    newest = rows[0].get("StatusCode") if rows else None
    status = CATALOGUE.statuses.read(results.get("StatusCode") or newest)
    return Tracking(
        tracking_number=number,
        status=status,
        delivered=status == "delivered",
        estimated_delivery=read_day(results.get("EstimatedDelivery")),
        events=read_each(rows, read_event),
        info=TrackingInfo(carrier_tracking_link=link, signed_by=results.get("SignedBy")),
        meta=drop_empty(
            {
                "carrier_tracking_id": results.get("CarrierTrackingID"),
                "last_mile_carrier": results.get("CarrierIDLMC"),
            }
        ),
    )


def read_event(row: dict[str, Any]) -> TrackingEvent:
    return TrackingEvent(
        date=read_day(row.get("DateTime")),
        time=read_clock(row.get("DateTime")),
        code=row.get("StatusCode"),
        description=row.get("Description") or row.get("Status"),
        location=row.get("Location"),
    )
