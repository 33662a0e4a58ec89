"""Ship an order: its unshipped part becomes one shipment, whose rate is chosen, agreed to and bought."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shipcli.features.orders.fulfilment import buy_proposed, list_covering
from shipcli.features.orders.packing import list_unfulfilled_lines
from shipcli.features.orders.service import get_order
from shipcli.features.shipments.filters import SHIPMENTS
from shipcli.features.shipments.sale import buy_draft
from shipcli.features.shipments.second_labels import refuse_second
from shipcli.features.shipments.ship import select_rate
from shipcli.gateway.where import make_where
from shipcli.models import Conflict, Order, Rate, Shipment
from shipcli.models.basics.errors import AlreadyBought
from shipcli.models.purchase_steps import KeyedRequest, Proposal
from shipcli.workflows.gateway_sale import GatewaySale
from shipcli.workflows.order_proposals import FulfilPlan, draft_order
from shipcli.workflows.ship import find_earlier, make_keyed_request

if TYPE_CHECKING:
    from shipcli.features.shipments.ship import Prompter
    from shipcli.gateway.gateway import Gateway


@dataclass(frozen=True)
class OrderSale(GatewaySale):
    """The purchase of the unshipped part of an order by a person, who agrees to it."""

    order: Order
    prompter: Prompter
    keyed: KeyedRequest | None = None

    def choose(self, draft: Shipment) -> Rate:
        """The rate that fits the criteria, or that the person chooses."""
        return select_rate(self.gateway.defaults, draft, self.criteria, self.prompter.choose)

    def confirm(self, draft: Shipment, rate: Rate) -> None:
        """Errors: what the prompter raises."""
        self.prompter.agree(draft, rate)

    def buy(self, draft: Shipment, rate: Rate) -> Shipment:
        """The draft of the order, bought."""
        has_others = self.is_open and len(draft.rates) > 1
        proposal = Proposal(order=self.order, draft=draft, rate=rate, keyed=self.keyed, has_others=has_others)
        return self.gateway.ask(buy_proposed, proposal)


def ship_order(
    gateway: Gateway, order_id: str, plan: FulfilPlan, prompter: Prompter, key: str | None = None
) -> Shipment:
    """Buy a shipment for the unshipped part of an order, once for a key.

    Errors: NotFound; as `plan_order`; LimitReached; what the prompter raises; those of the purchase.
    """
    gateway.require_promise("the purchase of an order")
    keyed = make_keyed_request("ship_order", key, write_plain_request(order_id, plan))
    earlier = find_earlier(gateway, keyed)
    if earlier:
        return earlier
    order = gateway.ask(get_order, order_id)
    draft = _draft_unshipped(gateway, order, plan, again=prompter.again)
    return buy_draft(OrderSale(gateway, plan.criteria, order, prompter, keyed), draft)


def plan_order(gateway: Gateway, order_id: str, plan: FulfilPlan, *, again: bool) -> Shipment:
    """The draft of an order's unshipped part, with its rates; nothing is stored.

    Errors: NotFound; AlreadyBought when nothing is left, or, unless another label is wanted, when a shipment
            of no order was bought under its number; Conflict when it is cancelled; Invalid naming what it
            lacks.
    """
    return _draft_unshipped(gateway, gateway.ask(get_order, order_id), plan, again=again)


def write_plain_request(order_id: str, plan: FulfilPlan) -> dict[str, Any]:
    """Everything that two purchases of an order must share to be the same."""
    request = {
        "order": order_id,
        "parcels": [dict(parcel) for parcel in plan.facts],
        "request": plan.criteria.to_dict(),
    }
    goods, sender = [dict(article) for article in plan.goods], dict(plan.sender or {})
    return request | ({"goods": goods} if goods else {}) | ({"sender": sender} if sender else {})


def _draft_unshipped(gateway: Gateway, order: Order, plan: FulfilPlan, *, again: bool) -> Shipment:
    check_unshipped(order)
    draft = draft_order(gateway, order, plan)
    if not again:
        rows = gateway.each("shipment", make_where(SHIPMENTS, {"reference": draft.reference}))
        by_hand = (row for row in rows if not (row.get("metadata") or {}).get("order_id"))
        refuse_second(draft, (row for row in by_hand if row["reference"] == draft.reference))
    return draft


def check_unshipped(order: Order) -> None:
    """Errors: AlreadyBought naming the label of an order that has one; Conflict when it is cancelled."""
    if order.status == "cancelled":
        raise Conflict(order.describe_cancelled())
    if list_unfulfilled_lines(order):
        return
    shipment = next(iter(list_covering(order)), None)
    if shipment is None:
        raise AlreadyBought(f"Nothing is left to ship of the order {order.order_id}", hint="")
    number = shipment.tracking_number
    if not number:
        text = f"The order {order.order_id} may have a label: its shipment is {shipment.status}"
        raise AlreadyBought(text, hint=f"shipcli shipments resolve {shipment.id}")
    carrier = f" of {shipment.carrier_id}" if shipment.carrier_id else ""
    raise AlreadyBought(f"The order {order.order_id} has a label already: {number}{carrier}",
                        hint=f"to print it again: shipcli reprint {number}")  # fmt: skip
