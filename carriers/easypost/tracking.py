"""Trackers: EasyPost follows any number of the carriers behind it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import quote

from shipcli.carrier import Call
from shipcli.carrier.wire.json_paths import Json, as_list
from shipcli.carrier.wire.rows import read_each, read_or_skip
from shipcli.carrier.wire.times import CLOCK
from shipcli.models import Tracking, TrackingEvent, TrackingInfo

from .parts import CATALOGUE, read_carrier, write_carrier


def write_tracker(number: str, options: Mapping[str, Any]) -> Call:
    """Ask for a number: a tracker that is known is read, else one is made.

    Shapes: `options` of the number are whose it is (`carrier`), and its tracker (`tracker_id`).
            EasyPost guesses the carrier when none is named.
    Making one again gives the same one, so it may be repeated. Source: EasyPost API, Create a Tracker.
    """
    about = {"tracking_number": number}
    if tracker := options.get("tracker_id"):
        return Call("GET", f"/trackers/{quote(str(tracker), safe='')}", about=about)
    carrier = write_carrier(options.get("carrier"))
    body = {"tracking_code": number, **({"carrier": carrier} if carrier else {})}
    return Call("POST", "/trackers", json=body, repeatable=True, about=about)


def read_tracker(tracker: Json) -> Tracking:
    """Shapes: details are oldest first; the last one is the newest."""
    detail = tracker.get("carrier_detail") or {}
    destination = detail.get("destination_tracking_location") or {}
    origin = detail.get("origin_tracking_location") or {}
    weight = tracker.get("weight")
    return Tracking(
        tracking_number=tracker["tracking_code"],
        events=read_each(as_list(tracker.get("tracking_details")), _event),
        delivered=tracker.get("status") == "delivered",
        status=_status(tracker),
        estimated_delivery=str(due)[:10] if (due := tracker.get("est_delivery_date")) else None,
        info=TrackingInfo(
            carrier_tracking_link=tracker.get("public_url"),
            package_weight=str(weight) if weight else None,
            signed_by=tracker.get("signed_by") or None,
            shipment_service=detail.get("service") or None,
            shipment_origin_country=origin.get("country") or None,
            shipment_destination_postal_code=destination.get("zip") or None,
        ),
        meta={
            "carrier": read_or_skip(read_carrier, tracker.get("carrier")),
            **({"tracker_id": tracker["id"]} if tracker.get("id") else {}),
            **{name: value for name in ("shipment_id", "fees") if (value := tracker.get(name))},
        },
    )


def _status(tracker: Json) -> str:
    """The unified status: by the detail where that says more ("held"), else by the status."""
    status, detail = str(tracker.get("status")), str(tracker.get("status_detail"))
    says_more = CATALOGUE.table("details").get(detail) == status
    return CATALOGUE.statuses.read(detail if says_more else status)


def _event(scan: Json) -> TrackingEvent:
    """Shapes: datetime in UTC; any member of the place may be missing."""
    location = scan.get("tracking_location") or {}
    at = datetime.fromisoformat(str(scan["datetime"]))
    where = (location.get(name) for name in ("city", "state", "zip", "country"))
    return TrackingEvent(
        date=f"{at:%Y-%m-%d}",
        time=at.strftime(CLOCK),
        code=scan.get("status"),
        description=scan.get("message"),
        location=", ".join(str(part) for part in where if part) or None,
    )
