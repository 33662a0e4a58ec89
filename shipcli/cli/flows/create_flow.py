"""Create shipments as drafts, or buy them at once if their body names a service."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from shipcli.cli.arguments import rate_options
from shipcli.cli.arguments.selectors import remember
from shipcli.cli.console.output import show_some
from shipcli.cli.console.prompts import would
from shipcli.cli.current_run import get_run
from shipcli.cli.flows import purchase_flow
from shipcli.cli.flows.for_each import run_each
from shipcli.cli.usage_errors import Usage
from shipcli.features.shipments import service as shipments
from shipcli.models.basics.text import count_text

if TYPE_CHECKING:
    from shipcli.models import Shipment, ShipmentData

COLUMNS = ("id", "status", "reference", "recipient.person_name", "recipient.city", "recipient.country_code",
           "rates[0].service", "rates[0].total_charge", "rates[0].currency")  # fmt: skip


def create_all(
    bodies: Sequence[ShipmentData], max_total: str | None, key: str | None, *, again: bool
) -> None:
    """Create each shipment; those that name a service are bought after confirmation.

    Errors: Usage if only some name one.
    """
    rate_options.check_key(key, len(bodies))
    if _are_purchases(bodies):
        criteria = rate_options.RuleOptions(max_total=max_total).read_criteria()
        options = purchase_flow.make_purchase_options(key, again)
        work = [
            purchase_flow.make_new_purchases([body], replace(criteria, service=body.service), options)[0]
            for body in bodies
        ]
        purchase_flow.carry_out(work)
    elif not would(f"store {count_text(len(bodies), 'draft')} with rates"):
        gateway = get_run().gateway
        run_each(
            bodies,
            lambda body: gateway.ask_once(key, shipments.create_shipment, body),
            show_drafts,
            name=_name_shipment,
        )


def _are_purchases(bodies: Sequence[ShipmentData]) -> bool:
    drafts = [row for row, body in enumerate(bodies, 1) if not body.service]
    if drafts and len(drafts) < len(bodies):
        raise Usage(f"row {drafts[0]} names no service, and others do: those are bought at once",
                    hint="put drafts and purchases in two files")  # fmt: skip
    return bool(bodies) and not drafts


def _name_shipment(body: ShipmentData) -> str:
    return body.reference or "a shipment"


def show_drafts(made: Sequence[Shipment]) -> None:
    """Show drafts with the number of their rates, and the carriers' messages."""
    remember("shipment", *(draft.id for draft in made))
    rate_options.show_messages(message for draft in made for message in draft.messages)
    show_some(made, COLUMNS)
