"""A shipment for what is left of an order, bought once: never a second one for what is covered.

The draft is stored with its links before the label is bought, and one run at a time works on an order. So a
run that was killed leaves a draft that the next run takes up, or a purchase that it settles first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shipcli.features.core.locks import hold_locks
from shipcli.features.intents.states import UNDER_WAY
from shipcli.features.orders.fulfilment_status import NOT_COVERING
from shipcli.features.orders.packing import left_of
from shipcli.features.orders.service import derive_stored_order
from shipcli.features.shipments.purchase import buy, settle_open
from shipcli.features.shipments.service import put_draft
from shipcli.models import Conflict, Order, Rate, Shipment, ShipmentData

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.transaction import Transaction

MARK = "fulfils"  # in the meta of a draft that waits to be bought for an order
PURCHASE_KEY = "purchase_key"  # in the metadata of a shipment: the key that it was bought with
BUSY = "Another run is fulfilling this order"
CHANGED = "The order changed meanwhile: run the command again"


@dataclass(frozen=True)
class Proposal:
    """What is left of an order as a shipment, its draft and the rate it would be bought at; nothing of it is
    stored.
    """

    order: Order
    data: ShipmentData
    draft: Shipment
    rate: Rate


def settle_first(app: App, order_ids: Iterable[str]) -> list[str]:
    """Settle what killed runs left open with carriers for these orders; the shipments that were."""
    wanted = set(order_ids)
    found = set()
    for intent in app.store.select("intents", {**UNDER_WAY, "test_mode": app.test_mode}):
        links = app.store.select("order_shipments", {"shipment_id": intent["shipment_id"]})
        if any(link["order_id"] in wanted for link in links):
            found.add(intent["shipment_id"])
    return settle_open(app, found) if found else []


def list_covering(order: Order) -> list[Shipment]:
    """The shipments that cover an order's lines, newest first."""
    return [one for one in order.shipments if one.status not in NOT_COVERING]


def leftover(order: Order) -> Shipment | None:
    """The draft that a run before this one made for an order and did not get to buy."""
    drafts = (one for one in order.shipments if one.status == "draft")
    return next((one for one in drafts if (one.meta or {}).get(MARK) == order.id), None)


def mark_draft(order: Order, draft: Shipment) -> Shipment:
    """A draft for an order, in the place of the one that a run before this one left."""
    waiting = leftover(order)
    if waiting:
        draft = draft.changed(id=waiting.id, created_at=waiting.created_at)
    return draft.changed(meta={MARK: order.id})


def buy_proposed(app: App, proposal: Proposal) -> Shipment:
    """The shipment of a proposal, stored and bought at its rate.

    Errors: Conflict when the order changed since, or another run is at it; as `purchase.buy`.
    """
    with hold_locks(app, [f"fulfil/{proposal.order.id}"], BUSY):
        with app.store.transaction() as tx:
            check_unchanged(app, tx, proposal)
            draft = put_draft(app, tx, proposal.draft)
        return buy(app, draft, proposal.rate)


def check_unchanged(app: App, tx: Transaction, proposal: Proposal) -> None:
    """Errors: Conflict when the order has changed since the proposal, or its draft is being bought."""
    document = tx.get("order", proposal.order.id, app.test_mode)
    now = Order.model_validate(derive_stored_order(tx, document)) if document else None
    if now is None or now.status == "cancelled" or left_of(now) != left_of(proposal.order):
        raise Conflict(CHANGED)
    waiting = leftover(now)
    if (waiting.id if waiting else proposal.draft.id) != proposal.draft.id:
        raise Conflict(CHANGED)
    if tx.select("intents", {"shipment_id": proposal.draft.id, "state": "open"}):
        raise Conflict(BUSY)
