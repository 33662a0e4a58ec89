"""Files of other programs, read through data templates."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shipcli.models import Invalid, OrderData
from shipcli.models.data_template import DataTemplate, FieldSource
from shipcli.readers.headers import ORDERS, READ, find_columns
from shipcli.readers.mapping import MappedFile, read_products
from shipcli.readers.orders import OrderReader
from shipcli.readers.ready_made import SIGNATURES, list_ready_made
from shipcli.readers.tables import DataFile

ETSY = """\
Sale Date,Item Name,Buyer,Quantity,Price,Currency,Transaction ID,Listing ID,Date Paid,Date Shipped,Ship Name,\
Ship Address1,Ship Address2,Ship City,Ship State,Ship Zipcode,Ship Country,Order ID,Variations,SKU
11/20/24,Hand made mug with a very long name indeed,ann,2,"1,250.00",EUR,T1,L1,11/20/24,,Ann Smit,Damrak 1,,\
Amsterdam,,1012 LG,The Netherlands,777,Colour: blue,MUG
11/21/24,Plate,bob,1,10.00,EUR,T2,L2,11/21/24,11/22/24,Bob,Damrak 2,,Amsterdam,,1012 LG,\
The Netherlands,778,,PLT
"""
AMAZON = (
    "order-id\torder-item-id\tpurchase-date\tbuyer-email\tbuyer-name\tbuyer-phone-number\tsku\tproduct-name\t"
    "quantity-purchased\tquantity-shipped\tquantity-to-ship\tship-service-level\trecipient-name\tship-address-1\t"
    "ship-address-2\tship-address-3\tship-city\tship-state\tship-postal-code\tship-country\n"
    "111-1\ti1\t2024-11-20T09:00:00+00:00\ta@x.com\tAna\t+1 215-763-8100\tS1\tCaf\u00e9 set\t3\t1\t2\t"
    "Standard\t"
    "Ana Ruiz\t1625 N Central Ave\t\tBack door\tPhoenix\tAZ\t85004\tUS\n"
    "111-2\ti2\t2024-11-20T09:00:00+00:00\tb@x.com\tBea\t\tS2\tTea\t1\t1\t0\tStandard\t"
    "Bea\t1 Main St\t\t\tPhoenix\tAZ\t85004\tUS\n"
)
EBAY = """\
Sales Record Number,Order Number,Buyer Username,Buyer Name,Buyer Email,Ship To Name,Ship To Phone,\
Ship To Address 1,Ship To Address 2,Ship To City,Ship To State,Ship To Zip,Ship To Country,Item Number,\
Item Title,Custom Label,Quantity,Sold For,Paid On Date,Shipping Service

201,02-1,cat,Cat,c@x.com,Cat Jones,,10 Downing St,,London,,SW1A 2AA,United Kingdom,9001,Lamp,LMP,1,$12.00,\
Nov-20-24,Economy

2,record(s) downloaded,from ,Nov-20-24,,,,,,,,,,,,,,,,
"""


def mapped(text: str, slug: str, encoding: str = "utf-8", **more: Any) -> MappedFile:
    given = {"weight": "0.5", **more.pop("given", {})}
    return MappedFile(
        DataFile("orders.txt", text.encode(encoding)), "orders", list_ready_made()[slug], given, **more
    )


def read(rows: MappedFile) -> list[OrderData]:
    """The orders of the rows, a line each."""
    reader = OrderReader(find_columns(rows.headers, READ["orders"], (), rows.name))
    lines = [reader.read(row, first=True) for row in rows]
    assert [line.wrong for line in lines] == [()] * len(lines)
    return [line.order for line in lines if line.order]


def test_every_ready_made_template_maps_known_fields_with_known_transforms() -> None:
    from shipcli.features.files.data_templates import check

    assert set(list_ready_made()) == set(SIGNATURES)
    for template in list_ready_made().values():
        check(template)


def test_etsy_writes_countries_by_name_and_days_american() -> None:
    rows = mapped(ETSY, "etsy")
    (order,) = read(rows)
    assert rows.skipped == 1  # the other one was shipped
    assert (order.order_id, order.source, order.order_date) == ("777", "etsy", "2024-11-20")
    address, item = order.shipping_to.model_dump(), order.line_items[0].model_dump()
    assert (address["country_code"], address["postal_code"]) == ("NL", "1012 LG")
    assert item["title"] == "Hand made mug with a very long name"
    assert item["description"] == "Hand made mug with a very long name indeed (Colour: blue)"
    assert (str(item["value_amount"]), item["value_currency"], item["quantity"]) == ("1250.00", "EUR", 2)
    title = "Hand made mug with a very long name indeed"
    assert item["metadata"] == {"variant": "Colour: blue", "transaction_id": "T1", "title": title}


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_amazon_separates_by_tabs_and_says_what_is_left_to_ship(encoding: str) -> None:
    rows = mapped(AMAZON, "amazon", encoding)
    (order,) = read(rows)
    assert rows.skipped == 1  # nothing of the other one is left
    item = order.line_items[0].model_dump()
    assert (item["title"], item["quantity"]) == ("Café set", 2)
    assert order.shipping_to.model_dump()["phone_number"] == "+1 215-763-8100"
    assert order.shipping_to.model_dump()["address_line2"] == "Back door"
    assert order.metadata == {"shipping_method": "Standard", "buyer": "Ana"}


def test_ebay_has_a_mark_a_blank_line_totals_and_currency_signs() -> None:
    rows = mapped(EBAY, "ebay", "utf-8-sig")
    (order,) = read(rows)
    assert (order.order_id, order.order_date) == ("02-1", "2024-11-20")
    item = order.line_items[0].model_dump()
    assert (str(item["value_amount"]), item["value_currency"], item["sku"]) == ("12.00", "USD", "LMP")
    assert order.shipping_to.model_dump()["country_code"] == "GB"


SHOPIFY = """\
Name,Email,Financial Status,Fulfillment Status,Currency,Created at,Lineitem quantity,Lineitem name,\
Lineitem price,Lineitem sku,Lineitem requires shipping,Lineitem fulfillment status,Shipping Name,\
Shipping Address1,Shipping City,Shipping Zip,Shipping Province,Shipping Country,Cancelled at,Id
#1,a@x.com,paid,unfulfilled,USD,2024-11-20 09:00:00 -0500,1,E-book,5,EB,false,pending,Ana,1 Main St,Phoenix,\
'85004,AZ,US,,58
#1,a@x.com,,,,,2,Lamp,9,LMP,true,pending,,,,,,,,
#1,a@x.com,,,,,1,Pen,1,PEN,true,fulfilled,,,,,,,,
#2,b@x.com,refunded,unfulfilled,USD,2024-11-20 09:00:00 -0500,1,Lamp,9,LMP,true,pending,Bea,1 Main St,\
Phoenix,'85004,AZ,US,,59
#3,c@x.com,paid,unfulfilled,USD,2024-11-20 09:00:00 -0500,1,Lamp,9,LMP,true,pending,Cat,1 Main St,Phoenix,\
'85004,AZ,US,2024-11-21,60
#3,c@x.com,,,,,1,Pen,1,PEN,true,pending,,,,,,,,
"""


def test_follow_up_lines_inherit_the_cells_of_their_order_even_of_a_line_left_out() -> None:
    rows = mapped(SHOPIFY, "shopify")
    (order,) = read(rows)
    assert rows.skipped == 5
    assert order.order_id == "#1"
    assert order.line_items[0].model_dump()["sku"] == "LMP"
    assert order.shipping_to.model_dump()["postal_code"] == "85004"
    assert order.metadata == {"shopify_id": "58"}


# -- the parts -------------------------------------------------------------------------------------


def template(**more: Any) -> DataTemplate:
    return DataTemplate.model_validate(
        {"id": "t", "slug": "t", "name": "t", "resource_type": "orders", **more}
    )


def test_fields_a_template_does_not_map_keep_their_default_header() -> None:
    table = DataFile("x.csv", b"No,Item weight\nA,2\n")
    rows = MappedFile(table, "orders", template(fields_mapping={"order_id": "No"}))
    assert rows.headers == ["Order number", "Item weight"]
    assert [row.cells for row in rows] == [{"Order number": "A", "Item weight": "2"}]
    assert rows.label("Order number") == "No"
    assert rows.label("Item weight") == "Item weight"


def test_a_constant_a_default_and_a_given_value_fill_cells() -> None:
    fields = {
        "order_source": {"constant": "shop"},
        "quantity": {"header": "Qty", "default": "1"},
        "order_id": {"header": ["No", "Alt"]},
    }
    table = DataFile("x.csv", b"No,Alt,Qty,Item weight\n,B,,\nA,B,3,2\n")
    rows = MappedFile(table, "orders", template(fields_mapping=fields), given={"weight": "9"})
    found = [
        [row.cells[ORDERS[name]] for name in ("order_source", "quantity", "order_id", "weight")]
        for row in rows
    ]
    assert found == [["shop", "1", "B", "9"], ["shop", "3", "A", "2"]]


def test_a_product_list_fills_what_the_file_leaves_out(tmp_path: Path) -> None:
    goods = read_products(DataFile("goods.csv", b"SKU,Weight,Weight unit,HS tariff number\nL,700,G,9405\n"))
    table = DataFile("x.csv", b"Order number,Item sku,Item weight\n1,L,\n2,L,2\n3,M,\n")
    rows = MappedFile(table, "orders", products=goods, given={"weight": "1"})
    found = [[row.cells[ORDERS[name]] for name in ("weight", "hs_code")] for row in rows]
    assert found == [["700", "9405"], ["2", "9405"], ["1", ""]]
    with pytest.raises(Invalid, match="SKU"):
        read_products(DataFile("goods.csv", b"Weight\n1\n"))


def test_parts_of_an_object_are_collected_from_several_columns() -> None:
    fields = {"options": "Opt", "options.paid_by": "Payor", "order_metadata.note": "Note"}
    table = DataFile("x.csv", b'Opt,Payor,Note\n"{""a"": 1}",sender,\n,,hi\nbad,sender,\n')
    rows = [row.cells for row in MappedFile(table, "orders", template(fields_mapping=fields))]
    assert rows[0]["Options"] == '{"a":1,"paid_by":"sender"}'
    assert rows[1] == {"Options": "", "Order Metadata": '{"note":"hi"}'}
    assert rows[2]["Options"] == "bad"


def test_rows_before_a_day_are_left_out_with_their_order() -> None:
    table = DataFile("x.csv", b"Order number,Order date\n1,2026-11-01\n1,\n2,2026-11-03\n2,\n3,someday\n")
    rows = MappedFile(table, "orders", since=("order_date", "2026-11-02"))
    assert [row.cells["Order number"] for row in rows] == ["2", "2", "3"]
    assert (rows.skipped, rows.newest) == (2, "2026-11-03")


@pytest.mark.parametrize(
    "content",
    [b"Ref,Apt\n1,Apt 5\n2,\n", b"No,Ref,Apt\n,1,Apt 5\n,2,\n"],
    ids=["no such column", "empty cells"],
)
def test_rows_that_do_not_say_whose_they_are_take_nothing_from_the_row_before(content: bytes) -> None:
    fields = {"order_id": FieldSource(header=["No", "Ref"]), "shipping_to_address2": "Apt"}
    own = template(fields_mapping=fields, rows={"inherit_by": "No"})
    rows = MappedFile(DataFile("x.csv", content), "orders", own)
    assert [row.cells[ORDERS["shipping_to_address2"]] for row in rows] == ["Apt 5", ""]


def test_follow_up_lines_find_their_order_over_the_lines_of_others() -> None:
    content = b"Name,Currency,Cancelled at\n1,USD,\n2,EUR,yesterday\n1,,\n2,,\n3,GBP,\n1,,\n"
    own = template(
        fields_mapping={"order_id": "Name", "order_currency": "Currency"},
        rows={"inherit_by": "Name", "skip_when_filled": ["Cancelled at"]},
    )
    rows = MappedFile(DataFile("x.csv", content), "orders", own)
    found = [(row.cells[ORDERS["order_id"]], row.cells[ORDERS["order_currency"]]) for row in rows]
    assert (found, rows.skipped) == ([("1", "USD"), ("1", "USD"), ("3", "GBP"), ("1", "USD")], 2)


def test_an_invoice_line_without_a_date_does_not_take_that_of_the_line_before() -> None:
    table = DataFile("x.csv", b"Tracking number,Invoice date\n1,2026-11-01\n2,\n")
    rows = MappedFile(table, "billing", since=("invoice_date", "2026-11-02"))
    assert [row.cells["Tracking number"] for row in rows] == ["2"]
