"""Orders of another server into bought shipments.

The draft of an order carries the order's id in its metadata, and both requests carry keys that two runs at
once would share: neither makes a second shipment of what is left of an order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from shipcli.features.orders import fulfilment
from shipcli.features.orders.fulfilment import (
    CHANGED,
    MARK,
    Fulfilment,
    FulfilmentGateway,
    FulfilmentRun,
    FulfilPlan,
    Proposal,
)
from shipcli.features.orders.packing import left_of, shipment_of
from shipcli.features.orders.service import get_order
from shipcli.features.shipments import service as shipments
from shipcli.gateway.where import Where
from shipcli.models import (
    Conflict,
    Message,
    Order,
    OutcomeUnknown,
    Rate,
    Shipment,
    ShipmentRateData,
    Unreachable,
    json,
)
from shipcli.remote.bench import new_draft, purchase
from shipcli.remote.ship_defaults import known_to

if TYPE_CHECKING:
    from shipcli.features.shipments.defaults import ShipDefaults
    from shipcli.gateway.http import HttpGateway
    from shipcli.models import ShipmentData


def list_unfulfilled(remote: HttpGateway) -> list[str]:
    """The orders of which nothing is covered yet, oldest first."""
    return [str(row["id"]) for row in remote.each("order", Where({"status": "unfulfilled"}))][::-1]


def propose(remote: HttpGateway, plan: FulfilPlan, order_id: str) -> Proposal | Fulfilment:
    """What would be bought for an order, or why nothing is."""
    return fulfilment.propose_anywhere(_ways(remote, plan), plan, order_id)


def fulfil(
    remote: HttpGateway, plan: FulfilPlan, items: Iterable[str | Proposal | Fulfilment], run: FulfilmentRun
) -> Iterator[Fulfilment]:
    """Order after order, in the order given."""
    return fulfilment.carry_out_anywhere(_ways(remote, plan), plan, items, run)


def list_labelled(remote: HttpGateway, rows: Iterable[Fulfilment]) -> list[Shipment]:
    """The shipments with a label that cover these orders, order by order."""
    return fulfilment.list_labelled_anywhere(partial(_order, remote), rows)


def _ways(remote: HttpGateway, plan: FulfilPlan) -> FulfilmentGateway:
    known = known_to(remote)  # once for all orders: what it has looked up is not asked again
    return FulfilmentGateway(
        order=partial(_order, remote),
        draft=lambda order: new_draft(remote, _wanted(known, plan, order)),
        buy=partial(_buy, remote, known, plan),
        known=lambda: known,
        workers=1,
    )


def _order(remote: HttpGateway, order_id: str) -> Order:
    found: Order = remote.ask(get_order, order_id)
    return found


def _wanted(known: ShipDefaults, plan: FulfilPlan, order: Order) -> ShipmentData:
    """What is left of an order as a shipment."""
    data = shipment_of(known, order, sender=plan.sender, carriers=plan.wish.carriers)
    return data.changed(metadata={**data.metadata, MARK: order.id})


def _buy(remote: HttpGateway, known: ShipDefaults, plan: FulfilPlan, proposal: Proposal) -> Shipment:
    """The purchase, at no higher price than was proposed.

    Errors: Conflict when the order or its price changed meanwhile; those of the API.
    """
    order = _order(remote, proposal.order.id)
    if order.status == "cancelled" or left_of(order) != left_of(proposal.order):
        raise Conflict(CHANGED)
    draft = _stored_draft(remote, known, plan, order)
    rate = fulfilment.rate_for(known, draft, plan.wish)
    if is_dearer(rate, proposal.rate):
        raise Conflict(f"The price is {rate.total_charge} {rate.currency} now: run the command again")
    try:
        return purchase(remote, draft, rate, f"fulfil-{draft.id}")
    except Unreachable as error:  # it may have been bought
        raise OutcomeUnknown([Message(code=OutcomeUnknown.code, message=error.message)]) from None


def is_dearer(rate: Rate, agreed: Rate) -> bool:
    """Whether a rate asks for more than was agreed to; in another currency nobody can tell, so it does."""
    return rate.currency != agreed.currency or rate.total_charge > agreed.total_charge


def _stored_draft(remote: HttpGateway, known: ShipDefaults, plan: FulfilPlan, order: Order) -> Shipment:
    """The draft that a run before this one left behind, rated anew, else a new one."""
    made = [one for one in order.shipments if one.metadata.get(MARK) == order.id]
    waiting = next((one for one in made if one.status == "draft"), None)
    if waiting is not None:
        rated: Shipment = remote.ask(shipments.fetch_rates, waiting.id, ShipmentRateData())
        return rated
    left = json.dumpb([line.plain() for line in left_of(order)], sort=True)
    key = f"fulfil-{order.id}-{len(made)}-{hashlib.sha256(left).hexdigest()[:16]}"
    stored: Shipment = remote.ask_once(key, shipments.create_shipment, _wanted(known, plan, order))
    return stored
