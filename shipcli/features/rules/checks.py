"""What is checked before a rule is stored: its condition, and that what it sets exists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shipcli.features.book.box_choice import is_auto
from shipcli.features.book.boxes import find_box, list_boxes, suggest_box
from shipcli.features.book.drafts import find_preset
from shipcli.features.connections.accounts import list_all_services
from shipcli.features.connections.option_names import list_option_names
from shipcli.features.rules.decision import BY_PRICE
from shipcli.models import Invalid
from shipcli.models.basics.text import suggest_nearest
from shipcli.models.conditions import parse_condition
from shipcli.models.rule import SETTINGS, RuleData

if TYPE_CHECKING:
    from shipcli.features.core.app import App

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
    _check_service(app, rule.service)
    _check_box(app, rule.box)
    _check_options(rule)


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
    for name in rule.options:
        if name not in names:
            raise Invalid("options", f"No carrier has an option {name!r}.{suggest_nearest(name, names)}")
