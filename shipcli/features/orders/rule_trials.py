"""Explain what rules decided, and try them on stored orders: nothing is stored, no carrier is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from shipcli.features.book.drafts import make_draft
from shipcli.features.core.shipment_lookup import is_return, list_order_shipments
from shipcli.features.orders.packing import list_unfulfilled_lines, make_shipment
from shipcli.features.orders.service import get_order
from shipcli.features.rules.application import apply_rules
from shipcli.features.rules.checks import check_rule
from shipcli.features.rules.decision import Decision, foresee_service, read_decision
from shipcli.features.rules.explanation import NOT_MATCHED, WAITS, explain_rates, explain_rules, summarize
from shipcli.features.shipments.defaults import read_defaults
from shipcli.models import NotFound, Order, ShipcliError, Shipment
from shipcli.models.rule import Explanation, RuleTrial, RuleTrialRequest
from shipcli.store.query import equal

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.shipments.defaults import ShipDefaults

DONE = "Nothing is left to ship"
RETURNS = "It is a return: rules are for what is sent"
Rules = list[dict[str, Any]] | None


def explain_object(app: App, object_id: str) -> Explanation:
    """Why a shipment has its service, box, options and printer; of an order, its newest shipment.

    An order without a shipment is told what the rules would do now.
    Errors: NotFound.
    """
    document = app.store.get("shipment", object_id, app.test_mode)
    if document:
        return explain_shipment(Shipment.model_validate(document))
    order = get_order(app, object_id)
    bought = list_order_shipments(app.store, order.id)
    if bought:
        return explain_shipment(Shipment.model_validate(bought[0]))
    return try_order(app, read_defaults(app), order)


def explain_shipment(shipment: Shipment) -> Explanation:
    """What was decided for a shipment when its rates were fetched last."""
    decision = read_decision(shipment)
    return Explanation(
        id=shipment.id,
        status=shipment.status,
        summary=summarize(decision, RETURNS if is_return(shipment) else ""),
        settings=_list_settings(decision),
        rules=explain_rules(decision, shipment.rates) if decision else [],
        rates=explain_rates(decision, shipment.rates, shipment.selected_rate) if decision else [],
    )


def _list_settings(decision: Decision | None) -> dict[str, Any]:
    return {name: row["value"] for name, row in decision.settings.items()} if decision else {}


def try_rules(app: App, data: RuleTrialRequest) -> RuleTrial:
    """What the rules would do with orders, the newest first, and how many each rule fits.

    Errors: NotFound for an unknown order; Invalid for a rule that is wrong.
    """
    for rule in data.rules or ():
        check_rule(app, rule)
    rules: Rules = None
    if data.rules is not None:
        rules = [
            {**rule.model_dump(), "name": rule.name or f"rule {number}", "id": str(number)}
            for number, rule in enumerate(data.rules, 1)
        ]
    defaults = read_defaults(app)
    trials = [try_order(app, defaults, order, rules) for order in _list_orders(app, data)]
    return RuleTrial(orders=trials, matches=_count_matches(trials))


def _list_orders(app: App, data: RuleTrialRequest) -> Iterator[Order]:
    if data.ids:
        yield from (get_order(app, order_id) for order_id in data.ids)
        return
    page = app.store.page("order", [equal("status", "unfulfilled")], data.limit, 0, app.test_mode)
    yield from (Order.model_validate_json(text) for text in page.items)


def _count_matches(trials: Iterable[Explanation]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for trial in trials:
        for outcome in trial.rules:
            counts[outcome.rule] += outcome.outcome not in (NOT_MATCHED, WAITS)
    return dict(counts)


def try_order(app: App, defaults: ShipDefaults, order: Order, rules: Rules = None) -> Explanation:
    """What the rules would set for the unshipped part of an order."""
    if not list_unfulfilled_lines(order):
        return Explanation(id=order.order_id, kind="order", status=order.status, summary=DONE)
    try:
        draft = apply_rules(app, make_draft(app, make_shipment(defaults, order)), rules)
    except NotFound:
        raise
    except ShipcliError as error:
        return Explanation(id=order.order_id, kind="order", status=order.status, summary=error.describe())
    decision = read_decision(draft)
    if decision:
        foresee_service(decision)
    return Explanation(
        id=order.order_id,
        kind="order",
        status=order.status,
        summary=summarize(decision),
        settings=_list_settings(decision),
        rules=explain_rules(decision, []) if decision else [],
    )
