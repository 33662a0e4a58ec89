"""Rows of orders, trackers and invoices as bodies: every wrong cell is named by its column."""

from __future__ import annotations

from decimal import Decimal

import pytest

from shipcli.readers import invoices, orders, trackers
from shipcli.readers.headers import BILLING, READ, TRACKERS
from shipcli.readers.orders import OrderReader, OrderRow
from shipcli.readers.tables import Row

COLUMNS = READ["orders"]
GOOD = {"order_id": "1", "shipping_to_country": "us", "shipping_to_postal_code": "85004", "weight": "1,5"}


def read(*, first: bool = True, **cells: str) -> OrderRow:
    row = Row(2, {COLUMNS[name]: value for name, value in {**GOOD, **cells}.items()})
    return OrderReader(COLUMNS).read(row, first=first)


def test_defaults_fill_what_a_row_leaves_open() -> None:
    line = read()
    assert line.order is not None
    assert line.items
    assert (line.order.source, line.order.order_date, line.key) == ("API", None, ("1", "API"))
    assert line.order.shipping_to.model_dump()["country_code"] == "US"
    assert (line.items[0].quantity, line.items[0].weight, line.items[0].weight_unit) == (
        1,
        Decimal("1.5"),
        "KG",
    )


def test_an_item_may_weigh_nothing() -> None:
    line = read(weight="0")
    assert (line.wrong, line.items[0].weight) == ((), Decimal(0))


def test_a_follow_up_row_is_its_item_only() -> None:
    line = read(first=False, shipping_to_country="Atlantis", order_date="x")
    assert (line.wrong, line.order) == ((), None)
    assert line.items


@pytest.mark.parametrize(
    ("column", "value", "reason"),
    [
        ("order_id", "", "is required"),
        ("shipping_to_country", "", "is required"),
        ("shipping_to_country", "Germny", "did you mean Germany"),
        ("shipping_to_postal_code", "850", "'850' must be a US postal code"),
        ("shipping_to_phone", "call me", "phone number"),
        ("shipping_to_residential", "maybe", "neither yes nor no"),
        ("shipping_to_name", "x" * 51, "at most 50"),
        ("shipping_from_city", "Paris", None),
        ("shipping_from_postal_code", "1", None),
        ("order_date", "20.13.2026", "YYYY-MM-DD"),
        ("order_date", "2026-02-30", "YYYY-MM-DD"),
        ("order_currency", "DOLLAR", "is not a known currency"),
        ("options", "[1]", "not a JSON object"),
        ("order_metadata", "{", "not JSON"),
        ("quantity", "1.5", "whole number"),
        ("quantity", "-1", "whole number"),
        ("quantity", "2.000", "whole number"),
        ("weight", "", "is required"),
        ("weight", "-1", "must not be negative"),
        ("weight_unit", "stone", "KG"),
        ("value_amount", "5 bucks", "not a number"),
        ("value_currency", "US", "is not a known currency"),
        ("origin_country", "Nowhere", "is not a country"),
        ("metadata", "{", "not JSON"),
        ("title", "=A1", "formula without a value"),
        ("shipping_to_city", "#N/A", "an error of the spreadsheet"),
        ("order_id", "1.23456789012346e+19", "cut short"),
        ("shipping_to_phone", "1,62E+11", "cut short"),
    ],
)
def test_a_wrong_cell_is_named(column: str, value: str, reason: str | None) -> None:
    wrong = read(**{column: value}).wrong
    blamed = {
        "shipping_from_city": "shipping_from_country",
        "shipping_from_postal_code": "shipping_from_country",
    }
    assert [one.column for one in wrong] == [COLUMNS[blamed.get(column, column)]]
    assert wrong[0].row == 2
    assert (reason or "is required") in wrong[0].reason


def test_every_wrong_cell_is_found_at_once() -> None:
    wrong = read(weight="x", order_date="x", shipping_to_country="x", options="x").wrong
    assert {one.column for one in wrong} == {COLUMNS[name] for name in (
        "weight", "order_date", "shipping_to_country", "options")}  # fmt: skip


@pytest.mark.parametrize("text", ["2.0", "2.00", "2,0", "2,00"])
def test_a_number_a_program_made_whole_is_a_quantity(text: str) -> None:
    line = read(quantity=text)
    assert line.items
    assert line.items[0].quantity == 2


def test_a_tracker_row_takes_a_connection_for_its_carrier() -> None:
    cells = {"Tracking Number": "1Z", "Carrier": "my ups", "Options": '{"account_number": 12, "other": 1}'}
    found = trackers.TrackerReader(TRACKERS, {"my ups": "ups"}).read(Row(2, cells))
    assert found.data is not None
    assert (found.data.carrier_name, found.data.account_number, found.data.reference) == ("ups", "12", None)


@pytest.mark.parametrize(
    "text", ["9400 1118 9922 3856 9284 99", "420851019400111899223856928499", "9400111899223856928499"]
)
def test_a_number_is_tracked_without_blanks_and_routing(text: str) -> None:
    found = trackers.TrackerReader(TRACKERS, {"usps": "usps"}).read(
        Row(2, {"Tracking Number": text, "Carrier": "usps"})
    )
    assert found.data
    charge = invoices.InvoiceReader(BILLING).read(Row(2, {"Tracking number": text, "Amount": "1"}))
    assert found.data.tracking_number == found.key == charge.tracking_number == "9400111899223856928499"


def test_a_number_that_a_spreadsheet_cut_short_is_not_tracked() -> None:
    cells = {"Tracking Number": "9.40011E+21", "Carrier": "usps"}
    found = trackers.TrackerReader(TRACKERS, {"usps": "usps"}).read(Row(2, cells))
    assert [(one.column, "cut short" in one.reason) for one in found.wrong] == [("Tracking Number", True)]


def test_a_charge_keeps_its_digits() -> None:
    found = invoices.InvoiceReader(BILLING).read(Row(2, {"Tracking number": "1Z", "Amount": "-12.340"}))
    assert (found.wrong, found.line and found.line["amount"]) == ((), Decimal("-12.340"))


def test_the_column_behind_a_field_is_known() -> None:
    assert orders.find_column("billing_address.postal_code") == "billing_postal_code"
    assert orders.find_column("shipping_to.person_name") == "shipping_to_name"
    assert orders.find_column("order_id") == "order_id"
