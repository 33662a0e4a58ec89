"""`shipcli shipments`."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shipcli import models
from shipcli.cli.arguments import rate_options, shipment_options
from shipcli.cli.arguments.bodies import Data, File, check_bodies, check_body, read_body, read_bytes
from shipcli.cli.arguments.rate_options import Carriers, Key, MaxTotal, RateOptions
from shipcli.cli.arguments.selectors import Id, Ids, remember, select, select_one
from shipcli.cli.arguments.shipment_options import (
    DetailOptions,
    PieceOptions,
    RouteOptions,
    ShipmentDescription,
)
from shipcli.cli.console.list_views import VIEWS
from shipcli.cli.console.output import show, show_list, show_some
from shipcli.cli.console.prompts import would
from shipcli.cli.current_run import get_run
from shipcli.cli.flows import purchase_flow
from shipcli.cli.flows.create_flow import create_all
from shipcli.cli.flows.for_each import is_agreed, note_finished, run_each
from shipcli.cli.flows.kept_labels import note_kept
from shipcli.cli.flows.print_bought import Print, Target, find_printer, print_bought
from shipcli.cli.gateway import ask
from shipcli.cli.stored_noun_table import SHIPMENTS
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.features.shipments import resolution as shipment_resolution
from shipcli.features.shipments import service as shipments
from shipcli.models.basics.json import dumps

if TYPE_CHECKING:
    from shipcli.models import Shipment

COLUMNS = SHIPMENTS.columns

Text = str | None
Several = list[str] | None


verb = Verbs()


@verb
def create(
    route: RouteOptions,
    pieces: PieceOptions,
    details: DetailOptions,
    carrier: Carriers = None,
    max_total: MaxTotal = None,
    again: rate_options.Again = False,
    idempotency_key: Key = None,
    data: Data = None,
    from_file: File = None,
) -> None:
    """Store a shipment, or each shipment of a file, as a draft with its rates.

    If bodies name a `service`, the labels are bought at once; a file holds either drafts or purchases.

    Examples:
    shipcli shipments create --to @last --weight 1.2kg --reference A-17
    shipcli shipments create --from-file shipment.json --json=id,rates
    """
    carriers = rate_options.split_values(carrier)
    description = ShipmentDescription(route, pieces, details, data, from_file, carriers=carriers)
    create_all(
        check_bodies(models.ShipmentData, description.make_bodies()), max_total, idempotency_key, again=again
    )


@verb
def update(
    id: Id,
    details: DetailOptions,
    data: Data = None,
    from_file: File = None,
) -> None:
    """Change a draft, or the metadata of any shipment.

    An option or metadata key that is set to null is removed.

    Examples:
    shipcli shipments update 1001 --reference A-18
    shipcli shipments update 1001 --option insurance=100 --metadata desk=2
    """
    fields = details.list_fields()
    flags = {name: fields.pop(name) for name in ("reference", "label_type")}
    body = shipment_options.merge_flags(read_body(flags, data, from_file), fields)
    patch = check_body(models.ShipmentUpdateData, {key: value for key, value in body.items() if value != {}})
    chosen = select_one("shipment", id)
    if not would(
        f"change {', '.join(patch.model_dump(exclude_unset=True)) or 'nothing'} of shipment {chosen}"
    ):
        show(ask(shipments.update_shipment, chosen, patch), COLUMNS)


@verb
def rates(
    id: Id,
    service: Annotated[
        Several,
        typer.Option("--service", metavar="SERVICE", help="Only these services; repeat it or use commas."),
    ] = None,
    carrier: Carriers = None,
    option: shipment_options.Option = None,
    data: Data = None,
    from_file: File = None,
) -> None:
    """Ask carriers again for the rates of a draft.

    Examples:
    shipcli shipments rates 1001
    shipcli shipments rates 1001 --carrier ups,fedex --option insurance=100
    """
    flags = {
        "services": rate_options.split_values(service),
        "carrier_ids": get_run().ship_defaults.named(rate_options.split_values(carrier)),
        "options": shipment_options.read_options(option),
    }
    body = shipment_options.merge_flags(
        read_body({}, data, from_file), {key: value for key, value in flags.items() if value}
    )
    chosen = select_one("shipment", id)
    if not would(f"fetch the rates of shipment {chosen} again"):
        show_rated(ask(shipments.fetch_rates, chosen, check_body(models.ShipmentRateData, body)))


def show_rated(draft: Shipment) -> None:
    """The rates of a draft as a table; with `--json` the draft itself."""
    if get_run().options.format == "json":
        show(draft)
        return
    rate_options.show_messages(draft.messages)
    head = f'{{"id":{dumps(draft.id)},"rates":['
    show_list(draft.rates, rate_options.RATE_COLUMNS, head=head, tail="]}", view=VIEWS["rate"])


@verb
def buy(
    ids: Ids,
    rates: RateOptions,
    again: rate_options.Again = False,
    print_: Print = False,
    printer: Target = None,
    idempotency_key: Key = None,
) -> None:
    """Buy labels for drafts, at a chosen or named rate.

    Examples:
    shipcli shipments buy 1001 --cheapest
    shipcli shipments buy 1001 --service ups_ground --max-total 20USD -p
    shipcli shipments buy 1001 --fastest --carrier ups,usps
    """
    ids, target = select("shipment", ids), find_printer(print_, printer)
    options = purchase_flow.make_purchase_options(idempotency_key, again, target)
    purchase_flow.carry_out(
        purchase_flow.make_draft_purchases(ids, rates.read_criteria(), options),
        lambda bought: print_bought([shipment.id for shipment in bought], target, printer),
    )


@verb
def cancel(ids: Ids) -> None:
    """Cancel shipments and void their labels.

    Examples:
    shipcli shipments cancel 1001
    shipcli shipments cancel 1003 1004 --dry-run
    """
    chosen = [ask(shipments.get_shipment, shipment_id) for shipment_id in select("shipment", ids)]
    left = [shipment for shipment in chosen if shipment.status != "cancelled"]
    note_finished("cancelled", [shipment.display_name for shipment in chosen if shipment not in left])
    note_kept(left)
    what = f"cancel shipment {', '.join(shipment.display_name for shipment in left)} and void what was bought"

    def cancel_one(shipment: Shipment) -> Shipment:
        return ask(shipments.cancel_shipment, shipment.id) if shipment in left else shipment

    if not left or is_agreed(what):
        run_each(chosen, cancel_one, show_brief, name=lambda shipment: shipment.display_name)


@verb
def resolve(
    id: Id,
    bought: Annotated[
        Text, typer.Option("--bought", metavar="TRACKING", help="It was bought, with this tracking number.")
    ] = None,
    not_bought: Annotated[
        bool, typer.Option("--not-bought", help="It was not bought and becomes a draft again.")
    ] = False,
    label: Annotated[
        Path | None, typer.Option("--label", metavar="FILE", help="File of its label: PDF, ZPL or PNG.")
    ] = None,
    voided: Annotated[
        bool | None, typer.Option("--voided/--not-voided", help="Whether the label was voided.")
    ] = None,
) -> None:
    """Say what became of a purchase or void whose outcome is unknown.

    Check with the carrier first whether it sold the label, and under which number, or whether it voided it.
    If you gave a wrong answer about a purchase, run the command again.

    Examples:
    shipcli shipments resolve 1001 --bought 1ZA1B2C30300000012 --label label.pdf
    shipcli shipments resolve 1001 --not-bought
    shipcli shipments resolve 1002 --voided
    """
    if (bool(bought), not_bought, voided is not None).count(True) != 1:
        raise Usage(
            "say what the carrier told you: --bought TRACKING or --not-bought; of a void --voided or "
            "--not-voided"
        )
    chosen = select_one("shipment", id)
    if voided is not None:
        what = f"close the void of shipment {chosen}: {'voided' if voided else 'not voided'}"
        resolution = models.ShipmentResolveData(voided=voided)
    else:
        outcome = f"bought, number {bought}" if bought else "not bought"
        what = f"close the purchase of shipment {chosen}: {outcome}"
        file = b64encode(read_bytes(label)).decode() if label else None
        resolution = models.ShipmentResolveData(bought=not not_bought, tracking_number=bought, label=file)
    if not would(what):
        show_brief([ask(shipment_resolution.resolve_shipment, chosen, resolution)])


def show_brief(done: Sequence[Shipment]) -> None:
    """Shipments with what matters after a change."""
    remember("shipment", *(shipment.id for shipment in done))
    show_some(done, COLUMNS)
