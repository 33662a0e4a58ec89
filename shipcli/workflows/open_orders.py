"""Which orders are left to ship."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from shipcli.features.orders.filters import AT_BENCH
from shipcli.gateway.where import make_where

if TYPE_CHECKING:
    from shipcli.gateway.gateway import Gateway

UNFULFILLED, PARTIAL = OPEN_ORDERS = ("unfulfilled", "partial")


def list_unfulfilled(
    gateway: Gateway, filters: Mapping[str, Any] | None = None, *, partial: bool = False
) -> list[str]:
    """The orders of which nothing has been shipped yet, oldest first: by their day, then as they came.

    With `partial` those that were shipped in part as well. Errors: Invalid for a filter that cannot be read.
    """
    rows = [
        row
        for status in (OPEN_ORDERS if partial else (UNFULFILLED,))
        for row in gateway.each("order", make_where(AT_BENCH, {"status": status, **(filters or {})}))
    ]
    rows.reverse()
    rows.sort(key=lambda row: (_read_day(row), str(row.get("created_at"))))
    return [str(row["id"]) for row in rows]


def _read_day(order: Mapping[str, Any]) -> str:
    return str(order.get("order_date") or order.get("created_at"))[:10]


def count_partial(gateway: Gateway, filters: Mapping[str, Any]) -> int:
    """How many orders were shipped in part. Errors: Invalid for a filter that cannot be read."""
    return gateway.page("order", make_where(AT_BENCH, {"status": PARTIAL, **filters}), 1, 0)[0]
