"""Days and times as people type them."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta

from shipcli.models import Invalid
from shipcli.models.basics.enums import WEEKDAYS

NEAR = {"today": 0, "tomorrow": 1}
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})")
_AHEAD = re.compile(r"\+?(\d{1,3})d")


def read_day(text: str, today: date, field: str = "date") -> date:
    """Read a day: `today`, `tomorrow`, a weekday (the next one, never today), `3d` or `2026-11-30`.

    Errors: Invalid on the field.
    """
    word = text.strip().lower()
    if word in NEAR:
        return today + timedelta(days=NEAR[word])
    named = [number for number, day in enumerate(WEEKDAYS) if len(word) >= 3 and day.startswith(word)]
    if named:
        return today + timedelta(days=(named[0] - today.weekday() - 1) % 7 + 1)
    ahead = _AHEAD.fullmatch(word)
    if ahead:
        return today + timedelta(days=int(ahead[1]))
    try:
        return date.fromisoformat(word)
    except ValueError:
        raise Invalid(field, f"{text!r} is not a day such as friday, tomorrow, 3d or 2026-11-30.") from None


def add_working_days(start: date, days: int) -> date:
    """The day that is this many working days after `start`; only weekends are skipped."""
    day = start
    for _ in range(days):
        day += timedelta(days=1)
        while day.weekday() >= 5:
            day += timedelta(days=1)
    return day


def find_local_day(now: datetime) -> date:
    """The date in this machine's time zone."""
    return now.astimezone().date()


def find_midnight(now: datetime) -> datetime:
    """The start of this day in this machine's time zone."""
    return now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0)


def list_offsets() -> list[str]:
    """How far this machine's time zone is from UTC in the months of a year: other zones have other days."""
    return [f"{datetime(2025, month, 15).astimezone():%z}" for month in range(1, 13)]


def find_first_instant(day: date) -> datetime:
    """The start of a day in this machine's time zone."""
    return datetime.combine(day, time()).astimezone()


def parse_instant(text: str) -> datetime:
    """A date or an instant in ISO 8601, in UTC unless it has a time zone.

    Errors: ValueError.
    """
    instant = datetime.fromisoformat(text)
    return instant if instant.tzinfo else instant.replace(tzinfo=UTC)


def read_moment(text: str, now: datetime, field: str) -> datetime:
    """Read the most recent `10:40` of this machine's clock, or a date and time such as 2026-11-22T10:40.

    Errors: Invalid on the field.
    """
    clock = _CLOCK.fullmatch(text.strip())
    try:
        if not clock:
            return datetime.fromisoformat(text.strip()).astimezone()
        moment = find_midnight(now).replace(hour=int(clock[1]), minute=int(clock[2]))
    except (ValueError, OverflowError):
        raise Invalid(
            field, f"{text!r} is not a time such as 10:40, 2026-11-22 or 2026-11-22T10:40."
        ) from None
    return moment if moment <= now else moment - timedelta(days=1)
