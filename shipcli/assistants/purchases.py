"""Labels that assistants buy: first a quote with a confirmation, then the purchase, once per confirmation.

The purchase goes the way of `ship`: along `buy_draft`, within the budget, once for its key and its reference.
What was confirmed is asked for again first, so that a price that changed meanwhile is not paid.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from shipcli.features.core.idempotency import digest_request
from shipcli.features.shipments.budget import CEILING
from shipcli.features.shipments.requirements import check_purchase
from shipcli.features.shipments.sale import buy_draft
from shipcli.features.shipments.ship import (
    Prompter,
    RateCriteria,
    make_rated_draft,
    select_rate,
    settle_interrupted,
)
from shipcli.models import Conflict, Invalid, ShipmentData
from shipcli.models.purchase_steps import KeyedRequest
from shipcli.workflows.ship import BenchSale, check_reference, find_earlier, read_draft

if TYPE_CHECKING:
    from shipcli.assistants.daily_budget import DailyBudget
    from shipcli.gateway.gateway import Gateway
    from shipcli.models import Rate, Shipment

VALID = timedelta(minutes=15)
MOST_QUOTES = 100  # that wait for a confirmation
RULES = ("cheapest", "fastest")
ANOTHER_QUOTE = "call `ship` without a confirmation for a new quote"


class UnknownConfirmation(Conflict):
    """A confirmation that nothing waits for."""

    hint = ANOTHER_QUOTE

    def __init__(self) -> None:
        text = "Nothing waits for this confirmation: it is unknown, or it has expired"
        super().__init__(text, code="confirmation_unknown")


class PriceChanged(Conflict):
    """What was confirmed costs something else now."""

    hint = ANOTHER_QUOTE

    def __init__(self, quoted: Rate, offer: Rate | None) -> None:
        now = f"{offer.total_charge:.2f} {offer.currency}" if offer else "not offered any more"
        was = f"{quoted.total_charge:.2f} {quoted.currency}"
        text = f"{quoted.service} of {quoted.carrier_id} was {was} and is {now}: nothing was bought"
        super().__init__(text, code="price_changed")


@dataclass(frozen=True)
class AssistantOrder:
    """What an assistant asks for: a shipment, or the id of a draft, and by which criteria to choose."""

    data: ShipmentData | None
    draft_id: str
    criteria: RateCriteria
    again: bool = False


@dataclass(frozen=True)
class WaitingQuote:
    """What waits for a confirmation: an order, the rate that was quoted, and until when it may be bought."""

    order: AssistantOrder
    rate: Rate
    ends: datetime


@dataclass(frozen=True)
class ConfirmedSale(BenchSale):
    """The purchase of what was confirmed: its label may cost no more than the price that was told."""

    def buy(self, draft: Shipment, rate: Rate) -> Shipment:
        """The draft, bought once for its key; a label that is billed higher is voided."""
        ceiling = {CEILING: f"{rate.total_charge}{rate.currency}"}
        limited = draft.model_copy(update={"metadata": {**draft.metadata, **ceiling}})
        return super().buy(limited, rate)


class Purchases:
    """Quotes that wait for a confirmation, and the budget that they are bought from."""

    def __init__(self, gateway: Gateway, budget: DailyBudget) -> None:
        self._gateway, self._budget = gateway, budget
        self._quotes: dict[str, WaitingQuote] = {}

    def quote(self, order: AssistantOrder) -> dict[str, Any]:
        """The price of an order, and the confirmation that buys it.

        Errors: AlreadyBought; LimitReached; those of a draft and its rates; NotPromised for another server.
        """
        self._gateway.require_promise("the purchase by an assistant")
        draft = self._make_draft(order)
        check_purchase(draft)
        rate = select_rate(self._gateway.defaults, draft, order.criteria, choose_nobody)
        check_reference(self._gateway, draft, again=order.again)
        self._budget.check(rate)
        token = self._keep(WaitingQuote(order, rate, self._gateway.now() + VALID))
        return self._describe(token, rate)

    def _keep(self, quote: WaitingQuote) -> str:
        while len(self._quotes) >= MOST_QUOTES:
            self._quotes.pop(next(iter(self._quotes)))
        token = secrets.token_urlsafe(24)
        self._quotes[token] = quote
        return token

    def _describe(self, token: str, rate: Rate) -> dict[str, Any]:
        shown = rate.model_dump(include={"carrier_name", "carrier_id", "service", "transit_days"})
        return {
            "bought": False,
            "confirmation": token,
            "valid_until": self._quotes[token].ends.isoformat(timespec="seconds"),
            "price": f"{rate.total_charge:.2f} {rate.currency}",
            "rate": shown,
            "left_today": f"{self._budget.left:.2f} {self._budget.currency}",
        }

    def buy(self, token: str) -> Shipment:
        """What a confirmation stands for, bought once; the same shipment if it was bought before.

        Errors: UnknownConfirmation; PriceChanged; LimitReached; those of a purchase.
        """
        keyed = make_key(token)
        self._gateway.require_promise("the purchase by an assistant")
        self._gateway.ask(settle_interrupted)
        if earlier := find_earlier(self._gateway, keyed):
            return earlier
        quote = self._quotes.get(token)
        if quote is None or quote.ends < self._gateway.now():
            raise UnknownConfirmation
        draft = self._make_draft(quote.order)
        rate = self._find_again(draft, quote.rate)
        criteria = replace(quote.order.criteria, rule=None, rate_id=rate.id, budget=self._budget)
        prompter = Prompter(choose_nobody, agree_before, again=quote.order.again)
        return buy_draft(ConfirmedSale(self._gateway, criteria, prompter, keyed), draft)

    def _make_draft(self, order: AssistantOrder) -> Shipment:
        if order.data is not None:
            return self._gateway.ask(make_rated_draft, order.data)
        return read_draft(self._gateway, order.draft_id)

    def _find_again(self, draft: Shipment, quoted: Rate) -> Rate:
        """The rate that was quoted, as it is offered now.

        Errors: PriceChanged.
        """
        place = (quoted.carrier_id, quoted.service, quoted.currency)
        offers = [rate for rate in draft.rates if (rate.carrier_id, rate.service, rate.currency) == place]
        for rate in offers:
            if rate.total_charge == quoted.total_charge:
                return rate
        raise PriceChanged(quoted, offers[0] if offers else None)

    def drop(self, token: str) -> None:
        """Forget a quote that a person declined."""
        self._quotes.pop(token, None)


def make_key(token: str) -> KeyedRequest:
    """The key of the purchase of a confirmation: it is found again after a restart."""
    request = {"confirmation": token}
    return KeyedRequest(
        operation="purchase_shipment",
        key=f"assistant {digest_request(request)}",
        digest=digest_request(request),
    )


def read_order(arguments: Mapping[str, Any]) -> AssistantOrder:
    """Errors: Invalid naming the argument."""
    body, draft_id = arguments.get("shipment"), str(arguments.get("shipment_id") or "")
    if (body is None) == (not draft_id):
        raise Invalid("shipment", "give either a shipment, or the shipment_id of a draft")
    rule = arguments.get("rule")
    if rule is not None and rule not in RULES:
        raise Invalid("rule", f"must be one of {', '.join(RULES)}")
    data = read_shipment_data(body) if body is not None else None
    service = arguments.get("service") or (data.service if data else None)
    criteria = RateCriteria(
        rule=rule or "cheapest",
        service=service,
        currency=arguments.get("currency"),
        by=arguments.get("by"),
    )
    return AssistantOrder(
        ask_for(data, service) if data else None,
        draft_id,
        criteria,
        again=bool(arguments.get("again")),
    )


def ask_for(data: ShipmentData, service: str | None) -> ShipmentData:
    """The shipment as a draft, for which carriers are asked for one service only, if it is named."""
    services = [service] if service and not data.services else data.services
    return data.model_copy(update={"service": None, "services": services})


def read_shipment_data(body: Any) -> ShipmentData:
    """Errors: Invalid naming the fields of a shipment."""
    try:
        return ShipmentData.model_validate(body)
    except ValidationError as error:
        raise Invalid.from_pydantic(error) from None


def choose_nobody(draft: Shipment) -> Rate:
    """Errors: Invalid, as there is nobody to choose."""
    raise Invalid("rule", "say which rate to take: cheapest, fastest or a service")


def agree_before(draft: Shipment, rate: Rate) -> None:
    """The confirmation is the consent."""
