"""A week of three shops: their orders in the columns that they export, and what reads their files back.

What a shop knows is held here by its own numbers: what was ordered, and what it was told is on the way.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

ARTICLES = {"MUG-11": "12.50", "BOOK-7": "18.00", "LAMP-2": "64.00"}
PLACES = (
    ("Ana Ruiz", "1625 N Central Ave", "Phoenix", "AZ", "85004", "US", "United States", "+1 602 555 0162"),
    ("Ada Brooks", "5 Main St", "Boston", "MA", "02134", "US", "United States", "+1 617 555 0162"),
    ("Cal Ito", "1 Market St", "San Francisco", "CA", "94105", "US", "United States", "+1 415 555 0101"),
    ("Dee Lang", "7 Unter den Linden", "Berlin", "", "10117", "DE", "Germany", "+49 30 5550100"),
    ("Eve Moss", "200 N Spring St", "Los Angeles", "CA", "90012", "US", "United States", "+1 213 555 0144"),
)  # fmt: skip
EACH_DAY = {"shopify": 16, "etsy": 12, "amazon": 12}
DAYS = 5


class Line(NamedTuple):
    """An article of an order."""

    sku: str
    quantity: int


@dataclass
class ShopOrder:
    """An order as its shop knows it.

    Shapes: `shipped` is what files told of it, by article; `numbers` in the order of the files.
    """

    number: str
    place: tuple[str, ...]
    lines: tuple[Line, ...]
    shipped: Counter[str] = field(default_factory=Counter)
    numbers: list[str] = field(default_factory=list)

    @property
    def ordered(self) -> Counter[str]:
        """The pieces of each article."""
        return Counter({line.sku: line.quantity for line in self.lines})

    def ship(self, number: str, pieces: Counter[str] | None) -> None:
        """What a row of a file says: a number for the whole order, or for some pieces of it."""
        self.shipped += self.ordered if pieces is None else pieces
        if number not in self.numbers:
            self.numbers.append(number)


def make_orders(shop: str, day: int) -> list[ShopOrder]:
    """The orders of a day, the same whenever they are made: one or two articles, to five places in turn."""
    count = EACH_DAY[shop]
    return [_make_order(shop, day * count + place) for place in range(count)]


def _make_order(shop: str, serial: int) -> ShopOrder:
    skus = list(ARTICLES)
    first = skus[serial % 3]
    lines = [Line(first, 1 + serial % 2)]
    if serial % 4 == 0:
        lines.append(Line(skus[(serial + 1) % 3], 1))
    numbers = {
        "shopify": f"#{1001 + serial}",
        "etsy": str(7201 + serial),
        "amazon": f"111-{4000000 + serial}",
    }
    return ShopOrder(numbers[shop], PLACES[(serial + serial // 7) % len(PLACES)], tuple(lines))


# -- out of the shop -------------------------------------------------------------------------------


def write_export(shop: str, orders: list[ShopOrder]) -> str:
    """The shop's export of orders, a row for each article."""
    rows = [row for order in orders for row in EXPORTS[shop](order)]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), delimiter="\t" if shop == "amazon" else ",", restval="")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _write_shopify(order: ShopOrder) -> Iterator[dict[str, str]]:
    name, street, city, state, code, country, _, phone = order.place
    for at, line in enumerate(order.lines):
        head = {
            "Email": "a@shop.example", "Financial Status": "paid", "Fulfillment Status": "unfulfilled",
            "Currency": "USD", "Shipping Method": "Standard", "Created at": "2026-03-02 08:00:00 -0500",
            "Shipping Name": name, "Shipping Address1": street, "Shipping City": city,
            "Shipping Zip": f"'{code}", "Shipping Province": state, "Shipping Country": country,
            "Shipping Phone": phone, "Id": order.number.replace("#", "55000"),
        }  # fmt: skip
        yield {
            "Name": order.number, **(head if at == 0 else dict.fromkeys(head, "")),
            "Lineitem quantity": str(line.quantity), "Lineitem name": line.sku.title(),
            "Lineitem price": ARTICLES[line.sku], "Lineitem sku": line.sku,
            "Lineitem requires shipping": "true",
        }  # fmt: skip


def _write_etsy(order: ShopOrder) -> Iterator[dict[str, str]]:
    name, street, city, state, code, _, country, _ = order.place
    for at, line in enumerate(order.lines):
        yield {
            "Sale Date": "03/02/26", "Item Name": line.sku.title(), "Buyer": "ada",
            "Quantity": str(line.quantity), "Price": ARTICLES[line.sku], "Currency": "USD",
            "Transaction ID": f"{order.number}{at}", "Listing ID": "999", "Date Paid": "03/02/26",
            "Date Shipped": "", "Ship Name": name, "Ship Address1": street, "Ship Address2": "",
            "Ship City": city, "Ship State": state, "Ship Zipcode": code, "Ship Country": country,
            "Order ID": order.number, "Variations": "", "SKU": line.sku,
        }  # fmt: skip


def _write_amazon(order: ShopOrder) -> Iterator[dict[str, str]]:
    name, street, city, state, code, country, _, phone = order.place
    for at, line in enumerate(order.lines):
        yield {
            "order-id": order.number, "order-item-id": f"{order.number}/{at}",
            "purchase-date": "2026-03-02T08:00:00+00:00", "buyer-email": "a@m.example", "buyer-name": name,
            "buyer-phone-number": phone, "sku": line.sku, "product-name": line.sku.title(),
            "quantity-purchased": str(line.quantity), "quantity-shipped": "0",
            "quantity-to-ship": str(line.quantity), "ship-service-level": "Standard", "recipient-name": name,
            "ship-address-1": street, "ship-address-2": "", "ship-address-3": "", "ship-city": city,
            "ship-state": state, "ship-postal-code": code, "ship-country": country,
        }  # fmt: skip


EXPORTS = {"shopify": _write_shopify, "etsy": _write_etsy, "amazon": _write_amazon}


# -- back into the shop ----------------------------------------------------------------------------


def read_back(shop: str, text: str, orders: dict[str, ShopOrder]) -> None:
    """Take a file of numbers as the shop does.

    Errors: KeyError for an order that it does not know, AssertionError for a row that it refuses.
    """
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter="\t" if shop == "amazon" else ",")
    for row in rows:
        READERS[shop](row, orders)


def _read_shopify(row: dict[str, str], orders: dict[str, ShopOrder]) -> None:
    """Matrixify: the order by its name; a row of a fulfilment line has its article and pieces."""
    order = orders[row["Name"]]
    assert row["ID"] == order.number.replace("#", "55000")
    assert (row["Command"], row["Fulfillment: Status"]) == ("UPDATE", "success")
    assert row["Fulfillment: Tracking Company"] in ("UPS", "USPS", "FedEx")
    assert row["Fulfillment: Tracking URL"].startswith("https://")
    is_part = bool(row["Line: SKU"])
    assert row["Line: Type"] == "Fulfillment Line" or not is_part
    pieces = Counter({row["Line: SKU"]: int(row["Line: Quantity"])}) if is_part else None
    order.ship(row["Fulfillment: Tracking Number"], pieces)


def _read_etsy(row: dict[str, str], orders: dict[str, ShopOrder]) -> None:
    """Its API's form: a number for a receipt."""
    assert row["carrier_name"] in ("ups", "usps", "fedex")
    orders[row["receipt_id"]].ship(row["tracking_code"], None)


def _read_amazon(row: dict[str, str], orders: dict[str, ShopOrder]) -> None:
    """Shipping confirmation: an order without an item is shipped whole; a carrier's name needs code Other."""
    order = orders[row["order-id"]]
    year, month, day = row["ship-date"].split("-")
    assert (len(year), len(month), len(day)) == (4, 2, 2)
    assert row["carrier-code"] in ("UPS", "USPS", "FedEx")
    assert not row["carrier-name"]
    pieces = None
    if row["order-item-id"]:
        line = order.lines[int(row["order-item-id"].partition("/")[2])]
        pieces = Counter({line.sku: int(row["quantity"])})
    order.ship(row["tracking-number"], pieces)


READERS = {"shopify": _read_shopify, "etsy": _read_etsy, "amazon": _read_amazon}
