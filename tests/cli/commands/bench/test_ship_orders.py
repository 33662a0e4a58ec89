"""An order on the packing table: one line from its number to its only label, in a box of one's own."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from shipcli.models import json
from tests.cli.conftest import Cli, Result
from tests.processes import PROGRAM

ADA = {"person_name": "Ada Brooks", "address_line1": "12 Harbor St", "city": "Boston", "state_code": "MA",
       "postal_code": "02210", "country_code": "US"}  # fmt: skip
LAMP = {"title": "Lamp", "sku": "LAMP-1", "quantity": 2, "weight": 1, "weight_unit": "LB"}
SHIP = ("ship", "1042", "--weight", "2lb6oz", "--box", "M")


@pytest.fixture
def bench(cli: Cli) -> Cli:
    """The command line in a sandbox with a box M and an order #1042."""
    box: Cli = lambda *words, **more: cli("--sandbox", *words, **more)  # noqa: E731
    assert box("parcels", "presets", "add", "M", "12x8x4in", "--tare", "3oz").code == 0
    order(box, "#1042")
    return box


def order(box: Cli, number: str, **more: Any) -> None:
    body = {"order_id": number, "shipping_to": ADA, "line_items": [LAMP], **more}
    made = box("orders", "create", "--from-file", "-", typed=json.dumps(body))
    assert made.code == 0, made.err


def labels(box: Cli) -> int:
    return len([one for one in box("sandbox", "ledger", "--json").json if not one["voided"]])


@pytest.mark.parametrize("number", ["1042", "#1042"])
def test_a_number_with_or_without_its_sign_ships_the_order(bench: Cli, number: str) -> None:
    done = bench("ship", number, *SHIP[2:], "--cheapest", "-y", "--json")
    assert done.code == 0, done.err
    (parcel,) = done.json["parcels"]
    assert (parcel["weight"], parcel["weight_unit"]) == (2.375, "LB")
    assert [parcel[side] for side in ("length", "width", "height", "dimension_unit")] == [12, 8, 4, "IN"]
    assert parcel["items"][0]["sku"] == "LAMP-1"
    assert bench("orders", "get", "1042", "--pick", "status").out == "fulfilled\n"


def test_an_order_that_has_a_label_gets_no_second(bench: Cli) -> None:
    number = bench(*SHIP, "--cheapest", "-y", "--pick", "tracking_number").out.strip()
    for again in ((), ("--again",), ("--dry-run",)):
        done = bench(*SHIP, "--cheapest", "-y", *again)
        assert (done.code, f"The order #1042 has a label already: {number} of " in done.err) == (5, True)
        assert f"hint: to print it again: shipcli reprint {number}" in done.err
    assert labels(bench) == 1


def test_an_order_whose_number_was_shipped_by_hand_is_asked_about(bench: Cli) -> None:
    fields = [word for name, value in ADA.items() for word in ("-d", f"recipient.{name}={value}")]
    by_hand = bench("ship", *fields, "--weight", "2lb", "--reference", "#1042", "--cheapest", "-y")
    assert by_hand.code == 0, by_hand.err
    done = bench(*SHIP, "--cheapest", "-y")
    assert (done.code, "--again" in done.err, labels(bench)) == (5, True, 1)
    assert bench(*SHIP, "--cheapest", "-y", "--again").code == 0


def test_an_order_is_shipped_from_the_place_that_the_line_names(bench: Cli) -> None:
    place = (
        "--line1",
        "1 Dock Rd",
        "--city",
        "Reno",
        "--state",
        "NV",
        "--postal-code",
        "89501",
        "--country",
        "US",
    )
    assert bench("addresses", "create", "--company", "Dock Nine", *place, "--nickname", "dock").code == 0
    done = bench(*SHIP, "--from", "dock", "--cheapest", "-y", "--pick", "shipper.company_name")
    assert (done.code, done.out) == (0, "Dock Nine\n"), done.err


def test_what_an_order_says_itself_is_refused_as_that(bench: Cli) -> None:
    dock = {**ADA, "company_name": "Own Dock"}
    order(bench, "#1050", shipping_from=dock)
    made = bench("addresses", "create", "--company", "Dock Nine", "--country", "US", "--nickname", "dock")
    assert made.code == 0, made.err
    done = bench("ship", "1050", "--from", "dock", "--cheapest", "-y")
    assert (done.code, "--from: the order #1050 names its own sender" in done.err) == (2, True), done.err
    done = bench(*SHIP, "--to-name", "Bob", "--cheapest", "-y")
    assert (done.code, "an order says that itself" in done.err, "shipments update" in done.err) == (
        2,
        True,
        False,
    )
    assert labels(bench) == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_an_order_whose_label_could_not_be_shown_is_shown_by_the_same_line(bench: Cli, home: Path) -> None:
    line = [*PROGRAM, "--home", str(home), "--sandbox", *SHIP, "--cheapest", "-y"]
    with open("/dev/full", "wb") as full:
        assert subprocess.run(line, stdout=full, stderr=subprocess.PIPE, check=False).returncode == 1
    again = bench(*SHIP, "--cheapest", "-y")
    assert (again.code, "was bought before and is shown again" in again.err, labels(bench)) == (0, True, 1)
    assert bench(*SHIP, "--cheapest", "-y").code == 5


def test_without_a_scale_an_order_weighs_what_its_lines_and_its_box_weigh(bench: Cli) -> None:
    done = bench("ship", "1042", "--box", "m", "--cheapest", "-y", "--json")
    assert done.json["parcels"][0]["weight"] == Decimal("2.188")


def test_more_weights_are_more_parcels_of_one_order(bench: Cli) -> None:
    words = ("ship", "1042", "--weight", "2lb", "--weight", "5lb", "--carrier", "ups")
    done = bench(*words, "--cheapest", "-y", "--json")
    assert done.code == 0, done.err
    assert [len(one["items"]) for one in done.json["parcels"]] == [1, 0]


def test_a_dry_run_of_an_order_leaves_nothing(bench: Cli) -> None:
    done = bench(*SHIP, "--cheapest", "--dry-run")
    assert (done.code, "to Ada Brooks, Boston, US (2 lb 6 oz, 12x8x4 in)" in done.err) == (0, True), done.err
    assert bench("shipments", "list", "--ids").out == ""


def test_orders_and_drafts_are_named_in_one_line(bench: Cli) -> None:
    order(bench, "1043")
    fields = [word for name, value in ADA.items() for word in ("-d", f"recipient.{name}={value}")]
    assert bench("shipments", "create", *fields, "--weight", "2lb", "--reference", "SO-9").code == 0
    bench("ship", "1043", "--cheapest", "-y")
    done = bench("ship", "1042", "1043", "SO-9", "--cheapest", "-y", "--columns", "reference", "--csv")
    assert done.code == 9
    assert done.lines[1:] == ["#1042", "SO-9"]
    assert "error: 1043: The order 1043 has a label already" in done.err


def test_two_orders_of_one_number_are_told_apart(bench: Cli) -> None:
    order(bench, "#1042", source="etsy")
    done = bench(*SHIP, "--cheapest", "-y")
    assert (done.code, "etsy" in done.err, "API" in done.err) == (2, True, True)
    assert "There is no order and no shipment 9999" in bench("ship", "9999", "-y", "--cheapest").err


def test_the_own_service_of_an_order_is_what_enter_buys(bench: Cli, terminal: Callable[..., Result]) -> None:
    order(bench, "77", options={"preferred_service": "ups_ground"})
    done = terminal("--sandbox", "ship", "77", answers=[("q = no: ", "")], NO_COLOR="1")
    assert done.code == 0, done.out
    assert "> 1  ups_ground " in done.out
    assert bench("shipments", "list", "--csv", "--columns", "service").lines[1:] == ["ups_ground"]


def test_an_order_is_fulfilled_with_scale_box_and_printer(
    bench: Cli, terminal: Callable[..., Result], tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    added = bench("printers", "add", "dock", "--to", f"spool:{tmp_path / 'out'}", "--format", "PDF")
    assert added.code == 0, added.err
    words = ("orders", "fulfil", "1042", "--weight", "2lb6oz", "--box", "M", "-p")
    done = terminal("--sandbox", *words, answers=[(" USD and print, q = no: ", "")], NO_COLOR="1")
    assert done.code == 0, done.out
    assert "to Ada Brooks, Boston, US (2 lb 6 oz, 12x8x4 in)" in done.out
    assert ("on dock" in done.out, len(list((tmp_path / "out").iterdir()))) == (True, 1)


def test_one_weight_is_not_for_several_orders(bench: Cli) -> None:
    order(bench, "1043")
    done = bench("orders", "fulfil", "--unfulfilled", "--weight", "2lb", "-y")
    assert (done.code, "--weight is of one order" in done.err) == (2, True)
    done = bench("orders", "fulfil", "--unfulfilled", "--box", "M", "-y", "--json")
    assert [one["status"] for one in done.json] == ["purchased", "purchased"]


# -- boxes


def test_own_boxes_are_listed_before_those_of_carriers(bench: Cli) -> None:
    rows = bench("parcels", "presets", "--json").json
    assert (rows[0]["preset"], rows[0]["carrier_name"], rows[0]["weight"]) == ("M", None, 3)
    assert {"ups", "canadapost"} <= {row["carrier_name"] for row in rows}


def test_a_box_goes_by_its_name_for_any_parcel(bench: Cli) -> None:
    bare = bench("quote", "02134", "--weight", "2lb6oz", "--size", "12x8x4in", "--csv")
    assert bench("quote", "02134", "--weight", "2lb6oz", "--box", "m", "--csv").out == bare.out
    wrong = bench("quote", "02134", "--weight", "2lb", "--box", "N")
    assert (wrong.code, "There is no box 'N'" in wrong.err) == (6, True)


def test_a_box_is_replaced_and_removed(bench: Cli) -> None:
    assert bench("parcels", "presets", "add", "m", "9x9x9cm").code == 0
    assert [row["preset"] for row in bench("parcels", "presets", "--json").json].count("M") == 0
    assert bench("parcels", "presets", "remove", "M").code == 0
    assert bench("parcels", "presets", "remove", "M").code == 3


@pytest.mark.parametrize(
    "words", [("add", "M"), ("remove",), ("grow", "M"), ("list", "M"), ("add", "a b", "1x1x1cm")]
)
def test_what_is_no_line_about_boxes_says_how_one_looks(bench: Cli, words: tuple[str, ...]) -> None:
    assert bench("parcels", "presets", *words).code in (2, 6)


def test_what_was_shipped_comes_back_once(bench: Cli) -> None:
    assert bench(*SHIP, "--carrier", "ups", "--cheapest", "-y").code == 0
    back = bench("return", "1042", "--carrier", "ups", "--cheapest", "-y", "--json")
    assert back.code == 0, back.err
    assert back.json["shipper"]["person_name"] == "Ada Brooks"
    assert back.json["options"]["is_return"] is True
    second = bench("return", "1042", "--carrier", "ups", "--cheapest", "-y")
    assert second.code != 0
    assert "1042-R has a label already" in second.err
    assert labels(bench) == 2
    assert bench("orders", "get", "1042", "--pick", "status").out == "fulfilled\n"


def test_what_was_not_shipped_does_not_come_back(bench: Cli) -> None:
    refused = bench("return", "1042", "--cheapest", "-y")
    assert refused.code == 5
    assert "Nothing of the order #1042 was sent yet" in refused.err
