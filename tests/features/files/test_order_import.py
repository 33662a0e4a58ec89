"""Orders, trackers and invoice lines from files: whole or not at all, and never twice."""

from __future__ import annotations

import csv
import io
import os
import random
import signal
import time
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.core import row_results
from shipcli.features.core.app import App
from shipcli.features.core.interruption import defer_interruption
from shipcli.features.core.merge import drop_ids
from shipcli.features.core.row_results import Outcome, Results
from shipcli.features.files import invoice_import, order_import
from shipcli.features.files.data_templates import map_file
from shipcli.features.files.engine import ImportPlan
from shipcli.features.orders import service as orders
from shipcli.features.orders.changes import combine_orders, edit_order, split_order
from shipcli.features.shipments import service as shipments
from shipcli.features.shipments.voids import cancel_shipment
from shipcli.models import (
    Invalid,
    Order,
    OrderCombineData,
    OrderEditData,
    OrderSplitData,
    OrderUpdateData,
    Shipment,
    ShipmentPurchaseData,
)
from shipcli.readers.headers import BILLING, ORDERS, TRACKERS
from shipcli.readers.tables import DataFile
from tests.factories import draft
from tests.features.files.rows import charge, line
from tests.features.importing import check_orders, import_invoices, import_orders, import_trackers
from tests.features.orders.samples import bought as buy
from tests.features.orders.samples import covering, events
from tests.shared import find_shared


def table(rows: Sequence[Mapping[str, str]], name: str = "orders.csv") -> DataFile:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(dict.fromkeys(key for row in rows for key in row)))
    writer.writeheader()
    writer.writerows(rows)
    return DataFile(name, text.getvalue().encode())


def load(app: App, *rows: Mapping[str, str], **plan: Any) -> Results[Outcome]:
    return import_orders(app, table(rows), ImportPlan(**plan))


def statuses(results: Results[Outcome]) -> list[tuple[str, str]]:
    return [(row.reference, row.status) for row in results.rows]


def stored(app: App) -> list[dict[str, Any]]:
    """The stored orders, oldest first."""
    return list(app.store.each("order"))[::-1]


# -- orders ----------------------------------------------------------------------------------------


def test_the_default_headers_are_the_known_ones() -> None:
    assert (len(ORDERS), len(TRACKERS), len(BILLING)) == (45, 5, 7)
    assert len(set(ORDERS.values())) == 45


def test_rows_of_one_number_and_source_are_one_order_wherever_they_stand(app: App) -> None:
    rows = [line("1"), line("2"), line("1", "Book"), line("1", "Pen", **{"Order source": "shop"})]
    results = load(app, *rows)
    assert [(row.row, row.reference) for row in results.rows] == [(2, "1"), (3, "2"), (5, "1")]
    found = {(one["order_id"], one["source"]): one for one in stored(app)}
    assert [item["title"] for item in found["1", "web"]["line_items"]] == ["Lamp", "Book"]
    assert len(found["2", "web"]["line_items"]) == len(found["1", "shop"]["line_items"]) == 1
    assert events(app) == ["order_created"] * 3


def test_a_row_fills_its_order_and_item(app: App) -> None:
    cells = {"Options": '{"paid_by": "sender"}', "Order Currency": "usd", "Item Metadata": '{"a": 1.50}',
             "HS tariff number": "0901", "Item Description": "x", "Shipping residential": "yes"}  # fmt: skip
    load(app, line("1", **cells))
    (order,) = stored(app)
    assert order["options"] == {"paid_by": "sender", "currency": "USD"}
    assert (order["order_date"], order["source"], order["status"]) == ("2026-11-20", "web", "unfulfilled")
    assert order["shipping_to"]["residential"] is True
    (item,) = order["line_items"]
    assert (item["value_amount"], item["weight"], item["quantity"]) == (Decimal("9.5"), Decimal("0.5"), 2)
    assert (item["hs_code"], item["metadata"], item["unfulfilled_quantity"]) == (
        "0901",
        {"a": Decimal("1.5")},
        2,
    )


def test_empty_from_and_billing_cells_give_no_such_address(app: App) -> None:
    empty = {"From name": "", "From country": "", "From residential": "no", "Billing country": ""}
    load(app, line("1", **empty))
    (order,) = stored(app)
    assert (order["shipping_from"], order["billing_address"]) == (None, None)


def test_a_sender_with_some_cells_needs_a_country(app: App) -> None:
    with pytest.raises(Invalid, match="row 2, From country"):
        load(app, line("1", **{"From name": "Dock", "From country": ""}))


def test_a_bad_cell_refuses_the_file_and_every_one_is_named(app: App) -> None:
    rows = [
        line("1"),
        line("2", **{"Item weight": "heavy", "Order date": "1/2/2026", "Shipping country": "Atlantis"}),
        line("3", **{"Options": "{", "Item quantity": "two", "Item currency": "XXQ"}),
        line("", **{"Shipping postal code": "1"}),
    ]
    with pytest.raises(Invalid) as caught:
        load(app, *rows)
    assert {problem.field for problem in caught.value.problems} == {
        "row 3, Item weight", "row 3, Order date", "row 3, Shipping country", "row 4, Options",
        "row 4, Item quantity", "row 4, Item currency", "row 5, Order number", "row 5, Shipping postal code",
    }  # fmt: skip
    assert stored(app) == []


def test_all_rows_of_an_order_with_a_bad_row_are_set_aside(app: App) -> None:
    rows = [line("1"), line("2"), line("2", "Book", **{"Item weight": "x"}), line("3")]
    results = load(app, *rows, keep_good=True)
    assert statuses(results) == [("1", "created"), ("3", "created")]
    assert [row.number for row in results.checked.bad_rows] == [3, 4]
    assert {(one.row, one.column) for one in results.checked.wrong} == {
        (3, "Order number"),
        (4, "Item weight"),
    }
    assert results.exit_code == 9


def test_a_known_order_is_used_as_it_is(app: App) -> None:
    load(app, line("1"))
    before = stored(app)
    results = load(app, line("1", "Changed"), line("2"))
    assert statuses(results) == [("1", "existing"), ("2", "created")]
    assert results.rows[0].id == before[0]["id"]
    assert stored(app)[0] == before[0]
    assert results.exit_code == 0


def test_known_orders_can_be_an_error(app: App) -> None:
    load(app, line("1"))
    with pytest.raises(Invalid, match="exists already"):
        load(app, line("1"), line("2"), on_duplicate="error")
    assert len(stored(app)) == 1


def test_update_writes_over_an_order_nothing_ships_yet(app: App) -> None:
    (made,) = load(app, line("1")).rows
    orders.update_order(app, str(made.id), OrderUpdateData.model_validate({"metadata": {"own": 1}}))
    changed = line("1", "Book", **{"Shipping name": "Bea"})
    results = load(app, changed, on_duplicate="update")
    assert statuses(results) == [("1", "updated")]
    (order,) = stored(app)
    assert (order["id"], order["metadata"]) == (made.id, {"own": 1})
    assert (order["shipping_to"]["person_name"], order["line_items"][0]["title"]) == ("Bea", "Book")
    assert statuses(load(app, changed, on_duplicate="update")) == [("1", "existing")]
    assert events(app) == ["order_created", "order_updated", "order_updated"]


def test_update_leaves_alone_what_the_file_has_no_column_for(app: App) -> None:
    more = {
        "Shipping phone": "+1 215 763 8100", "Item origin country": "CN", "From name": "Dock Two",
        "From country": "US", "From phone": "+1 215 763 8101",
    }  # fmt: skip
    load(app, line("1", **more), line("1", "Book", **more))
    (before,) = stored(app)
    exported = ("Order date", "Item quantity", *more)
    rows = [{k: v for k, v in line("1", title).items() if k not in exported} for title in ("Book", "Lamp")]
    assert statuses(load(app, *rows[::-1], on_duplicate="update")) == [("1", "existing")]
    rows[0] |= {"Shipping name": "Bea", "Item price": "8"}
    rows[1] |= {"Shipping name": "Bea", "Item price": "9.50"}
    assert statuses(load(app, *rows, on_duplicate="update")) == [("1", "updated")]
    (after,) = stored(app)
    assert after["shipping_to"] == {**before["shipping_to"], "id": ANY, "person_name": "Bea"}
    assert (after["shipping_from"], after["order_date"]) == (before["shipping_from"], before["order_date"])
    goods = [{**before["line_items"][1], "value_amount": Decimal(8)}, before["line_items"][0]]
    assert drop_ids(after["line_items"]) == drop_ids(goods)
    emptied = {**line("1", "Book"), "Shipping phone": "", "From country": ""}
    load(app, emptied, on_duplicate="update")
    (last,) = stored(app)
    assert (last["shipping_to"]["phone_number"], last["shipping_from"]) == (None, None)


def test_update_leaves_an_order_that_is_being_shipped(app: App) -> None:
    (made,) = load(app, line("1")).rows
    covering(app, orders.get_order(app, str(made.id)), 1)
    (row,) = load(app, line("1", "Book"), on_duplicate="update").rows
    assert (row.status, row.message) == ("existing", order_import.SHIPPING)


def test_update_writes_over_an_order_whose_label_was_voided(app: App) -> None:
    (made,) = load(app, line("1")).rows
    shipment = buy(app, covering(app, orders.get_order(app, str(made.id)), 1))
    (row,) = load(app, line("1", **{"Shipping address 1": "9 Fixed St"}), on_duplicate="update").rows
    assert (row.status, row.message) == ("existing", order_import.SHIPPING)
    cancel_shipment(app, shipment.id)
    before = orders.get_order(app, str(made.id))
    (row,) = load(app, line("1", **{"Shipping address 1": "9 Fixed St"}), on_duplicate="update").rows
    after = orders.get_order(app, str(made.id))
    assert (row.status, after.shipping_to.address_line1) == ("updated", "9 Fixed St")
    assert after.line_items[0].id == before.line_items[0].id
    assert [sent.id for sent in after.shipments] == [shipment.id]


def test_update_keeps_what_a_person_corrected_until_the_file_says_something_new(app: App) -> None:
    (made,) = load(app, line("1")).rows
    fixed = OrderEditData.model_validate({"shipping_to": {"address_line1": "9 Fixed St"}})
    edit_order(app, str(made.id), fixed)
    (row,) = load(app, line("1"), on_duplicate="update").rows
    assert (row.status, row.message) == ("existing", order_import.BY_HAND)
    assert stored(app)[0]["shipping_to"]["address_line1"] == "9 Fixed St"
    newer = line("1", **{"Shipping address 1": "7 Newer St"})
    assert statuses(load(app, newer, on_duplicate="update")) == [("1", "updated")]
    assert stored(app)[0]["shipping_to"]["address_line1"] == "7 Newer St"
    assert statuses(load(app, line("1"), on_duplicate="update")) == [("1", "updated")]


def test_update_leaves_what_was_split_or_combined(app: App) -> None:
    load(app, line("1"), line("1", "Book"), line("2"))
    first, second = (Order.model_validate({**order, "shipments": []}) for order in stored(app))
    parts = OrderSplitData.model_validate({"line_items": [{"id": first.line_items[1].id}]})
    split_order(app, first.id, parts)
    combine_orders(app, first.id, OrderCombineData(orders=[second.id]))
    again = load(app, line("1"), line("1", "Book"), line("2"), on_duplicate="update").rows
    assert [(row.status, row.message) for row in again] == [
        ("existing", order_import.PARTED),
        ("existing", "It was combined with 1 and was left as it is"),
    ]
    assert [len(order["line_items"]) for order in stored(app)] == [2, 1, 1]


def test_a_cancelled_order_does_not_come_back_by_itself(app: App) -> None:
    (made,) = load(app, line("1")).rows
    orders.cancel_order(app, str(made.id))
    assert statuses(load(app, line("1"))) == [("1", "cancelled")]
    assert statuses(load(app, line("1"), on_duplicate="update")) == [("1", "created")]


def test_other_columns_can_tell_orders_apart(app: App) -> None:
    rows = [line("1", Ref="A"), line("2", Ref="B"), line("1", "Book", Ref="A")]
    assert len(load(app, *rows, key=("Ref",)).rows) == 2
    with pytest.raises(Invalid, match="same order number"):
        load(app, line("1", Ref="A"), line("1", Ref="B"), key=("Ref",))
    with pytest.raises(Invalid, match="no column"):
        load(app, line("1"), key=("Nothing",))


def test_missing_columns_are_named(app: App) -> None:
    with pytest.raises(Invalid, match="lacks the column 'Item weight'"):
        load(app, {"Order number": "1", "Shipping country": "US"})
    with pytest.raises(Invalid, match="Shipping country"):
        load(app, {"Order number": "1", "Item weight": "1"})


def test_checking_stores_nothing_and_warns_of_addresses(app: App) -> None:
    checked = check_orders(app, table([line("1", **{"Shipping state": "NY"})]), ImportPlan(), warn=True)
    assert (checked.wrong, checked.good) == ((), 1)
    assert {one.column for one in checked.warnings} & {"Shipping state", "Shipping postal code"}
    assert stored(app) == []


def test_an_import_that_is_asked_to_end_stops_between_orders_and_is_finished_by_the_next(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(order_import, "CHUNK", 2)
    rows = [line(number, title) for number in "12345" for title in ("Lamp", "Book")]

    def ask_to_end(done: int, total: int, outcome: Outcome) -> None:
        if done == 2:
            signal.raise_signal(signal.SIGTERM)

    with defer_interruption():
        first = import_orders(app, table(rows), ImportPlan(), progress=ask_to_end)
    assert (first.exit_code, [one.status for one in first.rows]) == (130, ["created", "created"])
    with defer_interruption():
        again = import_orders(app, table(rows), ImportPlan())
    assert [one.status for one in again.rows] == ["existing", "existing", *["created"] * 3]
    assert all(len(order["line_items"]) == 2 for order in app.store.each("order"))


def test_progress_counts_rows_and_reaches_the_end(app: App) -> None:
    seen: list[tuple[int, int]] = []
    rows = [line(number, title) for number in "123" for title in ("Lamp", "Book")]
    import_orders(app, table(rows), ImportPlan(), progress=lambda done, of, _: seen.append((done, of)))
    assert seen == [(2, 6), (4, 6), (6, 6)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.slow
def test_an_import_killed_at_random_moments_is_finished_by_the_next(tmp_path: Path) -> None:
    chance, home = random.Random(7), tmp_path / "home"
    rows = [line(str(number), title) for number in range(400) for title in ("Lamp", "Book")]
    open_app(home, sandbox=True, environ={}).close()
    for _ in range(15):
        pid = os.fork()
        if pid == 0:
            order_import.CHUNK = 10
            import_orders(open_app(home, sandbox=True, environ={}), table(rows), ImportPlan())
            os._exit(0)
        time.sleep(chance.uniform(0.05, 0.5))
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    app = open_app(home, sandbox=True, environ={})
    results = load(app, *rows)
    assert len(results.rows) == 400
    found = stored(app)
    assert len({one["order_id"] for one in found}) == len(found) == 400
    assert all(len(one["line_items"]) == 2 for one in found)
    assert events(app) == ["order_created"] * 400
    app.close()


@pytest.mark.parametrize(
    ("file", "template", "given", "count"),
    [
        ("orders_default_300.csv", None, {}, 300),
        ("shopify_orders_export.csv", "shopify", {"weight": "0.5"}, 250),
    ],
)
def test_the_sample_files_import_whole(
    app: App, file: str, template: str | None, given: dict[str, str], count: int
) -> None:
    path = find_shared(f"data/{file}")
    rows = map_file(app, DataFile.open(path), "orders", template=template, constants=given)
    results = import_orders(app, rows, ImportPlan())
    assert (results.count("created"), results.checked.wrong) == (count, ())
    assert results.checked.rows == sum(len(one["line_items"]) for one in stored(app))


# -- trackers --------------------------------------------------------------------------------------


def watch(app: App, *rows: tuple[str, str], options: str = "", **plan: Any) -> Results[Outcome]:
    cells = [{"Tracking Number": number, "Carrier": carrier, "Options": options} for number, carrier in rows]
    return import_trackers(app, table(cells), ImportPlan(**plan))


def tracker_events(app: App) -> list[str]:
    return [one["type"] for one in app.store.each("event") if one["type"].startswith("tracker_")]


def test_a_tracker_is_made_for_every_new_number(app: App) -> None:
    results = watch(app, ("1Z1", "ups"), ("9400", "usps"), options='{"reference": "R1"}')
    assert statuses(results) == [("1Z1", "created"), ("9400", "created")]
    assert tracker_events(app) == ["tracker_created"] * 2
    found = app.store.get("tracker", str(results.rows[0].id))
    assert found is not None
    assert (found["carrier_name"], found["meta"]["reference"]) == ("ups", "R1")


def test_a_known_number_is_used_as_it_is(app: App) -> None:
    first = watch(app, ("1Z1", "ups"))
    again = watch(app, ("1Z1", "ups"), ("1Z1", "ups"))
    assert [row.status for row in again.rows] == ["existing"] * 2
    assert again.rows[0].id == first.rows[0].id
    with pytest.raises(Invalid, match="watched already"):
        watch(app, ("1Z1", "ups"), on_duplicate="error")


def test_a_tracker_row_needs_number_and_carrier(app: App) -> None:
    with pytest.raises(Invalid) as caught:
        watch(app, ("", "ups"), ("1Z1", ""), ("1Z2", "upss"))
    said = {problem.field: problem.reason for problem in caught.value.problems}
    assert set(said) == {"row 2, Tracking Number", "row 3, Carrier", "row 4, Carrier"}
    assert "did you mean ups" in said["row 4, Carrier"]
    assert app.store.count("tracker") == 0


def test_good_trackers_go_on_when_bad_ones_are_set_aside(app: App) -> None:
    results = watch(app, ("", "ups"), ("1Z1", "ups"), keep_good=True)
    assert (statuses(results), results.exit_code) == ([("1Z1", "created")], 9)


# -- invoices --------------------------------------------------------------------------------------


def bought(app: App) -> Shipment:
    made = shipments.create_shipment(app, draft(carrier_ids=["generic"]))
    return shipments.purchase_shipment(app, made.id, ShipmentPurchaseData(selected_rate_id=made.rates[0].id))


def bill(app: App, *rows: Mapping[str, str], **plan: Any) -> Results[Outcome]:
    return import_invoices(app, table(rows, "invoice.csv"), ImportPlan(**plan))


def lines_of(app: App, shipment: Shipment) -> list[dict[str, Any]]:
    return list((shipments.get_shipment(app, shipment.id).meta or {}).get("billing") or [])


def test_a_line_is_noted_with_its_shipment_once(app: App) -> None:
    shipment = bought(app)
    before = app.store.count("event")
    number = shipment.tracking_number
    rows = [charge(number), charge(number, "-1.5", Description="Credit")]
    results = bill(app, *rows)
    assert [row.status for row in results.rows] == ["created", "created"]
    assert [row.status for row in bill(app, *rows).rows] == ["existing"] * 2
    first, second = lines_of(app, shipment)
    assert first == {"invoice_number": "I-1", "invoice_date": "2026-11-01", "description": "Freight",
                     "amount": Decimal("7.25"), "currency": "USD"}  # fmt: skip
    assert second["amount"] == Decimal("-1.5")
    assert app.store.count("event") == before
    kept = shipments.get_shipment(app, shipment.id)
    assert kept.model_copy(update={"meta": None}) == shipment.model_copy(update={"meta": None})


def test_a_line_that_stands_in_a_bill_twice_was_charged_twice(app: App) -> None:
    shipment = bought(app)
    number = shipment.tracking_number
    rows = [charge(number), charge(number, "-1.5", Description="Credit"), charge(number)]
    assert [row.status for row in bill(app, *rows).rows] == ["created"] * 3
    assert [row.status for row in bill(app, *rows).rows] == ["existing"] * 3
    assert [str(line["amount"]) for line in lines_of(app, shipment)] == ["7.25", "-1.5", "7.25"]


@pytest.mark.parametrize(
    ("written", "amount", "currency"),
    [
        ("(5.00)", "-5.00", None), ("5.00-", "-5.00", None), ("-$5.00", "-5.00", "USD"),
        ("($5.00)", "-5.00", "USD"), ("1.234,50 EUR", "1234.50", "EUR"), ("1,234.50", "1234.50", None),
        ("7,03", "7.03", None),
    ],
)  # fmt: skip
def test_amounts_are_read_as_bills_write_them(
    app: App, written: str, amount: str, currency: str | None
) -> None:
    shipment = bought(app)
    bill(app, {**charge(shipment.tracking_number, written), "Currency": ""})
    (line,) = lines_of(app, shipment)
    assert (line["amount"], line["currency"]) == (Decimal(amount), currency)


def test_an_unknown_number_fails_its_row_only(app: App) -> None:
    shipment = bought(app)
    results = bill(app, charge("nothing"), charge(shipment.tracking_number))
    assert [(row.status, row.message) for row in results.rows] == [
        ("failed", invoice_import.UNKNOWN), ("created", None),
    ]  # fmt: skip
    assert results.exit_code == 9


def test_the_carrier_of_a_line_must_be_the_shipments(app: App) -> None:
    shipment = bought(app)
    number = shipment.tracking_number
    results = bill(app, charge(number, Carrier="ups"), charge(number, Carrier="Generic"))
    assert [row.status for row in results.rows] == ["failed", "created"]


def test_a_shipment_of_the_other_mode_is_unknown(app: App) -> None:
    shipment = bought(app)
    assert bill(app.in_mode(False), charge(shipment.tracking_number)).rows[0].status == "failed"


def test_a_wrong_charge_refuses_the_file(app: App) -> None:
    with pytest.raises(Invalid) as caught:
        bill(app, charge("1", "much"), charge("", Currency="XQQ"), charge("1", **{"Invoice date": "1/2/26"}))
    assert {problem.field for problem in caught.value.problems} == {
        "row 2, Amount", "row 3, Tracking number", "row 3, Currency", "row 4, Invoice date",
    }  # fmt: skip


def test_what_is_under_way_is_finished_when_a_run_is_stopped() -> None:
    stop: list[int] = []
    items = iter(range(10))
    done = []
    for item, result in row_results.do_at_once(items, lambda one: one * 2, 4, lambda: bool(stop)):
        done.append((item, result))
        stop.append(item)
    assert done == [(0, 0), (1, 2), (2, 4), (3, 6)]
    assert list(items) == [4, 5, 6, 7, 8, 9]
