"""Turn orders into bought shipments, one per order: proposed, bought within the budget, reported."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shipcli.features.core.interruption import Interrupted
from shipcli.features.core.row_results import EndedRun, do_at_once
from shipcli.features.orders.fulfilment import (
    buy_proposed,
    find_leftover,
    join_notes,
    list_covering,
)
from shipcli.features.orders.packing import list_unfulfilled_lines
from shipcli.features.orders.service import get_order
from shipcli.features.shipments.sale import buy_draft
from shipcli.models import (
    BilledAbove,
    Conflict,
    LimitReached,
    OutcomeUnknown,
    Rate,
    Refused,
    ShipcliError,
    Shipment,
)
from shipcli.models.purchase_steps import Proposal
from shipcli.workflows.gateway_sale import GatewaySale
from shipcli.workflows.order_proposals import (
    Fulfilment,
    FulfilPlan,
    choose_rate,
    describe_substitute,
    find_covered,
    follow_paid_method,
    make_fulfilment,
    propose,
)

if TYPE_CHECKING:
    from shipcli.features.shipments.budget import Budget
    from shipcli.gateway.gateway import Gateway


PassedOver = tuple[Proposal, LimitReached]  # dearer than what is left of the budget


Item = str | Proposal | Fulfilment | PassedOver


class FulfilmentRun(EndedRun[Fulfilment]):
    """What became of several orders."""


def fulfil(
    gateway: Gateway, plan: FulfilPlan, items: Iterable[Item], run: FulfilmentRun
) -> Iterator[Fulfilment]:
    """Fulfil the orders in the sequence given; several at once where carriers answer slowly.

    One that is dearer than what is left of the budget is passed over, and the run goes on.

    Shapes: an item is an order's id, or what `propose` or `keep_within` said of it.
    """

    def fulfil_item(item: Item) -> Fulfilment | PassedOver:
        proposed = propose(gateway, plan, item) if isinstance(item, str) else item
        return carry_out(gateway, plan, proposed) if isinstance(proposed, Proposal) else proposed

    pending, limit = iter(items), None
    for _, outcome in do_at_once(pending, fulfil_item, gateway.workers, lambda: bool(run.stopped)):
        if isinstance(outcome, Fulfilment):
            row = outcome
        else:
            limit = limit or outcome[1]
            run.stopped = run.stopped or (limit if plan.criteria.budget.is_spent else None)
            row = make_fulfilment(outcome[0].order, "waiting", message=outcome[1].message)
        run.rows.append(row)
        yield row
    for item in pending:
        run.stopped = run.stopped or Interrupted()
        run.rows.append(_report_waiting(gateway, item))
        yield run.rows[-1]
    run.stopped = run.stopped or limit


def keep_within(
    budget: Budget, proposals: Iterable[Proposal | Fulfilment]
) -> list[Proposal | Fulfilment | PassedOver]:
    """What is proposed, those dearer than what is left of a budget as passed over; nothing is spent."""
    left, kept = budget.copy(), list[Proposal | Fulfilment | PassedOver]()
    for proposal in proposals:
        try:
            if isinstance(proposal, Proposal):
                left.reserve(proposal.rate)
            kept.append(proposal)
        except LimitReached as error:
            assert isinstance(proposal, Proposal)
            kept.append((proposal, error))
    return kept


def _report_waiting(gateway: Gateway, item: Item) -> Fulfilment:
    """The result for an order that was not reached."""
    if isinstance(item, Fulfilment):
        return item
    if isinstance(item, tuple):
        return make_fulfilment(item[0].order, "waiting", message=item[1].message)
    return make_fulfilment(
        item.order if isinstance(item, Proposal) else gateway.ask(get_order, item), "waiting"
    )


@dataclass(frozen=True)
class ProposedSale(GatewaySale):
    """The purchase of a proposal for an order, at its rate while that is left."""

    proposal: Proposal

    @property
    def is_open(self) -> bool:
        """Whether another rate may be taken: unless a service was asked for."""
        return not self.criteria.service

    def choose(self, draft: Shipment) -> Rate:
        """The proposed rate; the one that would be proposed without it if it was refused."""
        if self.proposal.rate.id in {rate.id for rate in draft.rates}:
            return self.proposal.rate
        return choose_rate(self.gateway.defaults, draft, self.criteria)

    def confirm(self, draft: Shipment, rate: Rate) -> None:
        """Nobody is asked: all proposals were agreed to."""

    def buy(self, draft: Shipment, rate: Rate) -> Shipment:
        """The draft of the order, bought."""
        return self.gateway.ask(buy_proposed, self.proposal.model_copy(update={"draft": draft, "rate": rate}))


def carry_out(gateway: Gateway, plan: FulfilPlan, proposal: Proposal) -> Fulfilment | PassedOver:
    """Buy what was proposed, within the budget."""
    order = proposal.order
    plan = follow_paid_method(gateway.defaults, plan, order)
    try:
        bought = buy_draft(ProposedSale(gateway, plan.criteria, proposal), proposal.draft)
        notes = (describe_substitute(plan, proposal.draft, bought.selected_rate), join_notes(bought))
        return make_fulfilment(order, "purchased", bought, "; ".join(filter(None, notes)) or None)
    except BilledAbove as error:
        return make_fulfilment(order, "failed", None, error.message)
    except LimitReached as error:
        return proposal, error
    except OutcomeUnknown as error:
        return make_fulfilment(order, "needs_attention", proposal.draft, error.message)
    except ShipcliError as error:
        return _report_failure(gateway, proposal, error)


def _report_failure(gateway: Gateway, proposal: Proposal, error: ShipcliError) -> Fulfilment:
    """The result for an order that was not bought; another run may have bought it in the meantime."""
    now = gateway.ask(get_order, proposal.order.id)
    if isinstance(error, Conflict) and not list_unfulfilled_lines(now):
        return find_covered(now)
    is_named = not isinstance(error, Refused) or error.describe() != error.message
    who = "" if is_named else f"{proposal.rate.carrier_id}: "
    return make_fulfilment(now, "failed", find_leftover(now), f"{who}{error.describe()}")


def list_labelled(gateway: Gateway, rows: Iterable[Fulfilment]) -> list[Shipment]:
    """The shipments with a label that cover these orders, order by order, earlier runs included."""
    orders = (gateway.ask(get_order, row.order_id) for row in rows if row.status != "waiting")
    return [shipment for order in orders for shipment in reversed(list_covering(order)) if shipment.label_url]
