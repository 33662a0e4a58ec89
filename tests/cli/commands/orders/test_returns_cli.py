"""What comes back is told with its order, and recognised in lists."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Cli, Result

ORDER = {"Order number": "1042", "Order source": "shopify", "Item title": "Lamp", "Item sku": "L-1",
         "Item quantity": "2", "Item weight": "1", "Item weight unit": "KG", "Shipping name": "Ana Ruiz",
         "Shipping address 1": "1625 N Central Ave", "Shipping city": "Phoenix", "Shipping state": "AZ",
         "Shipping postal code": "85004", "Shipping country": "US"}  # fmt: skip


@pytest.fixture
def desk(box: Cli, tmp_path: Path) -> Cli:
    """A sandbox with an order, its shipment and a return of it."""
    with (tmp_path / "orders.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, ORDER)
        writer.writeheader()
        writer.writerow(ORDER)
    assert box("import", "orders", "orders.csv").code == 0
    assert box("orders", "fulfil", "1042", "--carrier", "ups", "--cheapest", "-y").code == 0
    assert box("return", "1042", "--carrier", "ups", "--cheapest", "-y").code == 0
    return box


def show(terminal: Callable[..., Result], *words: str) -> str:
    """A screen without its colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", terminal("--sandbox", *words).out)


def test_an_order_names_what_comes_back(desk: Cli, terminal: Callable[..., Result]) -> None:
    (number,) = desk("shipments", "list", "--reference", "1042-R", "--pick", "tracking_number").lines
    card = show(terminal, "orders", "get", "1042")
    assert re.search(rf"return +ups_\w+, {number}, ", card), card
    assert len(re.findall(r"^shipment ", card, re.MULTILINE)) == 1
    (origin,) = desk("orders", "get", "1042", "--json").json["shipments"]
    shown = show(terminal, "shipments", "get", number)
    assert re.search(rf"return of +{origin['id']}", shown), shown
    listed = show(terminal, "shipments", "list")
    assert len(re.findall(r"1042-R +return, purchased", listed)) == 1
    assert len(re.findall(r"return, ", listed)) == 1


def test_returns_are_listed_by_what_they_are_of(desk: Cli) -> None:
    assert len(desk("shipments", "list", "--metadata-key", "return_of", "--ids").lines) == 1
