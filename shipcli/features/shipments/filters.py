"""The filters of the list of shipments."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from shipcli.features.core.filters import (
    CARRIER,
    CREATED,
    IDS,
    METADATA,
    OPTIONS,
    STATUS,
    FilterRule,
    Rules,
    flag,
    key,
    one_of_values,
    part,
    text,
    value,
    words,
)
from shipcli.models.basics import enums
from shipcli.store import query
from shipcli.store.query import Filter

CUSTOM = "generic"  # not in the column: shipments store the name of their custom carrier there


def _sold_by(value: Any) -> Iterable[Filter]:
    """Match the carrier's slug or the carrier behind a hub; `generic` matches all custom carriers."""
    wanted = words(value)
    custom = [query.pair("meta", "ext", CUSTOM)] if CUSTOM in wanted else []
    yield query.any_of(*(query.one_of(name, wanted) for name in ("carrier_name", "rate_provider")), *custom)


SHIPMENTS: Rules = {
    "address": text("address", "Text in the recipient's address."),
    "keyword": text("keyword", "Text in address, number or reference."),
    "tracking_number": part("tracking_number", "Part of the number."),
    "reference": part("reference", "Part of the reference."),
    "id": IDS,
    "carrier_name": FilterRule(_sold_by, several=True, help="Carrier slug.", option=CARRIER),
    "service": one_of_values("service", "Service of the chosen rate."),
    "status": one_of_values("status", STATUS, enums.SHIPMENT_STATUSES),
    **OPTIONS,
    **METADATA,
    "meta_key": key("meta", "Has this meta key."),
    "meta_value": value("meta", "Some meta key has this value."),
    "has_tracker": flag("has_tracker", "Watched or not.", "--has-tracker/--no-tracker"),
    "has_manifest": flag("has_manifest", "On a manifest or not.", "--has-manifest/--no-manifest"),
    **CREATED,
}
