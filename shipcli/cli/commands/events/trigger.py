"""`shipcli trigger`: an event without waiting for the thing to happen."""

from __future__ import annotations

from typing import Annotated

import typer

from shipcli.cli.arguments.bodies import check_body, read_pairs
from shipcli.cli.commands.home.sandbox_time import EVENTS
from shipcli.cli.console.output import show
from shipcli.cli.console.prompts import would
from shipcli.cli.gateway import ask
from shipcli.cli.verbs import Verbs
from shipcli.features.sandbox import trigger as sandbox_trigger
from shipcli.models.sandbox_time import TriggerData

verb = Verbs()


@verb
def trigger(
    event: Annotated[str, typer.Argument(metavar="EVENT", help="Its name, such as tracker_updated.")],
    status: Annotated[
        str | None, typer.Option("--status", metavar="STATUS", help="The status that its object has in it.")
    ] = None,
    data: Annotated[
        list[str] | None,
        typer.Option(
            "-d", "--data", metavar="KEY=VALUE", help="Replace a value, such as metadata.order=1042."
        ),
    ] = None,
) -> None:
    """Send an event of the newest object of its kind to the webhooks of the sandbox.

    Examples:
    shipcli trigger tracker_updated --status delivery_failed
    shipcli trigger shipment_purchased -d metadata.order=1042
    """
    values = {"type": event, "status": status, "data": read_pairs(data, "-d")}
    body = check_body(TriggerData, {name: value for name, value in values.items() if value})
    if not would(f"send {event}"):
        show(ask(sandbox_trigger.trigger_event, body), EVENTS)
