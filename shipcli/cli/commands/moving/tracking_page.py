"""`shipcli open`: the carrier's own page of a parcel."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from shipcli.cli.arguments.selectors import select_parcel
from shipcli.cli.command_loader import Verbs
from shipcli.cli.console.output import show_word
from shipcli.cli.console.prompts import would
from shipcli.cli.current_run import get_run

verb = Verbs()


@verb("open")
def open_page(
    parcel: Annotated[str, typer.Argument(metavar="PARCEL", help="Shipment, tracking number, or @last.")],
) -> None:
    """Open the carrier's own tracking page, and print its address.

    In a pipe the address is printed and nothing is opened.

    Examples:
    shipcli open @last
    shipcli open 1003 --json
    """
    import webbrowser

    from shipcli.workflows.tracking import find_tracking_page

    page = find_tracking_page(get_run().gateway, select_parcel(parcel), parcel)
    if would(f"open {page}"):
        return
    show_word(page, {"carrier_tracking_link": page})
    if sys.stdout.isatty():
        webbrowser.open(page)
