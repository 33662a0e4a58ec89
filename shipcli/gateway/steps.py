"""The steps of a purchase on a server: one of ours offers them, another one is bought from in plain calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from shipcli.features.orders import fulfilment
from shipcli.features.shipments import price_ceiling, ship
from shipcli.gateway import plain_sales
from shipcli.gateway.gateway import NotPromised
from shipcli.models import Message, OutcomeUnknown, Unreachable

if TYPE_CHECKING:
    from shipcli.gateway.http import HttpGateway, Use, Versions
    from shipcli.models import Shipment
    from shipcli.models.purchase_steps import Proposal, RatePurchase


def offer_or(use: Use, plain: Callable[..., Any]) -> Callable[..., Any]:
    """A step of our servers, and what stands for it on others."""

    def carry_out(server: HttpGateway, *arguments: Any, **named: Any) -> Any:
        if server.offers_steps:
            return server.operate(use, *arguments, **named)
        return plain(server, *arguments, **named)

    return carry_out


def buy_rate(server: HttpGateway, purchase: RatePurchase) -> Shipment:
    """The purchase of a draft; if the answer is lost, the server is asked what became of it.

    Errors: those of the purchase; Unreachable, and then it may have been bought.
    """
    if not server.offers_steps:
        return plain_sales.buy_rate(server, purchase)
    try:
        bought: Shipment = server.operate(ship.buy_rate, purchase)
    except Unreachable as error:
        return plain_sales.look_up(server, purchase.draft.id, error)
    return bought


def buy_proposed(server: HttpGateway, proposal: Proposal) -> Shipment:
    """The purchase of what was proposed for an order.

    Errors: those of the purchase; OutcomeUnknown if it may have been bought; NotPromised.
    """
    if not server.offers_steps:
        raise NotPromised(server.url, "the purchase of an order")
    order = proposal.order.model_copy(update={"shipments": []})
    try:
        bought: Shipment = server.operate(
            fulfilment.buy_proposed, proposal.model_copy(update={"order": order})
        )
    except Unreachable as error:
        return _look_up_order(server, proposal, error)
    return bought


def _look_up_order(server: HttpGateway, proposal: Proposal, error: Unreachable) -> Shipment:
    try:
        return plain_sales.look_up(server, proposal.draft.id, error)
    except Unreachable:
        raise OutcomeUnknown([Message(code=OutcomeUnknown.code, message=error.message)]) from None


STEPS: Versions = {
    ship.make_rated_draft: offer_or(ship.make_rated_draft, plain_sales.make_rated_draft),
    ship.read_stored_draft: offer_or(ship.read_stored_draft, plain_sales.read_stored_draft),
    ship.find_bought: offer_or(ship.find_bought, plain_sales.find_bought),
    ship.buy_rate: buy_rate,
    price_ceiling.take_back: offer_or(price_ceiling.take_back, plain_sales.take_back),
    fulfilment.buy_proposed: buy_proposed,
}
