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
from shipcli.models.basics.text import count_text

if TYPE_CHECKING:
    from shipcli.models import Shipment, ShipmentData

COLUMNS = ("id", "status", "reference", "recipient.person_name", "recipient.city", "recipient.country_code",
           "rates[0].service", "rates[0].total_charge", "rates[0].currency")  # fmt: skip


def create_all(
    wanted: Sequence[ShipmentData], max_total: str | None, key: str | None, *, again: bool
) -> None:
    """Create each shipment; those that name a service are bought after confirmation.

    Errors: Usage if only some name one.
    """
    from shipcli.features.shipments.service import create_shipment

    rate_options.check_key(key, len(wanted))
    if _are_purchases(wanted):
        criteria = rate_options.RuleOptions(max_total=max_total).read_criteria()
        options = purchase_flow.make_purchase_options(key, again)
        work = [
            purchase_flow.make_new_purchases([one], replace(criteria, service=one.service), options)[0]
            for one in wanted
        ]
        purchase_flow.carry_out(work)
    elif not would(f"store {count_text(len(wanted), 'draft')} with rates"):
        gateway = get_run().gateway
        run_each(
            wanted, lambda one: gateway.ask_once(key, create_shipment, one), show_drafts, name=_name_shipment
        )


def _are_purchases(wanted: Sequence[ShipmentData]) -> bool:
    drafts = [place for place, one in enumerate(wanted, 1) if not one.service]
    if drafts and len(drafts) < len(wanted):
        raise Usage(f"row {drafts[0]} names no service, and others do: those are bought at once",
                    hint="put drafts and purchases in two files")  # fmt: skip
    return bool(wanted) and not drafts


def _name_shipment(wanted: ShipmentData) -> str:
    return wanted.reference or "a shipment"


def show_drafts(made: Sequence[Shipment]) -> None:
    """Show drafts with the number of their rates, and the carriers' messages."""
    remember("shipment", *(one.id for one in made))
    rate_options.show_messages(message for one in made for message in one.messages)
    show_some(made, COLUMNS)
