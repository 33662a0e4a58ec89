"""The filters of the lists of pickups and manifests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shipcli.features.core.filters import (
    CARRIER,
    CREATED,
    IDS,
    FilterRule,
    Rules,
    filter_by_values,
    read_bool,
    take_last,
)
from shipcli.store.query import Filter, any_of, flag

MANIFESTS: Rules = {
    "id": IDS,
    "carrier_name": filter_by_values("carrier_name", "Carrier slug.", option=CARRIER),
    **CREATED,
}


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
