"""Short forms for pickups on the command line: the day by name, hours as `14:00-17:00`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from shipcli.features.book.drafts import find_time_zone
from shipcli.features.core.dates import read_day
from shipcli.models import Invalid

HOURS = "hours"
_HOURS = re.compile(r"([01]?[0-9]|2[0-3])(?::([0-5][0-9]))?\s*-\s*([01]?[0-9]|2[0-3])(?::([0-5][0-9]))?")


def complete_change(
    now: datetime, body: Mapping[str, Any], address: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return a body with the day and hours expanded; days are in the time zone of the pickup address.

    Errors: Invalid on `hours` and `pickup_date`.
    """
    full = {key: value for key, value in body.items() if key != HOURS}
    if body.get(HOURS):
        full["ready_time"], full["closing_time"] = read_hours(str(body[HOURS]))
    if full.get("pickup_date"):
        today = now.astimezone(find_time_zone(address)).date()
        full["pickup_date"] = read_day(str(full["pickup_date"]), today, "pickup_date").isoformat()
    return full


def read_hours(text: str) -> tuple[str, str]:
    """Parse ready and closing time from `14:00-17:00` or `9-17`.

    Errors: Invalid on `hours`.
    """
    match = _HOURS.fullmatch(text.strip())
    if match is None:
        raise Invalid(HOURS, f"{text!r} is not a span of hours such as 14:00-17:00.")
    ready, closing = (f"{int(match[at]):02}:{match[at + 1] or '00'}" for at in (1, 3))
    if closing <= ready:
        raise Invalid(HOURS, f"{text!r} ends before it begins.")
    return ready, closing
