"""A batch while it is processed, and how each of its resources is stored, processed or fails."""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from shipcli.features.files.batches.items import (
    COMPLETED,
    FAILED,
    KIND,
    PARTLY,
    QUEUED,
    RUNNING,
    BatchItem,
    assemble_batch,
    count_by_state,
    mark,
    select_unmoved,
)
from shipcli.models import Message, Refused, ShipcliError
from shipcli.models.base import write_timestamp
from shipcli.store.errors import StoreError

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.queries import Reader
    from shipcli.store.transaction import Transaction

log = logging.getLogger("shipcli.batches")

CHUNK = 100
ROWFAIL = "ROWFAIL"  # in a sandbox, the reference of a resource that is to fail
# What code raises that meets data it was not made for: the resource fails, the others go on.
MISTAKES = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError)
FindRowLocks = Callable[["Reader", Sequence[BatchItem]], list[str]]
Progress = Callable[[int, int], None]  # ended, of how many


def show_nothing(ended: int, total: int) -> None:
    """Show no progress."""


@dataclass(frozen=True)
class BatchRun:
    """A batch as the holder of its job sees it; `done` ends that job as part of a transaction."""

    app: App
    batch_id: str
    done: Callable[[Transaction], bool]
    halt: threading.Event
    progress: Progress = show_nothing


@dataclass(frozen=True)
class StoredResource:
    """The result of storing a resource: the id of its object, and whether there is more to do."""

    resource_id: str | None
    state: str = RUNNING


@dataclass(frozen=True)
class ResourceHandler:
    """How one type of resource is stored and processed; if `late`, its body is kept until it is processed.

    `list_locks` names what storing bodies reads; without it, that is done alone.
    """

    save: Callable[[App, Transaction, BatchItem, dict[str, Any]], StoredResource]
    process: Callable[[BatchRun, Sequence[BatchItem]], None]
    list_locks: Callable[[App, Reader, Sequence[dict[str, Any]]], list[str]] | None = None
    late: bool = False


def do_together(
    app: App,
    some: Sequence[BatchItem],
    do: Callable[[Transaction, Sequence[BatchItem]], None],
    find_locks: FindRowLocks | None,
) -> None:
    """Process some resources in one transaction; if that fails, each is tried alone to find the failing ones.

    Resources whose state has changed since they were read are left out. `find_locks` names what `do` reads of
    other objects; without it, the transaction is alone.
    """
    locks = find_locks and partial(_list_locks, some=some, find=find_locks)
    try:
        with app.store.transaction(locks=locks) as tx:
            do(tx, select_unmoved(tx, some))
    except StoreError:
        raise
    except (ShipcliError, *MISTAKES) as error:
        if len(some) == 1:
            fail(app, some[0], error)
        else:
            for item in some:
                do_together(app, [item], do, find_locks)


def _list_locks(reader: Reader, some: Sequence[BatchItem], find: FindRowLocks) -> list[str]:
    return [f"batch/{some[0].batch_id}", *find(reader, some)]


def name_no_others(reader: Reader, some: Sequence[BatchItem]) -> list[str]:
    """For what looks at the resources themselves only."""
    return []


def fail(app: App, entry: BatchItem, error: Exception) -> None:
    """Record why a resource failed, unless it has ended in another way by now."""
    errors = describe_error(error)
    with app.store.transaction(locks=()) as tx:
        mark(tx, entry, FAILED, errors=errors)


def describe_error(error: Exception) -> dict[str, Any]:
    """An error as a resource shows it; an unexpected one is recorded in the log."""
    if isinstance(error, ShipcliError):
        return error.body()
    trace_id = uuid.uuid4().hex
    log.error("a resource of a batch failed, trace %s", trace_id, exc_info=error)
    return ShipcliError(f"The resource can't be handled (trace {trace_id})", code="internal_error").body()


def check_row_failure(app: App, reference: str | None) -> None:
    """Errors: Refused if a sandbox was told to make this resource fail."""
    if app.sandbox and reference == ROWFAIL:
        raise Refused([Message(code="row_failed", message=f"The reference {ROWFAIL} makes a resource fail")])


def show_progress(work: BatchRun) -> None:
    """Show the progress of the batch."""
    if work.progress is not show_nothing:
        counts = count_by_state(work.app.store, work.batch_id)
        work.progress(counts[COMPLETED] + counts[FAILED], sum(counts.values()))


EVENTS = {
    QUEUED: "batch_queued",
    RUNNING: "batch_running",
    COMPLETED: "batch_completed",
    PARTLY: "batch_completed",
    FAILED: "batch_failed",
}


def write(app: App, tx: Transaction, document: dict[str, Any], status: str) -> dict[str, Any]:
    """Store a batch with a new status and its event; returns its REST form."""
    from shipcli.events import emit

    now = write_timestamp(app.now())
    changed = {**document, "status": status, "updated_at": now, "resources": []}
    tx.put(KIND, changed, test_mode=app.test_mode)
    shown = assemble_batch(tx, changed)
    emit(tx, app, EVENTS[status], shown)
    return shown
