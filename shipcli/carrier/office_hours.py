"""When a parcel is handed over: carriers that take a time want one at which somebody works.

Source: the recorded requests: Monday to Friday from 9 to 17; what lies outside becomes 10:00 of the next
working day.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

OPENS, CLOSES, MORNING = time(9), time(17), time(10)
SATURDAY = 5


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
