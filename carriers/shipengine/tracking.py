"""Tracking of ShipEngine: by label, else by carrier and number. Pure.

Source: ShipEngine API 1.1.202511061111 (published description): tracking_information.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from shipcli.carrier import Call
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.rows import read_each, sort_newest_first
from shipcli.carrier.wire.times import read_clock, read_day
from shipcli.models import Tracking, TrackingEvent, TrackingInfo

from .parts import CARRIERS, CATALOGUE, name_carrier

UNSAID, NOTHING_YET = "stamps_com", "pending"


def ask_for(number: str, options: Mapping[str, Any]) -> Call:
    """Ask for a number: by its label, if that is known, else by the carrier that is named, or by its form.

    Shapes: `options` of the number are whose it is (`carrier`), and its label (`tracker_id`).
    """
    about = {"tracking_number": number}
    if label := options.get("tracker_id"):
        return Call("GET", f"/v1/labels/{quote(str(label), safe='')}/track", about=about)
    named = options.get("carrier")
    carrier = CARRIERS.get(named, named) if named else guess_carrier(number)
    return Call(
        "GET", "/v1/tracking", query={"carrier_code": carrier, "tracking_number": number}, about=about
    )


def guess_carrier(number: str) -> str:
    forms: Mapping[str, str] = CATALOGUE.table("number_forms")
    return next((code for form, code in forms.items() if re.fullmatch(form, number)), UNSAID)


def read_tracking(body: Json, number: str) -> Tracking:
    """Shapes: an answer may leave its status out, which is that of the newest event then."""
    events = sort_newest_first(as_list(body.get("events")), "occurred_at")
    status = next((read_status(row) for row in (body, *events) if has_status(row)), NOTHING_YET)
    return Tracking(
        tracking_number=body.get("tracking_number") or number,
        status=status,
        delivered=status == "delivered",
        estimated_delivery=read_day(body.get("estimated_delivery_date")),
        events=read_each(events, read_event),
        info=TrackingInfo(
            carrier_tracking_link=body.get("tracking_url"),
            signed_by=next((row["signer"] for row in events if row.get("signer")), None),
        ),
        meta=drop_empty({"carrier": name_carrier(body.get("carrier_code"))}),
    )


def has_status(row: Json) -> bool:
    return bool(row.get("status_detail_code") or row.get("status_code"))


def read_status(row: Json) -> str:
    """The unified status: by the detail, where it is one that we know, else by the code."""
    detail, codes = row.get("status_detail_code"), CATALOGUE.statuses.codes
    return CATALOGUE.statuses.read(detail if detail in codes else row.get("status_code"))


def read_event(row: dict[str, Any]) -> TrackingEvent:
    at = row.get("carrier_occurred_at") or row.get("occurred_at")
    places = (row.get(name) for name in ("city_locality", "state_province", "postal_code", "country_code"))
    return TrackingEvent(
        date=read_day(at),
        time=read_clock(at),
        code=row.get("event_code") or row.get("status_code"),
        description=row.get("description") or row.get("status_description"),
        location=", ".join(str(place) for place in places if place) or None,
    )
