"""Quotes, shipments and `ship`: a day at the bench and a night in cron, in a sandbox."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shipcli.bootstrap import open_app
from shipcli.models import json
from tests.cli.conftest import Cli, Result, address
from tests.factories import ABROAD, PARCEL, RECIPIENT, SHIPPER

TO_ANN = ("--to-name", "Ann Smith", "--to-line1", "5 Main Street", "--to-city", "Boston", "--to-state", "MA",
          "--to-postal-code", "02134")  # fmt: skip
SHIP_ANN = ("ship", *TO_ANN, "--weight", "2lb6oz", "--size", "12x8x4in", "--reference", "A1")


@pytest.fixture
def box(cli: Cli) -> Cli:
    """The command line in a sandbox."""
    return lambda *words, **more: cli("--sandbox", *words, **more)


@pytest.fixture
def order(tmp_path: Path) -> Callable[..., str]:
    """A file with one shipment, or with several."""

    def write(*changes: dict[str, Any]) -> str:
        rows = [
            {"recipient": RECIPIENT, "parcels": [PARCEL], "reference": "SO-1", **one}
            for one in changes or ({},)
        ]
        path = tmp_path / "order.json"
        path.write_bytes(json.dump_bytes(rows if len(rows) > 1 else rows[0]))
        return str(path)

    return write


def labels(box: Cli) -> list[dict[str, Any]]:
    ledger = box("sandbox", "ledger", "--json")
    if ledger.code == 5:
        return []  # refused before there was a store
    return [row for row in ledger.json if not row["voided"]]


# -- quotes


def test_a_postal_code_and_a_weight_are_enough_for_prices(box: Cli) -> None:
    done = box("quote", "02134", "--weight", "1.2kg")
    assert done.code == 0, done.err
    assert done.lines[0].split("\t") == ["service", "carrier_id", "total_charge", "currency", "transit_days"]
    assert "ups_ground\tups\t10.46\tUSD\t3" in done.lines
    prices = [float(line.split("\t")[2]) for line in done.lines[1:]]
    assert prices == sorted(prices)


def test_a_quote_as_json_is_the_answer_of_the_api(box: Cli) -> None:
    told = box(
        "rates", "quote", "10117", "--country", "de", "--weight", "2kg", "--size", "30x20x10cm", "--json"
    ).json
    assert set(told) == {"messages", "rates"}
    assert {"id", "object_type", "carrier_name", "total_charge", "meta"} <= set(told["rates"][0])
    askers = {message["carrier_name"] for message in told["messages"]}
    assert {"eshipper", "usps_international"} <= askers, "they ask what the goods are"


def test_a_quote_is_narrowed_by_carrier_and_service(box: Cli) -> None:
    one = box(
        "quote",
        "02134",
        "--weight",
        "1kg",
        "--carrier",
        "ups",
        "--service",
        "ups_ground",
        "--pick",
        "service",
    )
    assert one.out == "ups_ground\n"


def test_a_quote_from_a_whole_request(box: Cli, tmp_path: Path) -> None:
    path = tmp_path / "rate.json"
    path.write_bytes(json.dump_bytes({"shipper": SHIPPER, "recipient": RECIPIENT, "parcels": [PARCEL]}))
    assert box("quote", "--from-file", str(path), "-d", "parcels[0].weight=9").code == 0


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("02134",), 6, "--weight (parcels): is required"),
        (("--weight", "1kg"), 2, "say where it goes"),
        (("02134", "--weight", "heavy"), 6, "is not a weight such as 1.2kg"),
        (("02134", "--weight", "1kg", "--carrier", "upss"), 3, "Did you mean ups?"),
        (("02134", "--weight", "1kg", "--currency", "eur"), 6, "No price is quoted in EUR, only in USD"),
        (("02134", "--weight", "1kg", "--box", "ups_pack"), 6, "There is no box 'ups_pack'"),
        (("2134", "--weight", "1kg"), 6, "recipient.postal_code: must be a US postal code"),
        (
            ("02134", "--weight", "1kg", "--service", "ups_grond"),
            3,
            "ups_grond: no connection offers it; did you mean ups_ground?",
        ),
    ],
)
def test_a_quote_that_can_not_be_says_what_to_type(
    box: Cli, words: tuple[str, ...], code: int, said: str
) -> None:
    done = box("quote", *words)
    assert (done.code, done.out) == (code, "")
    assert said in done.err


def test_without_a_shipper_the_next_command_is_named(cli: Cli) -> None:
    done = cli("quote", "02134", "--weight", "1kg")
    assert done.code == 6
    assert "shipcli addresses default ADDRESS" in done.err


def test_the_default_shipper_is_set_once(cli: Cli) -> None:
    chosen = address(cli)
    assert cli("addresses", "default", chosen).code == 0
    assert cli("config", "get", "shipper").out.strip() == chosen
    done = cli("quote", "02134", "--weight", "1kg")
    assert (done.code, "shipcli connections add CARRIER" in done.err) == (3, True)


# -- ship


def test_one_line_ships_a_parcel(box: Cli, tmp_path: Path) -> None:
    done = box(*SHIP_ANN, "--cheapest", "-y", "--label", str(tmp_path / "a.zpl"), "--json")
    assert done.code == 0, done.err
    made = done.json
    assert (made["status"], made["reference"], made["recipient"]["city"]) == ("purchased", "A1", "Boston")
    assert made["shipper"]["company_name"] == "Sample Goods"
    assert [row["number"] for row in labels(box)] == [made["tracking_number"]]
    assert (tmp_path / "a.zpl").read_bytes().startswith(b"^XA")
    assert box("shipments", "get", "@last", "--json").json == made


def test_shipping_without_consent_states_the_price_and_buys_nothing(box: Cli) -> None:
    done = box(*SHIP_ANN, "--cheapest")
    assert (done.code, done.out) == (2, "")
    parcel = "to Ann Smith, Boston, US (2 lb 6 oz, 12x8x4 in)"
    assert f"this would buy usps_ground_advantage of usps {parcel} for 6.72 USD" in done.err
    assert "--yes" in done.err
    assert (labels(box), box("shipments", "list", "--ids").out) == ([], "")


def test_a_dry_run_shows_rate_and_price(box: Cli) -> None:
    done = box(*SHIP_ANN, "--fastest", "--dry-run")
    assert done.code == 0
    assert "dry run: would buy " in done.err
    assert done.lines[0].startswith("service\t")
    assert labels(box) == []


def test_a_terminal_is_asked_for_rate_and_consent(terminal: Callable[..., Result]) -> None:
    done = terminal("--sandbox", *SHIP_ANN, answers=[("q = no", "2")], NO_COLOR="1")
    assert done.code == 0
    assert "> 1  usps_ground_advantage" in done.out
    assert "to Ann Smith, Boston, US (2 lb 6 oz, 12x8x4 in)" in done.out
    assert "TRACKING" in done.out


def test_live_mode_is_tagged_where_money_is_spent(terminal: Callable[..., Result]) -> None:
    done = terminal("--sandbox", "--live", *SHIP_ANN, "--cheapest", answers=[("q = no", "n")], NO_COLOR="1")
    assert done.code == 1
    assert "LIVE Enter = buy 6.72 USD" in done.out


def test_without_a_rule_a_script_is_told_the_ways(box: Cli) -> None:
    done = box(*SHIP_ANN, "-y")
    assert done.code == 2
    assert "--cheapest, --fastest, --by DAY, --service S or --rate ID" in done.err


def test_a_file_ships_whole_and_the_budget_stops_it(box: Cli, order: Callable[..., str]) -> None:
    file = order({}, {"reference": "SO-2"}, {"reference": "SO-3"})
    done = box("ship", "--from-file", file, "--cheapest", "-y", "--max-total", "26USD", "--ndjson")
    assert done.code == 11
    assert [json.loads(line)["reference"] for line in done.lines] == ["SO-1", "SO-2"]
    assert "would exceed 26" in done.err


def test_a_draft_is_shipped_by_its_reference_with_another_weight(box: Cli, order: Callable[..., str]) -> None:
    made = box("shipments", "create", "--from-file", order(), "--ids").out.strip()
    done = box(
        "ship", "SO-1", "--weight", "9kg", "--carrier", "ups", "--service", "ups_ground", "-y", "--json"
    )
    assert done.code == 0, done.err
    assert (done.json["id"], done.json["service"], done.json["parcels"][0]["weight"]) == (
        made,
        "ups_ground",
        9,
    )


def test_ids_come_from_standard_input(box: Cli, order: Callable[..., str]) -> None:
    ids = box("shipments", "create", "--from-file", order({}, {"reference": "SO-2"}), "--ids").out
    done = box("ship", "-", "--cheapest", "-y", "--ids", typed=ids)
    assert (done.code, done.out) == (0, ids)


def test_a_repeated_cron_line_buys_once(program: Callable[..., Result], order: Callable[..., str]) -> None:
    words = (
        "--sandbox",
        "ship",
        "--from-file",
        order(),
        "--cheapest",
        "-y",
        "--idempotency-key",
        "auto",
        "--json",
    )
    one, two = program(*words), program(*words)
    assert one.code == two.code == 0
    assert one.json == two.json


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 2, "say what to ship"),
        (("nope",), 3, "hint: shipcli shipments list"),
        (("--to-name", "Bo", "--weight", "1kg", "--cheapest", "-y"), 6, "recipient.address_line1"),
        ((*TO_ANN, "--cheapest", "-y"), 6, "--weight (parcels): is required"),
        ((*TO_ANN, "--weight", "1kg", "--cheapest", "--fastest"), 2, "be used together"),
        ((*TO_ANN, "--weight", "1kg", "--rate", "rat_1", "--cheapest"), 2, "leave out --cheapest"),
        ((*TO_ANN, "--weight", "1kg", "--rate", "rat_1", "-y"), 2, "names a price of a stored shipment"),
        ((*TO_ANN, "--weight", "1kg", "--by", "soon", "-y"), 6, "--by: 'soon' is not a day such as friday"),
        ((*TO_ANN, "--weight", "1kg", "--service", "nope", "-y"), 6, "offered: "),
        ((*TO_ANN, "--weight", "1kg", "--service", "ups_grond", "-y"), 6, "did you mean ups_ground?"),
        (
            (*TO_ANN, "--weight", "1kg", "--cheapest", "-y", "--max-total", "much"),
            6,
            "--max-total: 'much' is not",
        ),
        ((*TO_ANN, "--weight", "1kg", "--cheapest", "-y", "-p"), 10, "shipcli printers add"),
        ((*TO_ANN, "--weight", "1kg", "--cheapest", "-y", "--label", "x.doc"), 2, ".pdf or .zpl or .png"),
    ],
)
def test_what_can_not_be_shipped_says_why(box: Cli, words: tuple[str, ...], code: int, said: str) -> None:
    done = box("ship", *words)
    assert (done.code, done.out) == (code, "")
    assert said in done.err
    assert labels(box) == []


def test_a_stored_draft_is_not_described_again(box: Cli, order: Callable[..., str]) -> None:
    box("shipments", "create", "--from-file", order())
    done = box("ship", "@last", "--to-name", "Bo", "--cheapest", "-y")
    assert (done.code, "--to-name: only for a new shipment" in done.err) == (2, True)


# -- shipments


def test_a_draft_is_made_rated_changed_and_bought(box: Cli, order: Callable[..., str]) -> None:
    made = box("shipments", "create", "--from-file", order(), "--option", "insurance=50", "--json").json
    assert (made["status"], made["service"], made["options"]["insurance"]) == ("draft", None, 50)
    assert [rate["total_charge"] for rate in made["rates"]] == sorted(
        r["total_charge"] for r in made["rates"]
    )
    assert box("shipments", "update", "@last", "--reference", "SO-9", "--metadata", "bin=7").code == 0
    again = box("shipments", "rates", "SO-9", "--carrier", "ups", "--json").json
    assert {rate["carrier_name"] for rate in again["rates"]} == {"ups"}
    assert (again["reference"], again["metadata"]) == ("SO-9", {"bin": 7})
    chosen = again["rates"][1]["id"]
    bought = box("shipments", "buy", "SO-9", "--rate", chosen, "-y", "--json").json
    assert bought["selected_rate"]["service"] == again["rates"][1]["service"]
    assert box("shipments", "buy", "SO-9", "--cheapest", "-y").code == 5


def test_rates_of_a_draft_are_a_table_with_their_ids(box: Cli, order: Callable[..., str]) -> None:
    box("shipments", "create", "--from-file", order())
    done = box("shipments", "rates", "@last")
    assert done.lines[0] == "id\tservice\tcarrier_id\ttotal_charge\tcurrency\ttransit_days"
    assert all(line.startswith("rat_") for line in done.lines[1:])


@pytest.mark.parametrize("more", [("-y",), ("--dry-run",)])
def test_drafts_and_purchases_in_one_file_are_refused_before_anything_is_bought(
    box: Cli, order: Callable[..., str], more: tuple[str, ...]
) -> None:
    file = order({"service": "ups_ground"}, {"reference": "SO-2"})
    done = box("shipments", "create", "--from-file", file, *more)
    assert (done.code, done.out) == (2, "")
    assert "row 2 names no service, and others do" in done.err
    assert box("shipments", "list", "--ids").out == ""


def test_a_body_that_names_a_service_is_bought_after_consent(box: Cli, order: Callable[..., str]) -> None:
    file = order({"service": "ups_ground"})
    refused = box("shipments", "create", "--from-file", file)
    assert (refused.code, "for 16.26 USD" in refused.err) == (2, True)
    done = box("shipments", "create", "--from-file", file, "-y", "--json")
    assert (done.code, done.json["status"], done.json["service"]) == (0, "purchased", "ups_ground")


def test_one_failure_of_several_is_named_and_the_rest_goes_on(box: Cli, order: Callable[..., str]) -> None:
    file = order({}, {"reference": "SO-2", "recipient": {**ABROAD, "city": None}})
    box("shipments", "create", "--from-file", file)
    done = box("shipments", "buy", "SO-1", "SO-2", "--cheapest", "-y", "--ids")
    assert done.code == 9
    assert done.out.count("shp_") == 1
    assert "recipient.city" in done.err


def test_drafts_and_labels_are_cancelled(box: Cli, order: Callable[..., str]) -> None:
    box("shipments", "create", "--from-file", order({}, {"reference": "SO-2"}))
    box("shipments", "buy", "SO-2", "--cheapest", "-y")
    assert box("shipments", "cancel", "SO-1", "SO-2").code == 2
    done = box("shipments", "cancel", "SO-1", "SO-2", "-y", "--pick", "status")
    assert (done.code, done.lines) == (0, ["cancelled", "cancelled"])
    assert labels(box) == []
    again = box("shipments", "cancel", "SO-1", "-y")
    assert (again.code, "cancelled before: SO-1" in again.err) == (0, True)


def test_an_unknown_outcome_is_resolved_by_a_person(box: Cli, order: Callable[..., str]) -> None:
    lost = order({"metadata": {"sandbox_scenario": "garbled"}})
    done = box("ship", "--from-file", lost, "--carrier", "fedex", "--cheapest", "-y")
    assert (done.code, "shipcli shipments resolve shp_" in done.err) == (7, True)
    assert box("shipments", "resolve", "SO-1").code == 2
    assert box("shipments", "resolve", "SO-1", "--not-bought", "--pick", "status").out == "draft\n"
    assert box("shipments", "resolve", "SO-1", "--bought", "79446447901").code == 6  # no number of FedEx
    corrected = box("shipments", "resolve", "SO-1", "--bought", "794644790131", "--pick", "status")
    assert corrected.out == "purchased\n", corrected.err
    assert box("shipments", "resolve", "SO-1", "--bought", "794644790131", "--voided").code == 2
    assert box("shipments", "resolve", "SO-1", "--voided").code == 5  # nobody voids it


def test_a_scanned_label_of_usps_names_its_shipment(box: Cli, order: Callable[..., str]) -> None:
    bought = box(
        "ship", "--from-file", order(), "--carrier", "usps", "--cheapest", "-y", "--json=id,tracking_number"
    )
    made = json.loads(bought.out)
    number = made["tracking_number"]
    for scanned in (f"42085004{number}", f"420850041234{number}"):
        assert box("shipments", "get", scanned, "--pick", "id").out == f"{made['id']}\n"


def test_a_refusal_is_told_as_json_to_a_script(box: Cli, order: Callable[..., str]) -> None:
    no = order({"metadata": {"sandbox_scenario": "rate_limited"}})
    done = box("ship", "--from-file", no, "--carrier", "ups", "--cheapest", "-y", "--json")
    told = json.loads(done.err)["error"]
    assert (done.code, told["code"], told["exit_code"]) == (7, "carrier_refused", 7)


def test_modes_do_not_see_each_other(box: Cli, home: Path) -> None:
    box("--live", *SHIP_ANN, "--cheapest", "-y")
    assert box("find", "boston", "--ids").out == ""
    assert box("--live", "find", "boston", "--ids").out.startswith("shp_")
    app = open_app(home, sandbox=True, test_mode=False, environ={})
    assert app.store.count("shipment", test_mode=False) == 1
    app.close()
