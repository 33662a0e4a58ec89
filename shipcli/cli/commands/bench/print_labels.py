"""`shipcli print` and `shipcli reprint`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shipcli.cli.arguments.rate_options import Carriers, split_values
from shipcli.cli.arguments.selectors import MaybeIds, select
from shipcli.cli.console.cells import show_cell
from shipcli.cli.console.prompts import confirm
from shipcli.cli.console.stderr import note, warn
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.for_each import PartialFailure
from shipcli.cli.flows.print_bought import Target, fetch_shipments, print_fetched
from shipcli.cli.flows.print_flow import print_each
from shipcli.cli.gateway import refuse_server
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.features.core import dates
from shipcli.features.paper import labels as paper_labels
from shipcli.features.paper.printing import print_queue, print_requests, printers, printouts, selection, sheet
from shipcli.models.basics import enums
from shipcli.models.basics.text import count_text, name_object
from shipcli.readers import tables

if TYPE_CHECKING:
    from shipcli.features.paper.printing.print_requests import PrintJob
    from shipcli.features.paper.printing.selection import LabelFilter

verb = Verbs()
MOST_NAMED = 3  # labels that a question names one by one

Text = str | None
Several = list[str] | None
Document = Mapping[str, Any]
Format = Annotated[
    Text, typer.Option("--format", metavar="PDF|ZPL|PNG", help="Format; the label's own by default.")
]


def read_label_format(text: str | None) -> str | None:
    """A label format in any case.

    Errors: Usage for another word.
    """
    label_format = text.upper() if text else None
    if label_format and label_format not in enums.LABEL_TYPES:
        raise Usage(f"--format {text}: say one of {', '.join(enums.LABEL_TYPES)}")
    return label_format


@verb("print")
def print_labels(
    ids: MaybeIds = None,
    to: Target = None,
    format: Format = None,
    unprinted: Annotated[
        bool, typer.Option("--unprinted", help="All labels never printed nor saved, oldest first.")
    ] = False,
    with_saved: Annotated[
        bool, typer.Option("--saved", help="With --unprinted: also those that were written to files.")
    ] = False,
    carrier: Carriers = None,
    order: Annotated[
        Several,
        typer.Option("--order", metavar="ORDER", help="With --unprinted: only of this order; repeat it."),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--import", metavar="FILE", help="With --unprinted: only what this file imported."),
    ] = None,
    today: Annotated[
        bool, typer.Option("--today", help="With --unprinted: only those bought today.")
    ] = False,
    sort: Annotated[
        Text, typer.Option("--sort", metavar="sku", help="Group labels by the contents of the parcels.")
    ] = None,
    slips: Annotated[bool, typer.Option("--slips", help="Print a packing slip after each label.")] = False,
    invoices: Annotated[
        bool, typer.Option("--invoices", help="Print the invoice after each label that has one.")
    ] = False,
) -> None:
    """Print labels.

    You are asked before a label is printed again; in scripts use shipcli reprint. If the printer fails, the
    exit code is 10 and the remaining jobs wait: shipcli printers resume.

    Examples:
    shipcli print 1002
    shipcli print --unprinted --carrier ups --sort sku --slips
    shipcli print --unprinted --today --dry-run   # which ones it would be
    """
    narrowing = {"--carrier": carrier, "--order": order, "--import": file, "--today": today,
                 "--saved": with_saved}  # fmt: skip
    option = next((name for name, value in narrowing.items() if value), None)
    if ids and option:
        raise Usage(f"{option} goes with --unprinted, not with names of shipments")
    if bool(ids) == unprinted:
        raise Usage("name shipments, or say --unprinted", hint="shipcli print --unprinted --sort sku")
    label_format = read_label_format(format)
    if get_run().api_url:
        if unprinted:
            refuse_server("--unprinted")
        shipments = fetch_shipments(select("shipment", ids or []), sort)
        again = agree_to_copies([shipment.model_dump() for shipment in shipments])
        beside = [
            kind for kind, is_wanted in ((printers.SLIP, slips), (printers.INVOICE, invoices)) if is_wanted
        ]
        print_fetched(
            shipments,
            print_requests.Paper(printers.LABEL, "", to, label_format, copy_rule=sheet.FIRST),
            again=again,
            beside=beside,
        )
        return
    app = get_run().app
    doubted: list[PrintJob] = []
    if unprinted:
        rows, doubted = _select_waiting(_make_filter(carrier, order, file, today=today))
        rows = rows if with_saved else _leave_out_saved(rows)
    else:
        rows = _find_named(ids or [])
    rows = printouts.sort_shipments(rows, sort) if sort else rows
    chosen = [str(row["id"]) for row in rows]
    labels = printouts.make_label_papers(chosen, to, label_format, () if unprinted else agree_to_copies(rows))
    papers = [
        paper for label in labels for paper in printouts.list_papers(label, slip=slips, invoice=invoices)
    ]
    print_each(printouts.drop_missing_invoices(app, papers) if invoices else papers, asks=unprinted)
    _report_doubts(doubted, printed=len(rows))


def _find_named(words: Sequence[str]) -> list[Document]:
    app = get_run().app
    return [app.store.get("shipment", id, app.test_mode) or {"id": id} for id in select("shipment", words)]


def _select_waiting(label_filter: LabelFilter) -> tuple[list[Document], list[PrintJob]]:
    """The shipments that are meant of those whose label was never printed, and the jobs of doubtful ones."""
    app = get_run().app
    unprinted, jobs = printouts.list_unprinted(app)
    owners = [owner for job in jobs if (owner := app.store.get("shipment", job.object_id, app.test_mode))]
    meant = {shipment["id"] for shipment in selection.filter_labels(app, owners, label_filter)}
    return selection.filter_labels(app, unprinted, label_filter), [
        job for job in jobs if job.object_id in meant
    ]


def _leave_out_saved(rows: Sequence[Document]) -> list[Document]:
    """The shipments whose label was not written to a file, where somebody has it to print."""
    written = print_queue.list_saved(get_run().app, [str(row["id"]) for row in rows])
    if written:
        labels = count_text(len(written), "label")
        note(f"left out {labels} that went to files; to print them as well: --saved")
    return [row for row in rows if row["id"] not in written]


def _report_doubts(jobs: Sequence[PrintJob], *, printed: int) -> None:
    """Errors: PartialFailure for labels that were left out, as it is not known whether they were printed."""
    named = {f"job {job.number}, {job.title}": job for job in jobs}
    if get_run().options.dry_run or not any(job.state == sheet.UNKNOWN for job in jobs):
        for name in named:
            warn(f"{name}, may be printed already: shipcli printers queue")
        return
    reason = sheet.PrinterError("may be printed already: look at the printer")
    failed = [(name, reason) for name, job in named.items() if job.state == sheet.UNKNOWN]
    raise PartialFailure(failed, of=printed + len(failed), next_step="shipcli printers queue")


def _make_filter(
    carrier: Several, order: Several, file: Path | None, *, today: bool
) -> selection.LabelFilter:
    return selection.LabelFilter(
        carriers=split_values(carrier),
        orders=select("order", order or []),
        file=tables.DataFile.open(file) if file else None,
        bought_since=dates.find_midnight(get_run().app.now()) if today else None,
    )


def agree_to_copies(shipments: Sequence[Document]) -> Collection[str]:
    """Those printed before, when somebody agrees to another copy; none where nobody can be asked.

    Errors: Declined.
    """
    printed = _select_printed(shipments)
    if not printed or not get_run().interactive:
        return ()
    if not get_run().options.dry_run:
        what = f"{len(printed)} labels" if len(printed) > 1 else "the label"
        others = f" and {len(printed) - MOST_NAMED} others" if len(printed) > MOST_NAMED else ""
        confirm(f"print {what} again: {', '.join(map(_describe_last_print, printed[:MOST_NAMED]))}{others}")
    return [str(shipment["id"]) for shipment in printed]


def _select_printed(shipments: Sequence[Document]) -> list[Document]:
    """Those whose label was printed; of a server's by this machine."""
    if get_run().api_url:
        return [shipment for shipment in shipments if _list_prints(shipment)]
    printed = paper_labels.list_printed(get_run().app, [str(shipment["id"]) for shipment in shipments])
    return [shipment for shipment in shipments if shipment["id"] in printed]


def _list_prints(shipment: Document) -> list[PrintJob]:
    """When and where its label was printed, the newest first."""
    jobs = print_queue.list_jobs(get_run().local_app, states=(sheet.PRINTED,), object_id=str(shipment["id"]))
    return [job for job in jobs if job.kind in (printers.LABEL, printers.DOCUMENT)]


def _describe_last_print(shipment: Document) -> str:
    """A label with where and when it was printed: `SO-1 (on dock, 2026-11-22 10:40)`."""
    last = next(iter(_list_prints(shipment)), None)
    where = (
        f"on {last.printer}, {show_cell(last.ended_at.isoformat(), 'ended_at')}" if last else "printed before"
    )
    return f"{name_object(shipment)} ({where})"


@verb
def reprint(
    ids: MaybeIds = None,
    since: Annotated[
        Text, typer.Option("--since", metavar="TIME", help="Everything printed since this time: 10:40.")
    ] = None,
    last: Annotated[
        int | None, typer.Option("--last", metavar="N", min=1, help="The last N printed.")
    ] = None,
    from_job: Annotated[
        int | None, typer.Option("--from-job", metavar="JOB", help="Everything printed from this job on.")
    ] = None,
    on: Annotated[
        Text,
        typer.Option(
            "--on", metavar="PRINTER", help="The printer that jammed; by default the one used last."
        ),
    ] = None,
    to: Target = None,
    format: Format = None,
    reason: Annotated[Text, typer.Option("--reason", help="Why; stored with the print job.")] = None,
) -> None:
    """Print labels again: the named ones, or the last ones after a jam.

    After a jam slips and other papers are printed again as well, each once, on the same printer unless --to
    names another. Voided labels are never printed.

    Examples:
    shipcli reprint @last --reason "smeared"
    shipcli reprint --last 12 --dry-run   # what came out last
    shipcli reprint --since 10:40 --to zebra
    """
    if sum(map(bool, (ids, since, last, from_job))) != 1:
        raise Usage(
            "name shipments, or say one of --since, --last, --from-job", hint="shipcli reprint --last 12"
        )
    if ids and on:
        raise Usage("--on goes with --since and --last; for a printer to print on say --to")
    label_format = read_label_format(format)
    jobs = [] if ids else _find_printed(since, last, from_job, on)
    if get_run().api_url:
        shipments = fetch_shipments(select("shipment", ids) if ids else _select_label_owners(jobs))
        printer = to or next((job.printer for job in jobs), None)
        print_fetched(
            shipments,
            print_requests.Paper("label", "", printer, label_format, reason, sheet.AGAIN),
            asks=not ids,
        )
        return
    if ids:
        papers = [
            print_requests.Paper("label", id, to, label_format, reason, sheet.AGAIN)
            for id in select("shipment", ids)
        ]
    else:
        papers = [
            print_requests.Paper(
                job.kind, job.object_id, to or job.printer, label_format, reason, sheet.AGAIN
            )
            for job in jobs
        ]
    print_each(papers, asks=not ids)


def _select_label_owners(jobs: Sequence[PrintJob]) -> list[str]:
    """The shipments of a server whose labels these jobs printed; other papers of them have a longer name."""
    return [job.object_id for job in jobs if "/" not in job.object_id]


def _find_printed(since: Text, last: int | None, from_job: int | None, on: Text) -> list[PrintJob]:
    """What the printer that jammed printed, of this store or of the server that the line names.

    Errors: Invalid for a time that can't be read; NotFound for a job that there is not; PrinterError.
    """
    app = get_run().local_app
    moment = dates.read_moment(since, app.now(), "since") if since else None
    papers = print_queue.filter_server_jobs() if get_run().api_url else print_queue.filter_store_jobs()
    if on:
        printer: str | None = printers.get_printer_named(app, on).name
    else:
        printer = (
            print_queue.get_job(app, from_job).printer
            if from_job
            else print_queue.find_last_printer(app, papers)
        )
    if not printer:
        return []
    return print_queue.list_last_printed(
        app, printer, papers, since=moment, from_job=from_job or 1, last=last
    )
