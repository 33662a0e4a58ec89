"""Print labels as part of the command that bought them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shipcli.cli.console.files import choose_file_type
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.print_flow import print_each
from shipcli.cli.gateway import ask
from shipcli.features.paper.printing import (
    print_queue,
    print_requests,
    printers,
    printouts,
    rendering,
    spooled_documents,
)
from shipcli.features.rules import decision
from shipcli.features.shipments import stored
from shipcli.workflows import printing

if TYPE_CHECKING:
    from shipcli.features.paper.printing.print_requests import Paper
    from shipcli.models import Shipment


def fetch_shipments(ids: Sequence[str], sort: str | None = None) -> list[Shipment]:
    """Shipments of a server, in the order given or another one."""
    shipments = {shipment_id: ask(stored.get_shipment, shipment_id) for shipment_id in ids}
    if sort is None:
        return list(shipments.values())
    return [
        shipments[str(row["id"])]
        for row in printouts.sort_shipments([shipment.model_dump() for shipment in shipments.values()], sort)
    ]


def print_fetched(
    shipments: Sequence[Shipment],
    label: Paper,
    *,
    again: Collection[str] = (),
    beside: Sequence[str] = (),
    asks: bool = False,
) -> None:
    """Print the labels of a server's shipments; their files are stored here until they are printed.

    Shapes: `label` says how they are wanted, `again` are the ids of those of which another copy is, `beside`
            the kinds of papers that lie with each.
    """
    run = get_run()
    labels = printing.list_labels(run.gateway, run.local_app, shipments, label, again=again, beside=beside)
    print_each(list(labels), asks=asks, fetch=lambda: printing.fetch_files(run.local_app, labels))


def fetch_unprinted(ids: Sequence[str], printer: str) -> list[Paper]:
    """The labels among these that this machine has not printed."""
    run = get_run()
    shipments = fetch_shipments(spooled_documents.select_without_paper(run.local_app, ids))
    labels = printing.list_labels(
        run.gateway, run.local_app, shipments, print_requests.Paper(printers.LABEL, "", printer)
    )
    return printing.fetch_files(run.local_app, labels)


Print = Annotated[bool, typer.Option("-p", "--print", help="Print the label.")]
Printer = Annotated[
    str | None, typer.Option("--printer", metavar="PRINTER", help="Printer; by default the usual one.")
]  # where --to is an address
Target = Annotated[
    str | None,
    typer.Option(
        "--to",
        "--printer",
        metavar="PRINTER",
        help="Printer by name, or tcp://HOST, cups:QUEUE, spool:DIR.",
    ),
]


def find_printer(prints: bool, printer: str | None) -> str | None:
    """The label printer, if labels are to be printed: found before anything is bought.

    Errors: NotFound, PrinterError if there is none.
    """
    if not (prints or printer):
        return None

    return printers.choose_printer(get_run().local_app, printers.LABEL, printer).name


def find_label_type(file: Path | None, printer: str | None) -> str | None:
    """The usual label format for a command: that of its output file, else of the printer that it names.

    None means the usual format.
    """
    if file or not printer:
        return choose_file_type(file)

    return rendering.choose_label_type(get_run().local_app, printer)


def note_written(shipment_ids: Sequence[str], place: Path) -> None:
    """Remember that labels were written to a file; `print --unprinted` leaves them out."""
    if not get_run().api_url:
        print_queue.note_saved(get_run().app, shipment_ids, str(place))


def print_bought(shipment_ids: Sequence[str], printer: str | None, named: str | None = None) -> None:
    """Print the labels that were never printed; they stay in the store whatever happens.

    Shapes: `printer` is the usual one, or that which the line `named`, which wins over those of rules.
    """
    if printer is None:
        return
    groups = {printer: list(shipment_ids)} if named else _group_by_rules(shipment_ids, printer)
    for name, ids in groups.items():
        _print_on(ids, name)


def _group_by_rules(shipment_ids: Sequence[str], usual: str) -> dict[str, list[str]]:
    """The shipments by the printer that rules chose for them, else the usual one."""
    groups: dict[str, list[str]] = {}
    for shipment_id in shipment_ids:
        decided = decision.read_decision(ask(stored.get_shipment, shipment_id))
        groups.setdefault((decided and decided.value("printer")) or usual, []).append(shipment_id)
    return groups


def _print_on(shipment_ids: Sequence[str], printer: str) -> None:
    app = get_run().local_app
    if get_run().api_url:
        papers = fetch_unprinted(shipment_ids, printer)
    else:
        papers = printouts.make_label_papers(printouts.select_never_printed(app, shipment_ids), printer, None)
    for done in printouts.print_all(app, papers):
        note(f"printed {done.title} on {done.printer}")
