"""The clock of a sandbox, for the people and programs that move it."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from shipcli.clocks import SandboxClock
from shipcli.features.core.dates import parse_instant
from shipcli.models import Conflict, Invalid
from shipcli.models.sandbox_time import (
    ClockAdvanceData,
    ClockFreezeData,
    ClockSetData,
    ClockSpeedData,
    ClockState,
)

if TYPE_CHECKING:
    from shipcli.features.core.app import App

_SPAN = re.compile(r"(?:\d{1,9}(?:\.\d{1,9})?[wdhms] ?)+", re.IGNORECASE)
_PIECE = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)([wdhms])", re.IGNORECASE)
_UNITS = {"w": "weeks", "d": "days", "h": "hours", "m": "minutes", "s": "seconds"}
_FIRST, _LAST = datetime(2000, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)


def find_clock(app: App) -> SandboxClock:
    """The clock of this sandbox.

    Errors: Conflict for an app that is no sandbox, or was given another clock.
    """
    if not isinstance(app.clock, SandboxClock):
        raise Conflict("Only a sandbox has a clock that can be moved")
    return app.clock


def show_clock(app: App) -> ClockState:
    """What the clock shows."""
    reading = find_clock(app).read()
    state = "real" if not reading.is_virtual else "virtual" if reading.speed else "frozen"
    return ClockState(now=reading.now.isoformat(), state=state, speed=reading.speed)


def freeze_clock(app: App, data: ClockFreezeData) -> ClockState:
    """Stop the clock, now or at an instant.

    Errors: Invalid for an instant that can't be read.
    """
    if data.at is None:
        find_clock(app).run(0)
    else:
        find_clock(app).show(read_instant(data.at, "at"), 0)
    return show_clock(app)


def set_clock(app: App, data: ClockSetData) -> ClockState:
    """Set the clock to an instant; it runs on, or stands, as before.

    Errors: Invalid for an instant that can't be read.
    """
    find_clock(app).show(read_instant(data.at, "at"))
    return show_clock(app)


def set_speed(app: App, data: ClockSpeedData) -> ClockState:
    """Let time run faster or slower from now on."""
    find_clock(app).run(data.speed)
    return show_clock(app)


def follow_real_time(app: App) -> ClockState:
    """Show the real time again."""
    find_clock(app).follow_real_time()
    return show_clock(app)


def find_end(app: App, data: ClockAdvanceData) -> datetime:
    """The instant to which the clock is moved.

    Errors: Invalid unless one of both is given, and can be read, and is in the future.
    """
    now = find_clock(app)()
    if (data.by is None) == (data.to is None):
        raise Invalid("by", "say either by which span, such as 61h, or to which instant")
    end = read_instant(data.to, "to") if data.to else now + read_span(str(data.by), "by")
    if end < now:
        raise Invalid("to", f"{end.isoformat()} is past: it is {now.isoformat()}")
    if end > _LAST:
        raise Invalid("by", f"must not lead beyond {_LAST:%Y}")
    return end


def read_span(text: str, field: str) -> timedelta:
    """Read `61h`, `2d 3h`, `90m`, or seconds.

    Errors: Invalid on the field.
    """
    word = text.strip()
    try:
        if _SPAN.fullmatch(word):
            pieces = {_UNITS[unit.lower()]: float(count) for count, unit in _PIECE.findall(word)}
            return timedelta(**pieces)
        seconds = float(word)
        if seconds >= 0:
            return timedelta(seconds=seconds)
    except (ValueError, OverflowError):
        pass
    raise Invalid(field, f"{text!r} is not a span such as 61h, 3d, 1d12h, 90m, or a number of seconds")


def read_instant(text: str, field: str) -> datetime:
    """Read `2026-01-05T09:00Z` or a day; UTC unless the text says otherwise.

    Errors: Invalid on the field.
    """
    try:
        instant = parse_instant(text.strip())
    except ValueError:
        raise Invalid(field, f"{text!r} is not an instant such as 2026-01-05T09:00Z") from None
    instant = instant.astimezone(UTC)
    if not _FIRST <= instant <= _LAST:
        raise Invalid(field, f"must be between {_FIRST:%Y} and {_LAST:%Y}")
    return instant
