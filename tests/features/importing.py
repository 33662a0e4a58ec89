"""Files imported by the one engine, a function for each kind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from shipcli.features.core.app import App
from shipcli.features.core.row_results import CheckResult, Progress, Results, show_nothing
from shipcli.features.files.engine import ImportPlan, check_file, import_file, store_file
from shipcli.features.files.row_handlers import open_rows
from shipcli.features.files.row_sales import RowResult
from shipcli.features.files.shipment_store import ShipmentsHere
from shipcli.models import Shipment
from shipcli.readers.tables import Rows


def check_shipments(app: App, table: Rows, plan: ImportPlan, *, warn: bool = False) -> CheckResult:
    return check_file(open_rows(app, "shipments", table, plan), warn=warn)


def check_orders(app: App, table: Rows, plan: ImportPlan, *, warn: bool = False) -> CheckResult:
    return check_file(open_rows(app, "orders", table, plan), warn=warn)


def import_shipments(app: App, table: Rows, plan: ImportPlan) -> Results[Any]:
    return import_file(open_rows(app, "shipments", table, plan))


def import_orders(
    app: App, table: Rows, plan: ImportPlan, *, progress: Progress = show_nothing
) -> Results[Any]:
    rows = open_rows(app, "orders", table, plan)
    return store_file(rows, check_file(rows), progress=progress)


def import_trackers(app: App, table: Rows, plan: ImportPlan) -> Results[Any]:
    return import_file(open_rows(app, "trackers", table, plan))


def import_invoices(app: App, table: Rows, plan: ImportPlan) -> Results[Any]:
    return import_file(open_rows(app, "billing", table, plan))


def labelled(app: App, rows: Iterable[RowResult]) -> list[Shipment]:
    return ShipmentsHere(app, []).list_labelled(rows)
