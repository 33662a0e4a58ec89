"""Print jobs: written down before they are sent, so that nothing is lost and nothing prints twice by itself.

A job is `waiting`, then `sending`, then `printed`. A printer that took nothing leaves it waiting. When
it is not known how far the printer came (it broke off, or this program was killed in between), the job is
`unknown`, and only a person sends it again: `printers resume JOB` or `reprint`. A job that is given up is
`cancelled`; an unknown one whose paper was printed anew is `replaced`. The rows stay: they say what was
printed where, when and why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from shipcli.features.intents.states import is_being_voided
from shipcli.features.printing import service as printers
from shipcli.features.printing import transports as printing
from shipcli.features.printing.sheet import PrinterError
from shipcli.models.errors import Conflict, NotFound, ShipcliError

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.queries import Reader
    from shipcli.store.transaction import Transaction

WAITING, SENDING, PRINTED = "waiting", "sending", "printed"
UNKNOWN, CANCELLED, REPLACED = "unknown", "cancelled", "replaced"
OPEN = (WAITING, SENDING, UNKNOWN)
ON_PAPER = (PRINTED, UNKNOWN, REPLACED)  # some of it may lie in the tray
LASTS_S = 600.0  # a sender not heard of for so long is taken for dead, on whichever machine it ran
FIRST, AGAIN = "first", "again"  # only what was never printed; a new copy whatever was printed

TABLE = "print_jobs"


@dataclass(frozen=True)
class Paper:
    """What somebody wants printed; `manner` is empty, FIRST or AGAIN; without `to` the rules choose.

    Only a document has a `title` of its own: others are called by their number.
    """

    kind: str
    object_id: str
    to: str | None = None
    format: str | None = None
    reason: str | None = None
    manner: str = ""
    title: str = ""


@dataclass(frozen=True)
class PrintJob:
    """A job as it is written down; `copy` counts how often this paper was printed, this time included."""

    number: int
    kind: str
    object_id: str
    title: str
    printer: str
    format: str
    state: str
    copy: int
    reason: str | None
    error: str | None
    bench: str | None
    created_at: Any
    sent_at: Any
    ended_at: Any

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> PrintJob:
        return cls(**{name: row[name] for name in cls.__dataclass_fields__})

    @property
    def paper(self) -> str:
        """What is printed, in words."""
        return self.title if self.kind == printers.DOCUMENT else f"{self.kind} of {self.object_id}"

    def plain(self) -> dict[str, Any]:
        """The job as it is shown."""
        return {**self.__dict__, "format": self.format or None}


# -- written down --------------------------------------------------------------------------------


def enqueue(app: App, papers: Sequence[Paper]) -> list[PrintJob | ShipcliError]:
    """A waiting job for each paper, in the order given, all on disk when this returns.

    A job that waits already is taken up instead of making a second one. A paper that must not be printed
    gives its error: NotFound, Conflict (voided, being printed, or not known to be printed).
    Errors: PrinterError when no printer can be chosen.
    """
    places = {(one.kind, one.to): printers.choose_printer(app, one.kind, one.to) for one in papers}
    with app.store.transaction(durable=True) as tx:
        return [_entered(app, tx, one, places[one.kind, one.to].name) for one in papers]


def _entered(app: App, tx: Transaction, paper: Paper, printer: str) -> PrintJob | ShipcliError:
    try:
        title = _title(app, tx, paper)
        history = [settle_row(app, tx, row) for row in _history(app, tx, paper)]
        held = _held(app, tx, paper, history)
        now = {"printer": printer, "format": paper.format or "", "reason": paper.reason, "error": None}
        if held is not None:
            now["reason"] = paper.reason or held["reason"]
            tx.update(TABLE, {"number": held["number"]}, now)
            return PrintJob.of({**held, **now})
        row = {
            "number": tx.next_number(TABLE), "test_mode": app.test_mode, "kind": paper.kind,
            "object_id": paper.object_id, "title": title, "state": WAITING, "caller": app.caller,
            "copy": 1 + sum(row["state"] in ON_PAPER for row in history), "created_at": app.now(),
            "bench": app.config["bench"] or None, "sent_at": None, "ended_at": None, **now,
        }  # fmt: skip
        tx.insert(TABLE, row)
        return PrintJob.of(row)
    except ShipcliError as error:
        return error


def _title(app: App, tx: Transaction, paper: Paper) -> str:
    """What a queue calls it: the tracking number, or the reference of a manifest.

    Errors: NotFound; Conflict for the papers of a voided label.
    """
    if paper.kind == printers.DOCUMENT:
        return paper.title
    if paper.kind == printers.MANIFEST:
        rows = tx.select("manifests", {"id": paper.object_id, "test_mode": app.test_mode})
        if not rows:
            raise NotFound("manifest", paper.object_id)
        return str(rows[0]["reference"] or "")
    rows = tx.select("shipments", {"id": paper.object_id, "test_mode": app.test_mode})
    if not rows:
        raise NotFound("shipment", paper.object_id)
    _refuse_voided(tx, paper.object_id, rows[0]["status"])
    if paper.kind != printers.SLIP and not tx.count_rows(
        "files", {"owner_id": paper.object_id, "name": paper.kind}
    ):
        raise NotFound(paper.kind, message=f"The shipment {paper.object_id} has no {paper.kind}")
    return str(rows[0]["tracking_number"] or "")


def _refuse_voided(reader: Reader, shipment_id: str, status: str) -> None:
    """Errors: Conflict for a label that is void, or may be."""
    if status == "cancelled":
        raise Conflict(f"The label of {shipment_id} was voided: it must not be printed")
    if is_being_voided(reader, shipment_id):
        raise Conflict(
            f"The label of {shipment_id} is being voided: it must not be printed. "
            f"To finish that: shipcli void {shipment_id}"
        )


def _history(app: App, tx: Transaction, paper: Paper) -> list[dict[str, Any]]:
    where = {"object_id": paper.object_id, "kind": paper.kind, "test_mode": app.test_mode}
    return tx.select(TABLE, where, "number")


def _held(app: App, tx: Transaction, paper: Paper, history: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The job that waits for this paper already, None when a new one is to be made.

    Errors: Conflict when it is being printed, may have been printed, or was and is wanted once only.
    """
    by_state = {row["state"]: row for row in history}
    if SENDING in by_state:
        raise Conflict(f"{_name(by_state[SENDING])} is being printed at this moment")
    if paper.manner == AGAIN:
        for row in history:
            if row["state"] in (WAITING, UNKNOWN):
                row["state"] = CANCELLED if row["state"] == WAITING else REPLACED
                news = {"state": row["state"], "ended_at": app.now()}
                tx.update(TABLE, {"number": row["number"]}, news)
        return None
    if UNKNOWN in by_state:
        raise Conflict(_doubt(by_state[UNKNOWN]))
    if paper.manner == FIRST and PRINTED in by_state:
        raise Conflict(f"{_name(by_state[PRINTED])} was printed meanwhile")
    return by_state.get(WAITING)


def _name(row: Mapping[str, Any]) -> str:
    return f"The {row['kind']} of {row['object_id']} (job {row['number']})"


def _doubt(row: Mapping[str, Any]) -> str:
    number = row["number"]
    return (
        f"{_name(row)} may have been printed already: look at {row['printer']}; then send it again: shipcli "
        f"printers resume {number}, or say that it is there: shipcli printers cancel {number} --printed"
    )


def settle_row(app: App, tx: Transaction, row: dict[str, Any]) -> dict[str, Any]:
    """The row; one whose sender died between sending and saying so becomes unknown."""
    if not is_lost(app, row):
        return row
    news = {"state": UNKNOWN, "error": "interrupted while it was sent", "ended_at": app.now()}
    tx.update(TABLE, {"number": row["number"], "state": SENDING}, news)
    return {**row, **news}


def is_lost(app: App, row: Mapping[str, Any]) -> bool:
    """Whether nobody is left who would say what became of a job that is being sent."""
    from shipcli.features.core.processes import is_alive

    return row["state"] == SENDING and not (
        is_alive(row["owner"] or "") and row["until"] > app.store.steady()
    )


# -- sent ----------------------------------------------------------------------------------------


def send(app: App, job: PrintJob) -> PrintJob:
    """Print a job that waits, or one that a person sends again; the job as it is afterwards.

    Errors: PrinterError, and the job waits or is unknown; Conflict, NotFound or Invalid, and it is cancelled:
            the label was voided, or can't be made what the printer speaks.
    """
    from shipcli.features.printing.rendering import sheet_for

    printer = printers.get_printer_named(app, job.printer)
    try:
        sheet = sheet_for(app, job, printer)
    except ShipcliError as error:
        end(app, job, CANCELLED, error.message, before=(job.state,))
        raise
    _claim(app, job)
    try:
        printing.send(printer.target, sheet)
    except PrinterError as error:
        raise _unprinted(app, job, error) from None
    except BaseException:
        end(app, job, UNKNOWN, "interrupted while it was sent")
        raise
    return end(app, replace(job, format=sheet.format), PRINTED)


def _claim(app: App, job: PrintJob) -> None:
    """Say on disk that the job is being sent, before its first byte goes out.

    Errors: Conflict when another process has it, or its label was voided.
    """
    from shipcli.features.core.processes import identity

    voided = None
    with app.store.transaction(durable=True) as tx:
        rows = tx.select("shipments", {"id": job.object_id})
        if is_being_voided(tx, job.object_id):
            _refuse_voided(tx, job.object_id, "")
        if rows and rows[0]["status"] == "cancelled":
            voided = rows[0]["status"]
            news = {"state": CANCELLED, "error": "voided", "ended_at": app.now()}
            tx.update(TABLE, {"number": job.number}, news)
        else:
            # One that was seen waiting and became doubtful meanwhile is left to a person.
            claim = {"state": SENDING, "owner": identity(), "until": app.store.steady() + LASTS_S}
            news = {"printer": job.printer, "sent_at": app.now(), "ended_at": None, "error": None}
            if not tx.update(TABLE, {"number": job.number, "state": job.state}, claim | news):
                raise Conflict(f"Job {job.number} is being printed, or was printed or cancelled meanwhile")
    if voided:
        _refuse_voided(app.store, job.object_id, voided)


def _unprinted(app: App, job: PrintJob, error: PrinterError) -> PrinterError:
    """The error of a printer, with what became of the job."""
    text = f"the {job.paper} was not printed: {error.message}"
    if error.begun:
        end(app, job, UNKNOWN, error.message)
        text = f"the {job.paper} may be printed in part: {error.message}"
        settle = f"shipcli printers resume {job.number}, or shipcli printers cancel {job.number} --printed"
        return PrinterError(text, hint=f"look at the printer; then: {settle}", begun=True)
    end(app, job, WAITING, error.message)
    waiting = app.store.count_rows(
        TABLE, {"printer": job.printer, "state": WAITING, "test_mode": app.test_mode}
    )
    jobs = "its job waits" if waiting == 1 else f"{waiting} jobs wait"
    return PrinterError(text, hint=f"{error.hint}; {jobs}, then: shipcli printers resume")


def end(
    app: App, job: PrintJob, state: str, error: str | None = None, before: Sequence[str] = (SENDING,)
) -> PrintJob:
    """Write down what became of a job."""
    from shipcli.store.query import equal, one_of

    ended = None if state == WAITING else app.now()
    news = {"state": state, "format": job.format, "error": error, "owner": None, "ended_at": ended}
    with app.store.transaction(durable=True) as tx:
        tx.update(TABLE, [equal("number", job.number), one_of("state", before)], news)
        if state == PRINTED:
            _mark(tx, job)
        if state in (PRINTED, CANCELLED) and job.kind == printers.DOCUMENT:
            tx.remove("files", {"owner_id": job.object_id})
    return replace(job, state=state, error=error, ended_at=ended)


def _mark(tx: Transaction, job: PrintJob) -> None:
    """A printed label is no longer among the unprinted ones."""
    if job.kind == printers.LABEL:
        tx.mark("shipment", [job.object_id], {"printed": True})
