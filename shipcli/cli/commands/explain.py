"""`shipcli explain`: why this rate, box and printer, or why none."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from shipcli.cli.arguments.selectors import select_orders_or
from shipcli.cli.console.output import show, show_list
from shipcli.cli.current_run import get_run
from shipcli.cli.gateway import ask
from shipcli.cli.verbs import Verbs
from shipcli.features.orders import rule_trials
from shipcli.models.rule import Explanation

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
            "outcome": ", ".join(rule.sets) or rule.outcome.replace("_", " "),
            "why": "; ".join(_describe(seen) for seen in rule.seen) or rule.condition,
        }
        for rule in explanation.rules
    ]
    lines += [
        {
            "what": f"rate {rate.service} of {rate.carrier_id}",
            "outcome": f"{rate.total_charge} {rate.currency}",
            "why": rate.outcome,
        }
        for rate in explanation.rates
    ]
    return lines


def _describe(seen: dict[str, Any]) -> str:
    return f"{seen['comparison']} {'yes' if seen['fulfilled'] else 'no'}, it is {seen['value']}"
