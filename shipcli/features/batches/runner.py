"""The work of a batch: store what it brings, then see to each resource, in a run that can be interrupted
anywhere.

What is left to do is what its rows say; whoever holds the batch's job goes on from there. A resource that
fails is told so and stops no other.
"""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shipcli.features.batches.items import (
    COMPLETED,
    FAILED,
    KIND,
    OPEN,
    PARTLY,
    QUEUED,
    RUNNING,
    Entry,
    bodies,
    counts,
    entries,
    forget_bodies,
    mark,
    parts,
    unmoved,
    whole,
)
from shipcli.models import Message, Refused, ShipcliError
from shipcli.models.base import to_timestamp
from shipcli.store.errors import StoreError

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.transaction import Transaction

log = logging.getLogger("shipcli.batches")

CHUNK = 100
PAUSE_S = 0.5
ROWFAIL = "ROWFAIL"  # in a sandbox, the reference of a resource that is to fail
# What code raises that meets data it was not made for: the resource fails, the others go on.
MISTAKES = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError)
Progress = Callable[[int, int], None]  # ended, of how many


def silent(ended: int, total: int) -> None:
    """No progress is shown."""


@dataclass(frozen=True)
class Work:
    """A batch in the hands of whoever holds its job; `done` ends that job as part of a transaction."""

    app: App
    batch_id: str
    done: Callable[[Transaction], bool]
    halt: threading.Event
    progress: Progress = silent


@dataclass(frozen=True)
class Saved:
    """What storing a resource gave: the id of its object, and whether there is more to do."""

    resource_id: str | None
    state: str = RUNNING


@dataclass(frozen=True)
class Trade:
    """How one type of resource is stored and seen to; its body is kept until it was seen to when `late`."""

    save: Callable[[App, Transaction, Entry, dict[str, Any]], Saved]
    process: Callable[[Work, Sequence[Entry]], None]
    late: bool = False


def carry_on(work: Work) -> bool:
    """Do what is left of a batch; False when it was halted before the end."""
    from shipcli.features.batches.handlers import TRADES
    from shipcli.features.batches.reading import read_file

    document = work.app.store.get(KIND, work.batch_id, work.app.test_mode)
    if document is None or document["status"] not in OPEN:
        with work.app.store.transaction() as tx:
            work.done(tx)
        return True
    trade = TRADES[document["resource_type"]]
    if not (read_file(work) and _save_all(work, trade)):
        return False
    begin(work)
    if not _process_all(work, trade):
        return False
    end(work)
    return True


# -- storing ---------------------------------------------------------------------------------------


def _save_all(work: Work, trade: Trade) -> bool:
    while not work.halt.is_set():
        waiting = entries(work.app.store, work.batch_id, [QUEUED], CHUNK)
        if not waiting:
            return True
        _save(work, trade, waiting)
        tell(work)
    return False


def _save(work: Work, trade: Trade, waiting: Sequence[Entry]) -> None:
    def save(tx: Transaction, some: Sequence[Entry]) -> None:
        known = bodies(tx, work.batch_id, [one.position for one in some])
        for one in some:
            saved = trade.save(work.app, tx, one, known[one.position])
            mark(tx, one, saved.state, resource_id=saved.resource_id)
        if not trade.late:
            forget_bodies(tx, work.batch_id, list(known))

    together(work.app, waiting, save)


def together(app: App, some: Sequence[Entry], do: Callable[[Transaction, Sequence[Entry]], None]) -> None:
    """Do the work of some resources in one transaction; what can't be done is found by trying each alone.

    Those that have moved on since they were read are left out.
    """
    try:
        with app.store.transaction() as tx:
            do(tx, unmoved(tx, some))
    except StoreError:
        raise
    except (ShipcliError, *MISTAKES) as error:
        if len(some) == 1:
            fail(app, some[0], error)
        else:
            for one in some:
                together(app, [one], do)


# -- processing ------------------------------------------------------------------------------------


def _process_all(work: Work, trade: Trade) -> bool:
    """See to all that is stored; what another process is at is waited for."""
    while before := counts(work.app.store, work.batch_id)[RUNNING]:
        for rows in parts(work.app.store, work.batch_id, [RUNNING]):
            trade.process(work, rows)
            if work.halt.is_set():
                return False
        left = counts(work.app.store, work.batch_id)[RUNNING]
        if left == before and work.halt.wait(PAUSE_S):
            return False
    return True


def fail(app: App, entry: Entry, error: Exception) -> None:
    """Say of a resource why it failed, unless it has ended otherwise by now."""
    errors = errors_of(error)
    with app.store.transaction() as tx:
        mark(tx, entry, FAILED, errors=errors)


def errors_of(error: Exception) -> dict[str, Any]:
    """An error as a resource shows it; one of ours that nobody expected leaves its record in the log."""
    if isinstance(error, ShipcliError):
        return error.body()
    trace_id = uuid.uuid4().hex
    log.error("a resource of a batch failed, trace %s", trace_id, exc_info=error)
    return ShipcliError(f"The resource can't be handled (trace {trace_id})", code="internal_error").body()


def check_wish(app: App, reference: str | None) -> None:
    """Errors: Refused when a sandbox is asked to let this resource fail."""
    if app.sandbox and reference == ROWFAIL:
        raise Refused([Message(code="row_failed", message=f"The reference {ROWFAIL} makes a resource fail")])


def tell(work: Work) -> None:
    """Show how far the batch is."""
    if work.progress is not silent:
        found = counts(work.app.store, work.batch_id)
        work.progress(found[COMPLETED] + found[FAILED], sum(found.values()))


# -- the batch itself ------------------------------------------------------------------------------


def begin(work: Work) -> None:
    """All resources are stored: the batch runs."""
    with work.app.store.transaction() as tx:
        document = tx.get(KIND, work.batch_id)
        if document and document["status"] == QUEUED:
            write(work.app, tx, document, RUNNING)


def end(work: Work) -> None:
    """Nothing is left: the batch and its job end together."""
    with work.app.store.transaction() as tx:
        document = tx.get(KIND, work.batch_id)
        if work.done(tx) and document and document["status"] in OPEN:
            write(work.app, tx, document, outcome(counts(tx, work.batch_id)))


def outcome(found: dict[str, int]) -> str:
    """The status of a batch whose resources ended like this."""
    if not found[FAILED]:
        return COMPLETED
    return PARTLY if found[COMPLETED] else FAILED


EVENTS = {
    QUEUED: "batch_queued",
    RUNNING: "batch_running",
    COMPLETED: "batch_completed",
    PARTLY: "batch_completed",
    FAILED: "batch_failed",
}


def write(app: App, tx: Transaction, document: dict[str, Any], status: str) -> dict[str, Any]:
    """A batch with another status, stored, and its event; its REST form."""
    from shipcli.events import emit

    now = to_timestamp(app.now())
    changed = {**document, "status": status, "updated_at": now, "resources": []}
    tx.put(KIND, changed, test_mode=app.test_mode)
    shown = whole(tx, changed)
    emit(tx, app, EVENTS[status], shown)
    return shown
