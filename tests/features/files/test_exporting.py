"""Exports: what they hold by default, and that imports read them back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.connections import service as connections
from shipcli.features.core.app import App
from shipcli.features.core.merge import drop_ids
from shipcli.features.files import export as exporting
from shipcli.features.files.batches import service as batches
from shipcli.features.files.engine import ImportPlan
from shipcli.features.files.export import ExportRequest, export
from shipcli.features.files.writing import write_table
from shipcli.features.orders import service as orders
from shipcli.features.shipments import service as shipments
from shipcli.features.trackers import service as trackers
from shipcli.models import (
    ConnectionData,
    ImportData,
    Invalid,
    OrderData,
    ShipmentPurchaseData,
    TrackingData,
)
from shipcli.readers.headers import ORDERS, SHIPMENTS, TRACKERS
from shipcli.readers.tables import DataFile
from tests.factories import ABROAD, PARCEL, SHIPPER, draft
from tests.features.importing import import_orders, import_shipments, import_trackers
from tests.features.orders.samples import ITEM, bought, covering, made

Written = Callable[..., DataFile]


@pytest.fixture(params=["csv", "xls", "xlsx"])
def written(request: pytest.FixtureRequest, app: App, tmp_path: Path) -> Written:
    """An export of the app, written to a file and opened as an import opens it."""

    def write(what: str, **wanted: Any) -> DataFile:
        path = tmp_path / f"{what}.{request.param}"
        sheet = export(app, what, ExportRequest(**wanted))
        write_table(path, sheet.headers, sheet.rows)
        sheet.finish()
        return DataFile.open(path)

    return write


@pytest.fixture
def other(tmp_path: Path) -> Any:
    opened = open_app(tmp_path / "other", sandbox=True, environ={})
    yield opened
    opened.close()


def rows(app: App, what: str, **wanted: Any) -> list[dict[str, Any]]:
    return list(export(app, what, ExportRequest(**wanted)).rows)


def test_orders_come_back_as_they_were(app: App, other: App, written: Written) -> None:
    priced = {"value_amount": "12.50", "value_currency": "USD", "hs_code": "090230"}
    words = {"description": 'Lamp, "big"\nand bright', "metadata": {"a": [1]}}
    items = [{**ITEM, **priced, **words}, {**ITEM, "weight": "0.125"}]
    sender = {**SHIPPER, "phone_number": None}  # no column holds phone numbers
    options = {"currency": "USD", "rush": True}
    made(app, order_id="007", source="web", order_date="2026-11-01", line_items=items, options=options,
         shipping_from=sender, billing_address=ABROAD)  # fmt: skip
    made(app, order_id="=1+1")  # an apostrophe says that it is none
    results = import_orders(other, written("orders", statuses=["all"]), ImportPlan())
    assert results.count("created") == 2
    assert {one["order_id"] for one in other.store.each("order")} == {"007", "=1+1"}
    here, there = (
        next(order for order in one.store.each("order") if order["order_id"] == "007") for one in (app, other)
    )
    same = {name for name in here if name not in ("created_at",)}
    assert drop_ids({name: there[name] for name in same}) == drop_ids({name: here[name] for name in same})


def test_drafts_come_back_as_they_were(app: App, other: App, written: Written) -> None:
    parcels = [PARCEL, PARCEL]
    options = {"preferred_service": "ups_ground", "currency": "USD"}
    shipments.create_shipment(
        app, draft(parcels=parcels, options=options, carrier_ids=["ups"], reference="R1")
    )
    (row,) = import_shipments(other, written("shipments", statuses=["draft"]), ImportPlan()).rows
    there = shipments.get_shipment(other, str(row.shipment_id))
    here = next(app.store.each("shipment"))
    assert there.carrier_ids == ["ups"]
    assert (len(there.parcels), there.parcels[0].weight) == (2, 5)
    assert there.options == here["options"]
    for side in ("shipper", "recipient"):
        assert drop_ids(getattr(there, side).model_dump()) == drop_ids(here[side])


def test_a_bought_shipment_comes_back_as_shipped_and_is_not_bought(
    app: App, other: App, written: Written
) -> None:
    draft_one = shipments.create_shipment(app, draft(carrier_ids=["generic"]))
    data = ShipmentPurchaseData(selected_rate_id=draft_one.rates[0].id)
    shipments.purchase_shipment(app, draft_one.id, data)
    (row,) = import_shipments(other, written("shipments"), ImportPlan(buy="cheapest")).rows
    assert row.status == "shipped"


def test_a_shipment_comes_back_when_the_connection_it_was_bought_with_is_gone(
    app: App, written: Written, tmp_path: Path
) -> None:
    account = {"display_name": "Bike Courier", "custom_carrier_name": "bikes"}
    given = {"carrier_name": "generic", "carrier_id": "courier", "credentials": account}
    made = connections.add_connection(app, ConnectionData.model_validate(given))
    sold = shipments.create_shipment(app, draft(carrier_ids=["courier"], service="standard_service"))
    connections.remove_connection(app, made.id)
    table = written("shipments")
    assert {row.cells["Carrier"] for row in table} == {"bikes"}
    (row,) = import_shipments(app, table, ImportPlan(buy="cheapest", carriers=("ups",))).rows
    assert row.status == "shipped"
    (file,) = tmp_path.glob("shipments.*")
    batches.import_data(app, ImportData(resource_type="shipments"), file.name, file.read_bytes())
    assert [one["resource_id"] for one in app.store.select("batch_resources")] == [sold.id]


def test_trackers_come_back(app: App, other: App, written: Written) -> None:
    data = TrackingData(tracking_number="1Z7", carrier_name="ups", reference="R1")
    trackers.add_tracker(app, data, pending_pickup=True)
    (row,) = import_trackers(other, written("trackers"), ImportPlan()).rows
    found = trackers.get_tracker(other, str(row.id))
    assert (found.tracking_number, found.carrier_name) == ("1Z7", "ups")
    assert found.meta is not None
    assert found.meta["reference"] == "R1"


def test_the_headers_are_the_default_ones(app: App) -> None:
    for what, headers in (("orders", ORDERS), ("shipments", SHIPMENTS), ("trackers", TRACKERS)):
        assert export(app, what, ExportRequest()).headers == list(headers.values())


def test_orders_are_fulfilled_and_delivered_ones_unless_told(app: App) -> None:
    made(app, order_id="open")
    order = made(app, order_id="done")
    bought(app, covering(app, order, 2, 1))
    numbers = [[row["Order number"] for row in rows(app, "orders", statuses=one)] for one in ((), ("all",))]
    assert numbers == [["done"] * 2, ["done"] * 2 + ["open"] * 2]
    assert rows(app, "orders", statuses=["unfulfilled"])[0]["Status"] == "unfulfilled"


def test_shipments_are_bought_and_moving_ones_unless_told(app: App) -> None:
    shipments.create_shipment(app, draft())
    assert rows(app, "shipments") == []
    assert len(rows(app, "shipments", statuses=["draft", "purchased"])) == 1


def test_the_total_of_an_order_is_the_value_of_its_lines(app: App) -> None:
    priced = {**ITEM, "value_amount": "1.25", "value_currency": "USD"}
    made(app, order_id="1", line_items=[priced, priced])
    made(app, order_id="2", line_items=[priced, ITEM])
    found = {row["Order number"]: row["Total"] for row in rows(app, "orders", statuses=["all"])}
    assert {number: total and str(total) for number, total in found.items()} == {"1": "5.00", "2": None}


def test_fields_are_left_out(app: App) -> None:
    made(app)
    (row, _) = rows(app, "orders", statuses=["all"], exclude=["id", "order_created_at"])
    assert not {"ID", "Created at"} & set(row)
    with pytest.raises(Invalid, match="did you mean order_id"):
        rows(app, "orders", exclude=["order_idd"])


def test_an_unknown_status_or_instant_is_refused(app: App) -> None:
    with pytest.raises(Invalid, match="not one of"):
        rows(app, "orders", statuses=["open"])
    with pytest.raises(Invalid, match="not a date"):
        rows(app, "orders", since="yesterday-ish")


def test_only_what_changed_since_is_exported(app: App) -> None:
    made(app)
    later = (app.now() + timedelta(hours=1)).isoformat()
    assert rows(app, "orders", statuses=["all"], since=later) == []
    assert len(rows(app, "orders", statuses=["all"], since="2020-01-01")) == 2


def test_a_name_goes_on_where_the_last_export_stopped(app: App) -> None:
    def nightly() -> list[str]:
        sheet = export(app, "orders", ExportRequest(("all",), since="@nightly"))
        found = [row["Order number"] for row in sheet.rows]
        sheet.finish()
        return found

    first = made(app, order_id="1", line_items=[ITEM])
    assert nightly() == ["1"]
    assert nightly() == []
    made(app, order_id="2", line_items=[ITEM])
    orders.cancel_order(app, first.id)
    assert sorted(nightly()) == ["1", "2"]


def test_an_export_that_was_not_written_moves_no_name_on(app: App) -> None:
    made(app)
    list(export(app, "orders", ExportRequest(("all",), since="@n")).rows)
    assert len(list(export(app, "orders", ExportRequest(("all",), since="@n")).rows)) == 2


def test_live_and_test_are_exported_apart(app: App) -> None:
    made(app)
    assert rows(app.in_mode(False), "orders", statuses=["all"]) == []


def test_every_export_has_rows_for_an_object_with_nothing_optional(app: App) -> None:
    body = {"order_id": "1", "shipping_to": {"country_code": "US"}, "line_items": [ITEM]}
    orders.create_order(app, OrderData.model_validate(body))
    (row,) = rows(app, "orders", statuses=["all"])
    assert (row["Shipping country"], row["From country"], row["Options"]) == ("US", None, None)
    assert set(exporting.EXPORTS) == {"orders", "shipments", "trackers"}
