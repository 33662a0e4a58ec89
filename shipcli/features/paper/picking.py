"""What has to be picked for orders and shipments, and which of them need nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shipcli.drawing.formats.pdf import write_pdf
from shipcli.features.paper.stationery import make_stationery
from shipcli.models import Commodity, Invalid, Order, Shipment

if TYPE_CHECKING:
    from shipcli.drawing.paper import PaperSize
    from shipcli.features.core.app import App

Owner = tuple[str, str]  # the number of an order, and the shop it is from
BOUGHT = "purchased"  # bought, and as far as we know still here


@dataclass(frozen=True)
class PickPlan:
    """Names with their items, in the order given; names that are on no list, each with the reason."""

    wanted: tuple[tuple[str, tuple[Commodity, ...]], ...]
    left_out: tuple[tuple[str, str], ...]


def plan_orders(orders: Sequence[Order], printed: Collection[str]) -> PickPlan:
    """Return what has to be picked for orders: what is bought and not printed, and what is not bought yet.

    `printed` are the ids of shipments whose label is printed: their goods have been picked.
    """
    return _plan(
        [
            ((order.order_id, order.source), _select_waiting(order, printed), _explain_order(order))
            for order in orders
        ]
    )


def plan_shipments(shipments: Sequence[Shipment]) -> PickPlan:
    """Return the contents of shipments, by the number of their order if they have one."""
    return _plan(
        [
            (_read_owner(shipment), _list_items(shipment), _explain_shipment(shipment))
            for shipment in shipments
        ]
    )


def _plan(entries: Iterable[tuple[Owner, tuple[Commodity, ...], str]]) -> PickPlan:
    listed = list(entries)
    shared = Counter(number for number, _ in {owner for owner, _, _ in listed})
    rows = [(_name_owner(owner, shared), items, reason) for owner, items, reason in listed]
    return PickPlan(
        tuple((name, items) for name, items, _ in rows if items),
        tuple((name, reason) for name, items, reason in rows if not items),
    )


def _select_waiting(order: Order, printed: Collection[str]) -> tuple[Commodity, ...]:
    """Return the part of an order's lines that still has to be picked."""
    if order.status == "cancelled":
        return ()
    bought = (
        shipment for shipment in order.shipments if shipment.status == BOUGHT and shipment.id not in printed
    )
    packed = Counter[str]()
    for item in (item for shipment in bought for parcel in shipment.parcels for item in parcel.items):
        packed[item.parent_id or ""] += item.quantity
    counts = ((line, line.unfulfilled_quantity + packed[line.id or ""]) for line in order.line_items)
    return tuple(line.model_copy(update={"quantity": count}) for line, count in counts if count)


def _explain_order(order: Order) -> str:
    if order.status == "cancelled":
        return "cancelled"
    if any(shipment.status == "needs_attention" for shipment in order.shipments):
        return "its purchase is open"
    is_bought = any(shipment.status == BOUGHT for shipment in order.shipments)
    return "its label is printed" if is_bought else "sent"


def _list_items(shipment: Shipment) -> tuple[Commodity, ...]:
    if shipment.status == "cancelled":
        return ()
    return tuple(item for parcel in shipment.parcels for item in parcel.items)


def _explain_shipment(shipment: Shipment) -> str:
    return "voided" if shipment.status == "cancelled" else "nobody said what is in it"


def _read_owner(shipment: Shipment) -> Owner:
    of_order = shipment.metadata or {}
    number = of_order.get("order_id") or shipment.reference or shipment.tracking_number or shipment.id
    return str(number), str(of_order.get("order_source") or "")


def _name_owner(owner: Owner, shared: Mapping[str, int]) -> str:
    """Return the number of an order, with its shop if orders of several shops have that number."""
    number, source = owner
    return f"{number} {source}".rstrip() if shared[number] > 1 else number


def make_pick_list(app: App, plan: PickPlan, paper: PaperSize | None = None) -> bytes:
    """Return a pick list as PDF, on the usual paper if none is named.

    Errors: Invalid if there is nothing to pick.
    """
    from shipcli.documents.pick_list import draw_pick_list

    if not plan.wanted:
        raise Invalid("orders", "Nothing is to be fetched for them.")
    stationery = make_stationery(app, "picklist", None, paper)
    return write_pdf(draw_pick_list(plan.wanted, stationery), "pick list")
