"""What would be bought for orders: the draft of each, its rate, or why nothing is bought."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, cast

from shipcli.features.book.methods import RULES, fold_method, read_paid_method
from shipcli.features.connections.accounts import list_all_services
from shipcli.features.orders.fulfilment import (
    leave_out_undone,
    list_covering,
    mark_draft,
)
from shipcli.features.orders.packing import Facts, list_unfulfilled_lines, make_shipment
from shipcli.features.orders.service import get_order
from shipcli.features.shipments.requirements import check_purchase
from shipcli.features.shipments.rule_choice import find_rule
from shipcli.features.shipments.ship import RateCriteria, make_rated_draft, select_rate
from shipcli.models import (
    CommodityData,
    CustomsData,
    Invalid,
    Order,
    Rate,
    ShipcliError,
    Shipment,
    ShipmentData,
)
from shipcli.models.basics.text import list_nearest
from shipcli.models.parts.goods import find_gap
from shipcli.models.purchase_steps import Proposal
from shipcli.readers.cells import describe_unknown_word

if TYPE_CHECKING:
    from shipcli.features.shipments.defaults import ShipDefaults
    from shipcli.features.shipments.rate_selection import Rule
    from shipcli.gateway.gateway import Gateway

COLUMNS = (
    "order_number", "source", "order_id", "status", "shipment_id", "carrier", "service", "total_charge",
    "currency", "tracking_number", "message",
)  # fmt: skip


@dataclass(frozen=True)
class FulfilPlan:
    """How orders are to be shipped.

    Shapes: `sender` ships those that name no sender, `facts` are of their parcels, `label_type` is the format
            of their labels where another is wanted than the usual one.
    """

    criteria: RateCriteria = field(default_factory=RateCriteria)
    sender: Mapping[str, Any] | None = None
    facts: Facts = ()
    goods: tuple[Mapping[str, Any], ...] = ()  # declared in the place of the order's lines
    label_type: str | None = None
    paid: str | None = None  # the customer's method, where it says the service


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

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in COLUMNS}


def propose(gateway: Gateway, plan: FulfilPlan, order_id: str) -> Proposal | Fulfilment:
    """What would be bought for an order, or why nothing would.

    Errors: NotFound for an unknown order.
    """
    order = gateway.ask(get_order, order_id)
    if order.status == "cancelled" or not list_unfulfilled_lines(order):
        return find_covered(order)
    plan = follow_paid_method(gateway.defaults, plan, order)
    try:
        draft = draft_order(gateway, order, plan)
        check_preferred(gateway, plan, draft)
        rate = choose_rate(gateway.defaults, draft, plan.criteria)
        return Proposal(order=order, draft=draft, rate=rate)
    except ShipcliError as error:
        paid = f"paid as {plan.paid}: " if plan.paid and isinstance(error, Invalid) else ""
        return make_fulfilment(order, "failed", message=f"{paid}{error.describe()}")


def follow_paid_method(defaults: ShipDefaults, plan: FulfilPlan, order: Order) -> FulfilPlan:
    """The plan with the service that the customer's method is sent by, unless a service or rate is named."""
    paid, criteria = read_paid_method(order.model_dump()), plan.criteria
    service = defaults.methods().get(fold_method(paid)) if paid else None
    if service is None or criteria.service or criteria.rate_id:
        return plan
    if service in RULES:
        return replace(plan, criteria=replace(criteria, rule=criteria.rule or cast("Rule", service)))
    return replace(plan, criteria=replace(criteria, service=service), paid=paid)


def check_preferred(gateway: Gateway, plan: FulfilPlan, draft: Shipment) -> None:
    """Errors: Invalid naming the services nearest to one that an order prefers and nobody has: a slip of the
    pen. What is like no service at all is bought at the cheapest rate, as what is not offered.
    """
    name, services = _find_preferred(plan, draft.options), {rate.service for rate in draft.rates}
    if name and name not in services:
        reason = describe_unknown_service(gateway, name)
        if reason and list_nearest(name, gateway.ask(list_all_services)):
            raise Invalid("options.preferred_service", reason)


def describe_unknown_service(gateway: Gateway, service: str) -> str | None:
    """What is wrong with a service that nobody has; None if somebody may have it."""
    services = gateway.ask(list_all_services)
    if not services or service in services:
        return None
    return describe_unknown_word("service", service, services)


def _find_preferred(plan: FulfilPlan, options: Mapping[str, Any]) -> str | None:
    """The service that an order prefers, unless the line or the customer's method says what is bought."""
    criteria = plan.criteria
    is_said = criteria.rule or criteria.service or criteria.rate_id
    return None if is_said else str(options.get("preferred_service") or "") or None


def describe_substitute(plan: FulfilPlan, draft: Shipment, rate: Rate | None) -> str | None:
    """What is said where another service is bought than the one that an order prefers."""
    name = _find_preferred(plan, draft.options)
    return (
        f"{name}, which the order prefers, is not offered"
        if rate and name not in (None, rate.service)
        else None
    )


def list_unknown_services(
    gateway: Gateway, plan: FulfilPlan, orders: Iterable[Order]
) -> list[tuple[str, str]]:
    """The numbers of orders that prefer a service nobody has, and what is wrong with it."""
    preferred = [
        (order.order_id, name)
        for order in orders
        if (name := _find_preferred(follow_paid_method(gateway.defaults, plan, order), order.options))
        and order.status != "cancelled"
        and list_unfulfilled_lines(order)
    ]
    reasons = {name: describe_unknown_service(gateway, name) for _, name in preferred}
    return [(number, reason) for number, name in preferred if (reason := reasons[name])]


def list_unknown_methods(gateway: Gateway, plan: FulfilPlan, orders: Iterable[Order]) -> Counter[str]:
    """The methods paid for orders for which no service is chosen, and of how many orders each.

    Nobody need choose one if a service or a rate is named, or where an order prefers a service.
    """
    if plan.criteria.service or plan.criteria.rate_id:
        return Counter()
    methods, unknown = gateway.defaults.methods(), Counter[str]()
    for order in orders:
        paid = read_paid_method(order.model_dump())
        is_open = order.status != "cancelled" and list_unfulfilled_lines(order)
        if (
            paid
            and is_open
            and fold_method(paid) not in methods
            and not order.options.get("preferred_service")
        ):
            unknown[paid] += 1
    return unknown


def draft_order(gateway: Gateway, order: Order, plan: FulfilPlan) -> Shipment:
    """The draft of the unshipped part of an order, with rates; nothing is stored.

    Errors: as `prepare_shipment`; those of the rates; Invalid naming what a purchase would refuse;
            BilledAbove if only rates are left that were billed above their ceilings before.
    """
    draft = gateway.ask(make_rated_draft, prepare_shipment(gateway, order, plan))
    check_purchase(draft)
    criteria = plan.criteria
    return leave_out_undone(order, mark_draft(order, draft), criteria.budget, criteria.service)


def prepare_shipment(gateway: Gateway, order: Order, plan: FulfilPlan) -> ShipmentData:
    """The unshipped part of an order as a shipment.

    Errors: Invalid naming what the order lacks; NotFound for an unknown carrier.
    """
    defaults = gateway.defaults
    return make_shipment(
        replace(defaults, label_type=plan.label_type or defaults.label_type),
        order,
        sender=plan.sender,
        carriers=plan.criteria.carriers,
        facts=plan.facts,
        goods=plan.goods,
    )


def list_customs_gaps(gateway: Gateway, plan: FulfilPlan, orders: Iterable[Order]) -> list[tuple[str, str]]:
    """The numbers of orders whose goods lack something that customs ask for, and what is missing."""
    gaps = ((order.order_id, _find_gap(gateway, plan, order)) for order in orders)
    return [(number, gap) for number, gap in gaps if gap]


def _find_gap(gateway: Gateway, plan: FulfilPlan, order: Order) -> str | None:
    if order.status == "cancelled" or not list_unfulfilled_lines(order):
        return None
    try:
        customs = prepare_shipment(gateway, order, plan).customs
    except ShipcliError:  # it is told when the order is proposed
        return None
    if not isinstance(customs, CustomsData):
        return None
    return find_gap([commodity for commodity in customs.commodities if isinstance(commodity, CommodityData)])


def find_covered(order: Order) -> Fulfilment:
    """The result for an order that is fully shipped, with the newest shipment that covers it."""
    shipment = next(iter(list_covering(order)), None)
    if shipment and shipment.status == "needs_attention" and not shipment.tracking_number:
        text = f"Look with the carrier, then: shipcli shipments resolve {shipment.id} --bought TRACKING"
        return make_fulfilment(order, "needs_attention", shipment, text)
    return make_fulfilment(order, order.status, shipment)


def choose_rate(defaults: ShipDefaults, draft: Shipment, criteria: RateCriteria) -> Rate:
    """The rate that was asked for; otherwise that of the order's preferred service, else the cheapest.

    Errors: Invalid naming what is offered.
    """
    preferred = draft.options.get("preferred_service")
    rule = replace(criteria, rule=criteria.rule or find_rule(draft) or "cheapest")
    if preferred and criteria.rule is None and criteria.service is None:
        try:
            return select_rate(defaults, draft, replace(rule, service=str(preferred)), _choose_first)
        except Invalid:
            return select_rate(defaults, draft, rule, _choose_first)  # it is not offered, or not in time
    return select_rate(defaults, draft, rule, _choose_first)


def _choose_first(offered: Shipment) -> Rate:
    return offered.rates[0]


def make_fulfilment(
    order: Order, status: str, shipment: Shipment | None = None, message: str | None = None
) -> Fulfilment:
    """An order and its shipment, as a line of the summary."""
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
