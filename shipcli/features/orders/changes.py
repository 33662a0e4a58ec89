"""Correct an order that has no live label, split it, or combine it with others to the same address.

Lines keep their ids wherever they go: a label that was voided, and turns out to be alive, covers them still.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from shipcli.events import emit
from shipcli.features.core.merge import drop_ids
from shipcli.features.core.repository import save
from shipcli.features.core.shipment_lookup import list_order_shipments, make_place_key
from shipcli.features.orders.fulfilment_status import link
from shipcli.features.orders.origins import COMBINED_FROM, SOLD_IN, SPLIT, find_origin
from shipcli.features.orders.service import (
    check_no_purchase,
    derive_stored_order,
    find_known_order,
    load_order,
)
from shipcli.models import (
    Address,
    Conflict,
    Invalid,
    NotFound,
    Order,
    OrderCombineData,
    OrderData,
    OrderEditData,
    OrderPart,
    OrderSplitData,
)
from shipcli.models.basics.enums import COMBINED
from shipcli.models.parts.address import copy_fields

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.core.idempotency_key import IdempotencyKey
    from shipcli.store.transaction import Transaction

BEFORE_EDIT = "before_edit"  # in an order's meta: address and lines as they were before the first edit
EDITED = ("shipping_to", "line_items")
Document = dict[str, Any]
Plain = Mapping[str, Any]


# -- editing ---------------------------------------------------------------------------------------


def edit_order(app: App, order_id: str, data: OrderEditData) -> Order:
    """Correct the address an order goes to and the facts of its lines; null removes a fact.

    Errors: NotFound for order and lines; Invalid naming what would be wrong; Conflict if nothing is left to
            ship, if a label is being bought, or if fewer pieces would remain than were sent.
    """
    with app.store.transaction(locks=[f"order/{order_id}"]) as tx:
        order = derive_stored_order(tx, load_order(tx, app, order_id))
        _check_open(tx, order)
        changed = {
            **order,
            "shipping_to": {**order["shipping_to"], **data.shipping_to},
            "line_items": _edit_lines(order, data),
        }
        changed = _check_whole({**changed, "meta": remember_before_edit(order)})
        return _store_changed(app, tx, changed)


def remember_before_edit(order: Plain) -> Document:
    """Return the meta of an order with what a file said of it, as it was before the first edit."""
    meta = order.get("meta") or {}
    return {BEFORE_EDIT: {name: drop_ids(order[name]) for name in EDITED}, **meta}


def _check_open(tx: Transaction, order: Plain) -> None:
    """Errors: Conflict if nothing is left to ship of an order, or a label is being bought for it."""
    if order["status"] in ("cancelled", "fulfilled", "delivered"):
        hint = "" if order["status"] == "cancelled" else ": void its label before"
        raise Conflict(f"The order {order['order_id']} is {order['status']} and cannot be changed{hint}")
    check_no_purchase(tx, order["id"])


def _edit_lines(order: Plain, data: OrderEditData) -> list[Document]:
    patches = {patch.id: {**patch.model_dump(exclude_unset=True)} for patch in data.line_items}
    unknown = next((id for id in patches if id not in {line["id"] for line in order["line_items"]}), None)
    if unknown:
        raise NotFound("line item", unknown)
    return [_edit_line(line, patches.get(line["id"], {})) for line in order["line_items"]]


def _edit_line(line: Plain, patch: Plain) -> Document:
    """Errors: Conflict if fewer pieces would be left than were sent."""
    sent = line["quantity"] - line["unfulfilled_quantity"]
    changed = {**line, **patch}
    if isinstance(changed["quantity"], int) and changed["quantity"] < sent:
        raise Conflict(f"{_name_line(line)}: {sent} of it are sent already")
    return changed


def _check_whole(order: Document) -> Document:
    """Return a changed order, its address and lines as they would be stored of a body.

    Errors: Invalid naming each wrong field.
    """
    lines = [{name: value for name, value in line.items() if name != "id"} for line in order["line_items"]]
    try:
        address = copy_fields(order["shipping_to"])
        number = order["order_id"]
        body = OrderData.model_validate({"order_id": number, "shipping_to": address, "line_items": lines})
    except ValidationError as error:
        raise Invalid.from_pydantic(error) from None
    plain = body.model_dump()
    checked = [
        {**line, **{name: value for name, value in item.items() if name in line and name != "id"}}
        for line, item in zip(order["line_items"], plain["line_items"], strict=True)
    ]
    return {**order, "shipping_to": {**order["shipping_to"], **plain["shipping_to"]}, "line_items": checked}


def _name_line(line: Plain) -> str:
    return str(line.get("sku") or line.get("title") or line["id"])


def _store_changed(app: App, tx: Transaction, order: Plain) -> Order:
    """Store a changed order with what its shipments cover, and emit its event."""
    _save(app, tx, order)
    changed = derive_stored_order(tx, order)
    _save(app, tx, changed)
    emit(tx, app, "order_updated", changed)
    return Order.model_validate(changed)


def _save(app: App, tx: Transaction, order: Plain) -> None:
    document = {name: value for name, value in order.items() if name != "shipments"}
    save(app, tx, "order", document, "content")


# -- splitting -------------------------------------------------------------------------------------


def split_order(
    app: App, order_id: str, data: OrderSplitData, *, once: IdempotencyKey | None = None
) -> Order:
    """Move unshipped pieces of an order to a new order to the same address; return the new one.

    Errors: NotFound for order and lines; Conflict as for `edit_order`, if more pieces are named than are
            left, if nothing would remain, or if the new number is in use.
    """
    with app.store.transaction() as tx:
        order = derive_stored_order(tx, load_order(tx, app, order_id))
        _check_open(tx, order)
        moved, kept = _part_lines(app, order, data.line_items)
        number = data.order_id or _make_number(app, tx, order)
        if find_known_order(tx, app, number, order["source"]):
            raise Conflict(f"An order {number} from {order['source']} exists already")
        meta = remember_before_edit(order)
        meta[SPLIT] = [*meta.get(SPLIT, []), number]
        _save(app, tx, {**order, "line_items": kept, "meta": meta})
        sold_in = {
            line["id"]: find_origin(order, named.id)
            for named, line in zip(data.line_items, moved, strict=True)
        }
        part = _save_part(app, tx, order, {"order_id": number, "line_items": moved}, sold_in)
        _follow_lines(app, tx, [order])
        _announce(app, tx, order["id"], "order_updated")
        made = _announce(app, tx, part["id"], "order_created")
        if once:
            once.remember_made(tx, made.model_dump())
    return made


def _part_lines(app: App, order: Plain, parts: Sequence[OrderPart]) -> tuple[list[Document], list[Document]]:
    """Return the lines that move and those that stay.

    Errors: NotFound; Conflict.
    """
    left = {line["id"]: line for line in order["line_items"]}
    moved = []
    for part in parts:
        line = left.get(part.id)
        if line is None:
            raise NotFound("line item", part.id)
        count = part.quantity or line["unfulfilled_quantity"]
        if not 0 < count <= line["unfulfilled_quantity"]:
            text = f"{_name_line(line)}: {line['unfulfilled_quantity']} of it are left to ship"
            raise Conflict(f"{text}, {part.quantity or 'none'} can't be moved")
        whole = count == line["quantity"]
        moved.append({**line, "quantity": count, "id": line["id"] if whole else app.new_id("cdt_")})
        left[part.id] = {**line, "quantity": line["quantity"] - count,
                         "unfulfilled_quantity": line["unfulfilled_quantity"] - count}  # fmt: skip
    kept = [line for line in left.values() if line["quantity"]]
    if not kept:
        raise Conflict("Nothing would be left of the order: name fewer lines or pieces")
    return [{**line, "unfulfilled_quantity": line["quantity"]} for line in moved], kept


def _make_number(app: App, tx: Transaction, order: Plain) -> str:
    """Return the next number for a part of an order: 1042-2, 1042-3."""
    part = 2
    while find_known_order(tx, app, f"{order['order_id']}-{part}", order["source"]):
        part += 1
    return f"{order['order_id']}-{part}"


def _save_part(
    app: App, tx: Transaction, order: Plain, own: Document, sold_in: Mapping[str, str]
) -> Document:
    sender = order["shipping_from"]
    part = {
        **order,
        **own,
        "id": app.new_id("ord_"),
        "status": "unfulfilled",
        "shipping_to": {**order["shipping_to"], "id": app.new_id("adr_")},
        "shipping_from": {**sender, "id": app.new_id("adr_")} if sender else None,
        "meta": {"split_from": order["order_id"], SOLD_IN: dict(sold_in)},
        "created_at": app.stamp(),
    }
    _save(app, tx, part)
    return part


# -- combining -------------------------------------------------------------------------------------


def combine_orders(
    app: App, order_id: str, data: OrderCombineData, *, once: IdempotencyKey | None = None
) -> Order:
    """Move the lines of other orders to one that goes to the same place; the others end as cancelled.

    Errors: NotFound; Conflict as for `edit_order`, if a part of one is shipped, or if one goes elsewhere.
    """
    with app.store.transaction() as tx:
        host = derive_stored_order(tx, load_order(tx, app, order_id))
        others = [derive_stored_order(tx, load_order(tx, app, id)) for id in dict.fromkeys(data.orders)]
        for order in (host, *others):
            _check_open(tx, order)
        for other in others:
            _check_combinable(host, other)
            _end_as_combined(app, tx, other, host["order_id"])
        meta = remember_before_edit(host)
        meta[COMBINED_FROM] = [*meta.get(COMBINED_FROM, []), *(other["order_id"] for other in others)]
        moved = {
            line["id"]: find_origin(other, line["id"]) for other in others for line in other["line_items"]
        }
        meta[SOLD_IN] = {**meta.get(SOLD_IN, {}), **moved}
        lines = [*host["line_items"], *(line for other in others for line in other["line_items"])]
        _save(app, tx, {**host, "line_items": lines, "meta": meta})
        _follow_lines(app, tx, [host, *others])
        made = _announce(app, tx, host["id"], "order_updated")
        if once:
            once.remember_made(tx, made.model_dump())
    return made


def _check_combinable(host: Plain, other: Plain) -> None:
    """Errors: Conflict giving the reason why an order can't be shipped with another."""
    number = other["order_id"]
    if other["id"] == host["id"]:
        raise Conflict(f"{number} is named twice: name the orders to combine with it")
    if other["status"] != "unfulfilled":
        raise Conflict(f"The order {number} is {other['status']}: only orders of which nothing is sent")
    here, there = (Address.model_validate(order["shipping_to"]) for order in (host, other))
    if make_place_key(here) != make_place_key(there) or _fold_name(here) != _fold_name(there):
        raise Conflict(
            f"The order {number} goes elsewhere than {host['order_id']}: {there.name}, {there.street}"
        )


def _fold_name(address: Address) -> str:
    return "".join((address.person_name or address.company_name or "").casefold().split())


def _end_as_combined(app: App, tx: Transaction, order: Plain, host: str) -> None:
    """Store an order as cancelled, with a copy of its lines, whose ids go to the other order."""
    lines = [{**line, "id": app.new_id("cdt_")} for line in order["line_items"]]
    meta = {**(order.get("meta") or {}), COMBINED: host}
    ended = {**order, "status": "cancelled", "line_items": lines, "meta": meta}
    _save(app, tx, ended)
    emit(tx, app, "order_cancelled", {**ended, "shipments": []})


def _follow_lines(app: App, tx: Transaction, orders: Sequence[Plain]) -> None:
    """Record to which orders the shipments belong whose lines were moved."""
    for order in orders:
        for shipment in list_order_shipments(tx, order["id"]):
            link(tx, shipment)


def _announce(app: App, tx: Transaction, order_id: str, event: str) -> Order:
    """Store an order with what its shipments cover, and emit an event of it."""
    changed = derive_stored_order(tx, load_order(tx, app, order_id))
    _save(app, tx, changed)
    emit(tx, app, event, changed)
    return Order.model_validate(changed)
