"""Batches: many objects in one request, processed in the background, with a result for each.

A batch is checked whole before anything is stored. Then it is queued with the bodies of its resources, and
one durable job stores and processes them; see `work`. Orders and shipments made by it bear its id or
are named by its resources, which are rows of their own and part of the REST form only.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from shipcli.features.core.interruption import was_interrupted
from shipcli.features.files.batches import items as batch_items
from shipcli.features.files.batches.file_batches import is_long, read_file_items, read_rows
from shipcli.features.files.batches.items import (
    FAILED,
    KIND,
    OPEN,
    QUEUE,
    QUEUED,
    RUN,
    RUNNING,
    Item,
    assemble_batch,
    count_by_state,
)
from shipcli.features.files.batches.reading import pack_file
from shipcli.features.files.batches.runner import carry_on, derive_status
from shipcli.features.files.batches.validation import (
    list_order_items,
    list_shipment_items,
    list_tracker_items,
)
from shipcli.features.files.batches.work import BatchRun, Progress, show_nothing, write
from shipcli.features.files.data_templates import map_file
from shipcli.features.files.import_notes import list_messages
from shipcli.models import (
    BatchOperation,
    BatchOrderData,
    BatchShipmentData,
    BatchTrackerData,
    Conflict,
    ImportData,
    Invalid,
    NotFound,
    ShipcliError,
    json,
)
from shipcli.models.base import write_timestamp
from shipcli.readers.tables import DataFile
from shipcli.store.errors import StoreError
from shipcli.store.jobs import FAILED as JOB_FAILED
from shipcli.store.jobs import LEASE_S
from shipcli.store.query import equal, one_of

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.core.idempotency_key import IdempotencyKey
    from shipcli.readers.mapping import MappedFile
    from shipcli.store.jobs import QueuedJob
    from shipcli.store.query import Filter
    from shipcli.store.transaction import Transaction

RENEWAL_S = LEASE_S / 4
LOST = "The work on this batch was given up"


# -- making ----------------------------------------------------------------------------------------


def create_orders(app: App, data: BatchOrderData, *, once: IdempotencyKey | None = None) -> BatchOperation:
    """Create a batch that stores orders; an existing order with the same number and source is used as it is.

    Errors: InvalidRows naming every wrong element by its index; nothing is stored then.
    """
    return _create_batch(app, "orders", lambda batch_id: list_order_items(app, data, batch_id), once)


def create_shipments(
    app: App, data: BatchShipmentData, *, once: IdempotencyKey | None = None
) -> BatchOperation:
    """Create a batch that stores and rates drafts, and buys those that name a service.

    Errors: InvalidRows naming every wrong element by its index; nothing is stored then.
    """
    return _create_batch(app, "shipments", lambda _: list_shipment_items(app, data), once)


def create_trackers(
    app: App, data: BatchTrackerData, *, once: IdempotencyKey | None = None
) -> BatchOperation:
    """Create a batch that watches numbers; an existing tracker of the number is used as it is.

    Errors: InvalidRows naming every wrong element by its index; nothing is stored then.
    """
    return _create_batch(app, "trackers", lambda _: list_tracker_items(app, data), once)


def import_data(
    app: App, data: ImportData, name: str, content: bytes, *, once: IdempotencyKey | None = None
) -> BatchOperation:
    """Create a batch from the rows of a file; errors refer to the file by `name`.

    The rows of a long file are checked by the batch's job: when some are wrong the batch fails, naming them.
    A row that was imported before, by its reference or its place in the same file, keeps its shipment.
    Errors: Invalid for a file that is not a table or lacks columns, and for a wrong template; InvalidRows
            naming every bad cell of a short file. Nothing is stored then.
    """
    source, resource_type = DataFile(name, content), data.resource_type
    if not any(source.headers):
        raise Invalid(name, "The file has no column names.")
    table = map_file(app, source, resource_type, template=data.data_template or None, is_exact=True)
    if is_long(table):
        read_rows(app, table, resource_type, "")  # looks at the columns only
        return _create_batch(app, resource_type, lambda _: [], once, table, pack_file(table, content))
    return _create_batch(
        app, resource_type, lambda batch_id: read_file_items(app, table, resource_type, batch_id), once, table
    )


def _create_batch(
    app: App,
    resource_type: str,
    read: Callable[[str], list[Item]],
    once: IdempotencyKey | None,
    table: MappedFile | None = None,
    file: bytes | None = None,
) -> BatchOperation:
    batch_id = app.new_id("batch_")
    items = read(batch_id)
    batch = BatchOperation(
        id=batch_id,
        resource_type=resource_type,
        messages=list_messages(table, (cell for item in items for cell in item.notes)) if table else None,
        created_at=write_timestamp(app.now()),
        test_mode=app.test_mode,
    )
    with app.store.transaction() as tx:
        stored = write(app, tx, batch.model_dump(), QUEUED)
        batch_items.put(tx, batch_id, list(enumerate(items)))
        if file:
            batch_items.put_file(tx, batch_id, file)
        enqueue(app, tx, batch_id)
        if once:
            once.remember_made(tx, stored)
    return BatchOperation.model_validate(stored)


def enqueue(app: App, tx: Transaction, batch_id: str) -> None:
    """Queue the job of a batch."""
    app.jobs.enqueue(tx, QUEUE, RUN, _make_job_args(app, batch_id), unique=_make_job_key(batch_id))


def _make_job_args(app: App, batch_id: str) -> dict[str, Any]:
    return {"batch_id": batch_id, "test_mode": app.test_mode}


def _make_job_key(batch_id: str) -> str:
    return f"batch/{batch_id}"


# -- reading ---------------------------------------------------------------------------------------


def get_batch(app: App, batch_id: str) -> BatchOperation:
    """A batch with its resources as they stand now.

    Errors: NotFound.
    """
    document = app.store.get(KIND, batch_id, app.test_mode)
    if document is None:
        raise NotFound(KIND, batch_id)
    return BatchOperation.model_validate(assemble_batch(app.store, document))


def list_batches(
    app: App, where: Sequence[Filter] = (), limit: int = 20, offset: int = 0
) -> tuple[int, list[dict[str, Any]]]:
    """The number of batches that match, and one page of them in their REST form, newest first."""
    page = app.store.page(KIND, where, limit, offset, app.test_mode)
    return page.count, [assemble_batch(app.store, json.loads(text)) for text in page.items]


def is_over(batch: BatchOperation) -> bool:
    """Whether a batch has ended."""
    return batch.status not in OPEN


# -- doing -----------------------------------------------------------------------------------------


def run_here(app: App, batch_id: str, progress: Progress = show_nothing) -> bool:
    """Process a batch here; False if it has ended or another process is working on it.

    A worker takes it over if this process dies or is interrupted.
    Errors: NotFound.
    """
    job = _hold(app, batch_id)
    if job is None:
        return False
    with _keep_renewed(app, job) as halt:
        return carry_on(BatchRun(app, batch_id, lambda tx: app.jobs.finish(tx, [job]) == 1, halt, progress))


def _hold(app: App, batch_id: str) -> QueuedJob | None:
    """Claim the job of a batch; None if there is nothing to do or another process holds it."""
    with app.store.transaction() as tx:
        document = tx.get(KIND, batch_id, app.test_mode)
        if document is None:
            raise NotFound(KIND, batch_id)
        if document["status"] not in OPEN:
            return None
        return app.jobs.hold(tx, QUEUE, RUN, _make_job_args(app, batch_id), unique=_make_job_key(batch_id))


class Halt(threading.Event):
    """Whether this process must leave a batch to others: it lost the job, or was asked to end."""

    def is_set(self) -> bool:
        return super().is_set() or was_interrupted()


@contextmanager
def _keep_renewed(app: App, job: QueuedJob) -> Iterator[threading.Event]:
    """Renew the lease of a job while the block runs; the event is set if it was lost nevertheless.

    If the store was full or busy, the next renewal makes up for it: a lease lasts for four.
    """
    lost, over = Halt(), threading.Event()

    def renew() -> None:
        while not over.wait(RENEWAL_S):
            with suppress(StoreError):
                if not app.jobs.renew([job]):
                    lost.set()

    thread = threading.Thread(target=renew, name="lease", daemon=True)
    thread.start()
    try:
        yield lost
    finally:
        over.set()
        thread.join()
        app.jobs.release([job])


def retry_failed(app: App, batch_id: str) -> int:
    """Try the failed resources of a batch again; returns how many. A file that was never read counts as one.

    Errors: NotFound; Conflict while the batch has not ended.
    """
    with app.store.transaction() as tx:
        document = tx.get(KIND, batch_id, app.test_mode)
        if document is None:
            raise NotFound(KIND, batch_id)
        if document["status"] in OPEN:
            raise Conflict(f"The batch is {document['status']}: wait until it has ended")
        again = batch_items.open_again(tx, batch_id)
        is_unread = batch_items.has_file(tx, batch_id)
        if again or is_unread:
            write(app, tx, document, QUEUED if is_unread else RUNNING)
            enqueue(app, tx, batch_id)
    return again or int(is_unread)


def give_up_lost(app: App) -> list[str]:
    """End the batches that nobody will process, as their job failed or was discarded; returns their ids."""
    where = [equal("test_mode", app.test_mode), one_of("status", OPEN)]
    return [row["id"] for row in app.store.select("batches", where) if _end_lost_batch(app, row["id"])]


def _end_lost_batch(app: App, batch_id: str) -> bool:
    with app.store.transaction() as tx:
        document = tx.get(KIND, batch_id)
        jobs = [job for job in app.jobs.find(queue=QUEUE) if job.args.get("batch_id") == batch_id]
        if document is None or document["status"] not in OPEN or any(job.state != JOB_FAILED for job in jobs):
            return False
        reason = "; ".join(str(job.error) for job in jobs if job.error)
        error = ShipcliError(f"{LOST}: {reason}" if reason else LOST)
        batch_items.end_all(tx, batch_id, FAILED, error.body())
        unread = batch_items.has_file(tx, batch_id)
        write(app, tx, document, FAILED if unread else derive_status(count_by_state(tx, batch_id)))
    return True
