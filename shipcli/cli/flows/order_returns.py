"""The card of an order with what comes back of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shipcli.cli.console import order_card
from shipcli.cli.current_run import get_run
from shipcli.workflows import lookup


def write_card(order: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The lines of the card, with the returns of the order's shipments."""
    ids = [str(shipment["id"]) for shipment in order.get("shipments") or ()]
    return order_card.write_order_card({**order, "returns": lookup.list_returns(get_run().gateway, ids)})
