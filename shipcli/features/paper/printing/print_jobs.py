"""Print jobs: stored before they are sent, so that nothing is lost and nothing prints twice by itself.

A job is `waiting`, then `sending`, then `printed`. A printer that took nothing leaves it waiting. When
it is not known how far the printer came (it broke off, or this program was killed in between, and no spool
folder tells), the job is `unknown`, and only a person sends it again: `printers resume JOB` or `reprint`. A
job that is given up is `cancelled`; an unknown one whose paper was printed anew is `replaced`. The rows
stay: they say what was printed where, when and why. A job is printed by the bench that made it, and one that
was made without a bench by any.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import blake2s
from typing import TYPE_CHECKING, Any

from shipcli.features.core.processes import is_alive, name_process
from shipcli.features.paper.label_files import MEDIA_TYPES
from shipcli.features.paper.printing import printers, transports
from shipcli.features.paper.printing.print_requests import Paper, PrintJob
from shipcli.features.paper.printing.refusals import (
    find_owner,
    make_title,
    refuse_copy,
    refuse_elsewhere,
    refuse_voided,
)
from shipcli.features.paper.printing.rendering import PDF, make_sheet
from shipcli.features.paper.printing.sheet import (
    AGAIN,
    CANCELLED,
    ON_PAPER,
    PRINTED,
    REPLACED,
    SENDING,
    UNKNOWN,
    WAITING,
    PrinterError,
)
from shipcli.models.basics.errors import Conflict, ShipcliError
from shipcli.store.errors import StoreError
from shipcli.store.query import equal, one_of

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.queries import Reader
    from shipcli.store.query import Filter
    from shipcli.store.transaction import Transaction

LASTS_S = 600.0  # a sender not heard of for so long is taken for dead, on whichever machine it ran

TABLE = "print_jobs"


# -- stored --------------------------------------------------------------------------------------


def enqueue(app: App, papers: Sequence[Paper]) -> list[PrintJob | ShipcliError]:
    """Store a waiting job for each paper, in the order given; all are on disk when this returns.

    A job that waits already is taken up instead of making a second one. A paper that must not be printed
    gives its error: NotFound, Conflict (voided, being printed, or not known to be printed).
    Errors: PrinterError if no printer can be chosen.
    """
    places = {(paper.kind, paper.to): printers.choose_printer(app, paper.kind, paper.to) for paper in papers}
    with app.store.transaction(durable=True) as tx:
        return [_enter(app, tx, paper, places[paper.kind, paper.to].name) for paper in papers]


def list_refusals(app: App, papers: Sequence[Paper]) -> dict[Paper, ShipcliError]:
    """Return the papers that would not be printed, each with the error that says why; nothing is stored."""
    refusals: dict[Paper, ShipcliError] = {}
    for paper in papers:
        try:
            history = [_make_settled(app, row) for row in _list_history(app, app.store, paper)]
            refuse_copy(app, paper, find_owner(app, app.store, paper), history)
        except ShipcliError as error:
            refusals[paper] = error
    return refusals


def _enter(app: App, tx: Transaction, paper: Paper, printer: str) -> PrintJob | ShipcliError:
    try:
        owner = find_owner(app, tx, paper)
        history = [settle_row(app, tx, row) for row in _list_history(app, tx, paper)]
        refuse_copy(app, paper, owner, history)
    except StoreError:  # the transaction can't go on
        raise
    except ShipcliError as error:
        return error
    if paper.content is not None:
        _store_file(tx, paper.object_id, paper.content)
    now = {"printer": printer, "format": paper.format or "", "reason": paper.reason, "error": None}
    waiting = [row for row in history if row["state"] == WAITING]
    if paper.copy_rule == AGAIN:
        _replace_open(app, tx, history)
    elif waiting:
        now["reason"] = paper.reason or waiting[0]["reason"]
        tx.update(TABLE, {"number": waiting[0]["number"]}, now)
        return PrintJob.of({**waiting[0], **now})
    row = {
        "number": tx.next_number(TABLE), "test_mode": app.test_mode, "kind": paper.kind,
        "object_id": paper.object_id, "title": make_title(paper, owner), "state": WAITING,
        "caller": app.caller, "created_at": app.now(),
        "copy": 1 + sum(row["state"] in ON_PAPER for row in history),
        "bench": app.config["bench"] or None, "sent_at": None, "ended_at": None, **now,
    }  # fmt: skip
    tx.insert(TABLE, row)
    return PrintJob.of(row)


def _store_file(tx: Transaction, paper_id: str, content: bytes) -> None:
    from shipcli.drawing import find_label_kind

    format = find_label_kind(content) or PDF
    tx.put_file(paper_id, printers.DOCUMENT, content, format=format, media_type=MEDIA_TYPES[format])


def _list_history(app: App, reader: Reader, paper: Paper) -> list[dict[str, Any]]:
    where = {"object_id": paper.object_id, "kind": paper.kind, "test_mode": app.test_mode}
    return reader.select(TABLE, where, "number")


def _replace_open(app: App, tx: Transaction, history: Sequence[Mapping[str, Any]]) -> None:
    """Replace the jobs of this paper that wait, or may have been printed, by those of a new copy."""
    ends = {WAITING: CANCELLED, UNKNOWN: REPLACED}
    for row in history:
        if row["state"] in ends:
            tx.update(TABLE, {"number": row["number"]}, {"state": ends[row["state"]], "ended_at": app.now()})


def select_jobs(
    app: App, where: Sequence[Filter], order: str | Sequence[str] = (), limit: int | None = None
) -> list[dict[str, Any]]:
    """Return the rows of jobs of this mode.

    What became of jobs whose sender died is stored before: nobody decides by a state that is over.
    """
    _settle_lost(app)
    return app.store.select(TABLE, [equal("test_mode", app.test_mode), *where], order, limit)


def _settle_lost(app: App) -> None:
    rows = app.store.select(TABLE, {"state": SENDING, "test_mode": app.test_mode})
    if any(is_lost(app, row) for row in rows):
        with app.store.transaction() as tx:
            for row in rows:
                settle_row(app, tx, row)


def settle_row(app: App, tx: Transaction, row: dict[str, Any]) -> dict[str, Any]:
    """Return the row of a job; one whose sender died between sending and saying so becomes unknown."""
    settled = _make_settled(app, row)
    if settled is not row:
        changes = {name: settled[name] for name in ("state", "error", "ended_at")}
        tx.update(TABLE, {"number": row["number"], "state": SENDING}, changes)
        if settled["state"] == PRINTED:
            _mark(tx, PrintJob.of(settled))
    return settled


def _make_settled(app: App, row: dict[str, Any]) -> dict[str, Any]:
    if not is_lost(app, row):
        return row
    was_sent = transports.find_outcome(row["target"] or "", _make_mark(app, row["number"], row["owner"]))
    if was_sent is None:
        return {**row, "state": UNKNOWN, "error": "interrupted while it was sent", "ended_at": app.now()}
    return {**row, "state": PRINTED if was_sent else WAITING, "ended_at": app.now() if was_sent else None}


def _make_mark(app: App, number: int, owner: str | None) -> str:
    """The name of a job and of who sends it, by which a spool folder knows its files."""
    parts = (f"{app.store.place}:{number}", owner or "")
    return "-".join(blake2s(part.encode(), digest_size=4).hexdigest() for part in parts)


def is_lost(app: App, row: Mapping[str, Any]) -> bool:
    """Return whether the process that was sending a job has died."""
    return row["state"] == SENDING and not (
        is_alive(row["owner"] or "") and row["until"] > app.store.steady()
    )


# -- sent ----------------------------------------------------------------------------------------


def send(app: App, job: PrintJob) -> PrintJob:
    """Print a waiting job, or one that a person sends again, and return it as it is afterwards.

    Errors: PrinterError, and the job waits or is unknown; Conflict, NotFound or Invalid, and it is cancelled:
            the label was voided, or can't be made what the printer speaks. Conflict also for a job of another
            bench, which stays as it is.
    """
    refuse_elsewhere(app, job)
    printer = printers.get_printer_named(app, job.printer)
    try:
        sheet = replace(make_sheet(app, job, printer), mark=_make_mark(app, job.number, name_process()))
    except ShipcliError as error:
        end(app, job, CANCELLED, error.message, before=(job.state,))
        raise
    try:
        transports.prepare(printer.target, sheet)
    except PrinterError as error:
        raise _explain_unprinted(app, job, error) from None
    try:
        _claim(app, job, printer.target)
    except BaseException:
        transports.discard(printer.target, sheet)
        raise
    try:
        closed = transports.send(printer.target, sheet)
    except PrinterError as error:
        raise _explain_unprinted(app, job, error) from None
    except BaseException:
        end(app, job, UNKNOWN, "interrupted while it was sent")
        raise
    done = end(app, replace(job, format=sheet.format), PRINTED)
    transports.note_closing(app, printer.target, closed)
    return done


def _claim(app: App, job: PrintJob, target: str) -> None:
    """Mark the job as being sent, on disk, before its first byte goes out.

    Errors: Conflict if another process has it, or its label was voided.
    """
    with app.store.transaction(durable=True) as tx:
        rows = tx.select("shipments", {"id": job.object_id})
        voided = [row for row in rows if row["status"] == "cancelled"]
        if voided:
            changes = {"state": CANCELLED, "error": "voided", "ended_at": app.now()}
            tx.update(TABLE, {"number": job.number}, changes)
        else:
            for row in rows:
                refuse_voided(tx, row)
            # One that was seen waiting and became doubtful meanwhile is left to a person.
            claim = {"state": SENDING, "owner": name_process(), "until": app.store.steady() + LASTS_S}
            sent = {"printer": job.printer, "target": target, "sent_at": app.now()}
            changes = claim | sent | {"ended_at": None, "error": None}
            if not tx.update(TABLE, {"number": job.number, "state": job.state}, changes):
                raise Conflict(f"Job {job.number} is being printed, or was printed or cancelled meanwhile")
    if voided:
        refuse_voided(app.store, voided[0])


def _explain_unprinted(app: App, job: PrintJob, error: PrinterError) -> PrinterError:
    """Return the error of a printer, with what became of the job."""
    text = f"the {job.paper} was not printed: {error.message}"
    if error.begun:
        end(app, job, UNKNOWN, error.message)
        text = f"the {job.paper} may be printed in part: {error.message}"
        settle = f"shipcli printers resume {job.number}, or shipcli printers cancel {job.number} --printed"
        return PrinterError(text, hint=f"look at the printer; then: {settle}", begun=True)
    end(app, job, WAITING, error.message, before=(SENDING, WAITING))
    waiting = app.store.count_rows(
        TABLE, {"printer": job.printer, "state": WAITING, "test_mode": app.test_mode}
    )
    jobs = "its job waits" if waiting == 1 else f"{waiting} jobs wait"
    return PrinterError(text, hint=f"{error.hint}; {jobs}, then: shipcli printers resume")


def end(
    app: App, job: PrintJob, state: str, error: str | None = None, before: Sequence[str] = (SENDING,)
) -> PrintJob:
    """Store how a job ended, and return it."""
    ended = None if state == WAITING else app.now()
    changes = {"state": state, "format": job.format, "error": error, "owner": None, "ended_at": ended}
    with app.store.transaction(durable=True) as tx:
        tx.update(TABLE, [equal("number", job.number), one_of("state", before)], changes)
        if state == PRINTED:
            _mark(tx, job)
        if state in (PRINTED, CANCELLED) and job.kind == printers.DOCUMENT:
            tx.remove("files", {"owner_id": job.object_id})
    return replace(job, state=state, error=error, ended_at=ended)


def _mark(tx: Transaction, job: PrintJob) -> None:
    """Remove a printed label from the unprinted ones."""
    if job.kind == printers.LABEL:
        tx.mark("shipment", [job.object_id], {"printed": True})
