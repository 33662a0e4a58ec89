"""`shipcli printers`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from shipcli import config
from shipcli.cli.arguments.listing import Limit
from shipcli.cli.arguments.selectors import select_one
from shipcli.cli.console.list_views import VIEWS
from shipcli.cli.console.output import MOST_COUNTED, show, show_first, show_list
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note, warn
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.for_each import PartialFailure, is_agreed
from shipcli.cli.flows.settings_flow import change_or_show_setting
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.features.paper.printing import print_queue as print_queue
from shipcli.features.paper.printing import printers, sheet, spooled_documents
from shipcli.models.basics.errors import ShipcliError
from shipcli.models.basics.text import count_text

if TYPE_CHECKING:
    from shipcli.features.paper.printing.print_requests import PrintJob

verb = Verbs()
COLUMNS = ("name", "target", "format", "dpi", "size", "copies", "kinds", "bench", "is_default", "waiting")
JOB_COLUMNS = ("number", "state", "kind", "object_id", "title", "printer", "format", "copy", "reason",
               "created_at", "error")  # fmt: skip

Text = str | None
Name = Annotated[str, typer.Argument(metavar="PRINTER", help="Name of the printer.")]
NewName = Annotated[str, typer.Argument(metavar="NAME", help="Name for the printer.")]
JobNumber = Annotated[int, typer.Argument(metavar="JOB", help="Number of the job.")]
ListFilter = Annotated[
    str,
    typer.Option(
        "--to",
        metavar="TARGET",
        help="tcp://HOST[:9100][?status], cups:QUEUE, file:DEVICE, spool:DIR, windows:NAME.",
    ),
]


@verb("list")
def list_all() -> None:
    """List the printers.

    Examples:
    shipcli printers list
    shipcli printers list --json=name,target,waiting
    """
    app = get_run().app
    waiting = Counter(job.printer for job in print_queue.list_waiting(app))
    rows = [
        {**printer.to_dict(), "waiting": waiting[printer.name]} for printer in printers.list_printers(app)
    ]
    show_list(rows, COLUMNS)


@verb
def add(
    name: NewName,
    to: ListFilter,
    format: Annotated[str, typer.Option("--format", metavar="ZPL|PDF|PNG", help="Format that it prints.")],
    dpi: Annotated[int, typer.Option("--dpi", metavar="203|300|600", help="Dots per inch.")] = 203,
    size: Annotated[
        str, typer.Option("--size", metavar="4x6", help="Size of its paper, in inches or as 100x150mm.")
    ] = "",
    copies: Annotated[int, typer.Option("--copies", metavar="N", help="Copies of each paper.")] = 1,
    kinds: Annotated[
        Text,
        typer.Option(
            "--kinds", metavar="KIND,..", help="Only these papers: label, slip, invoice, manifest, document."
        ),
    ] = None,
    bench: Annotated[Text, typer.Option("--bench", metavar="NAME", help="Only for this bench.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace the printer of this name.")] = False,
) -> None:
    """Add a printer.

    Examples:
    shipcli printers add dock1 --to tcp://192.168.1.40 --format ZPL --dpi 203
    shipcli printers add desk --to cups:Office --format PDF --kinds slip,invoice
    """
    printer = printers.check_printer(
        printers.Printer(name, to, format.upper(), dpi, size, copies, _split_words(kinds), bench or "")
    )
    if would(f"add the printer {name} on {to}"):
        return
    show(printers.add_printer(get_run().app, printer, replace=replace).to_dict())


def _split_words(text: str | None) -> tuple[str, ...]:
    return tuple(word.strip().lower() for word in (text or "").split(",") if word.strip())


@verb
def test(name: Name) -> None:
    """Print a test page.

    Examples:
    shipcli printers test zebra
    shipcli printers test office
    """
    app = get_run().app
    printer = printers.get_printer_named(app, name)
    if would(f"print a trial page on {printer.name} ({printer.target})"):
        return
    spooled_documents.print_trial_page(app, printer)
    note(f"sent a trial page to {printer.name} ({printer.target})")


@verb
def remove(name: Name) -> None:
    """Remove a printer.

    Examples:
    shipcli printers remove office
    shipcli printers remove office --dry-run
    """
    app = get_run().app
    printer = printers.get_printer(app, name)
    if is_agreed(f"forget the printer {printer.name} ({printer.target})"):
        printers.remove_printer(app, name)
        note(f"forgot {name}")


@verb
def default(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[PRINTER]", help="A printer; without one the present default is shown."),
    ] = None,
) -> None:
    """Make a printer the default, or show which one is (setting `printer`).

    Examples:
    shipcli printers default          # which one it is
    shipcli printers default zebra
    """
    change_or_show_setting(config.PRINTER, name)


# -- the queue -----------------------------------------------------------------------------------


@verb
def queue(
    every: Annotated[bool, typer.Option("--all", help="Include finished jobs.")] = False,
    of: Annotated[Text, typer.Option("--of", metavar="ID", help="All jobs of this shipment.")] = None,
    limit: Limit = 100,
) -> None:
    """List print jobs that wait or may have been printed, newest first.

    Examples:
    shipcli printers queue
    shipcli printers queue --all --limit 20
    """
    shipment = select_one("shipment", of) if of else None
    states = () if every or shipment else sheet.OPEN
    jobs = print_queue.list_jobs(get_run().app, states=states, object_id=shipment, limit=limit + MOST_COUNTED)
    show_first([job.to_dict() for job in jobs], limit, JOB_COLUMNS, view=VIEWS["print job"])


@verb
def resume(
    jobs: Annotated[
        list[int] | None,
        typer.Argument(metavar="[JOB...]", help="Numbers of jobs; by default all that wait."),
    ] = None,
    printer: Annotated[
        Text, typer.Option("--printer", metavar="PRINTER", help="Only jobs that wait for this printer.")
    ] = None,
    to: Annotated[
        Text, typer.Option("--to", metavar="PRINTER", help="Print them on this printer instead.")
    ] = None,
) -> None:
    """Print the jobs that wait for this bench; one that may have been printed already must be named.

    Examples:
    shipcli printers resume --printer zebra
    shipcli printers resume --printer zebra --to office
    """
    if jobs and printer:
        raise Usage("name jobs or --printer, not both")
    app = get_run().app
    chosen = [print_queue.get_job(app, number) for number in jobs or ()] or print_queue.list_waiting(
        app, printer
    )
    if not chosen:
        elsewhere = print_queue.list_jobs(app, states=(sheet.WAITING,))
        note("no job waits" + " for this bench: shipcli printers queue" * bool(elsewhere))
        return
    if would(f"send {count_text(len(chosen), 'job')} again"):
        return
    _show_sent(list(print_queue.resume(app, chosen, to)))


def _show_sent(outcomes: Sequence[PrintJob | Exception]) -> None:
    """Show what was printed and raise what failed; a printer that fails outweighs all else."""
    failed = [outcome for outcome in outcomes if isinstance(outcome, ShipcliError)]
    done = [outcome.to_dict() for outcome in outcomes if not isinstance(outcome, Exception)]
    if done:
        show_list(done, JOB_COLUMNS, view=VIEWS["print job"])
    off = [error for error in failed if isinstance(error, sheet.PrinterError)]
    for error in off[1:]:
        warn(error.message)
    if off or len(failed) == 1:
        raise (off or failed)[0]
    if failed:
        raise PartialFailure([("job", error) for error in failed], of=len(outcomes))


@verb
def cancel(
    job: JobNumber,
    printed: Annotated[
        bool, typer.Option("--printed", help="It was printed; do not print it again.")
    ] = False,
) -> None:
    """Cancel a print job, or mark it as printed.

    Examples:
    shipcli printers cancel 2
    shipcli printers cancel 2 --dry-run
    """
    app = get_run().app
    print_job = print_queue.get_job(app, job)
    what = f"{'note as printed' if printed else 'give up'} the {print_job.paper} (job {job})"
    if not would(what) if printed else is_agreed(what):
        show(print_queue.cancel_job(app, job, printed=printed).to_dict(), JOB_COLUMNS)
