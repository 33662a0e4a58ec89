"""Files into another server and out of it, and the end of its day."""

from __future__ import annotations

from pathlib import Path

import pytest

from shipcli.bootstrap import open_app
from shipcli.carrier import registry
from shipcli.features.shipments.service import cancel_shipment
from shipcli.models import json
from tests.factories import RECIPIENT, SHIPPER
from tests.gateway.conftest import Line, Served
from tests.gateway.samples import HERE, SHIPMENTS, THERE, answering, bought, table

WANTED_BY_USPS = ["Parcel length", "Parcel width", "Parcel height", "Parcel dimension unit", "Shipper phone"]
BOX, PHONE = [20, 15, 10, "CM"], "215-763-8100"


def shipments(path: Path, *references: str, weight: str = "2", carrier: str = "generic") -> str:
    rows = [[*HERE, *THERE, weight, "KG", "", carrier, reference, *BOX, PHONE] for reference in references]
    return table(path, [*SHIPMENTS, *WANTED_BY_USPS], rows)


def test_a_file_is_bought_on_the_server_once(served: Served, there: Line, tmp_path: Path) -> None:
    file = shipments(tmp_path / "orders.csv", "F-1", "F-2", "F-3")
    line = (
        "import",
        "shipments",
        file,
        "--buy",
        "cheapest",
        "-y",
        "--merge",
        str(tmp_path / "all.pdf"),
        "--json",
    )
    first = there(*line)
    assert (first.code, first.json["purchased"]) == (0, 3)
    assert {"storeRows", "purchaseShipment"} <= served.operations()
    assert (tmp_path / "all.pdf").read_bytes().startswith(b"%PDF")
    again = there(*line)
    assert again.json["results"] == first.json["results"]
    assert "purchaseShipment" not in served.operations()
    assert [len(bought(served.app, reference)) for reference in ("F-1", "F-2", "F-3")] == [1, 1, 1]


def test_a_run_that_forgot_what_it_did_buys_nothing_twice(
    served: Served, typed: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server remembers what became of a row, whichever machine sends its file."""
    monkeypatch.setenv("SHIPCLI_API_KEY", served.key)
    file = shipments(tmp_path / "orders.csv", "G-1", "G-2")
    for home in ("one", "two"):
        line = ("import", "shipments", file, "--buy", "cheapest", "-y")
        assert typed("--home", str(tmp_path / home), "--api-url", served.url, *line).code in (0, 9)
    assert [len(bought(served.app, reference)) for reference in ("G-1", "G-2")] == [1, 1]


def test_a_bad_cell_is_named_and_nothing_is_sent(served: Served, there: Line, tmp_path: Path) -> None:
    file = shipments(tmp_path / "orders.csv", "H-1", "H-2", weight="heavy")
    served.operations()
    for more in ((), ("--check",)):
        refused = there("import", "shipments", file, *more)
        assert refused.code == 6
        assert "Parcel weight" in refused.out + refused.err
    assert {
        name for name in served.operations() if not name.startswith(("list", "get", "find", "ping"))
    } == set()


def test_a_budget_stops_the_file_and_a_higher_one_goes_on(
    served: Served, there: Line, tmp_path: Path
) -> None:
    file = shipments(tmp_path / "orders.csv", "I-1", "I-2")
    line = ("import", "shipments", file, "--buy", "cheapest", "-y", "--json", "--max-total")
    stopped = there(*line, "15USD")
    assert stopped.code == 11
    assert [row["status"] for row in stopped.json["results"]] == ["purchased", "waiting"]
    assert there(*line, "100USD").json["purchased"] == 2
    assert [len(bought(served.app, reference)) for reference in ("I-1", "I-2")] == [1, 1]


def test_a_label_cancelled_on_the_server_leaves_the_budget(
    served: Served, there: Line, tmp_path: Path
) -> None:
    file = shipments(tmp_path / "orders.csv", "L-1", "L-2")
    line = ("import", "shipments", file, "--buy", "cheapest", "-y", "--json", "--max-total", "15USD")
    first = there(*line).json["results"]
    assert [row["status"] for row in first] == ["purchased", "waiting"]
    cancel_shipment(served.app, first[0]["shipment_id"])
    assert [row["status"] for row in there(*line).json["results"]] == ["cancelled", "purchased"]


def test_a_draft_of_an_earlier_file_that_says_otherwise_is_not_bought(
    served: Served, there: Line, tmp_path: Path
) -> None:
    buy = ("--buy", "cheapest", "-y", "--json")
    drafts = shipments(tmp_path / "drafts.csv", "D-1", "D-2")
    assert there("import", "shipments", drafts).code == 0
    sorted_otherwise = shipments(tmp_path / "sorted.csv", "D-2")
    assert there("import", "shipments", sorted_otherwise, *buy).json["purchased"] == 1
    heavier = shipments(tmp_path / "heavier.csv", "D-2", "D-1", weight="3")
    assert there("import", "shipments", heavier).code == 0
    kept = there("import", "shipments", heavier, *buy)
    assert [row["status"] for row in kept.json["results"]] == ["purchased", "failed"]
    assert (kept.code, "--on-duplicate update" in kept.json["results"][1]["message"]) == (9, True)
    renewed = there("import", "shipments", heavier, *buy, "--on-duplicate", "update")
    assert renewed.json["purchased"] == 2
    assert [one["parcels"][0]["weight"] for one in bought(served.app, "D-1")] == [3]


def test_a_row_that_changed_after_it_was_bought_is_told_by_every_run(
    served: Served, there: Line, tmp_path: Path
) -> None:
    buy = ("--buy", "cheapest", "-y", "--json")
    assert there("import", "shipments", shipments(tmp_path / "light.csv", "E-1"), *buy).code == 0
    same = there("import", "shipments", shipments(tmp_path / "more.csv", "E-1", "E-2"), *buy)
    assert [row["message"] for row in same.json["results"]] == [None, None]
    heavier = shipments(tmp_path / "heavier.csv", "E-1", weight="3")
    for more in ((), (), ("--on-duplicate", "update")):
        told = there("import", "shipments", heavier, *buy, *more)
        assert (told.code, told.json["purchased"]) == (0, 1)
        assert "changed after the purchase" in told.json["results"][0]["message"]
        assert "1 row changed after the purchase" in told.err
    assert [one["parcels"][0]["weight"] for one in bought(served.app, "E-1")] == [2]


def test_a_row_that_can_not_be_bought_leaves_the_budget_to_the_others(there: Line, tmp_path: Path) -> None:
    rows = [
        [*HERE, *THERE, "2", "KG", "", "generic", "M-1"], [*HERE, *THERE, "2", "KG", "", "generic", "M-2"],
    ]  # fmt: skip
    rows[0][SHIPMENTS.index("Recipient address 1")] = ""
    file = table(tmp_path / "orders.csv", SHIPMENTS, rows)
    line = ("import", "shipments", file, "--buy", "cheapest", "-y", "--json", "--max-total", "15USD")
    assert [row["status"] for row in there(*line).json["results"]] == ["failed", "purchased"]


def test_an_unknown_carrier_in_a_file_is_told(there: Line, tmp_path: Path) -> None:
    told = there(
        "import", "shipments", shipments(tmp_path / "a.csv", "J-1", carrier="pigeon"), "--check", "--json"
    )
    assert told.code == 6
    assert told.json["wrong"][0]["column"] == "Carrier"


ORDERS = ["Order number", "Order source", "Item title", "Item quantity", "Item weight", "Item weight unit",
          "Shipping name", "Shipping address 1", "Shipping city", "Shipping state", "Shipping postal code",
          "Shipping country", "Options"]  # fmt: skip


def orders(path: Path, options: str = "") -> str:
    rows = [[number, "shop", title, 1, 1, "KG", *THERE, options]
            for number, title in (("R-1", "Cup"), ("R-1", "Plate"), ("R-2", "Fork"))]  # fmt: skip
    return table(path, ORDERS, rows)


def test_orders_of_a_file_are_stored_once_each_with_all_its_lines(
    served: Served, there: Line, tmp_path: Path
) -> None:
    file = orders(tmp_path / "orders.csv")
    made = there("import", "orders", file, "--json")
    assert (made.code, made.json["created"]) == (0, 2)
    assert there("import", "orders", file, "--json").json["existing"] == 2
    assert len(there("orders", "get", "R-1", "--json").json["line_items"]) == 2
    renewed = orders(tmp_path / "renewed.csv", '{"currency": "USD"}')
    assert there("import", "orders", renewed, "--on-duplicate", "update", "--json").json["updated"] == 2
    same = there("import", "orders", renewed, "--on-duplicate", "update", "--json").json["results"]
    assert [(row["status"], row["message"]) for row in same] == [("existing", None)] * 2
    moved = Path(renewed).read_text().replace(THERE[1], "1 Main St")
    Path(renewed).write_text(moved)
    told = there("import", "orders", renewed, "--on-duplicate", "update", "--json").json["results"]
    assert [row["status"] for row in told] == ["updated"] * 2
    assert there("orders", "get", "R-1", "--json").json["shipping_to"]["address_line1"] == "1 Main St"
    assert there("import", "orders", renewed, "--on-duplicate", "error").code == 6
    assert "storeOrders" in served.operations()


def test_trackers_of_a_file_are_watched_once(served: Served, there: Line, tmp_path: Path) -> None:
    numbers = [["1ZA1B2C30300000801", "ups"], ["1ZA1B2C30300000819", "ups"]]
    file = table(tmp_path / "trackers.csv", ["Tracking Number", "Carrier"], numbers)
    assert there("import", "trackers", file, "--json").json["created"] == 2
    assert there("import", "trackers", file, "--json").json["existing"] == 2
    unknown = table(tmp_path / "bad.csv", ["Tracking Number", "Carrier"], [["1", "pigeon"]])
    assert there("import", "trackers", unknown).code == 6
    assert "addTracker" in served.operations()


def test_lines_of_an_invoice_reach_their_shipments(served: Served, there: Line, tmp_path: Path) -> None:
    there("import", "shipments", shipments(tmp_path / "s.csv", "K-1"), "--buy", "cheapest", "-y")
    shipment = bought(served.app, "K-1")[0]
    lines = [[shipment["tracking_number"], "INV-1", "12.40", "USD"], ["0000009999", "INV-1", "1", "USD"]]
    file = table(tmp_path / "inv.csv", ["Tracking number", "Invoice number", "Amount", "Currency"], lines)
    told = there("import", "invoices", file, "--json")
    assert told.code == 9
    assert [row["status"] for row in told.json["results"]] == ["created", "failed"]
    assert bought(served.app, "K-1")[0]["meta"]["billing"][0]["invoice_number"] == "INV-1"
    assert "importFile" in served.operations()


def test_a_row_that_asks_for_a_carrier_beside_the_named_ones_is_bad_on_both_ways(
    here: Line, there: Line, tmp_path: Path
) -> None:
    file = shipments(tmp_path / "s.csv", "N-1", carrier="usps")
    near, far = (
        way("import", "shipments", file, "--carrier", "ups", "--buy", "cheapest", "-y")
        for way in (here, there)
    )
    assert (near.code, far.code) == (6, 6)
    assert "'usps' is not asked: only ups" in near.err
    assert far.err == near.err


def test_a_file_without_shippers_leaves_from_the_default_one_on_both_ways(
    here: Line, there: Line, tmp_path: Path
) -> None:
    file = table(tmp_path / "own.csv", ["Ref", "Name", "Land", "Pounds"], [["D-1", "Ada", "US", "2"]])
    maps = [f"--map={one}" for one in ("reference=Ref", "recipient_name=Name", "recipient_country=Land")]
    words = ("import", "shipments", file, *maps, "--map=weight=Pounds", "--set=weight_unit=LB", "--check")
    for way in (here, there):
        dock = way("addresses", "create", "--company", "Dock Nine", "--country", "US", "--ids").out.strip()
        assert way("config", "set", "shipper", dock).code == 0
        done = way(*words)
        assert (done.code, "parcels leave from Dock Nine" in done.err) == (0, True), done.err


def test_a_file_that_no_server_takes_is_refused_as_such(there: Line, tmp_path: Path) -> None:
    done = there("products", "import", table(tmp_path / "p.csv", ["SKU", "Title"], [["MUG-1", "Mug"]]))
    assert (done.code, "works on the store of this machine only" in done.err) == (2, True), done.err


@pytest.mark.parametrize("what", ["orders", "shipments", "trackers"])
def test_an_export_says_the_same_on_both_ways(here: Line, there: Line, what: str, tmp_path: Path) -> None:
    there("import", "shipments", shipments(tmp_path / "s.csv", "L-1"), "--buy", "cheapest", "-y")
    there("import", "orders", orders(tmp_path / "o.csv"))
    there(
        "import",
        "trackers",
        table(tmp_path / "t.csv", ["Tracking Number", "Carrier"], [["SC0100000001", "ups"]]),
    )
    near, far = here("export", what, "--status", "all"), there("export", what, "--status", "all")
    assert far.out == near.out
    assert (far.code, far.out.count("\n") > 1) == (0, True)


@pytest.mark.parametrize("what", ["orders", "shipments", "trackers"])
def test_what_changed_since_a_day_is_the_same_on_both_ways(
    here: Line, there: Line, what: str, tmp_path: Path
) -> None:
    there("import", "orders", orders(tmp_path / "o.csv"))
    there("import", "shipments", shipments(tmp_path / "s.csv", "SINCE-1"))
    for day, form in (
        ("2026-01-01", "--csv"),
        ("2026-01-01", "--json"),
        ("2099-01-01", "--csv"),
        ("x", "--csv"),
    ):
        line = ("export", what, "--status", "all", "--since", day, form)
        near, far = here(*line), there(*line)
        assert (far.code, far.out) == (near.code, near.out)


def test_a_named_export_goes_on_where_the_last_one_stopped(there: Line, tmp_path: Path) -> None:
    line = ("export", "shipments", "--status", "all", "--since", "@nightly", "--csv")
    assert there(*line).code == 0
    there("import", "shipments", shipments(tmp_path / "s.csv", "SINCE-2"))
    news = there(*line)
    assert (news.code, news.out.count("SINCE-2"), news.out.count("\n")) == (0, 1, 2)
    assert there(*line).out.count("\n") == 1


def test_a_server_that_does_not_know_an_operation_is_named(there: Line, typed: Line, tmp_path: Path) -> None:

    said = b'{"errors": [{"code": "not_found", "message": "There is nothing at /v1/exports/orders"}]}'
    with answering(404, said) as url:
        told = typed("--home", str(tmp_path), "--api-url", url, "export", "orders", "--since", "2026-01-01")
    assert told.code == 2
    assert "has no operation for this" in told.err


def test_the_end_of_the_day_closes_what_the_server_sold(served: Served, there: Line, tmp_path: Path) -> None:
    there(
        "import",
        "shipments",
        shipments(tmp_path / "s.csv", "EOD-1", "EOD-2", carrier="usps"),
        "--buy",
        "cheapest",
        "-y",
    )
    there("import", "shipments", shipments(tmp_path / "d.csv", "EOD-3"))
    checked = there("eod", "--check", "--carrier", "usps", "--json")
    assert checked.code == 9
    assert {line["state"] for line in checked.json} == {"open", "no_label"}
    assert "shipment EOD-3: draft, Ana Ruiz" in [line["detail"] for line in checked.json]
    closed = there("eod", "--carrier", "usps", "--pickup", "9-17", "-y", "--json")
    (line,) = [line for line in closed.json if line["state"] == "closed"]
    assert (line["count"], bool(line["manifest_id"])) == (2, True)
    # the simulated carrier collects on six days of the week
    assert line["pickup_id"] or "there is no collection on a Sunday" in line["detail"]
    assert {"createManifest", "schedulePickup"} <= served.operations()
    assert there("eod", "--carrier", "usps", "--print", "-y").code == 10  # this machine has no printer


def test_the_store_of_this_machine_holds_no_shipment_of_the_server(there: Line, tmp_path: Path) -> None:
    there("import", "shipments", shipments(tmp_path / "s.csv", "N-1"), "--buy", "cheapest", "-y")
    own = open_app(tmp_path / "own", environ={})
    assert list(own.store.each("shipment")) == []
    own.close()


def test_what_this_machine_knows_of_articles_goes_with_what_the_server_ships(
    served: Served, there: Line, typed: Line, tmp_path: Path
) -> None:
    facts = ("--hs-code", "6912.00", "--origin", "CN", "--value", "9USD", "--weight", "12oz")
    assert typed("--home", str(tmp_path / "own"), "products", "set", "MUG-11", *facts).code == 0
    to = {"person_name": "Zoe Miller", "address_line1": "Pariser Platz 1", "city": "Berlin",
          "postal_code": "10117", "country_code": "DE"}  # fmt: skip
    lines = [
        {"sku": sku, "title": sku, "quantity": 1, "weight": 1, "weight_unit": "LB"}
        for sku in ("MUG-11", "PEN")
    ]
    for number, line in zip(("P-1", "P-2"), lines, strict=True):
        order = {"order_id": number, "shipping_to": to, "shipping_from": SHIPPER, "line_items": [line]}
        assert there("orders", "create", "--from-file", "-", typed=json.dumps(order)).code == 0
    done = there("orders", "fulfil", "P-1", "P-2", "--carrier", "generic", "--cheapest", "-y")
    assert "customs may ask about the goods of 1 order: P-2" in done.err
    (sent,) = there("orders", "get", "P-1", "--json").json["shipments"]
    assert [one["hs_code"] for one in sent["customs"]["commodities"]] == ["6912.00"]
    abroad = [*HERE, "Zoe Miller", "Pariser Platz 1", "Berlin", "", "10117", "DE", "2", "KG", "", "generic"]
    rows = [[*abroad, "P-3", "MUG-11:2"], [*abroad, "P-4", ""]]
    file = table(tmp_path / "goods.csv", [*SHIPMENTS, "Goods"], rows)
    done = there("import", "shipments", file, "--buy", "cheapest", "-y")
    assert "the goods of 1 row: row 3 (P-4 to DE: no goods are declared)" in done.err
    declared = there("shipments", "get", "P-3", "--json").json["customs"]["commodities"]
    assert [(one["sku"], one["quantity"]) for one in declared] == [("MUG-11", 2)]


def test_weights_are_read_the_same_through_a_server(
    here: Line, there: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The settings of the machine that asks say what bare numbers are."""
    for line in (here, there):
        bare = line("quote", "02134", "--weight", "2")
        assert (bare.code, "2 what?" in bare.err) == (6, True)
    monkeypatch.setenv("SHIPCLI_WEIGHT_UNIT", "LB")
    file = tmp_path / "body.json"
    file.write_bytes(
        json.dump_bytes({"shipper": SHIPPER, "recipient": RECIPIENT, "carrier_ids": ["generic"]})
    )
    weighed = ("--from-file", str(file), "--weight", "2", "--weight", "5", "--json")
    draft = there("shipments", "create", *weighed).json
    assert [(one["weight"], one["weight_unit"]) for one in draft["parcels"]] == [(2, "LB"), (5, "LB")]
    orders_file = orders(tmp_path / "bare.csv")
    text = Path(orders_file).read_text("utf-8").replace("Item weight unit", "Comment")
    Path(orders_file).write_text(text, "utf-8")
    assert there("import", "orders", orders_file, "--check").code == 0
    monkeypatch.delenv("SHIPCLI_WEIGHT_UNIT")
    refused = there("import", "orders", orders_file, "--check")
    assert (refused.code, "Item weight unit" in refused.out) == (6, True)


def test_a_connection_that_its_carrier_refuses_is_not_kept_there(there: Line, tmp_path: Path) -> None:
    account = {**registry.get("usps").sample_account, "client_id": "denied"}
    given = {name: account[name] for name in ("client_id", "client_secret", "account_number")}
    (tmp_path / "denied.json").write_bytes(json.dump_bytes(given))
    line = ("connections", "add", "usps", "--carrier-id", "denied", "--credentials-file")
    assert there(*line, str(tmp_path / "denied.json"), "--check").code == 7
    assert there("connections", "get", "denied").code == 3


def test_numbers_go_back_to_a_shop_once_whoever_writes_the_file(
    here: Line, there: Line, tmp_path: Path
) -> None:
    there("import", "shipments", shipments(tmp_path / "s.csv", "BACK-1"), "--buy", "cheapest", "-y")
    words = ("export", "tracking", "--map", "etsy", "--source", "any", "--csv")
    near, far, after = here(*words, "--again", "--dry-run"), there(*words), here(*words)
    assert (near.code, far.code, far.out.splitlines()[0]) == (0, 0, "receipt_id,tracking_code,carrier_name")
    assert (far.out.count("BACK-1"), after.code, after.out) == (1, 0, ""), far.out
