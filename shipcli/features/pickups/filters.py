"""The filters of the list of pickups."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shipcli.features.core.filters import FilterRule, Rules, read_bool, take_last
from shipcli.store.query import Filter, any_of, flag

BOOKED = flag("cancelled", False)
CANCELLED = flag("cancelled", True)


def _read(value: Any) -> Iterator[Filter]:
    cancelled = read_bool(value)
    if cancelled is not None:
        yield CANCELLED if cancelled else BOOKED
    elif str(take_last(value)).lower() == "all":
        yield any_of(CANCELLED, BOOKED)


# Without this filter the API lists only booked pickups, as its contract requires.
PICKUPS: Rules = {"cancelled": FilterRule(_read, words=("true", "false", "all"), published=False)}
