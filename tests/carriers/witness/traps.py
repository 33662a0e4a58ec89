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


def drop_widths(node: Any, names: Collection[str]) -> Any:
    """The description without the least length of texts by these names that is their greatest length too."""
    if isinstance(node, list):
        return [drop_widths(inner, names) for inner in node]
    if not isinstance(node, dict) or not names:
        return node
    return {
        key: drop_width(inner) if key in names else drop_widths(inner, names) for key, inner in node.items()
    }


def drop_width(schema: Any) -> Any:
    if not isinstance(schema, dict) or schema.get("minLength") != schema.get("maxLength"):
        return schema
    return {key: value for key, value in schema.items() if key != "minLength"}
