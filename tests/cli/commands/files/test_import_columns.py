"""What a file may have, what an import did with each column, and where its header is."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from shipcli.readers.headers import READ
from tests.cli.commands.files.shop_exports import make_rows
from tests.cli.conftest import Cli

ORDER = {
    "Order number": ("1", "2"), "Shipping country": ("US", "US"), "Item title": ("Shirt", "Shirt"),
    "Item variant": ("Blue / L", "Red / S"), "Item weight": ("1lb", "500 g"), "Shop": ("north", "south"),
}  # fmt: skip
COMMANDS = {kind: (kind, "import") for kind in ("products", "addresses")}


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8", newline="")
    return str(path)


@pytest.mark.parametrize("kind", ["shipments", "orders", "products", "trackers", "addresses"])
def test_every_column_is_listed_and_an_example_goes_through(box: Cli, tmp_path: Path, kind: str) -> None:
    listed = box("import", "columns", kind, "--json").json
    rows = listed["results"] if isinstance(listed, dict) else listed
    assert [row["column"] for row in rows] == list(READ[kind].values())
    path = tmp_path / f"{kind}.csv"
    assert box("import", "example", kind, "-o", str(path)).code == 0
    assert box("import", "example", kind, "-o", str(path)).code == 2
    with path.open(encoding="utf-8", newline="") as file:
        assert set(next(csv.reader(file))) <= set(READ[kind].values())
    words = ("--set", "shipper_country=US") if kind == "shipments" else ()
    told = box(*COMMANDS.get(kind, ("import", kind)), str(path), "--check", *words)
    assert told.code == 0, told.err


def test_a_check_shows_every_column_and_an_import_names_the_ignored_ones(box: Cli, tmp_path: Path) -> None:
    name = write(tmp_path / "o.csv", make_rows(ORDER))
    uses = box("import", "orders", name, "--check", "--json").json["columns"]
    assert {use["column"]: (use["field"], use["first_value"]) for use in uses} == {
        "Order number": ("order_id", "1"),
        "Shipping country": ("shipping_to_country", "US"),
        "Item title": ("title", "Shirt"),
        "Item variant": ("variant", "Blue / L"),
        "Item weight": ("weight", "1lb"),
        "Shop": ("ignored", "north"),
    }
    stored = box("import", "orders", name)
    assert "Item variant -> variant" in stored.err
    assert "1 column ignored: Shop" in stored.err


def test_a_repeated_import_keeps_variants_of_one_title_apart(box: Cli, tmp_path: Path) -> None:
    same = {**ORDER, "Order number": ("1", "1")}
    name = write(tmp_path / "o.csv", make_rows(same))
    lighter = {**same, "Item weight": ("2lb", "2lb")}
    box("import", "orders", name)
    box("import", "orders", write(tmp_path / "p.csv", make_rows(lighter)), "--on-duplicate", "update")
    (order,) = box("orders", "list", "--json").json["results"]
    assert [line["metadata"]["variant"] for line in order["line_items"]] == ["Blue / L", "Red / S"]


def test_the_header_may_stand_below_a_title(box: Cli, tmp_path: Path) -> None:
    title = "Orders,of,November\r\nprinted,by,Lee\r\n"
    name = write(tmp_path / "o.csv", title + make_rows(ORDER))
    assert box("import", "orders", name, "--header-row", "3").code == 0
    assert len(box("orders", "list", "--json").json["results"]) == 2
    assert box("import", "orders", name, "--header-row", "0").code == 6
