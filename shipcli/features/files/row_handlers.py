"""The row handler of every kind of file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from shipcli.features.files.address_import import make_address_rows
from shipcli.features.files.engine import ImportPlan, RowHandler
from shipcli.features.files.invoice_import import make_invoice_rows
from shipcli.features.files.order_import import make_order_rows
from shipcli.features.files.product_import import make_product_rows
from shipcli.features.files.shipment_store import make_shipment_rows
from shipcli.features.files.tracker_import import make_tracker_rows
from shipcli.readers.tables import Rows

if TYPE_CHECKING:
    from shipcli.features.core.app import App

OpenRows = Callable[["App", Rows, ImportPlan], RowHandler[Any]]
HANDLERS: Mapping[str, OpenRows] = {
    "shipments": make_shipment_rows,
    "orders": make_order_rows,
    "trackers": make_tracker_rows,
    "billing": make_invoice_rows,
    "products": make_product_rows,
    "addresses": make_address_rows,
}


def open_rows(app: App, resource_type: str, table: Rows, plan: ImportPlan) -> RowHandler[Any]:
    """Open the rows of a file that are to be checked and imported.

    Errors: Invalid if it is not a table or lacks columns; NotFound for a carrier of the plan.
    """
    return HANDLERS[resource_type](app, table, plan)
