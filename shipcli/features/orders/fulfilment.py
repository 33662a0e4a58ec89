"""Fulfil the rest of an order with one shipment, bought once; what is covered is never bought again.

The draft is stored with its links before the label is bought, and only one run at a time works on an order.
A run that is killed thus leaves a draft for the next run to reuse, or a purchase for it to settle first.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from shipcli.features.connections.intent_states import UNDER_WAY
from shipcli.features.core.locks import hold_locks
from shipcli.features.core.shipment_lookup import list_linked_orders, list_shipment_locks
from shipcli.features.orders.fulfilment_status import NOT_COVERING
from shipcli.features.orders.packing import list_unfulfilled_lines
from shipcli.features.orders.service import derive_stored_order
from shipcli.features.shipments.budget import Budget, exceeds_ceiling
from shipcli.features.shipments.price_ceiling import describe_excess, make_message
from shipcli.features.shipments.purchase import buy, settle_open
from shipcli.features.shipments.sale import RATE_REFUSED
from shipcli.features.shipments.service import put_draft
from shipcli.features.shipments.ship import buy_with_key, check_drafted
from shipcli.models import BilledAbove, Conflict, Message, Order, Shipment
from shipcli.models.purchase_steps import Proposal

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.core.idempotency_key import IdempotencyKey
    from shipcli.store.queries import Reader
    from shipcli.store.transaction import Transaction

MARK = "fulfils"  # in a draft's meta: the order it is to be bought for
LEFT_OUT = "rate_left_out"
BUSY = "Another run is fulfilling this order"
SIDES = ("shipping_to", "shipping_from", "billing_address")
CHANGED = "The order changed meanwhile: run the command again"


def settle_first(app: App, order_ids: Iterable[str]) -> list[str]:
    """Settle purchases for these orders that killed runs left open; return the ids of their shipments."""
    ids = set(order_ids)
    shipment_ids = set()
    for intent in app.store.select("intents", {**UNDER_WAY, "test_mode": app.test_mode}):
        if not ids.isdisjoint(list_linked_orders(app.store, intent["shipment_id"])):
            shipment_ids.add(intent["shipment_id"])
    return settle_open(app, shipment_ids) if shipment_ids else []


def list_covering(order: Order) -> list[Shipment]:
    """Return the shipments that cover an order's lines, newest first."""
    return [shipment for shipment in order.shipments if shipment.status not in NOT_COVERING]


def find_leftover(order: Order) -> Shipment | None:
    """Return the draft that an earlier run made for an order but did not buy; None if there is none."""
    drafts = (shipment for shipment in order.shipments if shipment.status == "draft")
    return next((draft for draft in drafts if (draft.meta or {}).get(MARK) == order.id), None)


def mark_draft(order: Order, draft: Shipment) -> Shipment:
    """Mark a draft as made for an order; it takes over the id of a draft left by an earlier run."""
    waiting = find_leftover(order)
    if waiting:
        draft = draft.model_copy(update={"id": waiting.id, "created_at": waiting.created_at})
    return draft.model_copy(update={"meta": {**(draft.meta or {}), MARK: order.id}})


def leave_out_undone(order: Order, draft: Shipment, budget: Budget, service: str | None = None) -> Shipment:
    """Return a draft without the rates at which an earlier label of the order was billed above its ceiling
    and voided, unless the budget has room for what was billed; messages name them.

    Errors: BilledAbove if no other rate is left, or the service asked for is among them.
    """
    undone = {
        (shipment.carrier_id, shipment.service): shipment
        for shipment in order.shipments
        if is_undone(shipment, budget)
    }
    out = [rate for rate in draft.rates if (rate.carrier_id, rate.service) in undone]
    if not out:
        return draft
    notes = [explain_undone(undone[rate.carrier_id, rate.service]) for rate in out]
    remaining = [rate for rate in draft.rates if rate not in out]
    if not remaining or service in {rate.service for rate in out}:
        raise BilledAbove(str(notes[0].message))
    return draft.model_copy(update={"rates": remaining, "messages": [*draft.messages, *notes]})


def is_undone(shipment: Shipment, budget: Budget) -> bool:
    """Whether a label was billed above its ceiling and voided, and the budget has no room for its price."""
    is_above = shipment.status == "cancelled" and exceeds_ceiling(shipment)
    return is_above and shipment.selected_rate is not None and not budget.has_room(shipment.selected_rate)


def explain_undone(undone: Shipment) -> Message:
    """Return the message about a rate that is not bought a second time."""
    text = f"{undone.service} is left out, as an earlier label of the order was voided"
    return make_message(LEFT_OUT, f"{text}: {describe_excess(undone)}", undone.selected_rate)


def join_notes(bought: Shipment) -> str | None:
    """Return what a summary says of rates that were left out or refused."""
    notes = (message for message in bought.messages if message.code in (LEFT_OUT, RATE_REFUSED))
    return "; ".join(str(note.message) for note in notes) or None


def buy_proposed(app: App, proposal: Proposal) -> Shipment:
    """Store the draft of a proposal and buy it at the proposed rate, once per key.

    Errors: Conflict if the order has changed since, or another run is fulfilling it; as for `purchase.buy`.
    """
    draft = check_drafted(app, proposal.draft)
    work = partial(_buy_held, app, proposal.model_copy(update={"draft": draft}))
    return buy_with_key(app, proposal.keyed, work, has_others=proposal.has_others)


def _buy_held(app: App, proposal: Proposal, *, once: IdempotencyKey | None = None) -> Shipment:
    with hold_locks(app, [f"fulfil/{proposal.order.id}"], BUSY):
        with app.store.transaction(locks=lambda reader: _list_locks(reader, proposal)) as tx:
            check_unchanged(app, tx, proposal)
            draft = put_draft(app, tx, proposal.draft)
        return buy(app, draft, proposal.rate, once=once)


def _list_locks(reader: Reader, proposal: Proposal) -> list[str]:
    """What storing the draft of a proposal reads."""
    return [f"order/{proposal.order.id}", *list_shipment_locks(reader, proposal.draft)]


def check_unchanged(app: App, tx: Transaction, proposal: Proposal) -> None:
    """Errors: Conflict if the order has changed since the proposal, or its draft is being bought."""
    document = tx.get("order", proposal.order.id, app.test_mode)
    now = Order.model_validate(derive_stored_order(tx, document)) if document else None
    if (
        now is None
        or now.status == "cancelled"
        or list_unfulfilled_lines(now) != list_unfulfilled_lines(proposal.order)
        or any(getattr(now, side) != getattr(proposal.order, side) for side in SIDES)
    ):
        raise Conflict(CHANGED)
    waiting = find_leftover(now)
    if (waiting.id if waiting else proposal.draft.id) != proposal.draft.id:
        raise Conflict(CHANGED)
    if waiting is None and tx.get("shipment", proposal.draft.id):
        raise Conflict(CHANGED)
    if tx.select("intents", {"shipment_id": proposal.draft.id, "state": "open"}):
        raise Conflict(BUSY)
