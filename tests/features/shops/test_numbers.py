"""Which numbers a shop is told, in which rows, and that none is told twice or lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shipcli.features.core.app import App
from shipcli.features.orders import changes
from shipcli.features.shipments import service as shipments
from shipcli.features.shipments import voids
from shipcli.features.shops import own_map, sheets, waiting
from shipcli.models import Invalid, NumbersTold, Order, OrderCombineData, OrderSplitData, SentNumber
from tests.factories import draft
from tests.features.orders.samples import bought, covering, made, now, pack

LINES = [
    {"title": "Lamp", "sku": "L-1", "quantity": 2, "weight": 1, "weight_unit": "KG",
     "metadata": {"order_item_id": "77", "item_number": "555", "transaction_id": "9", "line": "1"}},
    {"title": "Book", "sku": "B-1", "quantity": 1, "weight": 300, "weight_unit": "G",
     "metadata": {"order_item_id": "78", "item_number": "556", "transaction_id": "10", "line": "2"}},
]  # fmt: skip
FACTS: dict[str, Any] = {
    "shipment_id": "shp_1", "order_number": "#1001", "tracking_number": "1Z 999-AA1", "carrier": "ups",
    "carrier_name": "UPS", "service": "UPS Ground", "ship_date": "2026-11-27",
    "tracking_url": "https://example.com/1Z",
}  # fmt: skip
LINE = {"id": "l1", "sku": "L-1", "title": "Lamp", "quantity": 1, "metadata": LINES[0]["metadata"]}


def wait(app: App, shop: str = "shopify", **more: Any) -> list[SentNumber]:
    return waiting.list_waiting(app, shop=shop, source=more.pop("source", shop), **more).numbers


def tell(app: App, numbers: list[SentNumber], shop: str = "shopify") -> None:
    told = {back: [one.shipment_id for one in numbers if one.withdrawn is back] for back in (True, False)}
    waiting.mark_told(app, NumbersTold(shop=shop, shipment_ids=told[False], withdrawn=told[True]))


def number(**changes: Any) -> SentNumber:
    return SentNumber.model_validate({**FACTS, "lines": [LINE], **changes})


def rows(slug: str, *numbers: SentNumber) -> list[dict[str, str]]:
    return list(sheets.write_rows(sheets.find_sheet(slug), numbers))


def test_a_number_is_told_once_and_repeated_when_asked(app: App) -> None:
    order = made(app, source="Shopify")
    sold = bought(app, covering(app, order, 2, 1))
    (first,) = wait(app)
    assert (first.order_number, first.tracking_number) == ("1001", sold.tracking_number)
    assert (first.is_partial, first.completes) == (False, True)
    tell(app, [first])
    assert wait(app) == []
    assert [one.shipment_id for one in wait(app, again=True)] == [sold.id]
    assert [one.shipment_id for one in wait(app, since="2020-01-01")] == [sold.id]
    assert wait(app, since="2999-01-01") == []
    assert [one.shipment_id for one in wait(app, "etsy", source="any")] == [sold.id], "another shop"


def test_what_is_not_marked_is_told_again(app: App) -> None:
    bought(app, covering(app, made(app, source="shopify"), 2, 1))
    assert wait(app) == wait(app) != []


def test_orders_of_other_sources_are_counted(app: App) -> None:
    bought(app, covering(app, made(app, source="web"), 2, 1))
    answer = waiting.list_waiting(app, shop="shopify", source="shopify")
    assert (answer.numbers, answer.other_sources) == ([], {"web": 1})


def test_parts_of_an_order_are_told_line_by_line(app: App) -> None:
    order = made(app, source="amazon", line_items=LINES)
    bought(app, covering(app, order, 1, 0))
    (first,) = wait(app, "amazon")
    assert (first.is_partial, first.completes) == (True, False)
    (row,) = rows("amazon", first)
    assert (row["order-item-id"], row["quantity"]) == ("77", "1")
    tell(app, [first], "amazon")
    bought(app, covering(app, order, 1, 1))
    (second,) = wait(app, "amazon")
    assert (second.is_partial, second.completes) == (True, True)
    told = [(row["order-item-id"], row["quantity"]) for row in rows("amazon", second)]
    assert told == [("77", "1"), ("78", "1")]


def test_each_parcel_with_a_number_of_its_own_says_what_is_in_it(app: App) -> None:
    order = made(app, source="shopify")
    parcels = [pack(order, 2, 0), pack(order, 0, 1)]
    sold = bought(app, shipments.create_shipment(app, draft(parcels=parcels, carrier_ids=["generic"])))
    numbers = [parcel.reference_number for parcel in sold.parcels]
    told = wait(app)
    if len(set(numbers)) == 2:
        assert {one.tracking_number: [line.sku for line in one.lines] for one in told} == {
            numbers[0]: ["L-1"], numbers[1]: ["B-1"],
        }  # fmt: skip
    else:
        assert [one.tracking_number for one in told] == [sold.tracking_number]


def show(numbers: list[SentNumber]) -> list[tuple[str, list[tuple[str, int]], bool, bool]]:
    return [
        (
            one.order_number,
            [(line.sku, line.quantity) for line in one.lines],
            one.is_partial,
            one.completes,
        )
        for one in numbers
    ]


def split(app: App, order: Order, *parts: dict[str, Any]) -> Order:
    return changes.split_order(app, order.id, OrderSplitData.model_validate({"line_items": parts}))


def combine(app: App, host: Order, *others: Order) -> Order:
    return changes.combine_orders(app, host.id, OrderCombineData(orders=[one.id for one in others]))


def test_the_parts_of_a_split_order_are_told_as_parts_of_the_one_that_the_shop_knows(app: App) -> None:
    order = made(app, source="shopify", metadata={"shopify_id": "77"})
    lamp, book = order.line_items
    part = split(app, order, {"id": lamp.id, "quantity": 1}, {"id": book.id})
    further = split(app, part, {"id": part.line_items[1].id})
    bought(app, covering(app, now(app, order), 1))
    first = wait(app)
    assert show(first) == [("1001", [("L-1", 1)], True, False)]
    tell(app, first)
    bought(app, covering(app, now(app, further), 1))
    bought(app, covering(app, now(app, part), 1))
    last = wait(app)
    assert show(last) == [("1001", [("B-1", 1)], True, True), ("1001", [("L-1", 1)], True, True)]
    assert {one.order_metadata["shopify_id"] for one in last} == {"77"}


def test_each_of_the_orders_that_were_combined_is_told_its_own_lines(app: App) -> None:
    first, second = (made(app, source="shopify", order_id=number) for number in ("1001", "1002"))
    host = combine(app, first, second)
    bought(app, covering(app, host, 2, 1, 2, 1))
    lines = [("L-1", 2), ("B-1", 1)]
    assert show(wait(app)) == [("1001", lines, False, True), ("1002", lines, False, True)]


def test_a_combined_order_that_is_sent_in_parts_says_which_sale_is_complete(app: App) -> None:
    first, second = (made(app, source="shopify", order_id=number) for number in ("1001", "1002"))
    host = combine(app, first, second)
    part = split(app, host, {"id": host.line_items[3].id})
    bought(app, covering(app, now(app, host), 2, 1, 2))
    told = wait(app)
    assert show(told) == [
        ("1001", [("L-1", 2), ("B-1", 1)], False, True), ("1002", [("L-1", 2)], True, False),
    ]  # fmt: skip
    tell(app, told)
    bought(app, covering(app, now(app, part), 1))
    assert show(wait(app)) == [("1002", [("B-1", 1)], True, True)]


def test_a_voided_label_is_corrected_once(app: App) -> None:
    order = made(app, source="shopify")
    sold = bought(app, covering(app, order, 2, 1))
    tell(app, wait(app))
    voids.cancel_shipment(app, sold.id)
    (back,) = wait(app)
    assert back.withdrawn
    assert rows("shopify", back)[0]["Fulfillment: Status"] == "cancelled"
    assert (rows("woocommerce", back), sheets.list_unsayable(sheets.find_sheet("woocommerce"), [back])) == (
        [], [f"{sold.tracking_number} of order 1001"],
    )  # fmt: skip
    tell(app, [back])
    assert wait(app) == []
    again = bought(app, covering(app, order, 2, 1))
    assert [(one.shipment_id, one.withdrawn) for one in wait(app)] == [(again.id, False)]


def test_a_label_that_was_voided_before_it_was_told_is_never_told(app: App) -> None:
    sold = bought(app, covering(app, made(app, source="shopify"), 2, 1))
    voids.cancel_shipment(app, sold.id)
    assert wait(app) == []


def test_a_shipment_without_a_stored_order_is_told_by_its_reference(app: App) -> None:
    sold = bought(app, shipments.create_shipment(app, draft(reference="W-7", carrier_ids=["generic"])))
    (told,) = wait(app, "own", source="any")
    assert (told.order_number, told.tracking_number, told.lines) == ("W-7", sold.tracking_number, [])


@pytest.mark.parametrize("day", ["27.11.2026", "soon", 7])
def test_a_day_that_is_none_keeps_no_number_back(app: App, day: object) -> None:
    draft_of_day = draft(reference="W-8", carrier_ids=["generic"], options={"shipment_date": day})
    sold = bought(app, shipments.create_shipment(app, draft_of_day))
    (told,) = wait(app, "own", source="any")
    assert (told.order_number, told.ship_date) == ("W-8", str(sold.created_at)[:10])
    sheet = sheets.ShopSheet("own", {"Day": "ship_date"}, day="%d.%m.%Y")
    assert list(sheets.write_rows(sheet, [told]))


EXPECTED: dict[str, dict[str, str]] = {
    "shopify": {"Name": "#1001", "Line: SKU": "", "Fulfillment: Tracking Company": "UPS",
                "Fulfillment: Tracking Number": "1Z 999-AA1", "Fulfillment: Status": "success"},
    "etsy": {"receipt_id": "#1001", "tracking_code": "1Z 999-AA1", "carrier_name": "ups"},
    "amazon": {"order-id": "#1001", "order-item-id": "", "quantity": "", "ship-date": "2026-11-27",
               "carrier-code": "UPS", "carrier-name": "", "ship-method": "UPS Ground"},
    "ebay": {"Shipping Status": "Shipped", "Item Number": "555", "Custom Label": "L-1",
             "Transaction ID": "9", "Tracking Number": "1Z999AA1"},
    "woocommerce": {"order_id": "#1001", "tracking_provider": "UPS", "date_shipped": "27-11-2026",
                    "status_shipped": "1", "sku": ""},
    "walmart": {"PO#": "#1001", "Line#": "1", "Update Qty": "1", "Carrier": "UPS"},
    "bigcommerce": {"Order ID": "#1001", "Shipping Provider": "ups", "Tracking Carrier": "UPS"},
    "magento": {"order_id": "#1001", "sku": "L-1", "qty": "1", "carrier_code": "ups"},
    "squarespace": {"orderNumber": "#1001", "shipDate": "2026-11-27", "trackingNumber": "1Z 999-AA1"},
}  # fmt: skip


@pytest.mark.parametrize("slug", sheets.SHEETS)
def test_a_number_in_the_columns_of_a_shop(slug: str) -> None:
    (row,) = rows(slug, number())
    assert {name: row[name] for name in EXPECTED[slug]} == EXPECTED[slug]
    assert list(row) == list(sheets.SHEETS[slug].columns)


@pytest.mark.parametrize(
    ("slug", "cells"),
    [
        ("amazon", {"carrier-code": "Other", "carrier-name": "Nationex"}),
        ("shopify", {"Fulfillment: Tracking Company": "Nationex"}),
        ("walmart", {"Carrier": "Other", "Tracking Url": "https://example.com/1Z"}),
        ("magento", {"carrier_code": "custom", "title": "Nationex"}),
        ("bigcommerce", {"Shipping Provider": "", "Tracking Carrier": "Nationex"}),
    ],
)  # fmt: skip
def test_a_carrier_that_the_shop_does_not_know(slug: str, cells: dict[str, str]) -> None:
    (row,) = rows(slug, number(carrier="nationex", carrier_name="Nationex"))
    assert {name: row[name] for name in cells} == cells


@pytest.mark.parametrize(
    ("carrier", "code"),
    [
        ("dhl_parcel_de", "DHL"), ("dpdhl", "DHL"), ("gls", "GLS"), ("hermes", "Hermes Logistik Gruppe"),
        ("usps_international", "USPS"),
    ],
)  # fmt: skip
def test_amazon_is_told_its_own_words_for_a_carrier(carrier: str, code: str) -> None:
    (row,) = rows("amazon", number(carrier=carrier, carrier_name="As we call it"))
    assert (row["carrier-code"], row["carrier-name"]) == (code, "")


def test_a_form_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(
        "columns: {Auftrag: order_number, Paket: tracking_number, Dienst: carrier, Art: '=DHL', SKU: sku}\n"
        "lines: always\ncarriers: {ups: UPS Standard}\nday: '%d.%m.%Y'\ndelimiter: ';'\n"
    )
    sheet = own_map.read_own_map(path)
    assert list(sheets.write_rows(sheet, [number()])) == [
        {"Auftrag": "#1001", "Paket": "1Z 999-AA1", "Dienst": "UPS Standard", "Art": "DHL", "SKU": "L-1"}
    ]
    assert (sheet.slug, sheet.source, sheet.delimiter) == ("own", "any", ";")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("columns: {A: trackin_number}\n", "columns.A"),
        ("columns: {A: trackin_number}\n", "tracking_number"),
        ("- A\n", "own.yaml"),
        ("", "own.yaml"),
        ("columns: {A: sku}\ndelimiter: ';;'\n", "delimiter"),
        ('columns: {A: sku}\ndelimiter: "\\n"\n', "delimiter"),
        ("columns: [a\n", "is not a map"),
        ("colums: {A: sku}\n", "columns"),
        ("columns: {}\n", "columns"),
    ],
)
def test_a_wrong_form_is_refused_by_name(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(text)
    with pytest.raises(Invalid) as wrong:
        own_map.read_own_map(path)
    assert said in str(wrong.value.problems)


def test_an_unknown_shop_is_refused_with_the_nearest() -> None:
    with pytest.raises(Invalid, match="shopify"):
        sheets.find_sheet("shopfy")
