"""What descriptions say and their own examples break: each trap once, with its reason and its source."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

# UPS states the width of a field as the least length of its text too: a weight of 6 characters beside the
# example "2", a format code of 4 beside "GIF", a service code of 3 beside "01", amounts of 16 and of 8; an
# ITN of 17 where customs gives X and 14 digits, a legend of 20 beside its own list ("30.37(a)").
# Source: Rating and Shipping API as published in November 2026, their examples; read on 2026-11-26.
WIDTHS_AS_LEAST: Mapping[str, Collection[str]] = {
    "ups": ("Code", "MonetaryValue", "Weight", "PreDepartureITNNumber", "ExemptionLegend")
}
# A date of 4 characters beside its form "yyyyMMdd" and the example "20221214": its width is no width at all.
# Source: Pickup API as published in November 2026, PickupDateInfo; read on 2026-11-27.
NO_WIDTHS: Mapping[str, Collection[str]] = {"ups": ("PickupDate",)}
LENGTHS = frozenset({"minLength", "maxLength"})


def drop_widths(node: Any, slug: str) -> Any:
    """The description of a carrier without the lengths of texts that are none."""
    dropped = {name: frozenset({"minLength"}) for name in WIDTHS_AS_LEAST.get(slug, ())}
    return _drop_widths(node, {**dropped, **dict.fromkeys(NO_WIDTHS.get(slug, ()), LENGTHS)})


def _drop_widths(node: Any, names: Mapping[str, Collection[str]]) -> Any:
    if isinstance(node, list):
        return [_drop_widths(inner, names) for inner in node]
    if not isinstance(node, dict) or not names:
        return node
    return {
        key: drop_width(inner, names[key]) if key in names else _drop_widths(inner, names)
        for key, inner in node.items()
    }


def drop_width(schema: Any, keys: Collection[str]) -> Any:
    """The schema of a text without these lengths, where its least length is its greatest too."""
    if not isinstance(schema, dict) or schema.get("minLength") != schema.get("maxLength"):
        return schema
    return {key: value for key, value in schema.items() if key not in keys}
