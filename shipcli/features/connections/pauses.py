"""When carriers are asked again about what is in doubt: with growing pauses, for some hours."""

from __future__ import annotations

from datetime import datetime, timedelta

FIRST_PAUSE, LONGEST_PAUSE = timedelta(minutes=1), timedelta(hours=2, minutes=8)
LONGEST = timedelta(hours=4)  # then only a person can find out


def is_time(since: datetime, last: datetime, now: datetime) -> bool:
    """Whether it is time to ask: each pause is as long as all before it together, but for the longest."""
    pause = min(max(FIRST_PAUSE, last - since), LONGEST_PAUSE)
    return now - last >= pause


def is_over(since: datetime, last: datetime) -> bool:
    """Whether a carrier was asked for so long that it is not asked again."""
    return last - since >= LONGEST
