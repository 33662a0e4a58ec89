"""The shipments of this store as an import stores, rates and buys them, and what it remembers of rows.

The table `import_rows` records the shipment of each row's key, so that the next run of a file goes on where
the last one stopped, and a file that comes again finds what was bought.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from shipcli.features.book.boxes import list_boxes
from shipcli.features.book.drafts import make_draft
from shipcli.features.book.products import find_product
from shipcli.features.connections.account_names import find_connections
from shipcli.features.connections.accounts import list_accounts, list_services
from shipcli.features.connections.intent_states import is_being_bought
from shipcli.features.core.row_results import WORKERS
from shipcli.features.core.shipment_lookup import find_order_ids
from shipcli.features.files.engine import CHUNK, ImportPlan
from shipcli.features.files.row_sales import ImportItem, KnownRows, RowResult
from shipcli.features.files.shipment_changes import has_changed
from shipcli.features.files.shipment_import import RESOURCE, ShipmentRows, make_reader
from shipcli.features.shipments.price_ceiling import take_back
from shipcli.features.shipments.purchase import buy, settle_open
from shipcli.features.shipments.service import put_draft, rate_draft, renew_draft, store_rates
from shipcli.models import OutcomeUnknown, Rate, ShipcliError, Shipment
from shipcli.models.purchase_steps import ChangedRows, DraftRows, RowDraft, RowKeys
from shipcli.readers.tables import Rows
from shipcli.store.query import equal, one_of

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.queries import Reader
    from shipcli.store.transaction import Transaction

PATIENCE_S = 60.0  # for a purchase that another run has under way
TOLD = ("digest", "shipment_id", "state", "total_charge", "currency")  # of a row, to another machine


def narrow_connections(named: Sequence[str], row_connections: Sequence[str]) -> list[str]:
    """A row's own connections among the named ones; if none of them is named, the named ones, else its own.

    A draft of an earlier run may have been made for another cell than the named ones allow.
    """
    return [name for name in named if name in row_connections] or list(named or row_connections)


def find_known_rows(
    app: App, keys: Iterable[str], resource: str = RESOURCE, reader: Reader | None = None
) -> KnownRows:
    """What earlier runs did with the rows of these keys, by key; other rows are not read."""
    mine = [equal("test_mode", app.test_mode), equal("resource", resource)]
    unique_keys = iter(dict.fromkeys(keys))
    matches: KnownRows = {}
    while some := list(islice(unique_keys, CHUNK)):
        rows = (reader or app.store).select("import_rows", [*mine, one_of("key", some)])
        matches |= {row["key"]: row for row in rows}
    return matches


def list_row_locks(
    app: App, reader: Reader, keys: Sequence[str], line_ids: Iterable[str], draft_ids: Iterable[str] = ()
) -> list[str]:
    """What storing drafts declares: the keys of their rows, the shipments that are there already, and the
    orders in both, of which `line_ids` are in the drafts.
    """
    known = find_known_rows(app, keys, reader=reader)
    shipments = sorted({*draft_ids, *(row["shipment_id"] for row in known.values())})
    linked = reader.select("order_shipments", [one_of("shipment_id", shipments)]) if shipments else []
    orders = {row["order_id"] for row in linked} | find_order_ids(reader, line_ids)
    return [
        *(f"import_row/{key}" for key in keys),
        *(f"shipment/{shipment_id}" for shipment_id in shipments),
        *(f"order/{order_id}" for order_id in orders),
    ]


@dataclass(frozen=True)
class FileRow:
    """The row that a draft was read from: its key, its file's digest and its number in it."""

    key: str
    digest: str
    number: int


def store_row(app: App, tx: Transaction, row: FileRow, draft: Shipment) -> dict[str, Any] | None:
    """Store the draft of a row, unless the row has a shipment already; return what is known of it then."""
    key = {"test_mode": app.test_mode, "resource": RESOURCE, "key": row.key}
    entry = {
        **key,
        "digest": row.digest,
        "row_number": row.number,
        "shipment_id": draft.id,
        "state": "draft",
        "total_charge": None,
        "currency": None,
        "updated_at": app.now(),
    }
    if not tx.add("import_rows", entry):
        return tx.select("import_rows", key)[0]
    put_draft(app, tx, draft)
    return None


def find_rows(app: App, rows: RowKeys) -> dict[str, KnownRows]:
    """What earlier imports did with the rows of these keys, for an import from another machine."""
    known = find_known_rows(app, rows.keys)
    return {"rows": {key: {name: row[name] for name in TOLD} for key, row in known.items()}}


def store_drafts(app: App, drafts: DraftRows) -> ChangedRows:
    """Store a draft for every row that has none yet, or is to be changed.

    Returns the rows of a later file that ask for another parcel than their shipments.
    """
    stored = find_known_rows(app, [row.key for row in drafts.rows])
    changed = [row.number for row in drafts.rows if _has_changed(app, drafts, row, stored.get(row.key))]
    renew = drafts.on_duplicate == "update"
    made = [(row, make_draft(app, row.data)) for row in drafts.rows if renew or row.key not in stored]
    if made:
        keys, lines = [row.key for row, _ in made], {id for _, draft in made for id in draft.order_line_ids}
        with app.store.transaction(locks=lambda reader: list_row_locks(app, reader, keys, lines)) as tx:
            for row, draft in made:
                _store_draft(app, tx, FileRow(row.key, drafts.digest, row.number), draft, stored)
    return ChangedRows(numbers=changed)


def _has_changed(app: App, drafts: DraftRows, row: RowDraft, earlier: Mapping[str, Any] | None) -> bool:
    if earlier is None or earlier["digest"] == drafts.digest:
        return False
    document = app.store.get("shipment", earlier["shipment_id"], app.test_mode)
    if document is None:
        return False
    return has_changed(app, row.data, Shipment.model_validate(document), drafts.on_duplicate)


def _store_draft(app: App, tx: Transaction, row: FileRow, draft: Shipment, stored: KnownRows) -> None:
    if row.key not in stored:
        # Another run of the same file may have stored the row meanwhile: its draft is the row's.
        store_row(app, tx, row, draft)
        return
    current = tx.get("shipment", stored[row.key]["shipment_id"], app.test_mode)
    if current:
        renew_draft(app, tx, draft, current)


def make_shipment_rows(app: App, table: Rows, plan: ImportPlan) -> ShipmentRows:
    """Make the rows of a file of shipments, for this store, with its carriers, connections and services.

    Errors: Invalid naming missing columns; NotFound when a carrier of the plan has no connection.
    """
    every = list_accounts(app)
    names = (
        (account.carrier_id, {account.slug, account.carrier_id, account.shown_name}) for account in every
    )
    services = {service for account in every for service in list_services(account)}
    here = ShipmentsHere(app, find_connections(app, plan.carriers) if plan.carriers else [])
    return ShipmentRows(
        table,
        plan,
        make_reader(table, names, services, plan, partial(find_product, app), list_boxes(app)),
        here,
    )


class ShipmentsHere:
    """The shipments of this store; drafts of all rows are stored before the first of them is rated."""

    unsure: tuple[type[ShipcliError], ...] = (OutcomeUnknown,)

    def __init__(self, app: App, named: Sequence[str]) -> None:
        self._app, self._named, self.workers = app, named, 1 if app.sandbox else WORKERS

    def known_rows(self, keys: Iterable[str]) -> KnownRows:
        """What earlier runs did with the rows that have these keys."""
        return find_known_rows(self._app, keys)

    def settle(self, earlier: KnownRows) -> None:
        """Settle what an interrupted run left open for these rows."""
        settle_open(self._app, {row["shipment_id"] for row in earlier.values()})

    def store_drafts(self, drafts: DraftRows) -> set[int]:
        """Store the drafts of rows that have none; the numbers of those that differ from their shipments."""
        return set(store_drafts(self._app, drafts).numbers)

    def open(self, item: ImportItem) -> Shipment | None:
        """The shipment of a row in its present state; None if it was removed."""
        document = self._app.store.get("shipment", item.shipment_id or "", self._app.test_mode)
        return Shipment.model_validate(document) if document else None

    def rate(self, item: ImportItem, draft: Shipment) -> Shipment:
        """A draft with rates of its own connections, among those that the command names."""
        return rate_draft(self._app, draft, carrier_ids=narrow_connections(self._named, draft.carrier_ids))

    def keep(self, item: ImportItem, draft: Shipment) -> Shipment:
        """A rated draft, stored."""
        return store_rates(self._app, draft)

    def buy(self, item: ImportItem, draft: Shipment, rate: Rate) -> Shipment:
        """A rated draft, bought."""
        return buy(self._app, draft, rate)

    def take_back(self, shipment_id: str, most: str) -> Shipment:
        """Void a label that passes the budget together with others."""
        return take_back(self._app, shipment_id, most=most)

    def look_again(self, item: ImportItem) -> Shipment | None:
        """What another run that had claimed this row made of it; its purchase is awaited, not repeated."""
        give_up = time.monotonic() + PATIENCE_S
        while is_being_bought(self._app.store, item.shipment_id or "") and time.monotonic() <= give_up:
            time.sleep(0.05)
        return self.open(item)

    def list_labelled(self, rows: Iterable[RowResult]) -> list[Shipment]:
        """The shipments of the rows that have a label, in file order."""
        ids = [row.shipment_id for row in rows if row.status == "purchased" and row.shipment_id]
        documents = (self._app.store.get("shipment", id, self._app.test_mode) for id in ids)
        return [
            Shipment.model_validate(document) for document in documents if document and document["label_url"]
        ]
