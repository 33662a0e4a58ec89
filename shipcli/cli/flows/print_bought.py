"""Print labels as part of the command that bought them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from shipcli.cli.console.files import choose_file_type
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.print_fetched import fetch_unprinted
from shipcli.features.paper.printing import printers, printouts, rendering, saved_labels

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
        saved_labels.note_saved(get_run().app, shipment_ids, str(place))


def print_bought(shipment_ids: Sequence[str], printer: str | None) -> None:
    """Print the labels that were never printed; they stay in the store whatever happens."""
    if printer is None:
        return
    app = get_run().local_app
    if get_run().api_url:
        papers = fetch_unprinted(shipment_ids, printer)
    else:
        papers = printouts.make_label_papers(printouts.select_never_printed(app, shipment_ids), printer, None)
    for done in printouts.print_all(app, papers):
        note(f"printed {done.title} on {done.printer}")
