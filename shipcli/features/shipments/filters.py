"""The filters of the list of shipments."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from shipcli.features.core.filters import (
    CREATED,
    METADATA,
    OPTIONS,
    FilterRule,
    Rules,
    flag,
    key,
    one_of_values,
    part,
    text,
    value,
)
from shipcli.models import enums
from shipcli.store import query
from shipcli.store.query import Filter


def _sold_by(value: Any) -> Iterable[Filter]:
    """The carrier's slug, or the provider behind a hub."""
    yield query.any_of(
        *(one for column in ("carrier_name", "rate_provider") for one in one_of_values(column)(value))
    )


SHIPMENTS: Rules = {
    "address": text("address"),
    "keyword": text("keyword"),
    "tracking_number": part("tracking_number"),
    "reference": part("reference"),
    "id": one_of_values("id"),
    "carrier_name": FilterRule(_sold_by),
    "service": one_of_values("service"),
    "status": one_of_values("status", enums.SHIPMENT_STATUSES),
    **OPTIONS,
    **METADATA,
    "meta_key": key("meta"),
    "meta_value": value("meta"),
    "has_tracker": flag("has_tracker"),
    "has_manifest": flag("has_manifest"),
    **CREATED,
}
