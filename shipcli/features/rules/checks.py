"""What is checked before a rule is stored: its condition, and that what it sets exists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from shipcli.carrier import registry
from shipcli.features.book.box_choice import is_auto
from shipcli.features.book.boxes import find_box, list_boxes, suggest_box
from shipcli.features.book.drafts import find_preset
from shipcli.features.connections.accounts import list_accounts, list_all_services
from shipcli.features.connections.option_names import find_wrong_value, list_option_names
from shipcli.features.rules.decision import BY_PRICE
from shipcli.models import Invalid
from shipcli.models.basics.text import suggest_nearest
from shipcli.models.conditions import parse_condition
from shipcli.models.conditions.values import fold_words
from shipcli.models.rule import SETTINGS, RuleData

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.models.conditions.condition import Condition
    from shipcli.models.conditions.nodes import Comparison

OF_RATES = (
    "A condition on rates ({names}) is known when carriers have answered: such a rule chooses a --service, "
    "which may be cheapest or fastest, and nothing else"
)


def check_rule(app: App, rule: RuleData) -> None:
    """Errors: Invalid for a condition that can't be read, a rule that sets nothing, or sets what is not."""
    condition = parse_condition(rule.condition)
    others = [name for name in SETTINGS if name != "service" and getattr(rule, name)]
    if not (rule.service or others or rule.options):
        raise Invalid("service", "a rule sets a service, a box, options, a printer or a label type")
    if condition.is_of_rates and (others or rule.options or not rule.service):
        names = sorted(condition.names)
        raise Invalid("condition", OF_RATES.format(names=", ".join(names)))
    _check_named(app, condition)
    _check_service(app, rule.service)
    _check_box(app, rule.box)
    _check_options(rule)


def _check_named(app: App, condition: Condition) -> None:
    """Errors: Invalid for a carrier or a service of the condition that there is none."""
    for name, list_names in NAMED.items():
        if name in condition.names:
            names = {fold_words(word) for word in list_names(app)}
            for comparison in condition.root.list_comparisons():
                _check_values(comparison, names if comparison.name == name else None)


def _check_values(comparison: Comparison, names: set[str] | None) -> None:
    if names is None or comparison.operator == "contains":
        return
    for value in comparison.values:
        if value not in names:
            reason = (
                f"{comparison.text}: there is no {comparison.name} {value!r}.{suggest_nearest(value, names)}"
            )
            raise Invalid("condition", reason)


def _list_carriers(app: App) -> Iterator[str]:
    """The carriers and the connections that a condition may name."""
    yield from registry.list_slugs()
    for account in list_accounts(app):
        yield from (account.carrier_id, account.slug)


NAMED: Mapping[str, Callable[[App], Iterable[str]]] = {
    "carrier": _list_carriers,
    "service": list_all_services,
}


def _check_service(app: App, service: str | None) -> None:
    if service is None or service in BY_PRICE:
        return
    services = list_all_services(app)
    if service not in services:
        hint = suggest_nearest(service, services) or " See: shipcli references get services"
        raise Invalid("service", f"There is no service {service!r}.{hint}")


def _check_box(app: App, box: str | None) -> None:
    if box is None or is_auto(box) or find_preset(box):
        return
    boxes = list_boxes(app)
    if find_box(boxes, box) is None:
        raise Invalid("box", f"There is no box {box!r}. {suggest_box(box, boxes)}")


def _check_options(rule: RuleData) -> None:
    names = list_option_names() if rule.options else ()
    for name, value in rule.options.items():
        if name not in names:
            raise Invalid("options", f"No carrier has an option {name!r}.{suggest_nearest(name, names)}")
        if wrong := find_wrong_value(name, value):
            raise Invalid("options", f"{name}: {wrong}")
