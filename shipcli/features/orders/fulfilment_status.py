"""Which shipments cover which order lines, and the order status that results.

The links between orders and shipments are rows of `order_shipments`; they and everything derived from them
(an order's status, the unfulfilled quantities) are written in the transaction that writes the shipment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shipcli.features.core.repository import save
from shipcli.features.core.shipment_lookup import (
    find_order_ids,
    list_line_quantities,
    list_linked_orders,
    list_order_shipments,
)

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.core.saved_document import SavedDocument
    from shipcli.store.transaction import Transaction

Document = dict[str, Any]
NOT_COVERING = frozenset({"draft", "cancelled"})
EVENTS = {"fulfilled": "order_fulfilled", "delivered": "order_delivered"}


def follow(app: App, tx: Transaction, saved: SavedDocument) -> None:
    """After a shipment is saved, link it to the orders whose lines it contains and update those orders.

    What a carrier reports of a shipment changes none of its lines.
    """
    if saved.kind != "shipment":
        return
    is_tracked = saved.cause == "tracked" and not saved.is_new
    order_ids = list_linked_orders(tx, saved.document["id"]) if is_tracked else link(tx, saved.document)
    for order_id in sorted(order_ids):
        write_derived_order(app, tx, order_id)


def link(tx: Transaction, shipment: Mapping[str, Any]) -> set[str]:
    """Record which orders a shipment belongs to; return these and the ones it belonged to before."""
    before = set(list_linked_orders(tx, shipment["id"]))
    now = find_order_ids(tx, (line_id for line_id, _ in list_line_quantities([shipment])))
    for order_id in sorted(now - before):
        tx.add("order_shipments", {"order_id": order_id, "shipment_id": shipment["id"]})
    for order_id in sorted(before - now):
        tx.remove("order_shipments", {"order_id": order_id, "shipment_id": shipment["id"]})
    return before | now


def write_derived_order(app: App, tx: Transaction, order_id: str) -> None:
    """Update an order's status and unfulfilled quantities from its shipments, unless it is cancelled."""
    from shipcli.events import emit

    order = tx.get("order", order_id)
    if order is None or order["status"] == "cancelled":
        return
    shipments = list_order_shipments(tx, order_id)
    changed = derive_order(order, shipments)
    if changed == order:
        return
    save(app, tx, "order", changed, "noted")
    if changed["status"] != order["status"] and changed["status"] in EVENTS:
        emit(tx, app, EVENTS[changed["status"]], {**changed, "shipments": shipments})


def derive_order(order: Mapping[str, Any], shipments: Sequence[Mapping[str, Any]]) -> Document:
    """Return the order with status and unfulfilled quantities computed from its shipments."""
    covering = [shipment for shipment in shipments if shipment["status"] not in NOT_COVERING]
    covered: Counter[str] = Counter()
    for line, quantity in list_line_quantities(covering):
        covered[line] += quantity
    lines = [
        {**line, "unfulfilled_quantity": max(line["quantity"] - covered[line["id"]], 0)}
        for line in order["line_items"]
    ]
    some = any(covered[line["id"]] for line in lines)
    return {**order, "line_items": lines, "status": derive_status(lines, covering, some=some)}


def derive_status(
    lines: Sequence[Mapping[str, Any]], covering: Sequence[Mapping[str, Any]], *, some: bool
) -> str:
    """Return the status of an order with these lines; `some` is whether anything is covered."""
    if covering and not any(line["unfulfilled_quantity"] for line in lines):
        return "delivered" if all(shipment["status"] == "delivered" for shipment in covering) else "fulfilled"
    return "partial" if some else "unfulfilled"
