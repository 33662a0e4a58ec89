"""Times as carriers write and take them: when something was scanned, and office hours in which to hand over.

Source: the recorded requests: offices open Monday to Friday from 9 to 17; what lies outside becomes 10:00 of
the next working day.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import date, datetime, time, timedelta
from typing import Any

# As the recorded trackings show the time of an event, and as clients read it: 09:42 AM, 17:23 PM.
CLOCK = "%H:%M %p"
OPENS, CLOSES, MORNING = time(9), time(17), time(10)
SATURDAY = 5


def read_moment(text: Any, *forms: str) -> datetime | None:
    """Return a time as it stands, not converted to another zone, or None if it is not a time.

    `forms` are those of a carrier whose times are not ISO's (`%d.%m.%Y %H:%M`); the first that fits counts.
    """
    for form in forms or (None,):
        with suppress(ValueError):
            return datetime.strptime(str(text), form) if form else datetime.fromisoformat(str(text))
    return None


def read_day(text: Any) -> str | None:
    """Return the day of a time, as `2025-03-04`, or None if it is not a time."""
    at = read_moment(text)
    return at.date().isoformat() if at else None


def read_clock(text: Any, form: str = CLOCK) -> str | None:
    """Return hour and minute of a time as they are shown, or None if it is not a time."""
    at = read_moment(text)
    return at.strftime(form) if at else None


def find_office_time(at: datetime) -> datetime:
    """Return the time itself if it is in office hours, else 10:00 of the next working day."""
    if at.weekday() < SATURDAY and OPENS <= at.time() <= CLOSES:
        return at
    day = at + timedelta(days=1)
    while day.weekday() >= SATURDAY:
        day += timedelta(days=1)
    return datetime.combine(day.date(), MORNING, at.tzinfo)


def count_working_days(start: date, end: date) -> int:
    """Return the number of days from Monday to Friday after the start, up to and including the end."""
    days = (start + timedelta(days=at) for at in range(1, (end - start).days + 1))
    return sum(day.weekday() < SATURDAY for day in days)
