"""Orders into bought shipments, one shipment per order, never a second one for what is covered.

The draft is stored with its links before the label is bought, and one run at a time works on an order. So a
run that was killed leaves a draft that the next run takes up, or a purchase that it settles first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any

from shipcli.features.core.interruption import Interrupted
from shipcli.features.core.locks import hold_locks
from shipcli.features.core.row_results import TROUBLE, WORKERS, do_at_once
from shipcli.features.intents.states import UNDER_WAY
from shipcli.features.orders.fulfilment_status import NOT_COVERING
from shipcli.features.orders.packing import left_of, shipment_of
from shipcli.features.orders.service import derive_stored_order, get_order
from shipcli.features.parts.drafts import draft_of
from shipcli.features.shipments.defaults import read_defaults
from shipcli.features.shipments.purchase import buy, settle_open
from shipcli.features.shipments.service import put_draft, rate_draft
from shipcli.features.shipments.ship import RateCriteria, pick
from shipcli.models import (
    Conflict,
    Invalid,
    LimitReached,
    Order,
    OutcomeUnknown,
    Rate,
    Refused,
    ShipcliError,
    Shipment,
)
from shipcli.store.query import equal

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.shipments.defaults import ShipDefaults
    from shipcli.store.transaction import Transaction

MARK = "fulfils"  # in the meta of a draft that waits to be bought for an order
COLUMNS = (
    "order_number", "source", "order_id", "status", "shipment_id", "carrier", "service", "total_charge",
    "currency", "tracking_number", "message",
)  # fmt: skip
BUSY = "Another run is fulfilling this order"
CHANGED = "The order changed meanwhile: run the command again"


@dataclass(frozen=True)
class FulfilPlan:
    """How orders are shipped; `sender` ships those that name no sender."""

    wish: RateCriteria = field(default_factory=RateCriteria)
    sender: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Fulfilment:
    """What became of an order."""

    order_number: str
    source: str
    order_id: str
    status: str  # purchased, needs_attention, failed, waiting, or the order's own when nothing was to be done
    shipment_id: str | None = None
    carrier: str | None = None
    service: str | None = None
    total_charge: Decimal | None = None
    currency: str | None = None
    tracking_number: str | None = None
    message: str | None = None

    def plain(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in COLUMNS}


@dataclass(frozen=True)
class Proposal:
    """A draft for what is left of an order, and the rate it would be bought at; nothing of it is stored."""

    order: Order
    draft: Shipment
    rate: Rate


@dataclass
class FulfilmentRun:
    """A finished (or stopped) run."""

    rows: list[Fulfilment] = field(default_factory=list)
    stopped: LimitReached | Interrupted | None = None

    def count(self, status: str) -> int:
        return sum(1 for row in self.rows if row.status == status)

    @property
    def exit_code(self) -> int:
        if self.stopped:
            return self.stopped.exit_code
        return 9 if any(row.status in TROUBLE for row in self.rows) else 0


# -- which orders ----------------------------------------------------------------------------------


def list_unfulfilled(app: App) -> list[str]:
    """The orders of which nothing is covered yet, oldest first."""
    rows = app.store.select(
        "orders", [equal("status", "unfulfilled"), equal("test_mode", app.test_mode)], "seq"
    )
    return [str(row["id"]) for row in rows]


def settle_first(app: App, order_ids: Iterable[str]) -> list[str]:
    """Settle what killed runs left open with carriers for these orders; the shipments that were."""
    wanted = set(order_ids)
    found = set()
    for intent in app.store.select("intents", {**UNDER_WAY, "test_mode": app.test_mode}):
        links = app.store.select("order_shipments", {"shipment_id": intent["shipment_id"]})
        if any(link["order_id"] in wanted for link in links):
            found.add(intent["shipment_id"])
    return settle_open(app, found) if found else []


# -- planning --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FulfilmentGateway:
    """How the orders of a store are read, drafted and bought, wherever that store is.

    Shapes: `draft` gives an order's draft with rates, stored nowhere; `buy` stores it and buys the rate.
    """

    order: Callable[[str], Order]
    draft: Callable[[Order], Shipment]
    buy: Callable[[Proposal], Shipment]
    known: Callable[[], ShipDefaults]
    workers: int


def ways_of(app: App, plan: FulfilPlan) -> FulfilmentGateway:
    """Those of this machine's store."""
    return FulfilmentGateway(
        order=partial(get_order, app),
        draft=partial(_draft, app, plan),
        buy=partial(_buy, app),
        known=partial(read_defaults, app),
        workers=1 if app.sandbox else WORKERS,
    )


def propose(app: App, plan: FulfilPlan, order_id: str) -> Proposal | Fulfilment:
    """What would be bought for an order, or why nothing is.

    Errors: NotFound for an unknown order.
    """
    return propose_anywhere(ways_of(app, plan), plan, order_id)


def propose_anywhere(ways: FulfilmentGateway, plan: FulfilPlan, order_id: str) -> Proposal | Fulfilment:
    """The same, wherever the order is."""
    order = ways.order(order_id)
    if order.status == "cancelled" or not left_of(order):
        return find_covered(order)
    try:
        draft = ways.draft(order)
        return Proposal(order, draft, rate_for(ways.known(), draft, plan.wish))
    except ShipcliError as error:
        return row_of(order, "failed", message=error.message)


def find_covered(order: Order) -> Fulfilment:
    """An order with nothing left to do, and the newest shipment that covers it."""
    shipment = next(iter(list_covering(order)), None)
    if shipment and shipment.status == "needs_attention" and not shipment.tracking_number:
        text = f"Look with the carrier, then: shipcli shipments resolve {shipment.id} --bought TRACKING"
        return row_of(order, "needs_attention", shipment, text)
    return row_of(order, order.status, shipment)


def list_covering(order: Order) -> list[Shipment]:
    """The shipments that cover an order's lines, newest first."""
    return [one for one in order.shipments if one.status not in NOT_COVERING]


def _draft(app: App, plan: FulfilPlan, order: Order) -> Shipment:
    data = shipment_of(read_defaults(app), order, sender=plan.sender, carriers=plan.wish.carriers)
    draft = rate_draft(app, draft_of(app, data), carrier_ids=data.carrier_ids)
    waiting = leftover(order)
    if waiting:
        draft = draft.changed(id=waiting.id, created_at=waiting.created_at)
    return draft.changed(meta={MARK: order.id})


def leftover(order: Order) -> Shipment | None:
    """The draft that a run before this one made for an order and did not get to buy."""
    drafts = (one for one in order.shipments if one.status == "draft")
    return next((one for one in drafts if (one.meta or {}).get(MARK) == order.id), None)


def rate_for(known: ShipDefaults, draft: Shipment, wish: RateCriteria) -> Rate:
    """The rate wished for; where none is, that of the order's preferred service, else the cheapest.

    Errors: Invalid naming what is offered.
    """
    preferred = draft.options.get("preferred_service")
    rule = replace(wish, rule=wish.rule or "cheapest")
    if preferred and wish.rule is None and wish.service is None:
        try:
            return pick(known, draft, replace(rule, service=str(preferred)), _first)
        except Invalid:
            return pick(known, draft, rule, _first)  # it is not offered, or not in time
    return pick(known, draft, rule, _first)


def _first(offered: Shipment) -> Rate:
    return offered.rates[0]


# -- buying ----------------------------------------------------------------------------------------


def fulfil(
    app: App, plan: FulfilPlan, items: Iterable[str | Proposal | Fulfilment], run: FulfilmentRun
) -> Iterator[Fulfilment]:
    """Order after order, in the order given; several under way at once where carriers are far away.

    Shapes: an item is an order's id, or what `propose` said of it.
    """
    return carry_out_anywhere(ways_of(app, plan), plan, items, run)


def carry_out_anywhere(
    ways: FulfilmentGateway,
    plan: FulfilPlan,
    items: Iterable[str | Proposal | Fulfilment],
    run: FulfilmentRun,
) -> Iterator[Fulfilment]:
    """The same, wherever the orders are."""

    def one(item: str | Proposal | Fulfilment) -> Fulfilment | tuple[Proposal, LimitReached]:
        found = propose_anywhere(ways, plan, item) if isinstance(item, str) else item
        return found if isinstance(found, Fulfilment) else carry_out(ways, plan, found)

    pending = iter(items)
    for _, outcome in do_at_once(pending, one, ways.workers, lambda: bool(run.stopped)):
        if isinstance(outcome, Fulfilment):
            row = outcome
        else:
            run.stopped = outcome[1]
            row = row_of(outcome[0].order, "waiting", message=run.stopped.message)
        run.rows.append(row)
        yield row
    for item in pending:
        run.stopped = run.stopped or Interrupted()
        run.rows.append(_left(ways, item))
        yield run.rows[-1]


def _left(ways: FulfilmentGateway, item: str | Proposal | Fulfilment) -> Fulfilment:
    """An order that was not come to."""
    if isinstance(item, Fulfilment):
        return item
    return row_of(item.order if isinstance(item, Proposal) else ways.order(item), "waiting")


def carry_out(
    ways: FulfilmentGateway, plan: FulfilPlan, proposal: Proposal
) -> Fulfilment | tuple[Proposal, LimitReached]:
    """Buy what was proposed, within the budget."""
    order = proposal.order
    try:
        with plan.wish.budget.reserved(proposal.rate):
            return row_of(order, "purchased", ways.buy(proposal))
    except LimitReached as error:
        return proposal, error
    except OutcomeUnknown as error:
        return row_of(order, "needs_attention", proposal.draft, error.message)
    except ShipcliError as error:
        return _not_bought(ways, proposal, error)


def _not_bought(ways: FulfilmentGateway, proposal: Proposal, error: ShipcliError) -> Fulfilment:
    """Why nothing was bought; another run may have done it meanwhile."""
    now = ways.order(proposal.order.id)
    if isinstance(error, Conflict) and not left_of(now):
        return find_covered(now)
    who = f"{proposal.rate.carrier_id}: " if isinstance(error, Refused) else ""
    return row_of(now, "failed", leftover(now), f"{who}{error.message}")


def _buy(app: App, proposal: Proposal) -> Shipment:
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


def row_of(
    order: Order, status: str, shipment: Shipment | None = None, message: str | None = None
) -> Fulfilment:
    """An order and its shipment as a line of the summary."""
    rate = shipment.selected_rate if shipment else None
    return Fulfilment(
        order_number=order.order_id,
        source=order.source,
        order_id=order.id,
        status=status,
        shipment_id=shipment.id if shipment else None,
        carrier=rate.carrier_id if rate else None,
        service=rate.service if rate else None,
        total_charge=rate.total_charge if rate else None,
        currency=rate.currency if rate else None,
        tracking_number=shipment.tracking_number if shipment else None,
        message=message,
    )


def list_labelled(app: App, rows: Iterable[Fulfilment]) -> list[Shipment]:
    """The shipments with a label that cover these orders, order by order, earlier runs included."""
    return list_labelled_anywhere(partial(get_order, app), rows)


def list_labelled_anywhere(order: Callable[[str], Order], rows: Iterable[Fulfilment]) -> list[Shipment]:
    """The same, wherever the orders are read."""
    orders = (order(row.order_id) for row in rows if row.status != "waiting")
    return [one for order in orders for one in reversed(list_covering(order)) if one.label_url]
