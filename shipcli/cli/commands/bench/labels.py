"""`shipcli labels`, and `void`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shipcli import models
from shipcli.cli.arguments.bodies import Data, File, check_body, read_body
from shipcli.cli.arguments.paper import Out
from shipcli.cli.arguments.rate_options import Key, MaxTotal, RateId, format_price, show_messages
from shipcli.cli.arguments.selectors import Ids, select
from shipcli.cli.commands.bench.print_labels import Format, print_labels, read_label_format, reprint
from shipcli.cli.console.files import check_folder, check_output, find_format, name_label_file, write_file
from shipcli.cli.console.output import show_some
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.for_each import is_agreed, note_finished, run_each
from shipcli.cli.flows.kept_labels import note_kept
from shipcli.cli.flows.print_bought import note_written
from shipcli.cli.flows.repeated_lines import forget_keys, guard_output, keep_key
from shipcli.cli.gateway import ask
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.features.core.interruption import defer_interruption
from shipcli.features.paper import label_files, labels
from shipcli.features.shipments import budget, proxy, ship, shorthand, stored
from shipcli.workflows import ship as ship_workflow

if TYPE_CHECKING:
    from shipcli.features.shipments.unconfirmed import PurchaseKey
    from shipcli.models import Shipment, ShippingResponse

verb = Verbs()
COLUMNS = ("shipment_id", "tracking_number", "format", "path")
VOID_COLUMNS = ("id", "status", "carrier_id", "service", "tracking_number", "reference")
PROXY_COLUMNS = ("tracking_number", "carrier_id", "service", "selected_rate.total_charge",
                 "selected_rate.currency", "shipment_identifier", "label_type")  # fmt: skip

# -- files -----------------------------------------------------------------------------------------


@verb
def save(
    ids: Ids,
    output: Out = None,
    folder: Annotated[Path, typer.Option("--dir", metavar="DIR", help="Folder for the files.")] = Path(),
    format: Format = None,
) -> None:
    """Save labels as files, one for each shipment.

    Examples:
    shipcli labels save 1002 1003 --dir labels
    shipcli labels save 1002 -o label.pdf
    """
    chosen, label_format = select("shipment", ids), read_label_format(format)
    if output and len(chosen) > 1:
        raise Usage("-o names one file; for several say --dir DIR, or: shipcli labels merge ID... -o FILE")
    if output:
        check_output(output)
    check_folder(folder.absolute(), "--dir")

    def save_label(shipment: Shipment) -> dict[str, Any]:
        label = ask(labels.get_label, shipment, label_format or find_format(output))
        path = output or folder / name_label_file(label.tracking_number, label.format)
        write_file(path, label.content)
        note_written([shipment.id], path)
        return {"shipment_id": shipment.id, "tracking_number": label.tracking_number,
                "format": label.format, "path": str(path)}  # fmt: skip

    shipments = [ask(stored.get_shipment, shipment_id) for shipment_id in chosen]
    names = ", ".join(shipment.display_name for shipment in shipments)
    if would(f"write the labels of {names} to {output or folder}"):
        return
    run_each(
        shipments,
        save_label,
        lambda done: show_saved(done, output),
        name=lambda shipment: shipment.display_name,
    )


def show_saved(done: Sequence[dict[str, Any]], output: Path | None) -> None:
    """Where the labels are; nothing when a label itself went to standard output."""
    if str(output) != "-":
        show_some(done, COLUMNS)


@verb
def merge(ids: Ids, output: Out = None, format: Format = None) -> None:
    """Merge labels into one file, in the given order.

    Examples:
    shipcli labels merge 1002 1003 -o labels.pdf
    shipcli shipments list --carrier ups --ids | shipcli labels merge - -o ups.pdf
    """
    if output is None:
        raise Usage("say where the labels go: -o labels.pdf or -o labels.zpl")
    check_output(output, (".pdf", ".zpl"))
    chosen = select("shipment", ids)
    label_format = read_label_format(format) or find_format(output) or "PDF"
    shipments = [stored.drop_rates(ask(stored.get_shipment, shipment_id)) for shipment_id in chosen]
    if would(f"write {output}"):
        return
    write_file(output, ask(labels.merge_labels, shipments, label_format))
    note_written([shipment.id for shipment in shipments], output)
    note(f"{len(shipments)} labels, in the order named")


# -- paper -----------------------------------------------------------------------------------------

verb("print")(print_labels)
verb(reprint)

# -- taking back -----------------------------------------------------------------------------------


@verb
def void(
    ids: Ids,
    reason: Annotated[str | None, typer.Option("--reason", help="Why; stored with the shipment.")] = None,
) -> None:
    """Void labels with their carriers.

    Examples:
    shipcli void 1003
    shipcli void 1003 1004 --reason "wrong box"
    """
    gateway = get_run().gateway
    shipments = [ask(stored.get_shipment, shipment_id) for shipment_id in select("shipment", ids)]
    for shipment in shipments if len(shipments) == 1 else ():
        ship.check_voidable(shipment)
    left = [shipment for shipment in shipments if not ship.was_voided(shipment)]
    note_finished("voided", [shipment.display_name for shipment in shipments if ship.was_voided(shipment)])
    note_kept(left)
    what = f"void {'; '.join(describe_label(shipment) for shipment in left)}"
    if not left and get_run().options.dry_run:
        show_voided(shipments)
    elif not left or is_agreed(what):
        run_each(
            shipments,
            lambda shipment: ship_workflow.void_label(gateway, shipment.id, reason),
            show_voided,
            name=lambda shipment: shipment.display_name,
        )


def describe_label(shipment: Shipment) -> str:
    """A label in words: `1Z… (ups_ground to Ana Ruiz, 12.40 USD)`."""
    rate, to = shipment.selected_rate, shipment.recipient.name
    facts = [
        part
        for part in (shipment.service, f"to {to}" if to else "", format_price(rate) if rate else "")
        if part
    ]
    return f"{shipment.tracking_number or shipment.id} ({', '.join(facts)})"


def show_voided(done: Sequence[Shipment]) -> None:
    """What was voided."""
    show_some(done, VOID_COLUMNS)


# -- straight through ------------------------------------------------------------------------------


@verb
def buy(
    rate: RateId = None,
    output: Out = None,
    folder: Annotated[Path, typer.Option("--dir", metavar="DIR", help="Folder for the file.")] = Path(),
    max_total: MaxTotal = None,
    idempotency_key: Key = None,
    data: Data = None,
    from_file: File = None,
) -> None:
    """Buy a label at one of the rates in a file, without storing a shipment.

    Examples:
    shipcli labels buy --from-file offer.json --dir labels
    shipcli labels buy --from-file offer.json --max-total 20USD -o label.pdf
    """
    body = shorthand.complete_body(
        get_run().ship_defaults, read_body({"selected_rate_id": rate}, data, from_file)
    )
    request = check_body(models.ShippingRequestData, body)
    chosen = ship_workflow.offer_again(get_run().gateway, request)
    if max_total:
        request = budget.limit_request(request, max_total, chosen)
    if output:
        check_output(output)
    check_folder(folder.absolute(), "--dir")
    if not is_agreed(f"buy {chosen.service} of {chosen.carrier_id}", format_price(chosen)):
        return
    keys: list[PurchaseKey] = []
    with defer_interruption(), keep_key(request.model_dump(), keys, idempotency_key) as key:
        bought = get_run().gateway.ask_once(key, proxy.buy_label, request)
    with guard_output([bought]):
        save_bought_label(bought, output, folder)
    forget_keys(keys)


def save_bought_label(answer: ShippingResponse, output: Path | None, folder: Path) -> None:
    """Save the label, which is kept nowhere else, then show the purchase."""
    from shipcli.drawing import find_label_kind

    text = answer.docs.label if answer.docs else None
    if text:
        content = label_files.decode_label(text)
        kind = find_label_kind(content) or answer.label_type or "bin"
        path = output or folder / name_label_file(answer.tracking_number or answer.id, kind)
        write_file(path, content)
    show_messages(answer.messages)
    if str(output) != "-":
        show_some([answer], PROXY_COLUMNS)
