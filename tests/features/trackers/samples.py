"""What a carrier says of a parcel on its way."""

from __future__ import annotations

from typing import Any

from shipcli.models import Tracking, TrackingEvent

HAPPY, DELIVERED, UNHEARD = "SC1000000001", "SC0300000001", "SC9000000001"


def found(number: str = HAPPY, **fields: Any) -> Tracking:
    return Tracking.model_validate({"tracking_number": number, **fields})


def event(
    day: str = "2031-05-07", time: str | None = "10:00", code: str = "X", **fields: Any
) -> TrackingEvent:
    return TrackingEvent(date=day, time=time, code=code, **fields)
