"""Tracking of Teleship, one number at a time. Pure.

Shapes: the description does not say in which order events come; the recorded ones begin with the oldest.
        They are given in the order of the answer: a tracker sorts its events.
"""

from __future__ import annotations

from typing import Any

from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, get_path
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import read_clock, read_day
from shipcli.models import Tracking, TrackingEvent, TrackingInfo

from .parts import CATALOGUE


def read_tracking(body: Json, link: str | None) -> Tracking:
    events = as_list(body.get("events"))
    newest = max(events, key=lambda row: str(row.get("timestamp") or ""), default=None)
    status = CATALOGUE.statuses.read(newest.get("code") if newest else body.get("status"))
    meta = {name: get_path(body, path) for name, path in CATALOGUE.table("tracking_meta").items()}
    info = {name: get_path(body, path) for name, path in CATALOGUE.table("tracking_info").items()}
    return Tracking(
        tracking_number=body["trackingNumber"],
        status=status,
        delivered=status == "delivered",
        estimated_delivery=read_day(body.get("estimatedDelivery")),
        events=read_each(events, read_event),
        info=TrackingInfo(carrier_tracking_link=link, **info),
        meta=drop_empty(meta),
    )


def read_event(row: dict[str, Any]) -> TrackingEvent:
    at, code = row.get("timestamp"), row.get("code")
    return TrackingEvent(
        date=read_day(at),
        time=read_clock(at),
        code=code,
        description=row.get("description"),
        location=row.get("location"),
    )
