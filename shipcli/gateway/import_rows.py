"""Import files into a server: they are read and checked here; what their rows become, the server stores."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from shipcli.features.book import addresses
from shipcli.features.connections import catalog
from shipcli.features.core.row_results import OnDuplicate, Outcome
from shipcli.features.files.address_import import AddressBook, AddressRows
from shipcli.features.files.batches import service as batches
from shipcli.features.files.engine import ImportPlan, RowHandler
from shipcli.features.files.invoice_import import UNKNOWN, InvoiceRows
from shipcli.features.files.order_import import OrderRows, ReadOrder, save_orders
from shipcli.features.files.row_sales import ImportItem, KnownRows, RowResult
from shipcli.features.files.shipment_import import ShipmentRows, make_reader
from shipcli.features.files.shipment_store import find_rows, narrow_connections, store_drafts
from shipcli.features.files.tracker_import import TrackerRows, TrackerStore
from shipcli.features.shipments import service as shipments
from shipcli.features.shipments.price_ceiling import take_back
from shipcli.features.trackers import service as trackers
from shipcli.gateway.gateway import LocalOnly
from shipcli.gateway.plain_sales import purchase_draft
from shipcli.gateway.ship_defaults import list_active_connections, name_connections
from shipcli.gateway.where import ListFilter, select_standalone
from shipcli.models import (
    ImportData,
    NotFound,
    OutcomeUnknown,
    Rate,
    ShipcliError,
    Shipment,
    ShipmentRateData,
    Tracker,
    TrackingData,
    Unreachable,
)
from shipcli.models.purchase_steps import DraftRows, ImportedOrder, ImportedOrders, RowKeys
from shipcli.operations import adapters
from shipcli.readers.headers import BILLING
from shipcli.readers.invoices import ChargeRow

if TYPE_CHECKING:
    from shipcli.gateway.http import HttpGateway
    from shipcli.readers.tables import Rows

LOOK_S = 0.2


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
    remote.require_promise("import shipments")
    every = list_active_connections(remote)
    services = list_services(remote, {str(row["carrier_name"]) for row in every})
    reader = make_reader(
        table, name_connections(every), services, plan, remote.defaults.product, remote.defaults.boxes()
    )
    return ShipmentRows(table, plan, reader, ShipmentsThere(remote, remote.defaults.named(plan.carriers)))


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
    """The shipments of a server, which remembers what became of rows."""

    workers = 1
    unsure: tuple[type[ShipcliError], ...] = (OutcomeUnknown, Unreachable)

    def __init__(self, remote: HttpGateway, named: Sequence[str]) -> None:
        self._remote, self._named = remote, named

    def known_rows(self, keys: Iterable[str]) -> KnownRows:
        """What earlier runs did with the rows that have these keys."""
        rows: KnownRows = self._remote.ask(find_rows, RowKeys(keys=list(keys)))["rows"]
        return rows

    def settle(self, earlier: KnownRows) -> None:
        """Nothing: a server settles what was interrupted there by itself."""

    def store_drafts(self, drafts: DraftRows) -> set[int]:
        """Store the drafts of rows that have none; the numbers of those that differ from their shipments."""
        return set(self._remote.ask(store_drafts, drafts).numbers)

    def open(self, item: ImportItem) -> Shipment | None:
        """The shipment of a row in its present state; None if it was removed."""
        try:
            return self._remote.ask(shipments.get_shipment, item.shipment_id or "")
        except NotFound:
            return None

    def rate(self, item: ImportItem, draft: Shipment) -> Shipment:
        """A draft with rates of its own connections, among those that the command names."""
        data = ShipmentRateData(carrier_ids=narrow_connections(self._named, draft.carrier_ids))
        return self._remote.ask(shipments.fetch_rates, draft.id, data)

    def keep(self, item: ImportItem, draft: Shipment) -> Shipment:
        """A rated draft as it is: the server has stored its rates."""
        return draft

    def buy(self, item: ImportItem, draft: Shipment, rate: Rate) -> Shipment:
        """A rated draft, bought."""
        return purchase_draft(self._remote, draft.id, rate, draft)

    def take_back(self, shipment_id: str, most: str) -> Shipment:
        """Void a label that passes the budget together with others."""
        return self._remote.ask(take_back, shipment_id, most=most)

    def look_again(self, item: ImportItem) -> Shipment | None:
        """What another run that had claimed this row made of it; a purchase that goes on is not awaited."""
        return self.open(item)

    def list_labelled(self, rows: Iterable[RowResult]) -> list[Shipment]:
        """The shipments of the rows that have a label, in file order."""
        ids = [row.shipment_id for row in rows if row.status == "purchased" and row.shipment_id]
        return [self._remote.ask(shipments.get_shipment, shipment_id) for shipment_id in ids]


# -- orders ----------------------------------------------------------------------------------------


def _make_order_rows(remote: HttpGateway, table: Rows, plan: ImportPlan) -> OrderRows:
    remote.require_promise("import orders")
    return OrderRows(table, plan, OrdersThere(remote))


class OrdersThere:
    """The orders of a server."""

    def __init__(self, remote: HttpGateway) -> None:
        self._remote = remote

    def find(self, number: str, source: str) -> tuple[str, str] | None:
        """Id and status of the order with a number and source: one that is not cancelled, if there is any."""
        rows = self._remote.each("order", ListFilter({"order_id": number, "source": source}))
        matches = [row for row in rows if (row["order_id"], row["source"]) == (number, source)]
        order = min(matches, key=lambda row: row["status"] == "cancelled", default=None)
        return (str(order["id"]), str(order["status"])) if order else None

    def save(self, orders: Sequence[ReadOrder], on_duplicate: OnDuplicate) -> list[Outcome]:
        """Store orders in one transaction."""
        sent = [ImportedOrder(data=order.data, fields=order.list_fields()) for order in orders]
        saved = self._remote.ask(save_orders, ImportedOrders(on_duplicate=on_duplicate, orders=sent))
        return [order.tell(result) for order, result in zip(orders, saved.orders, strict=True)]


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


# -- addresses -------------------------------------------------------------------------------------


def _make_address_rows(remote: HttpGateway, table: Rows, plan: ImportPlan) -> AddressRows:
    return AddressRows(
        table,
        plan,
        AddressBook(
            lambda: remote.each("address", select_standalone()),
            lambda rows: [remote.ask(addresses.create_address, data) for data in rows],
        ),
    )


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
    "addresses": _make_address_rows,
    "billing": _make_invoice_rows,
}
