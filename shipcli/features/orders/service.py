"""Orders: created once per number and source, updated, cancelled; their shipments determine their status."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from shipcli.features.book.drafts import expand_body, find_time_zone
from shipcli.features.connections.intent_states import UNDER_WAY
from shipcli.features.core.idempotency_key import IdempotencyKey, list_key_locks
from shipcli.features.core.merge import merge_keys
from shipcli.features.core.repository import save
from shipcli.features.core.shipment_lookup import (
    add_shipments,
    find_order_ids,
    list_line_quantities,
    list_order_shipments,
)
from shipcli.features.orders.fulfilment_status import NOT_COVERING, derive_order
from shipcli.models import Address, Conflict, NotFound, Order, OrderData, OrderUpdateData, json
from shipcli.models.basics.enums import COMBINED
from shipcli.models.order import LineItem
from shipcli.models.parts.address import PostalAddress
from shipcli.store.query import one_of

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.queries import Reader
    from shipcli.store.query import Filter
    from shipcli.store.transaction import Transaction

FAILURE = "failure"
SETTLED = frozenset({"fulfilled", "delivered"})


def create_order(app: App, data: OrderData, *, once: IdempotencyKey | None = None) -> Order:
    """Create an unfulfilled order.

    Errors: as for `create_plain_order`.
    """
    return Order.model_validate(create_plain_order(app, data, once=once))


def create_plain_order(app: App, data: OrderData, *, once: IdempotencyKey | None = None) -> dict[str, Any]:
    """Create an order and return its REST form.

    Errors: Conflict, code failure, if another order with this number and source is not cancelled; NotFound if
            a stored object does not exist.
    """
    order = make_order(app, data)
    with app.store.transaction(locks=[_name_number(order), *list_key_locks(once)]) as tx:
        if find_known_order(tx, app, order["order_id"], order["source"]) is None:
            _store_once(app, tx, order, once)
            return order
    return _create_again(app, order, once)


def _create_again(app: App, order: dict[str, Any], once: IdempotencyKey | None) -> dict[str, Any]:
    """Create an order whose number is taken, as that of a cancelled one may be."""
    locks = partial(_list_new_locks, app=app, order=order, once=once)
    with app.store.transaction(locks=locks) as tx:
        existing = find_standing(app, tx, order, anew=True)
        if existing:
            text = f"An order {order['order_id']} from {order['source']} exists already: {existing[0]}"
            raise Conflict(text, FAILURE)
        _store_once(app, tx, order, once)
    return order


def _store_once(app: App, tx: Transaction, order: Mapping[str, Any], once: IdempotencyKey | None) -> None:
    store_new(app, tx, order)
    if once:
        once.remember_made(tx, order)


def _name_number(order: Mapping[str, Any]) -> str:
    """The lock of an order's number with its source."""
    return f"order/number/{order['source']}/{order['order_id']}"


def _list_new_locks(
    reader: Reader, app: App, order: Mapping[str, Any], once: IdempotencyKey | None
) -> list[str]:
    return [*list_number_locks(app, reader, [order]), *list_key_locks(once)]


def list_number_locks(app: App, reader: Reader, orders: Iterable[Mapping[str, Any]]) -> list[str]:
    """What storing orders declares: their numbers with sources, and the orders that have them already."""
    locks = {(order["order_id"], order["source"]): _name_number(order) for order in orders}
    names = ("order_id", "source", "test_mode", "id")
    rows = reader.columns("orders", names, [one_of("order_id", sorted({number for number, _ in locks}))])
    ids = [id for number, source, mode, id in rows if (number, source) in locks and mode == app.test_mode]
    return [*locks.values(), *(f"order/{id}" for id in ids)]


def make_order(app: App, data: OrderData, meta: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Build the REST form of an order with its ids, without storing it; its date defaults to today.

    Errors: NotFound if a stored object does not exist.
    """
    body = expand_body(app, data)
    sender, payer = body["shipping_from"], body["billing_address"]
    return Order.completed(
        body,
        id=app.new_id("ord_"),
        order_date=body["order_date"] or app.now().astimezone(find_time_zone(sender)).date().isoformat(),
        shipping_to=_make_address(app, body["shipping_to"]),
        shipping_from=_make_address(app, sender) if sender else None,
        billing_address=PostalAddress.completed(payer) if payer else None,
        line_items=[_make_line(app, item) for item in body["line_items"]],
        meta=dict(meta or {}),
        test_mode=app.test_mode,
        created_at=app.stamp(),
    )


def _make_address(app: App, plain: Mapping[str, Any]) -> dict[str, Any]:
    return Address.completed(plain, id=app.new_id("adr_"))


def _make_line(app: App, item: Mapping[str, Any]) -> dict[str, Any]:
    return LineItem.completed(item, id=app.new_id("cdt_"), unfulfilled_quantity=item["quantity"])


def find_known_order(reader: Reader, app: App, number: str, source: str) -> tuple[str, str] | None:
    """Return the id and status of the newest order with this number and source in this mode, preferring one
    that is not cancelled; None if there is none.
    """
    names = ("seq", "id", "status", "source", "test_mode")
    rows = sorted(reader.columns("orders", names, {"order_id": number}), reverse=True)
    same = [(id, status) for _, id, status, *where in rows if where == [source, app.test_mode]]
    alive = [(id, status) for id, status in same if status != "cancelled"]
    return next(iter(alive or same), None)


def store_new(app: App, tx: Transaction, order: Mapping[str, Any]) -> None:
    """Store a new order and emit its event."""
    from shipcli.events import emit

    save(app, tx, "order", _drop_shipments(order), "content")
    emit(tx, app, "order_created", order)


def find_or_store(
    app: App, tx: Transaction, order: Mapping[str, Any], *, anew: bool
) -> tuple[str, str | None]:
    """Return the id and status of the existing order with this number and source, or store the order and
    return its id and None.

    Shapes: with `anew`, a cancelled order does not count as existing.
    """
    existing = find_standing(app, tx, order, anew=anew)
    if existing:
        return existing
    store_new(app, tx, order)
    return order["id"], None


def find_standing(
    app: App, reader: Reader, order: Mapping[str, Any], *, anew: bool
) -> tuple[str, str] | None:
    """Return the id and status of the order that has this number and source; with `anew`, of none that was
    cancelled.
    """
    existing = find_known_order(reader, app, order["order_id"], order["source"])
    if existing and anew and existing[1] == "cancelled" and find_host(reader, existing[0]) is None:
        return None
    return existing


def find_host(reader: Reader, order_id: str) -> str | None:
    """Return the number of the order that an order's lines were moved to as a whole; None if they were not.

    Such an order is cancelled, but never made anew: its goods are sent with the other one.
    """
    order = reader.get("order", order_id) or {}
    host = (order.get("meta") or {}).get(COMBINED)
    return str(host) if host else None


def put(app: App, tx: Transaction, plain: Mapping[str, Any]) -> None:
    """Store a changed order."""
    save(app, tx, "order", _drop_shipments(plain), "noted")


def _drop_shipments(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Return an order without its shipments, which are stored separately."""
    return {key: value for key, value in plain.items() if key != "shipments"}


# -- reading ---------------------------------------------------------------------------------------


def get_order(app: App, order_id: str) -> Order:
    """Return an order.

    Errors: NotFound.
    """
    return Order.model_validate(add_shipments(app.store, load_order(app.store, app, order_id)))


def list_orders(
    app: App, where: Sequence[Filter] = (), limit: int = 20, offset: int = 0
) -> tuple[int, list[dict[str, Any]]]:
    """Return the number of matching orders and a page of them in REST form, newest first."""
    page = app.store.page("order", where, limit, offset, app.test_mode)
    return page.count, [add_shipments(app.store, json.loads(text)) for text in page.items]


def load_order(reader: Reader, app: App, order_id: str) -> dict[str, Any]:
    """Errors: NotFound."""
    document = reader.get("order", order_id, app.test_mode)
    if document is None:
        raise NotFound("order", order_id)
    return document


# -- changing --------------------------------------------------------------------------------------


def update_order(app: App, order_id: str, data: OrderUpdateData) -> Order:
    """Merge options and metadata into an order; null removes a key. Nothing else can be changed.

    Errors: NotFound; Conflict if it is fulfilled or delivered and more than metadata is given.
    """
    from shipcli.events import emit

    changes = data.model_dump(exclude_unset=True)
    with app.store.transaction(locks=[f"order/{order_id}"]) as tx:
        order = load_order(tx, app, order_id)
        if set(changes) - {"metadata"} and order["status"] in SETTLED:
            raise Conflict(f"The order is {order['status']} and cannot be updated anymore")
        objects: dict[str, Any] = {
            key: merge_keys(order.get(key) or {}, value) for key, value in changes.items()
        }
        changed = derive_stored_order(tx, {**order, **objects})
        put(app, tx, changed)
        emit(tx, app, "order_updated", changed)
    return Order.model_validate(changed)


def derive_stored_order(reader: Reader, order: Mapping[str, Any]) -> dict[str, Any]:
    """Return the REST form of an order with the status given by its shipments; a cancelled one stays so."""
    shipments = list_order_shipments(reader, order["id"])
    document = dict(order) if order["status"] == "cancelled" else derive_order(order, shipments)
    return {**document, "shipments": shipments}


def cancel_order(app: App, order_id: str, *, once: IdempotencyKey | None = None) -> Order:
    """Cancel an order.

    Errors: NotFound; Conflict unless it is unfulfilled and no label is being bought for it.
    """
    from shipcli.events import emit

    with app.store.transaction(locks=[f"order/{order_id}", *list_key_locks(once)]) as tx:
        order = load_order(tx, app, order_id)
        _check_free(tx, order)
        changed = add_shipments(tx, {**order, "status": "cancelled"})
        put(app, tx, changed)
        emit(tx, app, "order_cancelled", changed)
        if once:
            once.remember_made(tx, Order.model_validate(changed).model_dump())
    return Order.model_validate(changed)


def dismiss_order(app: App, order_id: str) -> Order:
    """Cancel an order; the older name of `cancel_order`.

    Errors: as for `cancel_order`.
    """
    return cancel_order(app, order_id)


def check_cancellable(status: str, shipped: Iterable[str]) -> None:
    """Check that an order with this status, and shipments with these statuses, can be cancelled.

    Errors: Conflict giving the reason why it cannot.
    """
    if status in ("delivered", "cancelled"):
        raise Conflict(f"The order is {status} and can not be cancelled")
    if status != "unfulfilled" or any(shipment_status not in NOT_COVERING for shipment_status in shipped):
        raise Conflict(f"The order is {status}: cancel all related shipments before")


def _check_free(reader: Reader, order: Mapping[str, Any]) -> None:
    shipments = list_order_shipments(reader, order["id"])
    check_cancellable(order["status"], [shipment["status"] for shipment in shipments])
    check_no_purchase(reader, order["id"])


def check_no_purchase(reader: Reader, order_id: str) -> None:
    """Errors: Conflict while a label is being bought for an order."""
    if is_being_bought(reader, order_id):
        raise Conflict("A label is being bought for the order: try again when that is done")


def is_being_bought(reader: Reader, order_id: str) -> bool:
    """Whether a label is being bought for an order."""
    held = (
        reader.select("intents", {"shipment_id": row["shipment_id"], "state": "open"})
        for row in reader.select("order_shipments", {"order_id": order_id})
    )
    return any(held) or order_id in _list_bought_orders(reader)


def _list_bought_orders(reader: Reader) -> set[str]:
    """Return the ids of the orders in the purchases in progress, those of unstored drafts included."""
    drafts = [row["draft"]["shipment"] for row in reader.select("intents", UNDER_WAY)]
    return find_order_ids(reader, (line_id for line_id, _ in list_line_quantities(drafts)))
