"""Times as carriers write and take them: when something was scanned, and office hours in which to hand over.

Source: the recorded requests: offices open Monday to Friday from 9 to 17; what lies outside becomes 10:00 of
the next working day.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import date, datetime, time, timedelta
from typing import Any

# As the recorded trackings show the time of an event, and so clients read it: 09:42 AM, 17:23 PM.
CLOCK = "%H:%M %p"
OPENS, CLOSES, MORNING = time(9), time(17), time(10)
SATURDAY = 5


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


def find_office_time(at: datetime) -> datetime:
    """The time itself when it is in office hours, else 10:00 of the next working day."""
    if at.weekday() < SATURDAY and OPENS <= at.time() <= CLOSES:
        return at
    day = at + timedelta(days=1)
    while day.weekday() >= SATURDAY:
        day += timedelta(days=1)
    return datetime.combine(day.date(), MORNING, at.tzinfo)


def count_working_days(start: date, end: date) -> int:
    """The days from Monday to Friday after the start, the end among them."""
    days = (start + timedelta(days=at) for at in range(1, (end - start).days + 1))
    return sum(day.weekday() < SATURDAY for day in days)
