"""Parties and goods read from the requests of simulators, and their answers written, as data files say."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from shipcli.carrier.simulation.bookings import BookedItem, Party
from shipcli.carrier.simulation.mappings import fill, read_items, read_party, read_texts
from shipcli.carrier.simulation.tracking import Scan

SCAN = Scan(datetime(2025, 3, 3, 9, 30, tzinfo=UTC), "delivered", "Delivered", "Memphis", "US")
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


@pytest.mark.parametrize(("template", "filled"), [
    ("{price}", Decimal("7.40")), ("{price} USD", "7.40 USD"), ("{none}", None), ("plain", "plain"), (5, 5),
    ("{scan.at:%H:%M}", "09:30"), ("{label[number]}", "T1"), ("{rows}", [1, 2]),
    (["{scan.city}"], ["Memphis"]),
    ({"a": {"b": "{scan.country}"}, "c": True}, {"a": {"b": "US"}, "c": True}),
])  # fmt: skip
def test_a_template_is_filled_and_a_field_alone_keeps_its_type(template: Any, filled: Any) -> None:
    values = {"price": Decimal("7.40"), "none": None, "scan": SCAN, "label": {"number": "T1"}, "rows": [1, 2]}
    assert fill(template, values) == filled


def test_a_field_without_a_value_is_a_mistake() -> None:
    for template in ("{nothing}", "a {nothing}", {"a": ["{nothing}"]}):
        with pytest.raises(KeyError):
            fill(template, {})
