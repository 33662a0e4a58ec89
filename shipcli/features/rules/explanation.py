"""Why a decision is as it is: every rule with what it saw, every rate with why it was left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shipcli.features.rules.decision import BY_PRICE, SERVICE, Decision, list_fitting, list_settings, matches
from shipcli.features.rules.facts import describe_fact, list_rate_facts
from shipcli.models.conditions import Condition, parse_condition
from shipcli.models.rule import RateOutcome, RuleOutcome

if TYPE_CHECKING:
    from shipcli.models import Rate

Row = Mapping[str, Any]
SETS, MATCHED, NOT_MATCHED, WAITS = "sets", "matched", "not_matched", "waits_for_rates"


def explain_rules(decision: Decision, rates: Sequence[Rate]) -> list[RuleOutcome]:
    """What became of every rule that was tried."""
    return [_explain_rule(decision, rule, rates) for rule in decision.rules]


def _explain_rule(decision: Decision, rule: Row, rates: Sequence[Rate]) -> RuleOutcome:
    condition = parse_condition(rule["condition"])
    sets = [
        f"{name}={row['value']}" for name, row in decision.settings.items() if row["rule"] == rule["name"]
    ]
    if sets:
        outcome = SETS
    elif condition.is_of_rates:
        outcome = WAITS if not rates else MATCHED if list_fitting(decision, rule, rates) else NOT_MATCHED
    else:
        outcome = MATCHED if matches(decision, rule) else NOT_MATCHED
    return RuleOutcome(
        rule=rule["name"],
        condition=rule["condition"],
        outcome=outcome,
        sets=sets,
        overruled=list(_list_overruled(decision, rule)) if outcome in (SETS, MATCHED) else [],
        seen=_list_seen(condition, decision),
    )


def _list_overruled(decision: Decision, rule: Row) -> Iterator[str]:
    """What a rule that fits did not set, and who did: the request, or a rule before it."""
    for name, _ in list_settings(rule):
        if name in decision.own:
            yield f"{name} by the request itself"
        elif name in decision.settings and decision.settings[name]["rule"] != rule["name"]:
            yield f"{name} by {decision.settings[name]['rule']!r}"


def _list_seen(condition: Condition, decision: Decision) -> list[dict[str, Any]]:
    """Every comparison with a fact of the draft; those with rates are told of each rate."""
    looked = zip(condition.root.list_comparisons(), condition.look(decision.facts), strict=True)
    return [
        {
            "comparison": seen.comparison,
            "value": describe_fact(comparison.name, seen.value, seen.comparison),
            "fulfilled": seen.is_fulfilled,
        }
        for comparison, seen in looked
        if comparison.name in decision.facts
    ]


def explain_rates(decision: Decision, rates: Sequence[Rate], selected: Rate | None) -> list[RateOutcome]:
    """What became of every rate."""
    return [
        RateOutcome(
            id=rate.id,
            carrier_id=rate.carrier_id,
            service=rate.service,
            total_charge=str(rate.total_charge),
            currency=rate.currency,
            outcome=_explain_rate(decision, rate, selected),
        )
        for rate in rates
    ]


def _explain_rate(decision: Decision, rate: Rate, selected: Rate | None) -> str:
    if selected and rate.id == selected.id:
        return "chosen"
    if rate.priced_only:
        return f"left out: {rate.priced_only}"
    setting = decision.settings.get(SERVICE)
    if setting is None or rate.id in decision.rates:
        return "kept"
    rule = next(rule for rule in decision.rules if rule["name"] == setting["rule"])
    value = setting["value"]
    if value not in (*BY_PRICE, rate.service):
        return f"left out: {setting['rule']} chooses {value}"
    condition, facts = parse_condition(rule["condition"]), {**decision.facts, **list_rate_facts(rate)}
    failed = [seen.comparison for seen in condition.look(facts) if not seen.is_fulfilled]
    return f"left out: not {', not '.join(failed)}"


def summarize(decision: Decision | None, failure: str = "") -> str:
    """A decision in one sentence."""
    if failure:
        return failure
    if decision is None:
        return "No rules were tried"
    told = [
        f"{name}={row['value']} by {row['rule']!r}" + (f" ({row['note']})" if "note" in row else "")
        for name, row in decision.settings.items()
    ]
    said = {name for rule in decision.rules for name, _ in list_settings(rule)}
    told += [f"{name} by the request itself" for name in decision.own if name in said]
    return "; ".join(told) or "No rule fits"
