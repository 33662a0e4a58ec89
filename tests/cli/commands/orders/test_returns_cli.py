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


def test_a_slip_is_printed_where_nobody_sells_return_labels(desk: Cli, tmp_path: Path) -> None:
    spool = tmp_path / "spool"
    spool.mkdir()
    before = desk("shipments", "list", "--ids").lines
    refused = desk("return", "1042", "--carrier", "asendia_us", "--cheapest", "-y")
    assert refused.code == 6
    assert "asendia_us sells no return labels" in refused.err
    assert "shipcli return ID -p" in refused.err
    asked = ("return", "1042", "--carrier", "asendia_us,roadie", "--cheapest", "--to", f"spool:{spool}")
    assert desk(*asked, "--dry-run").code == 0
    assert list(spool.iterdir()) == []
    printed = desk(*asked)
    assert printed.code == 0, printed.err
    assert "bought nothing and printed the return slip" in printed.err
    (paper,) = spool.iterdir()
    assert paper.read_bytes().startswith(b"%PDF")
    assert desk("shipments", "list", "--ids").lines == before


def test_a_return_has_no_return(desk: Cli) -> None:
    (number,) = desk("shipments", "list", "--reference", "1042-R", "--pick", "tracking_number").lines
    refused = desk("return", number, "--carrier", "ups", "--cheapest", "-y")
    assert refused.code == 5
    assert "1042-R is a return itself" in refused.err


def test_each_parcel_comes_back_by_a_label_of_its_own(desk: Cli) -> None:
    pieces = ("--weight", "1kg", "--weight", "2kg", "--size", "8x8x4in", "--size", "8x8x4in")
    to = ("--to-name", "Ana", "--to-line1", "1625 N Central Ave", "--to-city", "Phoenix",
          "--to-state", "AZ", "--to-postal-code", "85004", "--to-country", "US")  # fmt: skip
    sent = desk("ship", *to, *pieces, "--reference", "77", "--carrier", "ups", "--cheapest", "-y")
    assert sent.code == 0, sent.err
    back = desk("return", "77", "--each", "--carrier", "ups", "--cheapest", "-y")
    assert back.code == 0, back.err
    names = desk("shipments", "list", "--pick", "reference").lines
    assert {"77-R-1", "77-R-2"} <= set(names)
    again = desk("return", "77", "--each", "--carrier", "ups", "--cheapest", "-y")
    assert "77-R-1 has a label already" in again.err
    assert desk("shipments", "list", "--pick", "reference").lines == names


def test_goods_come_back_once_however_their_returns_are_named(desk: Cli) -> None:
    """The fixture has bought the way back of the whole order."""
    rates = ("--carrier", "ups", "--cheapest", "-y")
    part = desk("return", "1042", "--sku", "L-1", *rates)
    assert part.code == 5, part.out
    (number,) = desk("shipments", "list", "--reference", "1042-R", "--pick", "tracking_number").lines
    assert f"L-1 comes back with 1042-R already, {number}: its shipment is purchased" in part.err
    assert "--again" in part.err
    assert desk("void", number, "-y").code == 0
    assert desk("return", "1042", "--sku", "L-1", *rates).code == 0
    whole = desk("return", "1042", *rates)
    assert "L-1 comes back with 1042-R-L-1 already" in whole.err
    assert desk("return", "1042", *rates, "--again").code == 0
