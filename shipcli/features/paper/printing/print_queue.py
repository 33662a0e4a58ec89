"""The queue of print jobs: what waits, what may have been printed, and what a person can do about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from shipcli.features.paper.printing import printers
from shipcli.features.paper.printing.print_jobs import TABLE, end, select_jobs, send
from shipcli.features.paper.printing.print_requests import PrintJob
from shipcli.features.paper.printing.printers import LABEL
from shipcli.features.paper.printing.refusals import is_here, refuse_elsewhere
from shipcli.features.paper.printing.sheet import (
    CANCELLED,
    OPEN,
    PRINTED,
    SAVED,
    UNKNOWN,
    WAITING,
    PrinterError,
)
from shipcli.models.basics.errors import Conflict, NotFound, ShipcliError
from shipcli.store.query import at_least, equal, one_of, starts

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.query import Filter


def list_saved(app: App, shipment_ids: Sequence[str]) -> set[str]:
    """Return the shipments among these whose label was written to a file."""
    where = [one_of("object_id", shipment_ids), equal("kind", LABEL), equal("state", SAVED)]
    return {row["object_id"] for row in app.store.select(TABLE, where)}


def note_saved(app: App, shipment_ids: Sequence[str], place: str) -> None:
    """Store beside the print jobs that these labels were written to a file; it is noted once for each."""
    saved = list_saved(app, shipment_ids)
    unsaved = [shipment_id for shipment_id in dict.fromkeys(shipment_ids) if shipment_id not in saved]
    with app.store.transaction() as tx:
        rows = tx.select("shipments", [one_of("id", unsaved), equal("test_mode", app.test_mode)])
        numbers = {row["id"]: row["tracking_number"] for row in rows}
        for shipment_id in (shipment_id for shipment_id in unsaved if shipment_id in numbers):
            tx.insert(TABLE, {
                "number": tx.next_number(TABLE), "test_mode": app.test_mode, "kind": LABEL,
                "object_id": shipment_id, "title": numbers[shipment_id] or "", "state": SAVED,
                "printer": place, "format": "", "reason": None, "error": None, "copy": 0,
                "caller": app.caller, "bench": app.config["bench"] or None, "created_at": app.now(),
                "sent_at": None, "ended_at": app.now(),
            })  # fmt: skip


def list_jobs(
    app: App, *, states: Sequence[str] = OPEN, object_id: str | None = None, limit: int | None = None
) -> list[PrintJob]:
    """Return jobs of this mode, newest first; in all states if none is named."""
    where = [one_of("state", states)] if states else []
    where += [equal("object_id", object_id)] if object_id else []
    return [PrintJob.of(row) for row in select_jobs(app, where, "-number", limit)]


def get_job(app: App, number: int) -> PrintJob:
    """Errors: NotFound."""
    rows = select_jobs(app, [equal("number", number)])
    if not rows:
        raise NotFound("job", str(number), message=f"There is no print job {number}")
    return PrintJob.of(rows[0])


def filter_store_jobs() -> list[Filter]:
    """Return conditions for the jobs of papers that this store can make again."""
    return [one_of("kind", [kind for kind in printers.KINDS if kind != printers.DOCUMENT])]


def filter_server_jobs() -> list[Filter]:
    """Return conditions for the jobs of labels that were fetched from a server, which still has them."""
    return [equal("kind", printers.DOCUMENT), starts("object_id", "shp_")]


def find_last_printer(app: App, papers: Sequence[Filter]) -> str | None:
    """Return the printer here that printed the last label of these papers, or None if there is none."""
    bench = app.config["bench"]
    where = [
        one_of("state", (PRINTED, UNKNOWN)),
        *papers,
        one_of("kind", (printers.LABEL, printers.DOCUMENT)),
        *([equal("bench", bench)] if bench else []),
    ]
    rows = select_jobs(app, where, "-number", 1)
    return rows[0]["printer"] if rows else None


def list_last_printed(
    app: App,
    printer: str,
    papers: Sequence[Filter],
    *,
    since: datetime | None = None,
    from_job: int = 1,
    last: int | None = None,
) -> list[PrintJob]:
    """Return the papers among these that a printer printed or may have printed: each once, oldest first."""
    where = [
        one_of("state", (PRINTED, UNKNOWN)),
        at_least("number", from_job),
        equal("printer", printer),
        *papers,
        *([at_least("sent_at", since)] if since else []),
    ]
    limit = last
    while True:
        rows = select_jobs(app, where, "-number", limit)
        printed = {(row["kind"], row["object_id"]): PrintJob.of(row) for row in reversed(rows)}
        if limit is None or last is None or len(rows) < limit or len(printed) >= last:
            break
        limit *= 2  # some came out more than once
    newest_first = sorted(printed.values(), key=lambda job: -job.number)
    return newest_first[:last][::-1]


def list_waiting(app: App, printer: str | None = None) -> list[PrintJob]:
    """Return the jobs that wait for this bench, oldest first."""
    waiting = reversed(list_jobs(app, states=(WAITING,)))
    return [job for job in waiting if printer in (None, job.printer) and is_here(app, job.bench)]


def resume(app: App, jobs: Sequence[PrintJob], to: str | None = None) -> Iterator[PrintJob | ShipcliError]:
    """Send jobs again, to another printer if one is named, and yield what became of each.

    A printer that fails is not tried again: its other jobs wait.
    """
    failed: set[str] = set()
    for job in jobs:
        try:
            moved = _move(app, job, to)
            if moved.printer not in failed:
                yield send(app, moved)
        except PrinterError as error:
            failed.add(to or job.printer)
            yield error
        except ShipcliError as error:
            yield error


def _move(app: App, job: PrintJob, to: str | None) -> PrintJob:
    """Move the job to the printer it is to go to.

    Errors: Conflict if it is neither waiting nor unknown, or another bench's; PrinterError for a printer
            that is not there.
    """
    refuse_elsewhere(app, job)
    if job.state not in (WAITING, UNKNOWN):
        raise Conflict(f"Job {job.number} is {job.state}; to print its paper again: {_suggest_again(job)}")
    return replace(job, printer=printers.get_printer_named(app, to).name) if to else job


def _suggest_again(job: PrintJob) -> str:
    """Return the command that prints a paper again; a document is not kept once it is printed."""
    if job.kind == printers.DOCUMENT:
        return "shipcli documents make"
    return f"shipcli reprint {job.title or job.object_id}"


def cancel_job(app: App, number: int, *, printed: bool = False) -> PrintJob:
    """Cancel a job, or confirm that one that may have been printed was printed.

    Errors: NotFound; Conflict if it has ended already, or is being sent.
    """
    job = get_job(app, number)
    allowed = (UNKNOWN,) if printed else (WAITING, UNKNOWN)
    if job.state not in allowed:
        raise Conflict(
            f"Job {number} is {job.state}: only {' and '.join(allowed)} jobs can be settled like this"
        )
    return end(app, job, PRINTED if printed else CANCELLED, job.error, before=allowed)
