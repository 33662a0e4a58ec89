"""Which papers must not be printed, and why: voided labels, unwanted second copies, and doubtful ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shipcli.features.connections.intent_states import is_being_voided
from shipcli.features.paper.printing.printers import DOCUMENT, LABEL, MANIFEST, SLIP
from shipcli.features.paper.printing.sheet import AGAIN, FIRST, PRINTED, SENDING, UNKNOWN, WAITING
from shipcli.models.basics.errors import Conflict, NotFound
from shipcli.models.basics.text import name_object, name_uniquely

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.paper.printing.print_requests import Paper, PrintJob
    from shipcli.store.queries import Reader

Row = Mapping[str, Any]


def find_owner(app: App, reader: Reader, paper: Paper) -> dict[str, Any]:
    """Return the row of the shipment or manifest that a paper belongs to; None for a document.

    Errors: NotFound, also for a paper that the shipment does not have; Conflict for those of a voided label.
    """
    if paper.kind == DOCUMENT:
        return {"id": paper.object_id}
    kind = "manifest" if paper.kind == MANIFEST else "shipment"
    rows = reader.select(f"{kind}s", {"id": paper.object_id, "test_mode": app.test_mode})
    if not rows:
        raise NotFound(kind, paper.object_id)
    if kind == "shipment":
        refuse_voided(reader, rows[0])
        _refuse_missing(reader, paper, rows[0])
    return rows[0]


def make_title(paper: Paper, owner: Row) -> str:
    """Its name in a queue: its own title, the reference of a manifest, else the tracking number."""
    if paper.kind == DOCUMENT:
        return paper.title
    return str(owner["reference" if paper.kind == MANIFEST else "tracking_number"] or "")


def _refuse_missing(reader: Reader, paper: Paper, shipment: Row) -> None:
    made_when_printed = paper.kind == SLIP
    if not made_when_printed and not reader.count_rows(
        "files", {"owner_id": paper.object_id, "name": paper.kind}
    ):
        raise NotFound(paper.kind, message=f"The shipment {name_object(shipment)} has no {paper.kind}")


def refuse_voided(reader: Reader, shipment: Row) -> None:
    """Errors: Conflict for a label that is or may be void."""
    name = name_object(shipment)
    if shipment["status"] == "cancelled":
        raise Conflict(f"The label of {name} was voided: it must not be printed")
    if is_being_voided(reader, shipment["id"]):
        raise Conflict(
            f"The label of {name} is being voided: it must not be printed. "
            f"To finish that: shipcli void {name_uniquely(shipment)}"
        )


def is_here(app: App, bench: str | None) -> bool:
    """Return whether a job made at this bench is printed here: others have printers of their own."""
    return bench is None or bench == app.config["bench"]


def refuse_elsewhere(app: App, job: PrintJob) -> None:
    """Errors: Conflict for a job that another bench made."""
    if not is_here(app, job.bench):
        raise Conflict(
            f"Job {job.number} belongs to the bench {job.bench} and is printed there; "
            f"to give it up: shipcli printers cancel {job.number}"
        )


def refuse_copy(app: App, paper: Paper, owner: Row, history: Sequence[Row]) -> None:
    """Errors: Conflict for a paper that is being printed, may have been, or was and is wanted once, and for
    one that waits at another bench.
    """
    by_state = {row["state"]: row for row in history}
    if SENDING in by_state:
        raise Conflict(f"{_name_job(by_state[SENDING])} is being printed at this moment")
    if paper.copy_rule == AGAIN:
        return
    if UNKNOWN in by_state:
        raise Conflict(_describe_doubt(by_state[UNKNOWN]))
    if paper.copy_rule == FIRST and (PRINTED in by_state or (paper.kind == LABEL and owner["printed"])):
        raise Conflict(_describe_second_copy(paper, owner, by_state.get(PRINTED)))
    if WAITING in by_state and not is_here(app, by_state[WAITING]["bench"]):
        raise Conflict(_describe_waiting(by_state[WAITING]))


def _describe_second_copy(paper: Paper, owner: Row, printed: Row | None) -> str:
    where = f" on {printed['printer']} (job {printed['number']})" if printed else ""
    again = f"shipcli reprint {name_uniquely(owner)}"
    return f"The {paper.kind} of {name_object(owner)} was printed before{where}; for another copy: {again}"


def _name_job(row: Row) -> str:
    return f"The {row['kind']} of {row['title'] or row['object_id']} (job {row['number']})"


def _describe_waiting(row: Row) -> str:
    number = row["number"]
    return (
        f"{_name_job(row)} waits at the bench {row['bench']} and is printed there; "
        f"to print it here, give that up: shipcli printers cancel {number}"
    )


def _describe_doubt(row: Row) -> str:
    number = row["number"]
    return (
        f"{_name_job(row)} may have been printed already: look at {row['printer']}; then send it again: "
        f"shipcli printers resume {number}, or say that it is there: "
        f"shipcli printers cancel {number} --printed"
    )
