"""Weights and sizes as they are typed: a number says of what, and more of them mean more parcels."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Cli, Result

SHIP = ("ship", "--to-name", "Ann Smith", "--to-line1", "5 Main Street", "--to-city", "Boston", "--to-state",
        "MA", "--to-postal-code", "02134", "--cheapest", "-y", "--json")  # fmt: skip
ORDER = {"Order number": "1", "Item title": "Lamp", "Item weight": "500", "Shipping name": "Ann Smith",
         "Shipping address 1": "5 Main Street", "Shipping city": "Boston", "Shipping state": "MA",
         "Shipping postal code": "02134", "Shipping country": "US"}  # fmt: skip
SHIPMENT = {"Shipper name": "Dock", "Shipper address 1": "1 Main St", "Shipper city": "Chicago",
            "Shipper state": "IL", "Shipper postal code": "60605", "Shipper country": "US",
            "Recipient name": "Ann Smith", "Recipient address 1": "5 Main Street", "Recipient city": "Boston",
            "Recipient state": "MA", "Recipient postal code": "02134", "Recipient country": "US",
            "Parcel weight": "2", "Reference": "S-1"}  # fmt: skip


@pytest.fixture
def box(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """The command line in a sandbox, with variables of the environment for one line."""

    def run(*words: str, **environ: str) -> Result:
        with monkeypatch.context() as patched:
            for name, value in environ.items():
                patched.setenv(name, value)
            return cli("--sandbox", *words)

    return run


def sheet(path: Path, row: dict[str, str]) -> str:
    with path.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([row.keys(), row.values()])
    return str(path)


def parcels(box: Cli, *words: str, **more: str) -> list[tuple[Any, ...]]:
    done = box(*SHIP, *words, **more)
    assert done.code == 0, done.err
    fields = ("weight", "weight_unit", "length", "dimension_unit")
    return [tuple(one[name] for name in fields) for one in done.json["parcels"]]


@pytest.mark.parametrize("command", [SHIP, ("quote", "02134"), ("parcels", "create")])
@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--weight", "2"), "weight: 2 what? Say 2lb, 2kg or 2oz"),
        (("--weight", "2lb", "--size", "12x8x4"), "--size (dimensions): 12x8x4 what?"),
    ],
)
def test_a_number_without_a_unit_is_refused(
    box: Cli, command: tuple[str, ...], flags: tuple[str, ...], words: str
) -> None:
    done = box(*(word for word in command if word != "--json"), *flags)
    assert (done.code, words in done.err) == (6, True), done.err
    assert box("sandbox", "ledger").code == 5  # refused before there was a store


def test_the_settings_say_what_bare_numbers_are(box: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHIPCLI_WEIGHT_UNIT", "lb")
    assert box("config", "set", "size_unit", "in").code == 0
    assert parcels(box, "--weight", "2", "--size", "12x8x4") == [(2, "LB", 12, "IN")]
    assert parcels(box, "--weight", "900g", "--size", "12x8x4cm") == [(900, "G", 12, "CM")]
    assert parcels(box, "-d", "parcels[0].weight=3") == [(3, "LB", None, None)]
    told = box("config", "set", "weight_unit", "stone")
    assert (told.code, "KG, LB, OZ, G" in told.err) == (6, True)


def test_a_weight_said_twice_is_two_parcels(box: Cli) -> None:
    two = parcels(box, "--weight", "2lb", "--weight", "5lb", "--size", "12x8x4in", "--size", "9x9x9cm")
    assert two == [(2, "LB", 12, "IN"), (5, "LB", 9, "CM")]
    prices = [
        min(one["total_charge"] for one in box("quote", "02134", *flags, "--json").json["rates"])
        for flags in (("--weight", "2lb", "--weight", "5lb"), ("--weight", "5lb"))
    ]
    assert prices[0] > prices[1]


@pytest.mark.parametrize("command", [SHIP, ("quote", "02134"), ("shipments", "create", *SHIP[1:-3])])
def test_sizes_must_be_as_many_as_weights(box: Cli, command: tuple[str, ...]) -> None:
    done = box(*command, "--weight", "2lb", "--weight", "5lb", "--size", "12x8x4in", "--quiet")
    assert (done.code, "2 --weight and 1 --size" in done.err) == (2, True), done.err


def test_a_stored_draft_takes_one_weight(box: Cli) -> None:
    address = [word for word in SHIP[1:] if word not in ("--cheapest", "-y", "--json")]
    draft = box("shipments", "create", *address, "--weight", "2lb", "--ids").out.strip()
    done = box("ship", draft, "--cheapest", "-y", "--weight", "3lb", "--weight", "5lb")
    assert (done.code, "one --weight" in done.err) == (2, True)
    assert (
        box("ship", draft, "--cheapest", "-y", "--weight", "3lb", "--json").json["parcels"][0]["weight"] == 3
    )


def test_the_question_before_a_purchase_says_the_weight_as_it_was_understood(box: Cli) -> None:
    asked = [word for word in SHIP if word != "-y"]
    assert "(2 lb 6 oz)" in box(*asked, "--weight", "2lb6oz").err
    assert "(2 parcels: 2 lb, 900 g)" in box(*asked, "--weight", "2lb", "--weight", "900g").err


def test_an_order_file_without_units_is_refused_by_row_and_column(box: Cli, tmp_path: Path) -> None:
    name = sheet(tmp_path / "o.csv", ORDER)
    done = box("import", "orders", name)
    assert (done.code, "row 2, Item weight unit: '500' what?" in done.err) == (6, True), done.err
    assert box("import", "orders", name, SHIPCLI_WEIGHT_UNIT="G").code == 0
    item = box("orders", "get", "1", "--json").json["line_items"][0]
    assert (item["weight"], item["weight_unit"]) == (500, "G")


def test_a_unit_in_the_file_comes_before_the_setting(box: Cli, tmp_path: Path) -> None:
    name = sheet(tmp_path / "o.csv", {**ORDER, "Item weight unit": "oz"})
    assert box("import", "orders", name, SHIPCLI_WEIGHT_UNIT="G").code == 0
    assert box("orders", "get", "1", "--json").json["line_items"][0]["weight_unit"] == "OZ"


def test_a_weight_set_for_all_rows_says_its_unit(box: Cli, tmp_path: Path) -> None:
    bare = {name: value for name, value in ORDER.items() if name != "Item weight"}
    name = sheet(tmp_path / "o.csv", bare)
    done = box("import", "orders", name, "--set", "weight=500")
    assert (done.code, "500 what?" in done.err) == (6, True), done.err
    for given in (("weight=500g",), ("weight=500", "weight_unit=G"), ("weight_unit=g", "weight=500")):
        flags = [word for one in given for word in ("--set", one)]
        assert box("import", "orders", name, *flags, "--check").code == 0


def test_a_shipments_file_without_units_is_refused_unless_a_setting_names_one(
    box: Cli, tmp_path: Path
) -> None:
    line = ("import", "shipments", sheet(tmp_path / "s.csv", SHIPMENT), "--buy", "cheapest")
    refused = box(*line, "-y")
    assert (refused.code, "row 2, Parcel weight unit: '2' what?" in refused.err) == (6, True)
    assert "weights in lb" in box(*line, SHIPCLI_WEIGHT_UNIT="lb").err
    assert box(*line, "-y", SHIPCLI_WEIGHT_UNIT="lb").code == 0
    assert box("shipments", "get", "S-1", "--json").json["parcels"][0]["weight_unit"] == "LB"


def test_a_parcel_is_said_in_one_word(box: Cli) -> None:
    assert box("parcels", "presets", "add", "M", "9x9x9cm").code == 0
    two = parcels(box, "--piece", "2lb:12x8x4in", "--piece", "5lb:M")
    assert two == [(2, "LB", 12, "IN"), (5, "LB", 9, "CM")]
    assert parcels(box, "--piece", "900g") == [(900, "G", None, None)]


@pytest.mark.parametrize(
    ("flags", "code", "words"),
    [
        (("--piece", "2:12x8x4in"), 6, "2 what?"),
        (("--piece", ":M"), 2, "write a weight"),
        (("--piece", "2lb:N"), 6, "There is no box 'N'"),
        (("--piece", "2lb", "--weight", "5lb"), 2, "leave out --weight"),
    ],
)
def test_a_piece_that_can_not_be_read_says_how_one_looks(
    box: Cli, flags: tuple[str, ...], code: int, words: str
) -> None:
    done = box("quote", "02134", *flags)
    assert (done.code, words in done.err) == (code, True), done.err


def test_options_take_decimal_commas(box: Cli) -> None:
    words = ("--piece", "2,5lb:12,5x8x4in", "--max-total", "99,50USD", "--option", "insurance=100,50")
    done = box(*SHIP, *words, "--carrier", "ups")
    assert done.code == 0, done.err
    (parcel,) = done.json["parcels"]
    assert (parcel["weight"], parcel["length"], done.json["options"]["insurance"]) == (2.5, 12.5, 100.5)


def test_a_limit_with_a_comma_before_three_digits_is_asked_again(box: Cli) -> None:
    done = box(*SHIP, "--weight", "2lb", "--max-total", "1,250USD")
    assert done.code != 0
    assert "'1,250USD' is not an amount" in done.err


def test_a_quote_says_in_which_unit_a_bare_number_was_read(box: Cli) -> None:
    done = box("quote", "02134", "--weight", "2.5", "--carrier", "ups", SHIPCLI_WEIGHT_UNIT="LB")
    assert (done.code, "note: prices for 2 lb 8 oz" in done.err) == (0, True), done.err
