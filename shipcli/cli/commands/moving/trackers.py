"""`shipcli trackers`, `track` and `open`."""

from __future__ import annotations

import sys
import webbrowser
from typing import Annotated, Any

import typer

from shipcli import models
from shipcli.cli.arguments.bodies import Data, File, check_body, read_body, read_pairs
from shipcli.cli.arguments.rate_options import show_messages
from shipcli.cli.arguments.selectors import (
    Id,
    find_shipment_of_order,
    remember,
    select,
    select_one,
    select_parcel,
)
from shipcli.cli.arguments.shipment_options import Metadata
from shipcli.cli.console.output import show, show_some, show_word
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.for_each import PARTIAL_FAILURE
from shipcli.cli.gateway import ask, refuse_server
from shipcli.cli.stored_noun_table import TRACKERS
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.features.core import locks
from shipcli.features.customers import links as customer_links
from shipcli.features.trackers import lookup
from shipcli.features.trackers import refresh as tracker_refresh
from shipcli.features.trackers import service as trackers
from shipcli.models.basics.barcodes import read_barcode
from shipcli.models.basics.errors import Conflict, Refused
from shipcli.operations import adapters
from shipcli.workflows import tracking

COLUMNS = TRACKERS.columns
BRIEF = (*COLUMNS, "info.carrier_tracking_link", "events[0].date", "events[0].time",
         "events[0].description", "events[0].location")  # fmt: skip

Text = str | None


verb = Verbs()
CARRIER = typer.Option("--carrier", metavar="CARRIER", help="Carrier of the parcel.")
Hub = Annotated[Text, typer.Option("--hub", metavar="HUB", help="Ask the carrier through this hub.")]
CarrierArgument = Annotated[str, typer.Argument(metavar="CARRIER", help="Carrier of the parcel.")]
Number = Annotated[str, typer.Argument(metavar="NUMBER", help="Tracking number.")]


@verb
def add(
    number: Number,
    carrier: Annotated[str, CARRIER],
    pending_pickup: Annotated[
        bool, typer.Option("--pending-pickup", help="Add it even if the carrier does not know it yet.")
    ] = False,
    hub: Hub = None,
    account_number: Annotated[
        Text, typer.Option("--account-number", help="Carrier account it was sent with.")
    ] = None,
    reference: Annotated[Text, typer.Option("--reference", help="Reference it was sent with.")] = None,
    metadata: Metadata = None,
    data: Data = None,
    from_file: File = None,
) -> None:
    """Track a number.

    Examples:
    shipcli trackers add 1Z999AA10123456784 --carrier ups --pending-pickup
    shipcli trackers add 1Z999AA10123456784 --carrier ups --pending-pickup --ids
    """
    flags = {
        "tracking_number": number,
        "carrier_name": carrier,
        "account_number": account_number,
        "reference": reference,
        "metadata": read_pairs(metadata, "--metadata") or None,
    }
    request = check_body(models.TrackingData, read_body(flags, data, from_file))
    if not would(f"watch {number} of {carrier}"):
        made = ask(trackers.add_tracker, request, hub=hub, pending_pickup=pending_pickup)
        show_tracker(made.model_dump())


@verb("create")
def create_by_path(carrier: CarrierArgument, number: Number, hub: Hub = None) -> None:
    """Track a number; the former name of `shipcli trackers add`.

    Examples:
    shipcli trackers create ups 1ZA1B2C30300000012
    shipcli trackers create ups 1ZA1B2C30300000012 --json
    """
    if not would(f"watch {number} of {carrier}"):
        show_tracker(ask(adapters.create_tracker, carrier, number, hub=hub).model_dump())


@verb
def update(id: Id, metadata: Metadata = None, data: Data = None, from_file: File = None) -> None:
    """Change the info and metadata of a tracker.

    Set a field of info with `-d info.note=TEXT`.

    Examples:
    shipcli trackers update @last -d info.note="Left at the gate"
    shipcli trackers update @last --metadata desk=2
    """
    flags = {"metadata": read_pairs(metadata, "--metadata") or None}
    patch = check_body(models.TrackerUpdateData, read_body(flags, data, from_file))
    chosen = select_one("tracker", id)
    if not would(
        f"change {', '.join(patch.model_dump(exclude_unset=True)) or 'nothing'} of tracker {chosen}"
    ):
        show(ask(trackers.update_tracker, chosen, patch))


@verb
def refresh(
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="[ID...]", help="Trackers, unless --due is given.")
    ] = None,
    due: Annotated[bool, typer.Option("--due", help="All trackers whose turn it is.")] = False,
    lock: Annotated[
        str | None,
        typer.Option(
            "--lock", metavar="NAME", help="With --due: do nothing while another run holds this lock."
        ),
    ] = None,
    quiet_if_nothing: Annotated[
        bool, typer.Option("--quiet-if-nothing", help="Print nothing if there is nothing to do.")
    ] = False,
) -> None:
    """Ask the carriers for news of trackers.

    Examples:
    shipcli trackers refresh @last
    shipcli trackers refresh --due --lock tracker --quiet-if-nothing
    """
    if bool(ids) == due:
        raise Usage("say which trackers: their ids, or --due")
    if not ids:
        refuse_server("--due")
        raise typer.Exit(refresh_with_lock(lock, quiet_if_nothing))
    chosen = [ask(trackers.get_tracker, tracker_id) for tracker_id in select("tracker", ids)]
    if not would(f"ask the carriers about {', '.join(tracker.tracking_number for tracker in chosen)}"):
        show_some(ask(trackers.refresh, chosen), BRIEF)


def refresh_with_lock(lock: str | None, quiet_if_nothing: bool) -> int:
    """One round, unless another run holds the lock: then nothing is done and the exit code is 0."""
    if lock is None:
        return refresh_round(quiet_if_nothing)

    try:
        with locks.hold_locks(get_run().app, [f"cron/{lock}"], f"another run holds the lock {lock}"):
            return refresh_round(quiet_if_nothing)
    except Conflict as held:
        note(f"{held.message}: nothing was done")
        return 0


def refresh_round(quiet_if_nothing: bool = False) -> int:
    """Ask about every tracker that is due; the exit code."""
    app = get_run().app
    if would("ask the carriers about every tracker that is due"):
        return 0
    report = tracker_refresh.refresh_due(app, modes=[app.test_mode])
    show_messages(report.messages)
    if quiet_if_nothing and not report.asked:
        return 0
    show(report, ("asked", "changed", "unchanged", "failed"))
    if report.failed:
        return PARTIAL_FAILURE if report.failed < report.asked else Refused.exit_code
    return 0


@verb("link")
def print_link(
    number: Annotated[
        str, typer.Argument(metavar="NUMBER", help="Tracking number, shipment, tracker, or @last.")
    ],
) -> None:
    """Print the link to the page on which a customer follows a parcel.

    It opens without a key, for this number only. `shipcli mail look --url` says under which address
    customers reach the server.

    Examples:
    shipcli trackers link 1003
    shipcli trackers link @last --json
    """
    link = ask(customer_links.get_link, select_parcel(number))
    show_word(link.url, link.model_dump())


@verb
def track(
    number: Annotated[
        str, typer.Argument(metavar="NUMBER", help="Tracking number, shipment, tracker, or @last.")
    ],
    carrier: Annotated[Text, CARRIER] = None,
    refresh: Annotated[
        bool, typer.Option("--refresh", help="Ask the carrier even if the status is recent.")
    ] = False,
) -> None:
    """Show where a parcel is.

    A number that is not tracked yet is added. Its carrier is recognised by the form of the number, if
    possible.

    Examples:
    shipcli track 1002
    shipcli track 1003 --refresh
    """
    word = select_one("shipment", number) if number.startswith("@") or number == "-" else read_barcode(number)
    if get_run().options.dry_run:
        would(f"look for {word}, and watch it if it is not watched yet")
        return
    try:
        tracker = ask(lookup.track, word, carrier=carrier, anew=refresh)
    except lookup.UnknownNumber:
        if shipment := find_shipment_of_order(word):
            tracker = ask(lookup.track, shipment, carrier=carrier, anew=refresh)
        else:
            tracker = _track_by_form(word)
    show_tracker(tracker)


def _track_by_form(word: str) -> dict[str, Any]:
    """The new tracker of a number whose form tells its carrier.

    Errors: UnknownNumber when it does not.
    """
    number, slug = tracking.name_carrier(get_run().gateway, word)
    note(f"{number} has the form of a number of {slug}")
    return ask(lookup.track, number, carrier=slug)


def show_tracker(tracker: dict[str, Any]) -> None:
    """Where it is now, and what its carrier said."""
    remember("tracker", str(tracker["id"]))
    if tracker["messages"]:
        show_messages(models.Message.model_validate(message) for message in tracker["messages"])
    show(tracker, BRIEF)


@verb("open")
def open_page(
    parcel: Annotated[str, typer.Argument(metavar="PARCEL", help="Shipment, tracking number, or @last.")],
) -> None:
    """Open the carrier's own tracking page, and print its address.

    In a pipe the address is only printed.

    Examples:
    shipcli open @last
    shipcli open 1003 --json
    """
    page = tracking.find_tracking_page(get_run().gateway, select_parcel(parcel), parcel)
    if would(f"open {page}"):
        return
    show_word(page, {"carrier_tracking_link": page})
    if sys.stdout.isatty():
        webbrowser.open(page)
