"""The resources of batches as rows: each is marked in the transaction that does its work.

A row waits (`queued`) with its body in `batch_work`, is under way (`running`) once its object is stored, and
ends `completed` or `failed`. The body of a resource that failed before it was stored is kept, to try again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from shipcli.store.query import at_least, differs, equal, one_of

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.core.saved_document import SavedDocument
    from shipcli.readers.cells import CellError
    from shipcli.store.queries import Reader
    from shipcli.store.query import Filter
    from shipcli.store.transaction import Transaction

KIND = "batch"
QUEUE, RUN = "batches", "run_batch"  # where and as what the work on a batch is written down
RESOURCES, WORK = "batch_resources", "batch_work"
FILE = "import"  # its name among the files of its batch
QUEUED, RUNNING, COMPLETED, FAILED = "queued", "running", "completed", "failed"
PART = 1000  # resources that are read, and seen to, in one go
PARTLY = "completed_with_errors"
OPEN = (QUEUED, RUNNING)
STATES = (*OPEN, COMPLETED, FAILED)
OUTCOMES = {"purchased": COMPLETED, "needs_attention": FAILED}  # of a shipment, and of its row


@dataclass(frozen=True)
class Item:
    """One resource of a new batch: its body, the id of its object if there is one, the service to buy."""

    body: Mapping[str, Any] | None = None
    resource_id: str | None = None
    service: str | None = None
    state: str = QUEUED
    errors: Mapping[str, Any] | None = None
    notes: tuple[CellError, ...] = ()  # about the cells of its rows; kept with the batch


@dataclass(frozen=True)
class BatchItem:
    """A resource in its present state."""

    batch_id: str
    position: int
    resource_id: str | None
    service: str | None
    state: str
    errors: Mapping[str, Any] | None


def put(tx: Transaction, batch_id: str, items: Sequence[tuple[int, Item]]) -> None:
    """Store resources at their positions."""
    tx.upsert_many(RESOURCES, [
        {
            "batch_id": batch_id, "position": position, "resource_id": item.resource_id,
            "service": item.service, "state": item.state, "errors": item.errors,
        }
        for position, item in items
    ])  # fmt: skip
    tx.upsert_many(WORK, [
        {"batch_id": batch_id, "position": position, "body": item.body}
        for position, item in items if item.body is not None
    ])  # fmt: skip


def clear(tx: Transaction, batch_id: str) -> None:
    """Delete the resources of a batch of which none has been processed."""
    for table in (RESOURCES, WORK):
        tx.remove(table, {"batch_id": batch_id})


def keep_failed(tx: Transaction, batch_id: str) -> None:
    """Keep only the failed resources of a batch that is not processed because of them."""
    tx.remove(RESOURCES, [equal("batch_id", batch_id), differs("state", FAILED)])
    tx.remove(WORK, {"batch_id": batch_id})


def list_items(
    reader: Reader, batch_id: str, states: Sequence[str] = STATES, limit: int | None = None, start: int = 0
) -> list[BatchItem]:
    """The resources of a batch in these states from a position on, in their order."""
    where = [equal("batch_id", batch_id), *([] if tuple(states) == STATES else [one_of("state", states)])]
    where += [at_least("position", start)] if start else []
    return [BatchItem(**row) for row in reader.select(RESOURCES, where, "position", limit)]


def iterate_items(reader: Reader, batch_id: str, states: Sequence[str] = STATES) -> Iterator[list[BatchItem]]:
    """The same, some of them at a time."""
    start = 0
    while some := list_items(reader, batch_id, states, PART, start):
        yield some
        start = some[-1].position + 1


def select_unmoved(reader: Reader, some: Sequence[BatchItem]) -> list[BatchItem]:
    """Those of these resources, all of one batch, whose state has not changed since they were read."""
    where = _filter_by_position(some[0].batch_id, [item.position for item in some]) if some else []
    now = {row["position"]: row["state"] for row in reader.select(RESOURCES, where)} if some else {}
    return [item for item in some if now.get(item.position) == item.state]


def read_bodies(reader: Reader, batch_id: str, positions: Sequence[int]) -> dict[int, dict[str, Any]]:
    """The bodies of these resources that are still to be stored, by position."""
    rows = reader.select(WORK, _filter_by_position(batch_id, positions))
    return {row["position"]: row["body"] for row in rows}


def count_by_state(reader: Reader, batch_id: str) -> dict[str, int]:
    """The number of resources in each state."""
    return {state: reader.count_rows(RESOURCES, {"batch_id": batch_id, "state": state}) for state in STATES}


def mark(tx: Transaction, entry: BatchItem, state: str, **values: Any) -> bool:
    """Change a resource unless its state has changed since it was read; returns whether it was changed."""
    where = [*_filter_by_position(entry.batch_id, [entry.position]), equal("state", entry.state)]
    return tx.update(RESOURCES, where, {"state": state, **values}) == 1


def forget_bodies(tx: Transaction, batch_id: str, positions: Sequence[int]) -> None:
    """Delete the bodies of these resources, which are stored by now."""
    if positions:
        tx.remove(WORK, _filter_by_position(batch_id, positions))


def follow(app: App, tx: Transaction, saved: SavedDocument) -> None:
    """Record what became of a purchase in every batch that is processing its shipment."""
    state = OUTCOMES.get(saved.document["status"]) if saved.cause == "outcome" and not saved.is_new else None
    if state:
        under_way = [equal("resource_id", saved.document["id"]), equal("state", RUNNING)]
        errors = saved.error.body() if saved.error else None
        tx.update(RESOURCES, under_way, {"state": state, "errors": errors})


def end_all(tx: Transaction, batch_id: str, state: str, errors: Mapping[str, Any] | None = None) -> None:
    """End all resources of a batch that have not ended yet in this state."""
    tx.update(RESOURCES, [equal("batch_id", batch_id), one_of("state", OPEN)],
              {"state": state, "errors": errors})  # fmt: skip


def open_again(tx: Transaction, batch_id: str) -> int:
    """Start failed resources again, those never stored from their bodies; returns how many.

    A row that was refused when its file was read has no body either.
    """
    failed = list_items(tx, batch_id, [FAILED])
    bodied = {position for (position,) in tx.columns(WORK, ["position"], {"batch_id": batch_id})}
    again = [item for item in failed if item.position in bodied or item.resource_id]
    for item in again:
        state = QUEUED if item.position in bodied else RUNNING
        tx.update(RESOURCES, _filter_by_position(batch_id, [item.position]), {"state": state, "errors": None})
    return len(again)


# -- a file whose rows are not written down yet ----------------------------------------------------


def put_file(tx: Transaction, batch_id: str, content: bytes) -> None:
    """Store the file of a batch."""
    tx.put_file(batch_id, FILE, content, format="", media_type="application/octet-stream")


def find_file(reader: Reader, batch_id: str) -> bytes | None:
    """The stored file of a batch."""
    stored = reader.file(batch_id, FILE)
    return bytes(stored["content"]) if stored else None


def has_file(reader: Reader, batch_id: str) -> bool:
    """Whether the batch has a stored file."""
    return bool(reader.count_rows("files", {"owner_id": batch_id, "name": FILE}))


def forget_file(tx: Transaction, batch_id: str) -> bool:
    """Delete the file, whose rows are all stored; False if there was none."""
    return tx.remove("files", {"owner_id": batch_id, "name": FILE}) == 1


# -- the whole -------------------------------------------------------------------------------------


def assemble_batch(reader: Reader, document: Mapping[str, Any]) -> dict[str, Any]:
    """The REST form of a stored batch: its resources are read from where they rest, once they are stored."""
    shown = () if document["status"] == QUEUED else chain.from_iterable(iterate_items(reader, document["id"]))
    return {**document, "resources": [_show_item(entry) for entry in shown]}


def _show_item(entry: BatchItem) -> dict[str, Any]:
    named = {"id": entry.resource_id} if entry.resource_id else {}
    return {**named, "status": entry.state, "errors": entry.errors}


def _filter_by_position(batch_id: str, positions: Sequence[int]) -> list[Filter]:
    return [equal("batch_id", batch_id), one_of("position", positions)]
