"""`shipcli explain`: why this rate, box and printer, or why none."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import Annotated, Any

import typer

from shipcli.cli.arguments.selectors import select_orders_or
from shipcli.cli.console.output import show, show_list
from shipcli.cli.current_run import get_run
from shipcli.cli.gateway import ask
from shipcli.cli.verbs import Verbs
from shipcli.features.orders import rule_trials
from shipcli.models.rule import Explanation, RuleOutcome

MOST_ALIKE = 3  # rates that were left out for the same reason
COLUMNS = ("what", "outcome", "why")
verb = Verbs()


@verb
def explain(
    id: Annotated[
        str, typer.Argument(metavar="ID", help="An order or a shipment: id, number, reference, @last.")
    ],
) -> None:
    """Say why a shipment has its rate, box, options and printer, or why it has none.

    Each rule is told with the values that its condition saw, each rate with why it was left out. Of an order
    that is not shipped yet, it is told what the rules would do now, without asking carriers.

    Examples:
    shipcli explain 1042
    shipcli explain @last --json
    """
    ((_, object_id),) = select_orders_or("shipment", [id]).values()
    explanation = ask(rule_trials.explain_object, object_id)
    if get_run().options.format in ("json", "ndjson", "yaml"):
        show(explanation)
    else:
        show_list(list_lines(explanation), COLUMNS)


def list_lines(explanation: Explanation) -> list[dict[str, Any]]:
    """The explanation as lines: the outcome, the rules, the rates."""
    lines = [{"what": explanation.id, "outcome": explanation.status, "why": explanation.summary}]
    lines += [
        {
            "what": f"rule {rule.rule}",
            "outcome": _tell_outcome(rule),
            "why": "; ".join(_describe(seen) for seen in rule.seen) or rule.condition,
        }
        for rule in explanation.rules
    ]
    for why, rates in groupby(explanation.rates, key=attrgetter("outcome")):
        alike = list(rates)
        shown = alike if len(alike) <= MOST_ALIKE or get_run().options.format else alike[:1]
        lines += [
            {
                "what": f"rate {rate.service} of {rate.carrier_id}",
                "outcome": f"{rate.total_charge} {rate.currency}",
                "why": why,
            }
            for rate in shown
        ]
        if len(shown) < len(alike):
            last = alike[-1]
            upto = f"up to {last.total_charge} {last.currency}"
            lines.append({"what": f"{len(alike) - 1} rates more", "outcome": upto, "why": why})
    return lines


def _tell_outcome(rule: RuleOutcome) -> str:
    """What a rule set, or what kept it from that."""
    told = ", ".join(rule.sets) or rule.outcome.replace("_", " ")
    return f"{told}; set before: {', '.join(rule.overruled)}" if rule.overruled else told


def _describe(seen: dict[str, Any]) -> str:
    return f"{seen['comparison']} {'yes' if seen['fulfilled'] else 'no'}, it is {seen['value']}"
