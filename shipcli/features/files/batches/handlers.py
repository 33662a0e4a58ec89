"""Orders, shipments, trackers and invoice lines of batches: how each is stored and processed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from shipcli.features.connections import accounts
from shipcli.features.connections.intent_states import is_being_bought
from shipcli.features.core.repository import save
from shipcli.features.core.row_results import WORKERS, do_at_once
from shipcli.features.core.shipment_lookup import list_line_quantities
from shipcli.features.files import invoice_import
from shipcli.features.files.batches.items import (
    COMPLETED,
    FAILED,
    BatchItem,
    forget_bodies,
    mark,
    read_bodies,
)
from shipcli.features.files.batches.work import (
    CHUNK,
    MISTAKES,
    BatchRun,
    ResourceHandler,
    StoredResource,
    check_row_failure,
    do_together,
    fail,
    name_no_others,
    show_progress,
)
from shipcli.features.files.row_sales import BOUGHT
from shipcli.features.files.shipment_changes import KEPT, is_other_parcel
from shipcli.features.files.shipment_store import FileRow, list_row_locks, store_row
from shipcli.features.orders.service import find_or_store, list_number_locks
from shipcli.features.shipments.purchase import buy, settle_open
from shipcli.features.shipments.rate_selection import list_offering
from shipcli.features.shipments.service import check_draft, fetch_rates, get_shipment, put_draft, renew_draft
from shipcli.features.shipments.ship import read_stored_draft
from shipcli.features.trackers.carrier_answers import ask_account, find_account, group_by_connection
from shipcli.features.trackers.refresh import BATCH
from shipcli.features.trackers.service import keep_images, make_tracker
from shipcli.features.trackers.service import store_new as store_tracker
from shipcli.features.trackers.status_rules import merge_tracking
from shipcli.models import (
    Conflict,
    Message,
    NotFound,
    ShipcliError,
    Shipment,
    ShipmentRateData,
    Tracker,
    Tracking,
    TrackingData,
)
from shipcli.readers.invoices import ChargeRow
from shipcli.readers.tables import Row
from shipcli.store.errors import StoreError

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.queries import Reader
    from shipcli.store.transaction import Transaction

T = TypeVar("T")

# -- orders ----------------------------------------------------------------------------------------


def save_order(app: App, tx: Transaction, entry: BatchItem, body: Mapping[str, Any]) -> StoredResource:
    """Store the order, or use the existing one with its number and source."""
    order = body["order"]
    check_row_failure(app, order["order_id"])
    id, _ = find_or_store(app, tx, order, anew=body["anew"])
    return StoredResource(id)


def _list_order_locks(app: App, reader: Reader, bodies: Sequence[dict[str, Any]]) -> list[str]:
    return list_number_locks(app, reader, [body["order"] for body in bodies])


def end_orders(work: BatchRun, rows: Sequence[BatchItem]) -> None:
    """Complete stored orders: there is nothing more to do."""

    def complete(tx: Transaction, some: Sequence[BatchItem]) -> None:
        for row in some:
            mark(tx, row, COMPLETED)

    for some in split_chunks(rows, CHUNK):
        do_together(work.app, some, complete, name_no_others)
    show_progress(work)


# -- shipments -------------------------------------------------------------------------------------


def save_shipment(app: App, tx: Transaction, entry: BatchItem, body: Mapping[str, Any]) -> StoredResource:
    """Store the draft, new or over the known one; a shipment that is no longer a draft is left as it is.

    Errors: Conflict if a file's row is not the parcel that was bought for it before.
    """
    if "row" in body:
        return StoredResource(_save_row(app, tx, body))
    draft = Shipment.model_validate(body)
    document = tx.get("shipment", draft.id, app.test_mode)
    if document is None:
        put_draft(app, tx, draft)
    else:
        renew_draft(app, tx, draft, document)
    return StoredResource(draft.id)


def _list_shipment_locks(app: App, reader: Reader, bodies: Sequence[dict[str, Any]]) -> list[str]:
    drafts = [body.get("draft", body) for body in bodies]
    keys = [body["row"]["key"] for body in bodies if "row" in body]
    lines = (line_id for line_id, _ in list_line_quantities(drafts))
    return list_row_locks(app, reader, keys, lines, [draft["id"] for draft in drafts])


def _save_row(app: App, tx: Transaction, body: Mapping[str, Any]) -> str:
    """Store the draft of a file's row; return its id, or that of the row's shipment of before.

    A row of another file replaces its draft.
    """
    draft, row = Shipment.model_validate(body["draft"]), FileRow(**body["row"])
    existing = store_row(app, tx, row, draft)
    if existing is None:
        return draft.id
    document = tx.get("shipment", existing["shipment_id"], app.test_mode)
    if document and existing["digest"] != row.digest:
        renew_draft(app, tx, draft, document)
        shipment = Shipment.model_validate(document)
        if shipment.status in BOUGHT and is_other_parcel(draft, body["options"], shipment):
            raise Conflict(f"{KEPT}: {shipment.id}")
    return str(existing["shipment_id"])


def process_shipments(work: BatchRun, rows: Sequence[BatchItem]) -> None:
    """Rate the drafts in order and buy those that name a service; unfinished purchases are settled first."""
    settle_open(work.app, {str(row.resource_id) for row in rows})
    pending = iter(rows)
    workers = 1 if work.app.sandbox else WORKERS
    for _ in do_at_once(pending, lambda row: _advance(work.app, row), workers, work.halt.is_set):
        show_progress(work)


def _advance(app: App, row: BatchItem) -> None:
    """Take a shipment as far as possible; one that another process buys, or has bought, is left for later."""
    try:
        _rate_or_buy(app, row, str(row.resource_id))
    except StoreError:
        raise
    except (ShipcliError, *MISTAKES) as error:
        if not is_being_bought(app.store, str(row.resource_id)) and not _is_bought_meanwhile(app, row, error):
            fail(app, row, error)  # repeats the outcome that the purchase has recorded already


def _is_bought_meanwhile(app: App, row: BatchItem, error: Exception) -> bool:
    """Return whether another process has bought the shipment, which the next pass over the rows completes."""
    shipment = app.store.get("shipment", str(row.resource_id), app.test_mode)
    return isinstance(error, Conflict) and shipment is not None and shipment["status"] in BOUGHT


def _rate_or_buy(app: App, row: BatchItem, shipment_id: str) -> None:
    if is_being_bought(app.store, shipment_id):
        return
    shipment = get_shipment(app, shipment_id)
    if shipment.status not in BOUGHT:
        check_draft(shipment, "rated or bought")
        check_row_failure(app, shipment.reference)
        if row.service:  # the purchase completes the resource as well
            draft = read_stored_draft(app, shipment_id)
            buy(app, draft, list_offering(draft, row.service)[0])
            return
        fetch_rates(app, shipment_id, ShipmentRateData())
    with app.store.transaction(locks=()) as tx:
        mark(tx, row, COMPLETED)


# -- trackers --------------------------------------------------------------------------------------


def save_tracker(app: App, tx: Transaction, entry: BatchItem, body: Mapping[str, Any]) -> StoredResource:
    """Store a tracker without events, or use the existing one with its number and carrier."""
    data = TrackingData.model_validate(body)
    check_row_failure(app, data.reference)
    rows = tx.select("trackers", {"tracking_number": data.tracking_number}, "-seq")
    same = (row for row in rows if row["carrier_name"] == data.carrier_name)
    for row in same:
        if row["test_mode"] == app.test_mode:
            return StoredResource(row["id"], COMPLETED)
    account = accounts.choose(app, "tracking", carrier_name=data.carrier_name)[0]
    tracker = make_tracker(app, data, account, None, []).model_copy(update={"status": "unknown"})
    save(app, tx, "tracker", tracker.model_dump(), "noted")
    return StoredResource(tracker.id)


def process_trackers(work: BatchRun, rows: Sequence[BatchItem]) -> None:
    """Ask the carriers once, a few numbers at a time; then announce the trackers."""
    app, of_id = work.app, {str(row.resource_id): row for row in rows}
    documents = [app.store.get("tracker", id, app.test_mode) for id in of_id]
    trackers = [Tracker.model_validate(document) for document in documents if document]
    for gone in of_id.keys() - {tracker.id for tracker in trackers}:
        fail(app, of_id[gone], NotFound("tracker", gone))
    for group in group_by_connection(trackers):
        for some in split_chunks(group, BATCH):
            if work.halt.is_set():
                return
            _refresh(work, some, [of_id[tracker.id] for tracker in some])
            show_progress(work)


def _refresh(work: BatchRun, trackers: Sequence[Tracker], rows: Sequence[BatchItem]) -> None:
    answers, messages = _ask_carrier(work.app, trackers)

    def store(tx: Transaction, some: Sequence[BatchItem]) -> None:
        for row in some:
            document = tx.get("tracker", str(row.resource_id), work.app.test_mode)
            if document is None:
                mark(tx, row, FAILED, errors=NotFound("tracker", row.resource_id).body())
                continue
            tracker, answer = Tracker.model_validate(document), answers.get(document["id"])
            fresh = (
                merge_tracking(tracker, answer)
                if answer
                else tracker.model_copy(update={"messages": messages})
            )
            store_tracker(work.app, tx, fresh)
            keep_images(tx, fresh, answer)
            mark(tx, row, COMPLETED)

    do_together(work.app, rows, store, None)


def _ask_carrier(app: App, trackers: Sequence[Tracker]) -> tuple[dict[str, Tracking], list[Message]]:
    """The carrier's answers by tracker; whatever prevents a request becomes a message."""
    try:
        return ask_account(app, find_account(app, trackers[0]), trackers)
    except StoreError:
        raise
    except ShipcliError as error:
        return {}, [Message(code=error.code, message=error.message, carrier_name=trackers[0].carrier_name)]


# -- invoice lines ---------------------------------------------------------------------------------


def save_charge(app: App, tx: Transaction, entry: BatchItem, body: Mapping[str, Any]) -> StoredResource:
    """Nothing: a charge has no object of its own."""
    return StoredResource(None)


def process_charges(work: BatchRun, rows: Sequence[BatchItem]) -> None:
    """Record each charge with its shipment, once."""

    def read(reader: Reader, some: Sequence[BatchItem]) -> dict[int, dict[str, Any]]:
        return read_bodies(reader, work.batch_id, [row.position for row in some])

    def find_locks(reader: Reader, some: Sequence[BatchItem]) -> list[str]:
        numbers = [body["number"] for body in read(reader, some).values()]
        return invoice_import.list_charged_locks(work.app, reader, numbers)

    def note(tx: Transaction, some: Sequence[BatchItem]) -> None:
        bodies = read(tx, some)
        done = [row.position for row in some if _note(work.app, tx, row, bodies[row.position])]
        forget_bodies(tx, work.batch_id, done)

    for some in split_chunks(rows, CHUNK):
        if work.halt.is_set():
            return
        do_together(work.app, some, note, find_locks)
        show_progress(work)


def _note(app: App, tx: Transaction, row: BatchItem, body: Mapping[str, Any]) -> bool:
    repeat = body.get("repeat", 1)  # missing in what an earlier version read
    charge = ChargeRow(Row(row.position, {}), body["number"], body["carrier"], body["line"], repeat)
    result = invoice_import.note(app, tx, charge)
    if result.id is None:
        missing = NotFound("shipment", message=f"{result.message}: {charge.tracking_number}")
        mark(tx, row, FAILED, errors=missing.body())
        return False
    mark(tx, row, COMPLETED, resource_id=result.id)
    return True


def split_chunks(values: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """The values in chunks of this size."""
    return (values[start : start + size] for start in range(0, len(values), size))


HANDLERS: Mapping[str, ResourceHandler] = {
    "orders": ResourceHandler(save_order, end_orders, _list_order_locks),
    "shipments": ResourceHandler(save_shipment, process_shipments, _list_shipment_locks),
    "trackers": ResourceHandler(save_tracker, process_trackers),
    "billing": ResourceHandler(save_charge, process_charges, lambda app, reader, bodies: [], late=True),
}
