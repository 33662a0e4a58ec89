"""The work of a batch: store what it brings, then see to each resource, in a run that can be interrupted
anywhere.

What is left to do is what its rows say; whoever holds the batch's job goes on from there. A resource that
fails is told so and stops no other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shipcli.features.files.batches.handlers import HANDLERS
from shipcli.features.files.batches.items import (
    COMPLETED,
    FAILED,
    KIND,
    OPEN,
    PARTLY,
    QUEUED,
    RUNNING,
    BatchItem,
    count_by_state,
    forget_bodies,
    iterate_items,
    list_items,
    mark,
    read_bodies,
)
from shipcli.features.files.batches.reading import read_file
from shipcli.features.files.batches.work import (
    CHUNK,
    BatchRun,
    ResourceHandler,
    do_together,
    show_progress,
    write,
)

if TYPE_CHECKING:
    from shipcli.store.queries import Reader
    from shipcli.store.transaction import Transaction

PAUSE_S = 0.5


def carry_on(work: BatchRun) -> bool:
    """Do what is left of a batch; False if it was halted before the end."""
    document = work.app.store.get(KIND, work.batch_id, work.app.test_mode)
    if document is None or document["status"] not in OPEN:
        with work.app.store.transaction(locks=()) as tx:
            work.done(tx)
        return True
    handler = HANDLERS[document["resource_type"]]
    if not (read_file(work) and _save_all(work, handler)):
        return False
    begin(work)
    if not _process_all(work, handler):
        return False
    end(work)
    return True


# -- storing ---------------------------------------------------------------------------------------


def _save_all(work: BatchRun, handler: ResourceHandler) -> bool:
    while not work.halt.is_set():
        waiting = list_items(work.app.store, work.batch_id, [QUEUED], CHUNK)
        if not waiting:
            return True
        _save(work, handler, waiting)
        show_progress(work)
    return False


def _save(work: BatchRun, handler: ResourceHandler, waiting: Sequence[BatchItem]) -> None:
    bodies = read_bodies(work.app.store, work.batch_id, [item.position for item in waiting])

    def save(tx: Transaction, some: Sequence[BatchItem]) -> None:
        for item in some:
            saved = handler.save(work.app, tx, item, bodies[item.position])
            mark(tx, item, saved.state, resource_id=saved.resource_id)
        if not handler.late:
            forget_bodies(tx, work.batch_id, [item.position for item in some])

    list_locks = handler.list_locks

    def find_locks(reader: Reader, some: Sequence[BatchItem]) -> list[str]:
        return list_locks(work.app, reader, [bodies[item.position] for item in some]) if list_locks else []

    do_together(work.app, waiting, save, find_locks if list_locks else None)


# -- processing ------------------------------------------------------------------------------------


def _process_all(work: BatchRun, handler: ResourceHandler) -> bool:
    """Process all that is stored; wait for what another process is working on."""
    while before := count_by_state(work.app.store, work.batch_id)[RUNNING]:
        for rows in iterate_items(work.app.store, work.batch_id, [RUNNING]):
            handler.process(work, rows)
            if work.halt.is_set():
                return False
        left = count_by_state(work.app.store, work.batch_id)[RUNNING]
        if left == before and work.halt.wait(PAUSE_S):
            return False
    return True


# -- the batch itself ------------------------------------------------------------------------------


def begin(work: BatchRun) -> None:
    """Mark the batch as running: all its resources are stored."""
    with work.app.store.transaction(locks=[f"batch/{work.batch_id}"]) as tx:
        document = tx.get(KIND, work.batch_id)
        if document and document["status"] == QUEUED:
            write(work.app, tx, document, RUNNING)


def end(work: BatchRun) -> None:
    """End the batch and its job together: nothing is left to do."""
    with work.app.store.transaction(locks=[f"batch/{work.batch_id}"]) as tx:
        document = tx.get(KIND, work.batch_id)
        if work.done(tx) and document and document["status"] in OPEN:
            write(work.app, tx, document, derive_status(count_by_state(tx, work.batch_id)))


def derive_status(counts: dict[str, int]) -> str:
    """The status of a batch whose resources ended in these states."""
    if not counts[FAILED]:
        return COMPLETED
    return PARTLY if counts[COMPLETED] else FAILED
