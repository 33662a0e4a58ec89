"""Parties and goods in the requests that simulators read."""

from __future__ import annotations

from decimal import Decimal

from shipcli.carrier.simulation.booking_reader import read_items, read_party, read_texts
from shipcli.carrier.simulation.desk import BookedItem, Party

PARTY = {
    "name": ["first", "last"], "company": "firm", "lines": ["street/1", "street/2"], "city": "town",
    "postal_code": ["zip", "postcode"], "country": "iso",
}  # fmt: skip


def test_a_party_is_read_by_its_paths() -> None:
    body = {
        "first": "Ann",
        "last": "Lee",
        "street": {"1": "1 Dock Rd", "2": " "},
        "town": "Leeds",
        "postcode": 38103,
    }
    read = Party(name="Ann Lee", lines=("1 Dock Rd",), city="Leeds", postal_code="38103", country="GB")
    assert read_party(body, PARTY, "GB") == read
    assert read_party({**body, "iso": "FR"}, PARTY, "GB").country == "FR"


def test_goods_are_read_by_their_paths_with_the_currency_of_all() -> None:
    paths = {"description": "text", "quantity": "count", "value": "price/amount", "currency": "price/money"}
    rows = [
        {"text": "Lamp", "count": "2", "price": {"amount": "7.5"}},
        {"price": {"amount": 1, "money": "EUR"}},
    ]
    assert read_items(rows, paths, "USD") == (
        BookedItem(description="Lamp", quantity=2, value=Decimal("7.5"), currency="USD"),
        BookedItem(description="", value=Decimal(1), currency="EUR"),
    )


def test_paths_with_a_blank_between_them_are_one_text() -> None:
    body = {"street": "Hafenstr.", "house": {"number": 7}, "more": ""}
    assert read_texts(body, ["street house/number", "more street", "more none"]) == [
        "Hafenstr. 7",
        "Hafenstr.",
    ]
