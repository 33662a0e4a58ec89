"""Rules on every way in: ship, orders, files, batches and drafts; and as lines."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Cli
from tests.factories import body

TO = ("--to-name", "Ana Ruiz", "--to-line1", "1625 N Central Ave", "--to-city", "Phoenix", "--to-state", "AZ",
      "--to-postal-code", "85004", "--to-country", "US")  # fmt: skip
ORDER = {"Order number": "1042", "Order source": "shopify", "Item title": "Lamp", "Item quantity": "2",
         "Item weight": "0.2", "Item weight unit": "KG", "Shipping name": "Ana Ruiz",
         "Shipping address 1": "1625 N Central Ave", "Shipping city": "Phoenix", "Shipping state": "AZ",
         "Shipping postal code": "85004", "Shipping country": "US"}  # fmt: skip

ROW = {"Recipient name": "Ana Ruiz", "Recipient phone": "+1 602-555-0162",
       "Recipient address 1": "1625 N Central Ave", "Recipient city": "Phoenix", "Recipient state": "AZ",
       "Recipient postal code": "85004", "Recipient country": "US", "Parcel weight": "1",
       "Parcel weight unit": "LB", "Reference": "R-1"}  # fmt: skip


@pytest.fixture
def desk(box: Cli, tmp_path: Path) -> Cli:
    """A sandbox with a box and rules for it."""
    (tmp_path / "printed").mkdir()
    assert box("parcels", "presets", "add", "M", "12x8x4in").code == 0
    assert box("printers", "add", "dock", "--to", "spool:printed", "--format", "ZPL").code == 0
    line = ("--service", "express_service", "--box", "M", "--option", "insurance=50", "--printer", "dock")
    assert box("rules", "add", "country=US and weight<2lb", *line, "--name", "Light").code == 0
    return box


def write_csv(path: Path, row: dict[str, str]) -> str:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, row)
        writer.writeheader()
        writer.writerow(row)
    return str(path)


def check(desk: Cli, word: str) -> dict[str, Any]:
    """The shipment that a word names obeys the rule, and is explained by it."""
    explained = json.loads(desk("explain", word, "--json").out)
    assert explained["settings"] == {
        "service": "express_service", "box": "M", "options.insurance": 50, "printer": "dock",
    }  # fmt: skip
    assert explained["rules"][0]["seen"][0]["value"] == "US"
    shipment: dict[str, Any] = json.loads(desk("shipments", "get", explained["id"], "--json").out)
    assert (shipment["parcels"][0]["length"], shipment["options"]["insurance"]) == (12, 50)
    return shipment


def test_ship_obeys(desk: Cli) -> None:
    assert desk("ship", *TO, "--weight", "1lb", "--reference", "A", "-y").code == 0
    assert check(desk, "A")["service"] == "express_service"
    named = desk("ship", *TO, "--weight", "1lb", "--service", "standard_service", "-y", "--json")
    assert json.loads(named.out)["service"] == "standard_service"


def test_orders_obey(desk: Cli, tmp_path: Path) -> None:
    assert desk("import", "orders", write_csv(tmp_path / "orders.csv", ORDER)).code == 0
    assert (
        json.loads(desk("rules", "test", "1042", "--json").out)[0]["settings"]["service"] == "express_service"
    )
    assert desk("orders", "fulfil", "1042", "-y").code == 0
    assert check(desk, "1042")["service"] == "express_service"


def test_rows_of_files_obey(desk: Cli, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "shipments.csv", ROW)
    lines = ("import", "shipments", path, "--buy", "cheapest", "-y")
    for _ in range(2):  # the second run finds what the first one bought, in its box
        assert desk(*lines).code == 0
    assert check(desk, "R-1")["service"] == "express_service"
    assert len(json.loads(desk("shipments", "list", "--json").out)["results"]) == 1


def test_drafts_and_batches_obey(desk: Cli, tmp_path: Path) -> None:
    path = tmp_path / "body.json"
    for reference, line in (("D", ("shipments", "create", "--from-file")), ("E", ("batches", "shipments"))):
        path.write_text(json.dumps(body(parcels=[{"weight": 1, "weight_unit": "LB"}], reference=reference)))
        done = desk(*line, str(path), "-y")
        assert done.code == 0, done.err
        assert check(desk, reference)["rates"][0]["service"] == "express_service"


def test_a_rule_names_a_printer_that_is_there(desk: Cli, tmp_path: Path) -> None:
    done = desk("rules", "add", "country=CA", "--printer", "dok")
    assert (done.code, "did you mean dock?" in done.err) == (3, True), done.err
    (tmp_path / "rules.yaml").write_text("rules:\n- {condition: country=CA, printer: dok}\n")
    assert desk("rules", "import", "rules.yaml", "--check").code == 3
    assert desk("rules", "add", "country=CA", "--printer", "spool:printed").code == 0
    assert desk("printers", "remove", "dock", "-y").code == 0
    assert desk("rules", "disable", "Light").code == 0


def test_a_dry_run_refuses_what_the_command_would_refuse(desk: Cli) -> None:
    refused = [
        ("rules", "add", "wieght<2lb", "--service", "cheapest"),
        ("rules", "add", "country=US", "--service", "ups_grnd"),
        ("rules", "add", "country=US", "--box", "XXL"),
        ("rules", "add", "country=US", "--option", "insurance=abc"),
        ("rules", "move", "Nope", "1"),
        ("rules", "disable", "Nope"),
        ("ship", *TO, "--weight", "1lb", "--cheapest", "--option", "saturday_delivery=maybe"),
    ]
    for line in refused:
        dry, real = desk(*line, "--dry-run"), desk(*line, "-y")
        assert (dry.code, dry.err) == (real.code, real.err), line
        assert dry.code in (2, 3, 6), line
    done = desk("rules", "add", "country=CA", "--service", "cheapest", "--dry-run")
    assert (done.code, "would add a rule for country=CA" in done.out + done.err) == (0, True)
    assert "country=CA" not in desk("rules", "list").out


def test_an_explanation_is_in_the_words_of_the_rules(desk: Cli) -> None:
    desk(
        "rules", "add", "length>=10in", "--service", "ups_ground", "--option", "insurance=9", "--name", "Long"
    )
    assert desk("ship", *TO, "--weight", "1lb", "--reference", "A", "-y").code == 0
    explained = json.loads(desk("explain", "A", "--json").out)
    light, long = explained["rules"]
    assert [seen["value"] for seen in light["seen"]] == ["US", "1 lb"]
    assert (light["overruled"], long["overruled"]) == ([], [])
    assert long["seen"][0]["value"] == "unknown"
    desk("rules", "add", "weight<1.5kg", "--service", "ups_ground", "--box", "M", "--name", "Small")
    assert desk("ship", *TO, "--weight", "1lb", "--reference", "B", "--size", "3x3x3in", "-y").code == 0
    shown = desk("explain", "B").out
    assert "rule Small\tmatched; set before: service by 'Light', box by the request itself" in shown, shown
    assert "weight<1.5kg yes, it is 0.454 kg" in shown


# -- --box auto -----------------------------------------------------------------------------------

GOODS = ("--goods", "MUG:18:12.50USD")
PACKED = [(8, 8.25), (4, 1.062)]


@pytest.fixture
def packer(box: Cli) -> Cli:
    """A sandbox with two boxes and a product."""
    for name, size, tare in (("S", "4", "1oz"), ("L", "8", "4oz")):
        sides = f"{size}x{size}x{size}in"
        assert box("parcels", "presets", "add", name, sides, "--tare", tare).code == 0
    assert box("products", "set", "MUG", "--size", "4x4x2in", "--weight", "0.5lb").code == 0
    return box


def list_parcels(shipment: dict[str, Any]) -> list[tuple[float, float]]:
    return [(parcel["length"], parcel["weight"]) for parcel in shipment["parcels"]]


def test_goods_on_the_line_are_packed(packer: Cli) -> None:
    for line in (("ship", "--cheapest"), ("shipments", "create")):
        done = packer(*line, *TO, *GOODS, "--box", "auto", "-y", "--json")
        assert done.code == 0, done.err
        assert list_parcels(json.loads(done.out)) == PACKED
    offered = packer("quote", "85004", *GOODS, "--box", "auto", "--json")
    assert offered.code == 0, offered.err


@pytest.mark.parametrize(
    ("goods", "reason"),
    [
        ((), "and none are named"),
        (("--goods", "LAMP:1:2USD:0.5lb"), "The size of LAMP is not known"),
        ((*GOODS, "--weight", "3lb"), "The goods need 2 boxes; one weight is given"),
    ],
)
def test_what_can_not_be_packed_is_named(packer: Cli, goods: tuple[str, ...], reason: str) -> None:
    done = packer("shipments", "create", *TO, *goods, "--box", "auto")
    assert (done.code, reason in done.err) == (6, True), done.err


@pytest.mark.parametrize(
    ("changes", "parcels"),
    [
        ({"Parcel package preset": "auto"}, PACKED),
        ({"Parcel package preset": "s", "Parcel weight": "3"}, [(4, 3)]),
    ],
)
def test_rows_are_packed(
    packer: Cli, tmp_path: Path, changes: dict[str, str], parcels: list[tuple[float, float]]
) -> None:
    row = {**ROW, "Parcel weight": "", "Parcel weight unit": "LB", "Goods": "MUG:18:12.50USD", **changes}
    done = packer("import", "shipments", write_csv(tmp_path / "rows.csv", row))
    assert done.code == 0, done.err
    assert list_parcels(json.loads(packer("shipments", "get", "R-1", "--json").out)) == parcels


def test_a_row_that_can_not_be_packed_is_named(packer: Cli, tmp_path: Path) -> None:
    row = {**ROW, "Goods": "LAMP:1:12.50USD", "Parcel package preset": "auto"}
    done = packer("import", "shipments", write_csv(tmp_path / "rows.csv", row))
    assert (done.code, "row 2, Parcel package preset: The size of LAMP" in done.err) == (6, True), done.err


@pytest.mark.parametrize("weight", [9, 1])
def test_bodies_are_packed(packer: Cli, tmp_path: Path, weight: int) -> None:
    items = [{"sku": "MUG", "title": "Mug", "quantity": 18, "weight": 0.5, "weight_unit": "LB"}]
    parcel = {"weight": weight, "weight_unit": "LB", "package_preset": "auto", "items": items}
    path = tmp_path / "body.json"
    path.write_text(json.dumps([body(parcels=[parcel], reference="R")]))
    done = packer("batches", "shipments", str(path), "-y")
    if weight == 1:
        assert (done.code, "one weight is given" in done.err) == (6, True), done.err
    else:
        assert list_parcels(json.loads(packer("shipments", "get", "R", "--json").out)) == PACKED
