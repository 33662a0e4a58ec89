"""Orders of another server into bought shipments.

The draft of an order carries the order's id in its metadata, and both requests carry keys that two runs at
once would share: neither makes a second shipment of what is left of an order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from shipcli.models import Conflict, Order, Shipment, ShipmentPurchaseData, ShipmentRateData, json
from shipcli.remote.bench import new_draft
from shipcli.remote.known import known_to
from shipcli.services import fulfilling, lists, shipments
from shipcli.services.fulfilling import CHANGED, MARK, Fulfilment, FulfilPlan, Proposal, Run, Ways
from shipcli.services.orders import get_order
from shipcli.services.packing import left_of, shipment_of

if TYPE_CHECKING:
    from shipcli.remote.remote import Remote


def unfulfilled(remote: Remote) -> list[str]:
    """The orders of which nothing is covered yet, oldest first."""
    return [str(row["id"]) for row in remote.each(lists.orders, {"status": "unfulfilled"})][::-1]


def settle_first(remote: Remote, order_ids: Iterable[str]) -> list[str]:
    """Nothing: a server settles what it left open by itself."""
    return []


def propose(remote: Remote, plan: FulfilPlan, order_id: str) -> Proposal | Fulfilment:
    """What would be bought for an order, or why nothing is."""
    return fulfilling.proposed(_ways(remote, plan), plan, order_id)


def fulfil(
    remote: Remote, plan: FulfilPlan, items: Iterable[str | Proposal | Fulfilment], run: Run
) -> Iterator[Fulfilment]:
    """Order after order, in the order given."""
    return fulfilling.carried_out(_ways(remote, plan), plan, items, run)


def labelled(remote: Remote, rows: Iterable[Fulfilment]) -> list[Shipment]:
    """The shipments with a label that cover these orders, order by order."""
    return fulfilling.labelled_among(partial(_order, remote), rows)


def _ways(remote: Remote, plan: FulfilPlan) -> Ways:
    return Ways(
        order=partial(_order, remote),
        draft=partial(_draft, remote, plan),
        buy=partial(_buy, remote, plan),
        known=partial(known_to, remote),
        workers=1,
    )


def _order(remote: Remote, order_id: str) -> Order:
    found: Order = remote.ask(get_order, order_id)
    return found


def _draft(remote: Remote, plan: FulfilPlan, order: Order) -> Shipment:
    """The draft of what is left of an order, with rates; stored nowhere."""
    return new_draft(remote, _wanted(remote, plan, order))


def _wanted(remote: Remote, plan: FulfilPlan, order: Order) -> Any:
    data = shipment_of(known_to(remote), order, sender=plan.sender, carriers=plan.wish.carriers)
    return data.changed(metadata={**data.metadata, MARK: order.id})


def _buy(remote: Remote, plan: FulfilPlan, proposal: Proposal) -> Shipment:
    """The purchase, at no higher price than was proposed.

    Errors: Conflict when the order or its price changed meanwhile; those of the API.
    """
    order = _order(remote, proposal.order.id)
    if order.status == "cancelled" or left_of(order) != left_of(proposal.order):
        raise Conflict(CHANGED)
    draft = _stored_draft(remote, plan, order)
    rate = fulfilling.rate_for(known_to(remote), draft, plan.wish)
    if (rate.currency, rate.total_charge) > (proposal.rate.currency, proposal.rate.total_charge):
        raise Conflict(f"The price is {rate.total_charge} {rate.currency} now: run the command again")
    wanted = ShipmentPurchaseData(selected_rate_id=str(rate.id))
    bought: Shipment = remote.ask(shipments.purchase_shipment, draft.id, wanted, key=f"fulfil-{draft.id}")
    return bought


def _stored_draft(remote: Remote, plan: FulfilPlan, order: Order) -> Shipment:
    """The draft that a run before this one left behind, rated anew, else a new one."""
    made = [one for one in order.shipments if one.metadata.get(MARK) == order.id]
    waiting = next((one for one in made if one.status == "draft"), None)
    if waiting is not None:
        rated: Shipment = remote.ask(shipments.fetch_rates, waiting.id, ShipmentRateData())
        return rated
    left = json.dumpb([line.plain() for line in left_of(order)], sort=True)
    key = f"fulfil-{order.id}-{len(made)}-{hashlib.sha256(left).hexdigest()[:16]}"
    stored: Shipment = remote.ask(shipments.create_shipment, _wanted(remote, plan, order), key=key)
    return stored
