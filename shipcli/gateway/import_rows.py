"""Import files into a server: they are read and checked here, and good rows are sent as requests.

Which shipment a row became is kept in the store of this machine, so that the next run of the file goes on
where this one stopped. Every request carries a key made of the row's, for a run that was killed before it
could write that down.
"""

from __future__ import annotations

import csv
import hashlib
import io
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from shipcli.features.connections import catalog
from shipcli.features.core.merge import drop_ids
from shipcli.features.core.row_results import CheckResult, OnDuplicate, Outcome
from shipcli.features.files import batches
from shipcli.features.files.engine import ImportPlan, RowHandler
from shipcli.features.files.invoice_import import UNKNOWN, InvoiceRows
from shipcli.features.files.order_import import CANCELLED, OrderRows, ReadOrder, keep_unsaid
from shipcli.features.files.shipment_changes import has_changed
from shipcli.features.files.shipment_import import (
    RESOURCE,
    ImportItem,
    KnownRows,
    RowResult,
    ShipmentRows,
    make_reader,
)
from shipcli.features.files.shipment_store import count_spent, find_known_rows, narrow_connections
from shipcli.features.files.tracker_import import TrackerRows, TrackerStore
from shipcli.features.orders import service as orders
from shipcli.features.shipments import service as shipments
from shipcli.features.trackers import service as trackers
from shipcli.gateway.gateway import LocalOnly
from shipcli.gateway.http import MOST
from shipcli.gateway.purchases import create_draft, purchase, take_back
from shipcli.gateway.ship_defaults import list_active_connections, name_connections
from shipcli.gateway.where import ListFilter
from shipcli.models import (
    Conflict,
    ImportData,
    NotFound,
    Order,
    OrderUpdateData,
    OutcomeUnknown,
    Rate,
    ShipcliError,
    Shipment,
    ShipmentRateData,
    Tracker,
    TrackingData,
    Unreachable,
)
from shipcli.operations import adapters
from shipcli.readers.headers import BILLING
from shipcli.readers.invoices import ChargeRow
from shipcli.readers.shipments import ShipmentRow

if TYPE_CHECKING:
    from shipcli.gateway.http import HttpGateway
    from shipcli.readers.tables import Rows

LOOK_S = 0.2
FIXED = ("order_date", "shipping_to", "shipping_from", "billing_address", "line_items")
LEFT = "Its addresses and goods stay as they were: a server changes options and metadata alone"
Document = Mapping[str, Any]


def open_rows(remote: HttpGateway, resource_type: str, table: Rows, plan: ImportPlan) -> RowHandler[Any]:
    """Open the rows of a file that are to be checked and imported into a server.

    Errors: Invalid when it is not a table or lacks columns; NotFound for a carrier of the plan; OnlyHere for
            what no server takes; those of the API.
    """
    if resource_type not in HANDLERS:
        raise LocalOnly(f"the import of {resource_type}")
    return HANDLERS[resource_type](remote, table, plan)


# -- shipments -------------------------------------------------------------------------------------


def _make_shipment_rows(remote: HttpGateway, table: Rows, plan: ImportPlan) -> ShipmentRows:
    every = list_active_connections(remote)
    services = list_services(remote, {str(row["carrier_name"]) for row in every})
    reader = make_reader(table, name_connections(every), services, plan, remote.defaults.product)
    there = ShipmentsThere(remote, table, plan, remote.defaults.named(plan.carriers))
    return ShipmentRows(table, plan, reader, there)


def list_services(remote: HttpGateway, slugs: Iterable[str]) -> set[str]:
    """The services of all carriers; none, which is any, when one has a sheet that only the server knows."""
    try:
        return {
            service
            for slug in slugs
            for service in remote.ask(catalog.get_services, slug) or catalog.list_known_services(slug)
        }
    except NotFound:
        return set()


class ShipmentsThere:
    """The shipments of a server; the store of this machine remembers which of them a row became."""

    workers = 1
    unsure: tuple[type[ShipcliError], ...] = (OutcomeUnknown, Unreachable)

    def __init__(self, remote: HttpGateway, table: Rows, plan: ImportPlan, named: Sequence[str]) -> None:
        self._remote, self._table, self._plan, self._named = remote, table, plan, named
        self._app = remote.own()
        self._resource = f"{RESOURCE} {remote.url}"

    def known_rows(self, keys: Iterable[str]) -> KnownRows:
        """What earlier runs did with the rows that have these keys."""
        return find_known_rows(self._app, keys, self._resource)

    def prepare(
        self, file: ShipmentRows, rows: Iterator[ShipmentRow], checked: CheckResult
    ) -> Iterator[ImportItem]:
        """The rows to process, each read when its turn comes."""
        earlier_rows = self.known_rows(checked.keys.values())
        if self._plan.budget.limit:
            self._refresh(earlier_rows)
            earlier_rows = self.known_rows(checked.keys.values())
        count_spent(self._plan.budget, earlier_rows.values())
        for parsed in rows:
            key = file.key(parsed.row)
            row = earlier_rows.get(key)
            id, is_older = (row["shipment_id"], row["digest"] != self._table.digest) if row else (None, False)
            yield ImportItem(parsed.number, key, id, parsed.shipped, parsed, is_older)

    def _refresh(self, earlier_rows: KnownRows) -> None:
        """Look up what became of the shipments of these rows on the server: paid, cancelled, or unknown."""
        rows = {str(row["shipment_id"]): row for row in earlier_rows.values()}
        ids = iter(rows)
        while some := list(islice(ids, MOST)):
            for shipment in self._remote.each("shipment", ListFilter({"id": some})):
                self._enter(rows[shipment["id"]], Shipment.model_validate(shipment))

    def open(self, item: ImportItem) -> Shipment:
        """The shipment of a row, with rates if it is a draft: a new one, or that of an earlier run.

        With `update` a draft of an earlier run is cancelled for a new one: the API does not change addresses.
        """
        if item.shipment_id:
            shipment = self._remote.ask(shipments.get_shipment, item.shipment_id)
            if shipment.status != "draft":
                for row in self.known_rows([item.key]).values():
                    self._enter(row, shipment)  # under the file that it was bought from
                return shipment
            if self._plan.on_duplicate != "update":
                data = ShipmentRateData(carrier_ids=self._carrier_ids(item))
                return self._remote.ask(shipments.fetch_rates, shipment.id, data)
            self._remote.ask(shipments.cancel_shipment, shipment.id)
        return self._remember(item, self._create(item))

    def _create(self, item: ImportItem) -> Shipment:
        assert item.parsed is not None
        assert item.parsed.data is not None
        body = item.parsed.data.model_copy(update={"carrier_ids": self._carrier_ids(item)})
        words = (item.key, self._table.digest, item.shipment_id or "new")
        key = hashlib.sha256("\n".join(words).encode()).hexdigest()[:40]
        return create_draft(self._remote, f"import-{key}", body)

    def _carrier_ids(self, item: ImportItem) -> list[str]:
        carrier_ids = item.parsed.data.carrier_ids if item.parsed and item.parsed.data else ()
        return narrow_connections(self._named, carrier_ids)

    def rate(self, item: ImportItem, draft: Shipment) -> Shipment:
        """The draft as it is: the server has rated it."""
        return draft

    def is_changed(self, item: ImportItem, shipment: Shipment) -> bool:
        """Whether the row describes another parcel than the shipment that an earlier file made of it."""
        data = item.parsed.data if item.parsed else None
        if data is None or not item.is_changed:
            return False
        return has_changed(self._app, data, shipment, self._plan.on_duplicate)

    def keep(self, item: ImportItem, draft: Shipment) -> Shipment:
        """Remember the draft; one of an earlier file stays known as such."""
        return draft if item.is_changed else self._remember(item, draft)

    def buy(self, item: ImportItem, draft: Shipment, rate: Rate) -> Shipment:
        """Buy the draft and remember it."""
        return self._remember(item, purchase(self._remote, draft, rate, f"import-{rate.id}"))

    def take_back(self, shipment_id: str, most: str) -> Shipment:
        """Void a label that passes the budget together with others."""
        return take_back(self._remote, shipment_id, most)

    def look_again(self, item: ImportItem) -> None:
        """Nothing: the next run sees what another run made of the row."""

    def list_labelled(self, rows: Iterable[RowResult]) -> list[Shipment]:
        """The shipments of the rows that have a label, in file order."""
        ids = [row.shipment_id for row in rows if row.status == "purchased" and row.shipment_id]
        return [self._remote.ask(shipments.get_shipment, shipment_id) for shipment_id in ids]

    def _remember(self, item: ImportItem, shipment: Shipment) -> Shipment:
        """Store what became of a row."""
        row = {"key": item.key, "digest": self._table.digest, "row_number": item.number}
        self._enter(row, shipment)
        return shipment

    def _enter(self, row: Document, shipment: Shipment) -> None:
        rate = shipment.selected_rate
        entry = {
            **row,
            "test_mode": self._app.test_mode,
            "resource": self._resource,
            "shipment_id": shipment.id,
            "state": shipment.status,
            "total_charge": rate.total_charge if rate else None,
            "currency": rate.currency if rate else None,
            "updated_at": self._app.now(),
        }
        with self._app.store.transaction() as tx:
            tx.upsert("import_rows", entry)


# -- orders ----------------------------------------------------------------------------------------


def _make_order_rows(remote: HttpGateway, table: Rows, plan: ImportPlan) -> OrderRows:
    return OrderRows(table, plan, OrdersThere(remote))


class OrdersThere:
    """The orders of a server; of known ones options and metadata can be changed."""

    def __init__(self, remote: HttpGateway) -> None:
        self._remote = remote

    def find(self, number: str, source: str) -> tuple[str, str] | None:
        """Id and status of the order with a number and source."""
        order = self._find(number, source)
        return (str(order["id"]), str(order["status"])) if order else None

    def _find(self, number: str, source: str) -> Document | None:
        """One that is not cancelled before one that is."""
        rows = self._remote.each("order", ListFilter({"order_id": number, "source": source}))
        matches = [row for row in rows if (row["order_id"], row["source"]) == (number, source)]
        return min(matches, key=lambda row: row["status"] == "cancelled", default=None)

    def save(self, orders: Sequence[ReadOrder], on_duplicate: OnDuplicate) -> Iterator[Outcome]:
        """Send orders one by one."""
        return (self._save(order, on_duplicate) for order in orders)

    def _save(self, read: ReadOrder, on_duplicate: OnDuplicate) -> Outcome:
        data = read.data
        existing = self._find(data.order_id, data.source)
        try:
            if existing and (existing.get("meta") or {}).get(orders.COMBINED):
                return read.outcome("existing", existing["id"])
            if existing is None or (existing["status"] == "cancelled" and on_duplicate == "update"):
                return read.outcome("created", self._remote.ask(orders.create_order, data).id)
            if existing["status"] == "cancelled":
                return read.outcome("cancelled", existing["id"], CANCELLED)
            if on_duplicate == "update" and existing["status"] == "unfulfilled":
                return self._update(read, existing)
        except Conflict:  # another run stored it meanwhile
            existing = self._find(data.order_id, data.source) or {}
        except ShipcliError as error:
            return read.outcome("failed", message=error.message)
        return read.outcome("existing", existing.get("id"))

    def _update(self, read: ReadOrder, existing: Document) -> Outcome:
        fields = {"options": read.data.options, "metadata": read.data.metadata}
        changes = {
            name: value
            for name, value in fields.items()
            if not value.items() <= (existing[name] or {}).items()
        }
        message = LEFT if self._leaves_out(read, existing) else None
        if not changes:
            return read.outcome("existing", existing["id"], message)
        self._remote.ask(orders.update_order, existing["id"], OrderUpdateData.model_validate(changes))
        return read.outcome("updated", existing["id"], message)

    def _leaves_out(self, read: ReadOrder, existing: Document) -> bool:
        """Whether an order differs in what a server does not change in a known one."""
        there = Order.model_validate(existing).model_dump()
        order = keep_unsaid(orders.make_order(self._remote.own(), read.data), there, read.has)
        return any(drop_ids(order[name]) != drop_ids(there[name]) for name in FIXED)


# -- trackers --------------------------------------------------------------------------------------


def _make_tracker_rows(remote: HttpGateway, table: Rows, plan: ImportPlan) -> TrackerRows:
    able = [row for row in list_active_connections(remote) if "tracking" in (row.get("capabilities") or ())]
    names = ("carrier_id", "carrier_name")
    slugs = {str(row[name]): str(row["carrier_name"]) for row in able for name in names}
    return TrackerRows(
        table, plan, TrackerStore(slugs, partial(_find_tracker, remote), partial(_add_tracker, remote))
    )


def _find_tracker(remote: HttpGateway, number: str) -> Tracker | None:
    try:
        return remote.ask(adapters.get_tracker, number)
    except NotFound:
        return None


def _add_tracker(remote: HttpGateway, data: TrackingData) -> Tracker:
    return remote.ask(trackers.add_tracker, data, pending_pickup=True)


# -- invoices --------------------------------------------------------------------------------------


def _make_invoice_rows(remote: HttpGateway, table: Rows, plan: ImportPlan) -> InvoiceRows:
    return InvoiceRows(table, plan, partial(_note_all, remote), chunk=None)


def _note_all(remote: HttpGateway, charges: Sequence[ChargeRow]) -> Iterator[Outcome]:
    """Send charges as one file; the server records each with its shipment, once."""
    sent = ImportData.model_validate({"resource_type": "billing"})
    batch = remote.ask(batches.import_data, sent, "invoices.csv", _write_csv(charges))
    while not batches.is_over(batch):
        time.sleep(LOOK_S)
        batch = remote.ask(batches.get_batch, batch.id)
    for charge, resource in zip(charges, batch.resources, strict=True):
        failed = resource.status == "failed"
        message = _describe_errors(resource.errors) if failed else None
        status = "failed" if failed else "created"
        yield Outcome(charge.row.number, charge.tracking_number, status, resource.id, message)


def _write_csv(charges: Sequence[ChargeRow]) -> bytes:
    """Charges under the default headers."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(BILLING.values()))
    writer.writeheader()
    for charge in charges:
        facts = {"tracking_number": charge.tracking_number, "carrier": charge.carrier, **(charge.line or {})}
        writer.writerow({header: facts.get(name) for name, header in BILLING.items()})
    return text.getvalue().encode()


def _describe_errors(errors: Mapping[str, Any] | None) -> str:
    messages = [error.get("message") for error in (errors or {}).get("errors") or ()]
    return "; ".join(str(message) for message in messages if message) or UNKNOWN


HANDLERS: Mapping[str, Callable[[HttpGateway, Rows, ImportPlan], RowHandler[Any]]] = {
    "shipments": _make_shipment_rows,
    "orders": _make_order_rows,
    "trackers": _make_tracker_rows,
    "billing": _make_invoice_rows,
}
