"""Select unprinted labels by carrier, order, file, or time of purchase."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from shipcli.features.connections.intent_states import DONE, PURCHASE, RESOLVED
from shipcli.features.core.shipment_lookup import list_linked_orders
from shipcli.features.paper.printing.printouts import Document
from shipcli.store.query import equal, one_of, since

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.readers.tables import DataFile


@dataclass(frozen=True)
class LabelFilter:
    """The conditions for labels; what is not given does not matter.

    Shapes: `carriers` are names of carriers and connections, `orders` ids, `file` one that was imported.
    """

    carriers: Collection[str] = ()
    orders: Sequence[str] = ()
    file: DataFile | None = None
    bought_since: datetime | None = None


def filter_labels(app: App, shipments: Sequence[Document], conditions: LabelFilter) -> list[Document]:
    """Return the shipments among these that match the filter, in their order.

    Errors: NotFound for an unknown carrier; Invalid if the file is not a table.
    """
    allowed = list(_list_allowed(app, shipments, conditions))
    return [shipment for shipment in shipments if all(shipment["id"] in ids for ids in allowed)]


def _list_allowed(app: App, shipments: Sequence[Document], conditions: LabelFilter) -> Iterator[set[str]]:
    """Yield the ids that each part of a filter allows."""
    if conditions.carriers:
        yield _select_by_carriers(app, shipments, conditions.carriers)
    if conditions.orders:
        rows = app.store.select("order_shipments", [one_of("order_id", conditions.orders)])
        yield {row["shipment_id"] for row in rows}
    if conditions.file:
        yield _select_by_file(app, shipments, conditions.file)
    if conditions.bought_since:
        yield _select_bought_since(app, conditions.bought_since)


def _select_by_carriers(app: App, shipments: Sequence[Document], carriers: Collection[str]) -> set[str]:
    sellers = {shipment["id"]: _list_sellers(shipment) for shipment in shipments}
    unknown = set(carriers).difference(*sellers.values())
    if unknown:
        from shipcli.features.connections.account_names import find_connections

        find_connections(app, sorted(unknown))
    return {id for id, names in sellers.items() if not names.isdisjoint(carriers)}


def _list_sellers(shipment: Document) -> set[str]:
    """Return all names of a label's seller: its connection, its carrier, and the carrier behind a hub."""
    meta = shipment.get("meta") or {}
    return {shipment["carrier_id"], shipment["carrier_name"], meta.get("ext"), meta.get("rate_provider")}


def _select_by_file(app: App, shipments: Sequence[Document], file: DataFile) -> set[str]:
    """Return the shipments that an import made of this file, and those that a column of it names by number.

    The column is the one that names most of them: its header differs from file to file.
    """
    rows = app.store.select("import_rows", {"digest": file.digest, "test_mode": app.test_mode})
    numbers = {
        shipment["id"]: {_clean_number(number) for number in _list_numbers(app, shipment)}
        for shipment in shipments
    }
    all_numbers = set[str]().union(*numbers.values())
    cells = [row.cells for row in file]
    columns = ({_clean_number(row_cells.get(header, "")) for row_cells in cells} for header in file.headers)
    named = max((column & all_numbers for column in columns), key=len, default=set())
    by_number = {id for id, shipment_numbers in numbers.items() if shipment_numbers & named}
    return by_number | {row["shipment_id"] for row in rows}


def _list_numbers(app: App, shipment: Document) -> Iterator[str]:
    """Yield the numbers of a shipment: its reference, and those of its orders."""
    if shipment.get("reference"):
        yield shipment["reference"]
    for order_id in list_linked_orders(app.store, shipment["id"]):
        for order in app.store.select("orders", {"id": order_id}):
            yield order["order_id"]


def _clean_number(number: str) -> str:
    """Return a number in the form that is compared: shops write `#1001` where others write 1001."""
    return number.strip().removeprefix("#")


def _select_bought_since(app: App, moment: datetime) -> set[str]:
    where = [
        one_of("state", (DONE, RESOLVED)),
        since(moment),
        equal("kind", PURCHASE),
        equal("test_mode", app.test_mode),
    ]
    return {row["shipment_id"] for row in app.store.select("intents", where)}
