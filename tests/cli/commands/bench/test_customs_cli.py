"""Customs of what goes abroad: goods from flags, and gaps that are named before money is spent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shipcli.models import json
from tests.cli.conftest import Cli, Result
from tests.factories import ABROAD, RECIPIENT, SHIPPER
from tests.features.paper.samples import GOODS

MUG = "Mug:2:12.50USD:6912.00:CN"
TO = [word for name, value in {
    "name": "Zoe Miller", "line1": "Pariser Platz 1", "city": "Berlin", "postal-code": "10117",
    "country": "DE",
}.items() for word in (f"--to-{name}", value)]  # fmt: skip
WEIGHT = ("--weight", "2lb")


@pytest.fixture
def sandbox(cli: Cli) -> Cli:
    def run(*words: str, **more: Any) -> Result:
        return cli("--sandbox", *words, **more)

    made = [word for name, value in SHIPPER.items() for word in ("-d", f"{name}={value}")]
    assert run("addresses", "create", *made).code == 0
    assert run("addresses", "default", "@last", "-y").code == 0
    return run


def make_orders(sandbox: Cli, *orders: dict[str, Any]) -> None:
    done = sandbox("orders", "create", "--from-file", "-", typed=json.dumps(list(orders)))
    assert done.code == 0, done.err


def order(number: str, to: dict[str, str] = ABROAD, **changes: Any) -> dict[str, Any]:
    return {"order_id": number, "shipping_to": to, "line_items": [{**GOODS, **changes}]}


# -- from flags ------------------------------------------------------------------------------------


def test_goods_on_the_line_are_declared_and_stand_on_the_invoice(sandbox: Cli) -> None:
    line = ("ship", *TO, *WEIGHT, "--reference", "A-1", "--cheapest", "-y", "--json")
    done = sandbox(*line, "--goods", MUG, "--goods", "Pen:1:2EUR:9608.10:DE:0.1lb")
    assert done.code == 0, done.err
    goods = done.json["customs"]["commodities"]
    assert [(one["title"], one["quantity"], str(one["weight"])) for one in goods] == [
        ("Mug", 2, "0.95"),
        ("Pen", 1, "0.1"),
    ]
    assert [one["title"] for one in done.json["parcels"][0]["items"]] == ["Mug", "Pen"]
    assert "customs_required" not in {one["code"] for one in done.json["messages"]}
    assert sandbox("documents", "make", "invoice", "A-1", "-o", "invoice.pdf").code == 0


def test_goods_of_a_parcel_that_stays_are_on_its_slip_and_not_declared(sandbox: Cli) -> None:
    to = [word for word in TO if word not in ("--to-country", "DE")]
    to[to.index("10117")], to[to.index("Berlin")] = "85004", "Phoenix"
    done = sandbox("shipments", "create", *to, "--to-state", "AZ", *WEIGHT, "--goods", MUG, "--json")
    assert done.code == 0, done.err
    assert (done.json["customs"], done.json["parcels"][0]["items"][0]["title"]) == (None, "Mug")


def test_prices_are_asked_with_goods(sandbox: Cli) -> None:
    assert sandbox("quote", "10117", "--country", "DE", *WEIGHT, "--goods", MUG).code == 0
    refused = sandbox("quote", "10117", "--country", "DE", *WEIGHT, "--goods", "Mug:2:12.50")
    assert (refused.code, "12.50 of which money? Say 12.50USD" in refused.err) == (6, True)


def test_goods_of_a_stored_draft_are_refused(sandbox: Cli) -> None:
    assert sandbox("shipments", "create", *TO, *WEIGHT, "--reference", "A-1").code == 0
    refused = sandbox("ship", "A-1", "--goods", MUG, "--cheapest", "-y")
    assert (refused.code, "--goods: only for a new shipment" in refused.err) == (2, True)
    assert "cancel it, and ship it anew with --goods" in refused.err


def test_a_parcel_abroad_without_goods_is_told_before_it_is_bought(sandbox: Cli) -> None:
    done = sandbox("ship", *TO, *WEIGHT, "--cheapest", "--dry-run")
    assert done.code == 0, done.err
    assert "without customs data" in done.err
    some = sandbox("ship", *TO, *WEIGHT, "--cheapest", "--goods", "Mug:2:12.50USD", "--dry-run")
    assert "Customs may ask about the goods: no HS number or country of origin of Mug" in some.err


# -- orders ----------------------------------------------------------------------------------------


def test_orders_that_customs_would_ask_about_are_counted_and_named_before_money_is_asked_for(
    sandbox: Cli, terminal: Callable[..., Result]
) -> None:
    make_orders(
        sandbox,
        order("W1"),
        order("W2", hs_code=None),
        order("W3", value_amount=None),
        order("W4", to=RECIPIENT, hs_code=None),
    )
    said = "customs may ask about the goods of 2 orders: W2 (no HS number of MUG); W3 (no value of MUG)"
    shown = terminal(
        "--sandbox", "orders", "fulfil", "--unfulfilled", "--cheapest", answers=[("[y/N]", "n")]
    ).out
    assert said in shown
    assert shown.index(said) < shown.index("[y/N]")
    assert said in sandbox("orders", "fulfil", "W1", "W2", "W3", "--cheapest", "-y").err


def test_goods_on_the_line_stand_in_for_the_lines_of_one_order(sandbox: Cli) -> None:
    make_orders(sandbox, order("W1", hs_code=None), order("W2", to=RECIPIENT))
    done = sandbox("orders", "fulfil", "W1", "--cheapest", "--goods", MUG, "-y")
    assert (done.code, "customs may ask" in done.err) == (0, False), done.err
    found = sandbox("orders", "get", "W1", "--json").json["shipments"][0]
    assert [one["hs_code"] for one in found["customs"]["commodities"]] == ["6912.00"]
    assert [one["sku"] for one in found["parcels"][0]["items"]] == ["MUG"]
    make_orders(sandbox, order("W3", hs_code=None))
    done = sandbox("ship", "W3", "--cheapest", "--goods", MUG, "-y", "--json")
    assert [one["hs_code"] for one in done.json["customs"]["commodities"]] == ["6912.00"]
    assert "name one" in sandbox("orders", "fulfil", "W1", "W2", "--goods", MUG, "-y").err
    assert "does not pass customs" in sandbox("orders", "fulfil", "W2", "--goods", MUG, "-y").err


# -- files -----------------------------------------------------------------------------------------

HEAD = ("Recipient name,Recipient address 1,Recipient city,Recipient state,Recipient postal code,"
        "Recipient country,Parcel weight,Parcel weight unit,Reference,Goods")  # fmt: skip
BERLIN = "Zoe Miller,Pariser Platz 1,Berlin,,10117,DE,2,LB"
PHOENIX = "Ana Ruiz,1625 N Central Ave,Phoenix,AZ,85004,US,2,LB"
FILE = [HEAD, f"{BERLIN},A-1,", f"{PHOENIX},A-2,", f"{BERLIN},A-3,{MUG}; Pen:1:2EUR:9608.10:DE",
        f"{BERLIN},A-4,Mug:2:12.50USD::CN"]  # fmt: skip
SAID = (
    "customs may ask about the goods of 2 rows: row 2 (A-1 to DE: no goods are declared); "
    "row 5 (A-4 to DE: no HS number of Mug)"
)


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "parcels.csv").write_text("\n".join([*FILE, ""]))
    return "parcels.csv"


def test_rows_that_customs_would_ask_about_are_counted_and_named_before_money_is_asked_for(
    sandbox: Cli, terminal: Callable[..., Result], file: str
) -> None:
    shown = terminal(
        "--sandbox", "import", "shipments", file, "--buy", "cheapest", answers=[("[y/N]", "n")]
    ).out
    assert SAID in shown
    assert shown.index(SAID) < shown.index("[y/N]")
    checked = sandbox("import", "shipments", file, "--check")
    assert SAID in checked.err
    assert "a column Goods" in checked.err
    told = sandbox("import", "shipments", file, "--check", "--json").json["customs"]
    assert [one["row"] for one in told] == [2, 5]
    filled = sandbox("import", "shipments", file, "--check", "--set", f"goods={MUG}")
    assert "customs may ask about the goods of 1 row: row 5" in filled.err
    assert SAID in sandbox("import", "shipments", file, "--buy", "cheapest", "--dry-run").err


def test_a_night_run_says_it_once_and_not_of_what_was_bought_before(sandbox: Cli, file: str) -> None:
    done = sandbox("import", "shipments", file, "--buy", "cheapest", "-y")
    assert (done.code, done.err.count(SAID)) == (0, 1), done.err
    again = sandbox("import", "shipments", file, "--buy", "cheapest", "-y")
    assert (again.code, "customs may ask" in again.err) == (0, False), again.err


def test_goods_of_a_file_are_declared(sandbox: Cli, file: str) -> None:
    assert sandbox("products", "set", "PEN-1", "--hs-code", "9608.10", "--weight", "1oz").code == 0
    with Path(file).open("a") as more:
        more.write(f"{BERLIN},A-5,PEN-1:3:2EUR::DE\n")
    assert sandbox("import", "shipments", file).code == 0
    goods = sandbox("shipments", "get", "A-3", "--json").json["customs"]["commodities"]
    assert [(one["title"], one["origin_country"]) for one in goods] == [("Mug", "CN"), ("Pen", "DE")]
    (pen,) = sandbox("shipments", "get", "A-5", "--json").json["customs"]["commodities"]
    assert (pen["sku"], pen["hs_code"], str(pen["weight"])) == ("PEN-1", "9608.10", "1")


def test_wrong_goods_of_a_file_are_bad_cells(sandbox: Cli, tmp_path: Path) -> None:
    rows = [HEAD, f"{BERLIN},A-1,Mug:two", f"{BERLIN},A-2,Mug:2:1XXX", f"{BERLIN},A-3,Mug:1::::9lb; Pen"]
    (tmp_path / "bad.csv").write_text("\n".join([*rows, ""]))
    done = sandbox("import", "shipments", "bad.csv")
    assert done.code == 6
    for said in ("row 2, Goods: 'Mug:two': 'two' is not a number of pieces", "row 3, Goods", "row 4, Goods"):
        assert said in done.err, done.err


def test_what_other_carriers_said_of_a_lane_is_not_told_of_a_bought_row(sandbox: Cli, tmp_path: Path) -> None:
    row = PHOENIX.replace(",AZ,", ",,")  # some carriers can't price it without a state
    (tmp_path / "parcels.csv").write_text(f"{HEAD}\n{row},A-1,\n{BERLIN},A-2,\n")
    done = sandbox("import", "shipments", "parcels.csv", "--buy", "cheapest", "-y", "--json")
    assert done.code == 0, done.err
    first, second = done.json["results"]
    assert first["message"] is None
    assert (
        second["message"]
        == "An international parcel without customs data: the carrier or the border may stop it"
    )


def test_a_carrier_that_nobody_asked_for_is_not_told_of_when_it_has_no_price(sandbox: Cli) -> None:
    line = ("ship", "--to-name", "Ana", "--to-line1", "1625 N Central Ave", "--to-city", "Phoenix",
            "--to-postal-code", "85004", *WEIGHT, "--cheapest", "--dry-run")  # fmt: skip
    assert "state_code: required" not in sandbox(*line).err
    bought = (*line[:-1], "-y")
    assert "state_code: required" not in sandbox(*bought).err
    assert "state_code: required" in sandbox("ship", *bought[1:], "--again", "-v").err
