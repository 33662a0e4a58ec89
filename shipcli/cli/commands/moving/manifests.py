"""`shipcli manifests`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shipcli import models
from shipcli.cli.arguments.addresses import use_stored_address
from shipcli.cli.arguments.bodies import Data, File, check_body, read_body
from shipcli.cli.arguments.paper import PaperName, read_paper
from shipcli.cli.arguments.selectors import AddressOption, CarrierName, Ids, remember, select
from shipcli.cli.arguments.shipment_options import Reference
from shipcli.cli.console.files import check_output, find_format, write_file
from shipcli.cli.console.output import is_form_named, show, show_each
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note, warn
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.for_each import is_agreed, note_finished, run_each
from shipcli.cli.flows.print_bought import Target
from shipcli.cli.gateway import ask
from shipcli.cli.stored_noun_table import MANIFESTS
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.features.pickups import manifest_creation, manifests
from shipcli.models.basics.text import count_text
from shipcli.workflows import end_of_day, lookup, printing

if TYPE_CHECKING:
    from shipcli.models import Manifest

COLUMNS = MANIFESTS.columns

Text = str | None
Several = list[str] | None


verb = Verbs()


@verb
def create(
    carrier: CarrierName,
    ids: Annotated[
        Several, typer.Argument(metavar="[ID...]", help="Shipments; by default all that are on no manifest.")
    ] = None,
    address: AddressOption = None,
    reference: Reference = None,
    data: Data = None,
    from_file: File = None,
) -> None:
    """Close bought shipments with their carrier: one manifest per account and address.

    Examples:
    shipcli manifests create ups
    shipcli manifests create ups 1003 1004 --reference "Monday, dock 2"
    """
    stored_address = use_stored_address("--address", address, "address", data)
    named = {
        "shipment_ids": select("shipment", ids or []) or None,
        "address": stored_address,
        "reference": reference,
    }
    body = read_body(named, data, from_file)
    if body:
        _close_named(carrier, body)
    else:
        _close_all(carrier)


def _close_named(carrier: str, body: dict[str, Any]) -> None:
    if closed := end_of_day.find_closed(get_run().gateway, carrier, body):
        note_finished("closed", [closed.id])
        _show_made([closed])
        return
    full = end_of_day.complete_manifest(get_run().gateway, {"carrier_name": carrier, **body})
    data = check_body(models.ManifestData, full)
    if is_agreed(f"close {count_text(len(data.shipment_ids), 'shipment')} with {data.carrier_name}"):
        _show_made([ask(manifests.create_manifest, data)])


def _close_all(carrier: str) -> None:
    gateway = get_run().gateway
    finished = [] if get_run().options.dry_run else gateway.ask(manifests.finish_interrupted)
    groups = end_of_day.list_open_groups(gateway, carrier)
    count = sum(len(group.shipments) for group in groups)
    if not groups and not finished:
        note(f"nothing of {carrier} waits for a manifest{lookup.suggest_carrier(gateway, carrier)}")
    if not groups:
        _show_made(finished)
        return
    what = f"close {count_text(count, 'shipment')} with {carrier} on {count_text(len(groups), 'manifest')}"
    if not is_agreed(what):
        return

    def close(item: Manifest | end_of_day.ManifestGroup) -> Manifest:
        return end_of_day.make_manifest(gateway, item) if isinstance(item, end_of_day.ManifestGroup) else item

    work: list[Manifest | end_of_day.ManifestGroup] = [*finished, *groups]
    run_each(work, close, _show_made, name=lambda item: item.carrier_id)


def _show_made(made: list[Manifest]) -> None:
    for manifest in made:
        for message in manifest.messages:
            warn(str(message.message))
    remember("manifest", *(manifest.id for manifest in made))
    if made or is_form_named():
        show_each(made, COLUMNS)


@verb("print")
def print_forms(
    ids: Ids,
    to: Target = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write them to this file instead.")
    ] = None,
    format: Annotated[
        Text,
        typer.Option("--format", metavar="PDF|PNG", help="Format; by default that of the file, else PDF."),
    ] = None,
    paper: PaperName = None,
) -> None:
    """Print manifests, or write them to a file.

    A manifest made by the carrier keeps its paper size.

    Examples:
    shipcli manifests print @last
    shipcli manifests print @last -o manifest.pdf
    """
    chosen = select("manifest", ids)
    if output:
        check_output(output, (".pdf", ".png"))
    kind = (format or find_format(output) or "PDF").upper()
    if paper and not output:
        raise Usage("--paper is for -o FILE; for a printer say once which paper it holds",
                    hint="shipcli printers add NAME ... --size 4x6 --replace")  # fmt: skip
    size = read_paper(paper)
    forms = count_text(len(chosen), "manifest")
    if would(f"write {forms} to {output}" if output else f"print {forms}"):
        return
    if output:
        write_file(output, ask(manifests.merge_forms, chosen, kind, size))
    else:
        run = get_run()
        where = printing.print_forms(run.gateway, run.local_app, chosen, to=to, format=format and kind)
        note(f"printed {len(chosen)} on {where}")


@verb
def resolve(
    id: Annotated[str, typer.Argument(metavar="MANIFEST", help="Id in the message that asked for this.")],
    made: Annotated[bool, typer.Option("--made", help="The carrier made the manifest.")] = False,
    not_made: Annotated[bool, typer.Option("--not-made", help="The carrier did not make it.")] = False,
) -> None:
    """Say what became of a manifest whose outcome is unknown.

    Check with the carrier first.

    Examples:
    shipcli manifests resolve man_0123456789abcdef0123456789abcdef --made
    shipcli manifests resolve man_0123456789abcdef0123456789abcdef --not-made
    """
    if made == not_made:
        raise Usage("say what the carrier told you: --made or --not-made")
    if not would(f"close the manifest {id}: {'made' if made else 'not made'}"):
        show(ask(manifest_creation.resolve_manifest, id, models.ManifestResolveData(made=made)))
