"""What the rules decide for a draft: the first that sets a thing wins, and the request before all rules.

A decision is kept in the draft's meta, with the facts that it was made from, so that it can be explained
later, whatever has become of the rules since.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from shipcli.features.rules.facts import list_rate_facts, read_fact, write_fact
from shipcli.models.conditions import parse_condition

if TYPE_CHECKING:
    from shipcli.models import Rate, Shipment

META = "rules"  # in a shipment's meta
SERVICE = "service"
BY_PRICE = ("cheapest", "fastest")  # what a rule may say in the place of a service
KEPT = ("name", "condition", "service", "box", "options", "printer", "label_type")  # of a rule
Row = Mapping[str, Any]


@dataclass
class Decision:
    """What was decided.

    Shapes: `facts` by name; `rules` are those that were tried; `settings` has a value and the name of its
            rule by setting, such as `box` or `options.insurance`; `own` are the settings of the request;
            `rates` are the ids of the rates that the service stands for.
    """

    facts: dict[str, Any]
    rules: list[dict[str, Any]]
    own: list[str]
    settings: dict[str, dict[str, Any]] = field(default_factory=dict)
    rates: list[str] = field(default_factory=list)

    def to_plain(self) -> dict[str, Any]:
        """The decision as it is stored."""
        facts = {name: write_fact(name, value) for name, value in self.facts.items()}
        return {"facts": facts, "rules": self.rules, "own": self.own, "settings": self.settings,
                "rates": self.rates}  # fmt: skip

    def value(self, setting: str) -> Any:
        """What was decided for a setting; None if no rule sets it."""
        return self.settings.get(setting, {}).get("value")

    def options(self) -> dict[str, Any]:
        """The options that rules set."""
        return {
            name.partition(".")[2]: row["value"]
            for name, row in self.settings.items()
            if name.startswith("options.")
        }


def read_decision(shipment: Shipment) -> Decision | None:
    """The decision that was stored with a shipment; None if there were no rules."""
    plain = (shipment.meta or {}).get(META)
    if not isinstance(plain, Mapping):
        return None
    facts = {name: read_fact(name, value) for name, value in (plain.get("facts") or {}).items()}
    return Decision(facts, list(plain.get("rules") or []), list(plain.get("own") or []),
                    dict(plain.get("settings") or {}), list(plain.get("rates") or []))  # fmt: skip


def keep_decision(shipment: Shipment) -> dict[str, Any]:
    """The part of a draft's meta that stays with what is bought."""
    return {name: value for name, value in (shipment.meta or {}).items() if name == META}


def list_settings(rule: Row) -> Iterator[tuple[str, Any]]:
    """What a rule sets, by setting."""
    for name in (SERVICE, "box", "printer", "label_type"):
        if rule.get(name):
            yield name, rule[name]
    for name, value in (rule.get("options") or {}).items():
        yield f"options.{name}", value


def decide(rules: Sequence[Row], facts: Mapping[str, Any], own: Collection[str]) -> Decision:
    """What the rules set before there are rates: everything but the service."""
    kept = [{name: rule[name] for name in KEPT if rule.get(name)} for rule in rules]
    decision = Decision(dict(facts), kept, sorted(own))
    for rule in kept:
        condition = parse_condition(rule["condition"])
        if condition.is_of_rates or not condition.is_fulfilled(facts):
            continue
        for setting, value in list_settings(rule):
            if setting != SERVICE and setting not in own:
                decision.settings.setdefault(setting, {"value": value, "rule": rule["name"]})
    return decision


def decide_service(decision: Decision, rates: Sequence[Rate]) -> None:
    """Choose the service of the first rule that names one and fits, and the rates that it stands for.

    A rule about rates fits if one of them fulfils it; another one fits whatever is offered, so that what is
    not offered is said rather than replaced.
    """
    decision.settings.pop(SERVICE, None)
    decision.rates = []
    if SERVICE in decision.own:
        return
    for rule in decision.rules:
        if SERVICE not in rule:
            continue
        is_of_rates = parse_condition(rule["condition"]).is_of_rates
        fitting = list_fitting(decision, rule, rates)
        if fitting if is_of_rates else matches(decision, rule):
            decision.settings[SERVICE] = {"value": rule[SERVICE], "rule": rule["name"]}
            decision.rates = [rate.id for rate in fitting]
            return


def matches(decision: Decision, rule: Row) -> bool:
    """Whether the facts of the draft fulfil a rule."""
    return parse_condition(rule["condition"]).is_fulfilled(decision.facts)


def list_fitting(decision: Decision, rule: Row, rates: Sequence[Rate]) -> list[Rate]:
    """The rates that can be bought, have the service of a rule, and fulfil its condition."""
    condition, service = parse_condition(rule["condition"]), rule[SERVICE]
    return [
        rate
        for rate in rates
        if not rate.priced_only
        and service in (*BY_PRICE, rate.service)
        and condition.is_fulfilled({**decision.facts, **list_rate_facts(rate)})
    ]


def foresee_service(decision: Decision) -> None:
    """Choose the service as far as that is certain without rates: unless a rule before waits for them."""
    for rule in decision.rules if SERVICE not in decision.own else ():
        if SERVICE not in rule:
            continue
        if parse_condition(rule["condition"]).is_of_rates:
            return
        if matches(decision, rule):
            decision.settings[SERVICE] = {"value": rule[SERVICE], "rule": rule["name"]}
            return
