"""Turn orders of a server into bought shipments.

The draft of an order carries the order's id in its metadata, and both requests carry keys that two runs at
once would share: neither makes a second shipment for the same part of an order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shipcli.features.core.idempotency import digest_request
from shipcli.features.orders.fulfilment import CHANGED, MARK, PURCHASE_KEY, SIDES, Proposal
from shipcli.features.orders.packing import list_unfulfilled_lines
from shipcli.features.orders.service import get_order
from shipcli.features.shipments import service as shipments
from shipcli.features.shipments.budget import CEILING
from shipcli.gateway.purchases import create_draft, purchase
from shipcli.models import (
    Conflict,
    Message,
    Order,
    OutcomeUnknown,
    Rate,
    Shipment,
    ShipmentRateData,
    Unreachable,
)

if TYPE_CHECKING:
    from shipcli.gateway.http import HttpGateway

MADE_OF = "fulfils_body"  # in the metadata of a draft: the digest of what was proposed


def buy_proposed(server: HttpGateway, proposal: Proposal) -> Shipment:
    """The purchase of what was proposed, at no higher price.

    Errors: Conflict if the order or its price has changed since; those of the API.
    """
    order = server.ask(get_order, proposal.order.id)
    moved = any(getattr(order, side) != getattr(proposal.order, side) for side in SIDES)
    lines, proposed = list_unfulfilled_lines(order), list_unfulfilled_lines(proposal.order)
    if order.status == "cancelled" or moved or lines != proposed:
        raise Conflict(CHANGED)
    draft = _prepare_draft(server, proposal, order)
    rate = find_agreed_rate(draft, proposal.rate)
    passed = (PURCHASE_KEY, CEILING)
    marks = {name: value for name, value in proposal.draft.metadata.items() if name in passed}
    try:
        return purchase(server, draft, rate, f"fulfil-{rate.id}", marks)
    except Unreachable as error:  # it may have been bought
        raise OutcomeUnknown([Message(code=OutcomeUnknown.code, message=error.message)]) from None


def find_agreed_rate(draft: Shipment, agreed: Rate) -> Rate:
    """The rate of a draft that matches what was agreed to.

    Errors: Conflict if it costs more now, or is no longer offered.
    """
    key = agreed.carrier_id, agreed.service
    rates = [rate for rate in draft.rates if (rate.carrier_id, rate.service) == key]
    if not rates:
        raise Conflict(f"{agreed.service} is not offered any more: run the command again")
    rate = min(rates, key=lambda offer: offer.total_charge)
    if is_dearer(rate, agreed):
        raise Conflict(f"The price is {rate.total_charge} {rate.currency} now: run the command again")
    return rate


def is_dearer(rate: Rate, agreed: Rate) -> bool:
    """Whether a rate costs more than was agreed to; one in another currency counts as more."""
    return rate.currency != agreed.currency or rate.total_charge > agreed.total_charge


def _prepare_draft(server: HttpGateway, proposal: Proposal, order: Order) -> Shipment:
    """The draft that an earlier run left behind, with new rates; otherwise a new one.

    A draft of other content is cancelled: a server lets little of a draft be changed.
    """
    made_of = digest_request(proposal.data.model_copy(update={"metadata": {}}).model_dump())[:16]
    made = [shipment for shipment in order.shipments if shipment.metadata.get(MARK) == order.id]
    waiting = next((shipment for shipment in made if shipment.status == "draft"), None)
    if waiting is not None and waiting.metadata.get(MADE_OF) == made_of:
        return server.ask(shipments.fetch_rates, waiting.id, ShipmentRateData())
    if waiting is not None:
        server.ask(shipments.cancel_shipment, waiting.id)
    marks = {**proposal.data.metadata, MARK: order.id, MADE_OF: made_of}
    key = f"fulfil-{order.id}-{len(made)}-{made_of}"
    return create_draft(server, key, proposal.data.model_copy(update={"metadata": marks}))
