"""The row handler of every kind of file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from shipcli.features.spreadsheets.engine import ImportPlan, RowHandler
from shipcli.features.spreadsheets.invoice_import import invoice_rows
from shipcli.features.spreadsheets.order_import import order_rows
from shipcli.features.spreadsheets.product_import import product_rows
from shipcli.features.spreadsheets.shipment_import import shipment_rows
from shipcli.features.spreadsheets.tracker_import import tracker_rows
from shipcli.readers.tables import Rows

if TYPE_CHECKING:
    from shipcli.features.core.app import App

OpenRows = Callable[["App", Rows, ImportPlan], RowHandler[Any]]
HANDLERS: Mapping[str, OpenRows] = {
    "shipments": shipment_rows,
    "orders": order_rows,
    "trackers": tracker_rows,
    "billing": invoice_rows,
    "products": product_rows,
}


def open_rows(app: App, resource_type: str, table: Rows, plan: ImportPlan) -> RowHandler[Any]:
    """The rows of a file, to be checked and imported.

    Errors: Invalid when it is not a table or lacks columns; NotFound for a carrier of the plan.
    """
    return HANDLERS[resource_type](app, table, plan)
