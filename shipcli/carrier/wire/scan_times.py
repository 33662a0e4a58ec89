"""When something was scanned, as carriers tell it: ISO times that are local to the place, or nothing."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import Any

# As the recorded trackings show the time of an event, and so clients read it: 09:42 AM, 17:23 PM.
CLOCK = "%H:%M %p"


def read_moment(text: Any, *forms: str) -> datetime | None:
    """A time as it stands, not moved to another zone; None for what is no time.

    `forms` are those of a carrier whose times are not ISO's (`%d.%m.%Y %H:%M`); the first that fits counts.
    """
    for form in forms or (None,):
        with suppress(ValueError):
            return datetime.strptime(str(text), form) if form else datetime.fromisoformat(str(text))
    return None


def read_day(text: Any) -> str | None:
    """The day of a time, as `2025-03-04`; None for what is no time."""
    at = read_moment(text)
    return at.date().isoformat() if at else None


def read_clock(text: Any, form: str = CLOCK) -> str | None:
    """The hour and minute of a time in the form that is shown; None for what is no time."""
    at = read_moment(text)
    return at.strftime(form) if at else None
