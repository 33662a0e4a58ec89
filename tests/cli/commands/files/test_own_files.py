"""Files that people have: their own column names, no shipper in them, weights on the line."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from shipcli.models import json
from tests.cli.conftest import Cli

HEADERS = ("Order", "Name", "Street", "City", "State", "ZIP", "Country", "Weight")
ADA = ("A1", "Ada Brooks", "5 Main St", "Boston", "MA", "02134", "US", "2")
BO = ("A2", "Bo Lee", "9 Elm St", "Denver", "CO", "80202", "US", "1")
FIELDS = {
    "reference": "Order", "recipient_name": "Name", "recipient_address1": "Street", "recipient_city": "City",
    "recipient_state": "State", "recipient_postal_code": "ZIP", "recipient_country": "Country",
    "parcel_weight": "Weight",
}  # fmt: skip


@pytest.fixture
def box(cli: Cli) -> Cli:
    return lambda *words, **more: cli("--sandbox", *words, **more)


def write(path: Path, *rows: tuple[str, ...], headers: tuple[str, ...] = HEADERS) -> str:
    with path.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([headers, *rows])
    return str(path)


@pytest.fixture
def own(tmp_path: Path) -> str:
    return write(tmp_path / "own.csv", ADA, BO)


@pytest.fixture
def mapped(tmp_path: Path) -> str:
    path = tmp_path / "columns.json"
    path.write_bytes(json.dump_bytes({**FIELDS, "parcel_weight_unit": {"constant": "LB"}}))
    return str(path)


def drafts(box: Cli) -> list[dict[str, Any]]:
    found = box("shipments", "list", "--all", "--json").json["results"]
    return sorted(found, key=lambda one: str(one["reference"]))


def test_missing_columns_are_named_with_what_to_type(box: Cli, own: str) -> None:
    done = box("import", "shipments", own, "--check")
    assert done.code == 6
    assert "lacks the column 'Recipient country'" in done.err
    assert "the file has Order, Name, Street" in done.err
    assert "--map recipient_country=Country --map parcel_weight=Weight" in done.err
    assert f"shipcli import templates create own --type shipments --for {own}" in done.err


def test_the_other_sheets_of_a_file_that_lacks_columns_are_named(box: Cli, tmp_path: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    book.active.title, book.active["A1"] = "Cover", "Acme Inc"  # type: ignore[union-attr]
    parcels = book.create_sheet("Parcels")
    for line in (HEADERS, ADA):
        parcels.append(line)
    book.save(tmp_path / "own.xlsx")
    done = box("import", "shipments", str(tmp_path / "own.xlsx"), "--check")
    assert (done.code, "the sheet 'Cover' (--sheet: Parcels) has Acme Inc;" in done.err) == (6, True)


def test_the_template_that_the_hint_offers_reads_the_file(box: Cli, own: str) -> None:
    made = box("import", "templates", "create", "own", "--type", "shipments", "--for", own, "--json")
    assert made.json["fields_mapping"] == FIELDS
    done = box("import", "shipments", own, "--map", "own", "--set", "parcel_weight_unit=LB", "--json")
    assert (done.code, done.json["draft"]) == (0, 2), done.err


def test_a_guess_says_which_columns_it_leaves(box: Cli, tmp_path: Path) -> None:
    name = write(tmp_path / "x.csv", (*ADA, "red"), headers=(*HEADERS, "Colour"))
    made = box("import", "templates", "create", "x", "--type", "shipments", "--for", name)
    assert "not used: Colour" in made.err


def test_rows_without_a_shipper_leave_from_the_default_one(box: Cli, own: str, mapped: str) -> None:
    dock = box(
        "addresses", "create", "--company", "Dock Two", "--line1", "1 Pier Rd", "--city", "Miami",
        "--state", "FL", "--postal-code", "33101", "--country", "US", "--ids",
    ).out.strip()  # fmt: skip
    assert box("addresses", "default", dock).code == 0
    done = box("import", "shipments", own, "--map", mapped)
    assert done.code == 0, done.err
    assert "parcels leave from Dock Two, Miami, FL" in done.err
    assert [one["shipper"]["company_name"] for one in drafts(box)] == ["Dock Two", "Dock Two"]


def test_a_row_that_names_its_shipper_keeps_it(box: Cli, tmp_path: Path, mapped: str) -> None:
    headers = (*HEADERS, "Shipper name", "Shipper country")
    rows = ((*ADA, "Cy", "US"), (*BO, "", ""))
    done = box("import", "shipments", write(tmp_path / "o.csv", *rows, headers=headers), "--map", mapped)
    assert (done.code, "names no shipper" in done.err) == (0, False), done.err
    assert [one["shipper"]["person_name"] for one in drafts(box)] == ["Cy", "Sandbox Warehouse"]


def test_without_a_default_shipper_the_column_is_asked_for(cli: Cli, own: str, mapped: str) -> None:
    done = cli("import", "shipments", own, "--map", mapped, "--check")
    assert done.code == 6
    assert "lacks the column 'Shipper country'" in done.err
    assert "shipcli addresses default ADDRESS" in done.err


def test_values_of_the_line_fill_empty_cells(box: Cli, tmp_path: Path, mapped: str) -> None:
    name = write(tmp_path / "o.csv", ADA[:-1], (*BO[:-1], "3"), headers=HEADERS)
    words = ("--map", mapped, "--set", "weight=2lb 8oz", "--set", "Parcel package preset=usps_flat_rate_box")
    assert box("import", "shipments", name, *words).code == 0
    found = [one["parcels"][0] for one in drafts(box)]
    assert [(str(one["weight"]), one["weight_unit"]) for one in found] == [("2.5", "LB"), ("3", "LB")]
    assert {one["package_preset"] for one in found} == {"usps_flat_rate_box"}


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--set", "wieght=1kg"), 6, "did you mean"),
        (("--set", "parcel_weight"), 2, "write FIELD=VALUE"),
        (("--map", "shopfy"), 6, "Did you mean shopify"),
        (("--map", "shopify", "--map", "etsy"), 2, "can't be used together"),
        (("--map", "recipiant_name=Name"), 6, "did you mean recipient_name"),
        (("--map", "nowhere.json"), 2, "nowhere.json can't be read"),
    ],
)
def test_a_wrong_word_is_named(box: Cli, own: str, words: tuple[str, ...], code: int, said: str) -> None:
    done = box("import", "shipments", own, *words)
    assert (done.code, said in done.err) == (code, True), done.err


def test_columns_of_the_line_go_before_those_of_a_mapping_file(box: Cli, tmp_path: Path, mapped: str) -> None:
    name = write(tmp_path / "o.csv", (*ADA, "Zoe"), headers=(*HEADERS, "To"))
    assert box("import", "shipments", name, "--map", mapped, "--map", "recipient_name=To").code == 0
    assert [one["recipient"]["person_name"] for one in drafts(box)] == ["Zoe"]


def test_a_column_that_no_field_reads_can_tell_rows_apart(box: Cli, tmp_path: Path, mapped: str) -> None:
    name = write(tmp_path / "o.csv", (*ADA, "1"), (*ADA, "2"), headers=(*HEADERS, "Box"))
    done = box("import", "shipments", name, "--map", mapped, "--key", "Order,Box", "--json")
    assert (done.code, done.json["draft"]) == (0, 2), done.err


def test_orders_of_a_marketplace_are_a_shipment_each(box: Cli, tmp_path: Path) -> None:
    headers = ("Name", "Lineitem name", "Shipping Name", "Shipping Address1", "Shipping City",
               "Shipping Province", "Shipping Zip", "Shipping Country")  # fmt: skip
    first = ("#1", "Lamp", "Ada Brooks", "5 Main St", "Boston", "MA", "'02134", "US")
    rows = (first, ("#1", "Shade", "", "", "", "", "", ""), ("#2", "Mug", *first[2:]))
    name = write(tmp_path / "shop.csv", *rows, headers=headers)
    without = box("import", "shipments", name, "--map", "shopify")
    assert (without.code, "'Parcel weight'" in without.err) == (6, True), without.err
    done = box("import", "shipments", name, "--map", "shopify", "--set", "weight=1lb")
    assert (done.code, "1 row left out" in done.err) == (0, True), done.err
    assert [(one["reference"], one["recipient"]["postal_code"]) for one in drafts(box)] == [
        ("#1", "02134"), ("#2", "02134"),
    ]  # fmt: skip


def test_the_older_spellings_still_work_and_are_not_shown(box: Cli, own: str, mapped: str) -> None:
    words = ("--template", mapped, "--carriers", "ups,usps", "--buy", "cheapest", "--labels", "all.pdf", "-y")
    done = box("import", "shipments", own, *words, "--json")
    assert (done.code, done.json["purchased"], done.json["labels"]) == (0, 2, "all.pdf"), done.err
    shown = box("import", "shipments", "--help").out
    assert all(name in shown for name in ("--merge", "--carrier ", "--map"))
    assert not any(name in shown for name in ("--labels", "--carriers", "--template NAME"))


def test_orders_without_weights_are_told_where_weights_may_come_from(box: Cli, own: str) -> None:
    done = box("import", "orders", own)
    assert done.code == 6
    assert "--map weight=Weight (or --set weight=0.5kg, or --products FILE)" in done.err


def test_the_labels_of_a_file_are_printed_in_its_order_once(
    box: Cli, own: str, mapped: str, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    assert box("printers", "add", "dock", "--to", f"spool:{tmp_path / 'out'}", "--format", "PDF").code == 0
    for _ in range(2):
        done = box("import", "shipments", own, "--map", mapped, "--buy", "cheapest", "-y", "-p", "--json")
        assert (done.code, done.json["purchased"]) == (0, 2), done.err
    assert len(list((tmp_path / "out").iterdir())) == 2


def test_a_missing_printer_is_told_before_anything_is_bought(box: Cli, own: str, mapped: str) -> None:
    done = box("import", "shipments", own, "--map", mapped, "--buy", "cheapest", "-y", "-p")
    assert (done.code, drafts(box)) == (10, []), done.err


def test_a_number_of_an_own_column_says_its_unit(box: Cli, tmp_path: Path) -> None:
    name = write(tmp_path / "o.csv", (*ADA, "12"), headers=(*HEADERS, "Length"))
    maps = [f"--map={field}={header}" for field, header in {**FIELDS, "parcel_length": "Length"}.items()]
    done = box("import", "shipments", name, *maps)
    assert (done.code, drafts(box)) == (6, [])
    assert "'2' what? KG, LB, OZ, G: name a unit for each row" in done.err
    assert "'12' what? CM, IN" in done.err
    units = ("--set", "weight_unit=LB", "--set", "dimension_unit=IN", "--set", "width=8", "--set", "height=4")
    assert box("import", "shipments", name, *maps, *units).code == 0
