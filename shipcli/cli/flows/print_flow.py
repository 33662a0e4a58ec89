"""Print papers: count them, ask for consent, print and show them; with `--dry-run` only list them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shipcli.cli.console.list_views import VIEWS, format_person
from shipcli.cli.console.output import is_form_named, show_list, show_some
from shipcli.cli.console.prompts import confirm, would
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.for_each import run_each
from shipcli.features.paper.printing import print_jobs as print_jobs
from shipcli.features.paper.printing import printers, sheet
from shipcli.models.basics.text import count_text, name_object

if TYPE_CHECKING:
    from shipcli.features.paper.printing.print_requests import Paper, PrintJob

COLUMNS = ("number", "kind", "object_id", "title", "printer", "format", "copy")
PLAN_COLUMNS = ("reference", "tracking_number", "service", "recipient", "kind", "printer")


def print_each(
    papers: Sequence[Paper], *, asks: bool, fetch: Callable[[], Sequence[Paper]] | None = None
) -> None:
    """Print each in the order given, until the printer fails; the remaining ones wait.

    Shapes: `fetch` gives them with their files, once it is agreed to that they are printed.
    """
    app = get_run().local_app
    if not papers:
        note("nothing waits to be printed" if get_run().path[-1] == "print" else "nothing was printed")
        if is_form_named():
            show_list([], PLAN_COLUMNS if get_run().options.dry_run else COLUMNS)
        return
    places = {paper: printers.choose_printer(app, paper.kind, paper.to).name for paper in papers}
    if get_run().options.dry_run:
        _plan(places)
        return
    if asks:
        confirm(_count(places))
    papers = fetch() if fetch else papers
    jobs = dict(zip(papers, print_jobs.enqueue(app, papers), strict=True))

    def send_paper(paper: Paper) -> PrintJob:
        job = jobs[paper]
        if isinstance(job, Exception):
            raise job
        return print_jobs.send(app, job)

    run_each(papers, send_paper, show_printed, name=_call, ends=(sheet.PrinterError,))


def _plan(places: Mapping[Paper, str]) -> None:
    """List what would be printed where, and what would be refused."""
    refused = print_jobs.list_refusals(get_run().local_app, list(places))

    def row(paper: Paper) -> dict[str, Any]:
        if paper in refused:
            raise refused[paper]
        return _make_row(paper, places[paper])

    accepted = {paper: printer for paper, printer in places.items() if paper not in refused}
    if accepted:
        would(_count(accepted))
    run_each(list(places), row, lambda rows: show_list(rows, PLAN_COLUMNS, view=VIEWS["paper"]), name=_call)


def _count(places: Mapping[Paper, str]) -> str:
    """How many papers go where: `print 12 labels and 12 slips on dock2`."""
    counts = Counter(paper.kind for paper in places)
    what = " and ".join(count_text(count, kind) for kind, count in counts.items())
    return f"{get_run().path[-1]} {what} on {', '.join(dict.fromkeys(places.values()))}"


def _make_row(paper: Paper, printer: str) -> dict[str, Any]:
    owner = _find_owner(paper)
    facts = {name: owner.get(name) for name in ("reference", "tracking_number", "service")}
    to = format_person(owner.get("recipient"))
    return {**facts, "recipient": to, "kind": paper.kind, "printer": printer, "object_id": paper.object_id}


def _find_owner(paper: Paper) -> Mapping[str, Any]:
    app, kind = get_run().local_app, "manifest" if paper.kind == "manifest" else "shipment"
    owner = app.store.get(kind, paper.object_id, app.test_mode)
    return owner or {"id": paper.object_id, "tracking_number": paper.title}


def _call(paper: Paper) -> str:
    return name_object(_find_owner(paper))


def show_printed(done: Sequence[PrintJob]) -> None:
    """Show what was printed."""
    show_some([job.to_dict() for job in done], COLUMNS, "print job")
