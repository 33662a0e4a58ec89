"""Rates and purchases of the station: of the unshipped part of an order, or of a draft."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from shipcli.features.orders.service import get_order
from shipcli.features.shipments.sale import buy_draft
from shipcli.features.shipments.ship import Prompter, RateCriteria
from shipcli.models import Invalid
from shipcli.workflows.order_proposals import FulfilPlan, check_preferred, choose_rate, follow_paid_method
from shipcli.workflows.ship import BenchSale, find_earlier, make_keyed_request, read_draft
from shipcli.workflows.ship_order import OrderSale, plan_order

if TYPE_CHECKING:
    from shipcli.gateway.gateway import Gateway
    from shipcli.models import Rate, Shipment
    from shipcli.models.purchase_steps import KeyedOperation
    from shipcli.workflows.station.loads import Job
    from shipcli.workflows.station.steps import BuyLabel


@dataclass(frozen=True)
class PricedJob:
    """A job as it is now, its draft with rates, and the rate that rules or the order chose.

    Shapes: without a rate `trouble` says why none could be chosen; a person may choose one of the draft.
    """

    job: Job
    draft: Shipment
    rate: Rate | None = None
    trouble: str = ""


def price_job(gateway: Gateway, job: Job, facts: dict[str, Any], label_type: str | None) -> PricedJob:
    """Ask for the rates of a job.

    Errors: those of the order, the draft and the rates.
    """
    if job.order is None:
        draft = read_draft(gateway, job.id, facts or None)
        return _choose(gateway, job, draft, FulfilPlan())
    order = gateway.ask(get_order, job.order.id)  # before the draft is made of it: a change is noticed
    plan = FulfilPlan(facts=(facts,) if facts else (), label_type=label_type)
    plan = follow_paid_method(gateway.defaults, plan, order)
    draft = plan_order(gateway, order.id, plan, again=False)
    check_preferred(gateway, plan, draft)
    return _choose(gateway, replace(job, order=order), draft, plan)


def _choose(gateway: Gateway, job: Job, draft: Shipment, plan: FulfilPlan) -> PricedJob:
    try:
        return PricedJob(job, draft, choose_rate(gateway.defaults, draft, plan.criteria))
    except Invalid as error:
        return PricedJob(job, draft, trouble=f"{error.describe()} F4 chooses another")


def buy_label(gateway: Gateway, purchase: BuyLabel) -> Shipment:
    """Buy the label of a load at its rate, once for its intent, whatever became of the answer before.

    Errors: NotPromised; those of the purchase.
    """
    gateway.require_promise("a packing station")
    order = purchase.job.order
    operation: KeyedOperation = "ship_order" if order else "purchase_shipment"
    keyed = make_keyed_request(operation, purchase.intent, {"station": purchase.job.id})
    earlier = find_earlier(gateway, keyed)
    if earlier:
        return earlier
    criteria = RateCriteria(rate_id=purchase.rate.id)
    prompter = Prompter(lambda draft: purchase.rate, lambda draft, rate: None)
    if order:
        return buy_draft(OrderSale(gateway, criteria, order, prompter, keyed), purchase.draft)
    return buy_draft(BenchSale(gateway, criteria, prompter, keyed), purchase.draft)
