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
    filter_by_flag,
    filter_by_pair_key,
    filter_by_pair_value,
    filter_by_part,
    filter_by_text,
    filter_by_values,
    split_words,
)
from shipcli.models.basics import enums
from shipcli.store import query
from shipcli.store.query import Filter

CUSTOM = "generic"  # not in the column: shipments store the name of their custom carrier there


def _filter_by_seller(value: Any) -> Iterable[Filter]:
    """Match the carrier's slug or the carrier behind a hub; `generic` matches all custom carriers."""
    carriers = split_words(value)
    custom = [query.pair("meta", "ext", CUSTOM)] if CUSTOM in carriers else []
    yield query.any_of(*(query.one_of(name, carriers) for name in ("carrier_name", "rate_provider")), *custom)


SHIPMENTS: Rules = {
    "address": filter_by_text("address", "Text in the recipient's address."),
    "keyword": filter_by_text("keyword", "Text in address, number or reference."),
    "tracking_number": filter_by_part("tracking_number", "Part of the number."),
    "reference": filter_by_part("reference", "Part of the reference."),
    "id": IDS,
    "carrier_name": FilterRule(_filter_by_seller, several=True, help="Carrier slug.", option=CARRIER),
    "service": filter_by_values("service", "Service of the chosen rate."),
    "status": filter_by_values("status", STATUS, enums.SHIPMENT_STATUSES),
    **OPTIONS,
    **METADATA,
    "meta_key": filter_by_pair_key("meta", "Has this meta key."),
    "meta_value": filter_by_pair_value("meta", "Some meta key has this value."),
    "has_tracker": filter_by_flag("has_tracker", "Watched or not.", "--has-tracker/--no-tracker"),
    "has_manifest": filter_by_flag("has_manifest", "On a manifest or not.", "--has-manifest/--no-manifest"),
    **CREATED,
}
