"""`shipcli orders`: what a person and a script see of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from shipcli.models import json
from tests.cli.conftest import Cli
from tests.documents.samples import texts

ITEM = {"title": "Lamp", "sku": "L-1", "quantity": 2, "weight": 1, "weight_unit": "KG"}
SIZE = ("--size", "8x6x4in")
TO = {"person_name": "Ana Ruiz", "address_line1": "1625 N Central Ave", "city": "Phoenix", "state_code": "AZ",
      "postal_code": "85004", "country_code": "US"}  # fmt: skip


@pytest.fixture
def sandbox(cli: Cli) -> Cli:
    return lambda *words, **more: cli("--sandbox", *words, **more)


def order(number: str, **more: Any) -> dict[str, Any]:
    return {"order_id": number, "shipping_to": TO, "line_items": [ITEM], **more}


def made(sandbox: Cli, *orders: dict[str, Any]) -> list[str]:
    done = sandbox("orders", "create", "--from-file", "-", "--ids", typed=json.dumps(list(orders)))
    assert done.code == 0, done.err
    return done.lines


def test_an_order_is_made_of_options_fields_and_files(sandbox: Cli) -> None:
    fields = [f"shipping_to.{name}={value}" for name, value in TO.items()]
    fields += [f"line_items[0].{name}={value}" for name, value in ITEM.items()]
    words = [word for field in fields for word in ("-d", field)]
    done = sandbox("orders", "create", "--number", "A-1", "--source", "till", *words, "--json")
    assert done.code == 0, done.err
    assert (done.json["order_id"], done.json["source"], done.json["status"]) == ("A-1", "till", "unfulfilled")
    assert sandbox("order", "get", "A-1", "--pick", "line_items[0].unfulfilled_quantity").lines == ["2"]


def test_a_second_order_of_the_number_ends_with_5(sandbox: Cli) -> None:
    made(sandbox, order("1"))
    again = sandbox("orders", "create", "--from-file", "-", typed=json.dumps(order("1")))
    assert again.code == 5
    assert "exists already" in again.err


def test_wrong_fields_end_with_6_and_are_named(sandbox: Cli) -> None:
    done = sandbox("orders", "create", "-d", "order_date=1.2.26")
    assert done.code == 6
    assert {"order_id", "order_date", "shipping_to", "line_items"} <= {
        line.split()[1].rstrip(":") for line in done.err.splitlines() if line.startswith("error:")
    }


def test_the_list_takes_filters_and_forms(sandbox: Cli) -> None:
    made(sandbox, order("1"), order("2", source="web"))
    assert [line.split("\t")[1] for line in sandbox("orders", "list").lines] == ["order_id", "2", "1"]
    found = sandbox("orders", "list", "--source", "web", "--json").json
    assert (found["count"], found["results"][0]["order_id"], found["results"][0]["shipments"]) == (1, "2", [])
    assert sandbox("orders", "list", "--status", "open").code == 6
    assert sandbox("orders", "list", "--number", "1,2", "--ids", "--limit", "1").out.count("ord_") == 1


def test_options_and_metadata_are_changed(sandbox: Cli) -> None:
    (id,) = made(sandbox, order("1", options={"rush": True}))
    done = sandbox("orders", "update", "1", "-d", "options.rush=null", "-d", "metadata.team=blue", "--json")
    assert (done.json["id"], done.json["options"], done.json["metadata"]) == (id, {}, {"team": "blue"})
    assert sandbox("orders", "update", "1").code == 2


def test_cancelling_asks_first(sandbox: Cli) -> None:
    made(sandbox, order("1"))
    refused = sandbox("orders", "cancel", "1")
    assert (refused.code, "--yes" in refused.err) == (2, True)
    assert sandbox("orders", "cancel", "1", "-y", "--pick", "status").lines == ["cancelled"]
    again = sandbox("orders", "cancel", "1", "--pick", "status")
    assert (again.code, again.lines) == (0, ["cancelled"])
    assert "cancelled before: 1" in again.err


def test_dry_runs_write_nothing(sandbox: Cli) -> None:
    made(sandbox, order("1"))
    assert sandbox("orders", "cancel", "1", "--dry-run").code == 0
    assert (
        sandbox("orders", "create", "--from-file", "-", "--dry-run", typed=json.dumps(order("2"))).code == 0
    )
    planned = sandbox("orders", "fulfil", "--unfulfilled", "--dry-run", "--json")
    assert planned.json[0]["status"] == "unfulfilled"
    assert planned.json[0]["total_charge"] > 0
    assert "would buy 1 label" in planned.err
    assert sandbox("orders", "list", "--json").json["results"][0]["status"] == "unfulfilled"
    assert sandbox("shipments", "list", "--json").json["count"] == 0


def test_orders_are_fulfilled_into_files(sandbox: Cli, tmp_path: Path) -> None:
    from shipcli.drawing import count_pages

    made(sandbox, order("1"), order("2"), order("3"))
    folder, merged = tmp_path / "labels", tmp_path / "all.pdf"
    folder.mkdir()
    words = (
        "--unfulfilled",
        "--cheapest",
        "-y",
        "--label-dir",
        str(folder),
        "--merge",
        str(merged),
        "--json",
    )
    done = sandbox("orders", "fulfil", *words)
    assert done.code == 0, done.err
    assert [(row["order_number"], row["status"]) for row in done.json] == [
        ("1", "purchased"), ("2", "purchased"), ("3", "purchased"),
    ]  # fmt: skip
    assert {path.name for path in folder.iterdir()} == {
        f"label_{row['order_number']}_{row['tracking_number']}.pdf" for row in done.json
    }
    assert count_pages(merged.read_bytes()) == 3
    assert sandbox("orders", "list", "--status", "fulfilled", "--json").json["count"] == 3
    again = sandbox("orders", "fulfil", "--unfulfilled", "-y", "--json")
    assert (again.code, again.json) == (0, [])


def test_what_is_left_of_orders_shipped_in_part_is_taken_when_asked_for(sandbox: Cli) -> None:
    made(sandbox, order("1"), order("2"))
    line = sandbox("order", "get", "1", "--pick", "line_items[0].id").lines[0]
    parcel = {"weight": 1, "weight_unit": "KG", "items": [{**ITEM, "quantity": 1, "parent_id": line}]}
    body = {"recipient": TO, "parcels": [{**parcel, "packaging_type": "your_packaging"}]}
    sent = sandbox("ship", "--from-file", "-", "--cheapest", "-y", typed=json.dumps(body))
    assert sandbox("order", "get", "1", "--pick", "status").lines == ["partial"], sent.err
    plan = sandbox("orders", "fulfil", "--unfulfilled", "--dry-run", "--json")
    assert [row["order_number"] for row in plan.json] == ["2"]
    assert "left out: 1 order shipped in part" in plan.err
    done = sandbox("orders", "fulfil", "--partial", "--cheapest", "-y", "--json")
    assert {row["order_number"]: row["status"] for row in done.json} == {"1": "purchased", "2": "purchased"}
    assert "left out" not in done.err
    assert sandbox("orders", "list", "--status", "fulfilled", "--json").json["count"] == 2


def test_fulfilling_obeys_the_options_of_an_order(sandbox: Cli) -> None:
    options = {
        "preferred_service": "ups_next_day_air",
        "single_item_per_parcel": True,
        "carrier_ids": ["ups"],
    }
    made(sandbox, order("1", options=options))
    done = sandbox("orders", "fulfil", "1", "-y", "--json").json[0]
    sent = sandbox("shipments", "get", done["shipment_id"], "--json").json
    assert (sent["service"], len(sent["parcels"])) == ("ups_next_day_air", 2)
    assert {rate["carrier_id"] for rate in sent["rates"]} == {"ups"}


def test_a_misspelt_service_is_named_when_it_is_said_and_before_anything_is_bought(sandbox: Cli) -> None:
    made(sandbox, order("1"))
    changed = sandbox("orders", "update", "1", "-d", "options.preferred_service=ups_grnd")
    assert (changed.code, "did you mean ups_ground" in changed.err) == (0, True)
    done = sandbox("orders", "fulfil", "1", "-y", "--json")
    assert (done.code, done.json[0]["status"]) == (9, "failed")
    assert (
        "order 1: preferred_service: 'ups_grnd' is not a known service; did you mean ups_ground" in done.err
    )


def test_fulfilling_asks_first_and_names_the_amount(sandbox: Cli, terminal: Any) -> None:
    made(sandbox, order("1"))
    refused = sandbox("orders", "fulfil", "1")
    assert (refused.code, "--yes" in refused.err) == (2, True)
    shown = terminal("--sandbox", "orders", "fulfil", "1", answers=[("USD, q = no", "n")])
    assert (shown.code, "to Ana Ruiz, Phoenix" in shown.out) == (1, True)
    agreed = terminal("--sandbox", "orders", "fulfil", "1", answers=[("USD, q = no", "")])
    assert (agreed.code, "purchased" in agreed.out) == (0, True)


def test_several_orders_are_agreed_to_by_a_word(sandbox: Cli, terminal: Any) -> None:
    made(sandbox, order("1"), order("2"))
    shown = terminal("--sandbox", "orders", "fulfil", "1", "2", answers=[("[y/N]", "")])
    assert (shown.code, "Buy 2 labels for " in shown.out) == (1, True)


def test_some_failures_end_with_9_and_the_budget_with_11(sandbox: Cli) -> None:
    made(sandbox, order("1", options={"paid_by": "nobody"}), order("2"), order("3"))
    partly = sandbox("orders", "fulfil", "1", "2", "-y")
    assert (partly.code, "order 1: failed" in partly.err) == (9, True)
    stopped = sandbox("orders", "fulfil", "3", "-y", "--max-total", "0.01USD")
    assert (stopped.code, "higher --max-total" in stopped.err) == (11, True)


def test_the_question_asks_for_no_more_than_the_limit(sandbox: Cli, terminal: Any) -> None:
    heavy = {**ITEM, "weight": 30}
    made(sandbox, order("1", line_items=[heavy]), order("2"), order("3"))
    words = ("orders", "fulfil", "1", "2", "3", "--carrier", "ups", "--max-total", "60USD")
    planned = sandbox(*words, "--dry-run", "--json")
    assert [row["status"] for row in planned.json] == ["waiting", "unfulfilled", "unfulfilled"]
    assert "would buy 2 labels for " in planned.err
    assert "nothing is bought or spent" in planned.err
    assert "spent, nothing more" not in planned.out + planned.err
    agreed = terminal("--sandbox", *words, answers=[("[y/N]", "y")])
    assert "1: passed over: " in agreed.out
    assert "Buy 2 labels for " in agreed.out
    assert agreed.code == 11
    states = sandbox("orders", "list", "--json=order_id,status").json["results"]
    assert {row["order_id"]: row["status"] for row in states} == {
        "1": "unfulfilled", "2": "fulfilled", "3": "fulfilled",
    }  # fmt: skip


def test_of_several_shipments_the_dear_one_is_passed_over(sandbox: Cli) -> None:
    made(sandbox, order("1", line_items=[{**ITEM, "weight": 30}]), order("2"), order("3"))
    words = ("ship", "1", "2", "3", "--carrier", "ups", "--cheapest", "-y", "--max-total", "60USD")
    done = sandbox(*words, "--ndjson")
    assert (done.code, len(done.lines)) == (11, 2)
    assert "1: A price of " in done.err


def test_a_sender_is_named_by_its_address(sandbox: Cli) -> None:
    fields = {**TO, "person_name": "Dock Nine", "city": "Tempe"}
    address = sandbox("addresses", "create", "--from-file", "-", "--ids", typed=json.dumps(fields)).lines[0]
    made(sandbox, order("1"))
    done = sandbox("orders", "fulfil", "1", "-y", "--from", address, "--json").json[0]
    assert sandbox("shipments", "get", done["shipment_id"], "--pick", "shipper.city").lines == ["Tempe"]


@pytest.mark.parametrize(
    "words",
    [(), ("1", "--unfulfilled"), ("1", "--cheapest", "--fastest"), ("1", "--merge", "x.txt"),
     ("1", "--label-dir", "nowhere")],
)  # fmt: skip
def test_a_wrong_line_ends_with_2_before_anything_is_done(sandbox: Cli, words: tuple[str, ...]) -> None:
    made(sandbox, order("1"))
    assert sandbox("orders", "fulfil", *words, "-y").code == 2
    assert sandbox("shipments", "list", "--json").json["count"] == 0


def test_an_unknown_order_ends_with_3(sandbox: Cli) -> None:
    assert sandbox("orders", "get", "nothing").code == 3
    assert sandbox("orders", "fulfil", "nothing", "-y").code == 3


def bought_and_voided(sandbox: Cli, number: str) -> None:
    assert sandbox("ship", number, "--carrier", "usps", "--cheapest", "-y", *SIZE).code == 0
    assert sandbox("void", number, "-y").code == 0


def test_an_order_is_sold_to_the_new_address_after_a_void(sandbox: Cli) -> None:
    made(sandbox, order("1"))
    bought_and_voided(sandbox, "1")
    done = sandbox("orders", "edit", "1", "--line1", "9 Fixed St", "--weight", "12oz", "--json")
    assert done.code == 0, done.err
    assert done.json["shipping_to"]["address_line1"] == "9 Fixed St"
    bought = sandbox("orders", "fulfil", "1", "--carrier", "usps", "-y", *SIZE, "--json").json[0]
    sent = sandbox("shipments", "get", bought["shipment_id"], "--json").json
    assert (sent["recipient"]["address_line1"], sent["parcels"][0]["weight"]) == ("9 Fixed St", 24)


def test_an_edit_says_what_and_a_live_label_stays(sandbox: Cli) -> None:
    made(sandbox, order("1", line_items=[ITEM, {**ITEM, "sku": "B-1"}]))
    assert sandbox("orders", "edit", "1").code == 2
    several = sandbox("orders", "edit", "1", "--quantity", "2")
    assert (several.code, "--sku" in several.err) == (2, True)
    unknown = sandbox("orders", "edit", "1", "--sku", "NO", "--quantity", "2")
    assert (unknown.code, "only L-1, B-1" in unknown.err) == (2, True)
    assert sandbox("orders", "edit", "1", "--city", "Tempe", "--dry-run").code == 0
    assert sandbox("orders", "get", "1", "--pick", "shipping_to.city").lines == ["Phoenix"]
    assert sandbox("orders", "edit", "1", "--sku", "b-1", "--quantity", "5").code == 0
    assert sandbox("orders", "get", "1", "--pick", "line_items[1].quantity").lines == ["5"]
    assert sandbox("ship", "1", "--cheapest", "-y", "--weight", "1lb").code == 0
    late = sandbox("orders", "edit", "1", "--city", "Tempe")
    assert (late.code, "void its label" in late.err) == (5, True)


def test_orders_are_split_and_combined_again(sandbox: Cli) -> None:
    made(sandbox, order("1", line_items=[ITEM, {**ITEM, "sku": "B-1"}]))
    part = sandbox("orders", "split", "1", "--sku", "L-1:1", "--sku", "B-1", "--json")
    assert part.code == 0, part.err
    assert part.json["order_id"] == "1-2"
    lines = [(line["sku"], line["quantity"]) for line in part.json["line_items"]]
    assert lines == [("L-1", 1), ("B-1", 2)]
    assert sandbox("orders", "combine", "1").code == 2
    assert "--yes" in sandbox("orders", "combine", "1", "1-2").err
    host = sandbox("orders", "combine", "1", "1-2", "-y", "--json").json
    assert [line["quantity"] for line in host["line_items"]] == [1, 1, 2]
    assert sandbox("orders", "get", "1-2", "--pick", "status").lines == ["cancelled"]


@pytest.mark.parametrize(
    "line", ["track 1-2", "print 1-2", "void 1-2 -y", "return 1-2 --cheapest", "ship 1-2 --cheapest -y"]
)
def test_an_order_that_was_combined_names_the_one_that_has_its_goods(sandbox: Cli, line: str) -> None:
    made(sandbox, order("1", line_items=[ITEM, {**ITEM, "sku": "B-1"}]))
    assert sandbox("orders", "split", "1", "--sku", "B-1").code == 0
    assert sandbox("orders", "combine", "1", "1-2", "-y").code == 0
    refused = sandbox(*line.split())
    assert (refused.code in (3, 5), "combined with 1" in refused.err) == (True, True), refused.err


def test_a_paid_method_is_sent_by_its_service(sandbox: Cli) -> None:
    express, free = ({"metadata": {"shipping_method": name}} for name in (" express", "Free shipping"))
    made(sandbox, order("1", **express), order("2", **free), order("3"))
    first = sandbox(
        "orders", "fulfil", "1", "2", "3", "--carrier", "ups", "--cheapest", "--dry-run", "--json"
    )
    assert "1 order paid as express, a method that no service is chosen for" in first.err
    assert 'shipcli methods map "express" SERVICE' in first.err
    assert {row["service"] for row in first.json} == {"ups_ground"}
    assert sandbox("methods", "map", "Express", "ups_2nd_day_air").code == 0
    assert sandbox("methods", "map", "Free shipping", "cheapest").code == 0
    assert sandbox("methods", "list", "--json").json == [
        {"method": "Express", "service": "ups_2nd_day_air"},
        {"method": "Free shipping", "service": "cheapest"},
    ]  # fmt: skip
    done = sandbox("orders", "fulfil", "1", "2", "3", "--carrier", "ups", "--cheapest", "-y", "--json")
    assert [row["service"] for row in done.json] == ["ups_2nd_day_air", "ups_ground", "ups_ground"]
    assert "no service is chosen" not in done.err


def test_a_paid_method_that_is_not_offered_fails_its_order_and_is_named(sandbox: Cli) -> None:
    made(sandbox, order("1", metadata={"shipping_method": "Express"}), order("2"))
    sandbox("methods", "map", "Express", "ups_2nd_day_air")
    done = sandbox("orders", "fulfil", "1", "2", "--carrier", "fedex", "-y", "--json")
    assert (done.code, [row["status"] for row in done.json]) == (9, ["failed", "purchased"])
    assert done.json[0]["message"].startswith("paid as Express: ")
    named = sandbox("orders", "fulfil", "1", "--service", "fedex_ground", "-y", "--json")
    assert named.json[0]["service"] == "fedex_ground"


def test_ship_sends_an_order_by_its_paid_method(sandbox: Cli) -> None:
    made(sandbox, *(order(number, metadata={"shipping_method": "Express"}) for number in "12"))
    assert "paid as Express" in sandbox("ship", "1", "--carrier", "ups", "--cheapest", "--dry-run").err
    sandbox("methods", "map", "Express", "ups_2nd_day_air")
    done = sandbox("ship", "1", "--carrier", "ups", "--cheapest", "-y", "--json")
    assert (done.code, done.json["service"]) == (0, "ups_2nd_day_air")
    assert sandbox("methods", "remove", "express").code == 0
    assert (
        sandbox("ship", "2", "--carrier", "ups", "--cheapest", "-y", "--json").json["service"] == "ups_ground"
    )


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [(("map", "Express", "ups_grnd"), 6, "Did you mean ups_ground"),
     (("map", " ", "ups_ground"), 6, "a name"),
     (("remove", "Expres"), 3, "No service is chosen")],
)  # fmt: skip
def test_wrong_methods_are_named(sandbox: Cli, words: tuple[str, ...], code: int, said: str) -> None:
    done = sandbox("methods", *words)
    assert (done.code, said in done.err) == (code, True), done.err


DAY = timedelta(days=1)


def placed(number: str, days: int, **more: Any) -> dict[str, Any]:
    """An order that was placed so many days ago."""
    return order(number, order_date=(datetime.now(UTC) - days * DAY).date().isoformat(), **more)


@pytest.fixture
def shelf(sandbox: Cli) -> Cli:
    """Three open orders, stored with the newest first, and one that is sent."""
    made(
        sandbox,
        placed(
            "new", 0, line_items=[{**ITEM, "quantity": 1}], metadata={"shipping_method": "Express, 2 days"}
        ),
        placed(
            "old", 5, shipping_to={**TO, "country_code": "CA", "state_code": "ON", "postal_code": "M5V 2T6"}
        ),
        placed("middle", 2, line_items=[{**ITEM, "sku": "B-1"}, ITEM]),
        placed("sent", 9),
    )
    assert sandbox("ship", "sent", "--carrier", "ups", "--cheapest", "-y").code == 0
    return sandbox


@pytest.mark.parametrize(
    ("words", "numbers"),
    [((), ["old", "middle", "new"]), (("--sku", "b-1"), ["middle"]), (("--sku", "B-1,NO"), ["middle"]),
     (("--method", "express, 2 days"), ["new"]), (("--method", "Express"), []),
     (("--country", "ca"), ["old"]), (("--country", "Canada", "--country", "US"), ["old", "middle", "new"]),
     (("--age", "2d"), ["old", "middle"]), (("--age", "<2d"), ["new"]), (("--age", "1w"), []),
     (("--single-item",), ["new"]), (("--age", "2d", "--sku", "L-1", "--country", "US"), ["middle"])],
)  # fmt: skip
def test_open_orders_are_chosen_oldest_first(shelf: Cli, words: tuple[str, ...], numbers: list[str]) -> None:
    listed = shelf("orders", "list", "--status", "unfulfilled", *words, "--json").json
    assert [row["order_id"] for row in listed["results"]] == numbers
    assert listed["count"] == len(numbers)
    planned = shelf(
        "orders", "fulfil", *(words or ("--unfulfilled",)), "--carrier", "ups", "--dry-run", "--json"
    )
    assert [row["order_number"] for row in planned.json] == numbers


def test_pick_lists_are_of_the_orders_chosen(shelf: Cli, tmp_path: Path) -> None:
    words = ("documents", "make", "picklist", "-o", str(tmp_path / "pick.pdf"))
    assert shelf(*words, "--sku", "B-1").code == 0
    nothing = shelf(*words, "--sku", "NO")
    assert (nothing.code, "Nothing is to be fetched" in nothing.err) == (6, True)
    assert shelf(*words, "new", "--sku", "B-1").code == 2


@pytest.mark.parametrize("words", [("--age", "soon"), ("--country", "Atlantis")])
def test_a_filter_that_cannot_be_read_is_named(sandbox: Cli, words: tuple[str, ...]) -> None:
    done = sandbox("orders", "list", *words)
    assert (done.code, words[1] in done.err) == (6, True)
    assert sandbox("orders", "fulfil", *words, "-y").code == 6


def test_the_note_of_an_order_is_on_its_packing_slip(sandbox: Cli, tmp_path: Any) -> None:
    made(sandbox, order("1", metadata={"note": "Gift, no prices"}))
    assert sandbox("orders", "fulfil", "1", "--cheapest", "--carrier", "ups", "-y").code == 0
    done = sandbox("documents", "make", "slip", "1", "-o", str(tmp_path / "slip.pdf"))
    assert done.code == 0, done.err
    assert "Gift, no prices" in texts((tmp_path / "slip.pdf").read_bytes())[0]


def test_an_order_is_a_card_on_a_terminal(sandbox: Cli, terminal: Any) -> None:
    mug = {**ITEM, "title": "Mug", "sku": "MUG-11", "quantity": 3, "value_amount": "12.5",
           "value_currency": "USD", "metadata": {"variations": "Colour:Blue"}}  # fmt: skip
    facts = {"shipping_method": "Express", "note": "Gift, no prices"}
    made(sandbox, order("1", line_items=[mug], metadata=facts, order_date="2026-11-20"))
    sold = sandbox("ship", "1", "--carrier", "ups", "--cheapest", "-y", "--json").json
    shown = terminal("--sandbox", "orders", "get", "1", COLUMNS="200", NO_COLOR="1").out
    lines = {
        line.split("  ")[0]: line.split("  ", 1)[1].strip() for line in shown.splitlines() if "  " in line
    }
    assert lines["order"] == "1 of API, fulfilled"
    assert lines["to"] == "Ana Ruiz, 1625 N Central Ave, Phoenix AZ 85004, US"
    assert lines["method paid"] == "Express"
    assert lines["item"] == "3 x Mug, Colour:Blue (MUG-11), 1 KG, 12.50 USD, sent"
    assert lines["shipment"].startswith(f"{sold['service']}, {sold['tracking_number']}, ")
    assert lines["shipment"].endswith(" USD, purchased, label PDF")
    assert lines["note"] == "Gift, no prices"
    fields = terminal("--sandbox", "orders", "get", "1", "-v", COLUMNS="200", NO_COLOR="1").out
    assert "shipping_to.city" in fields
    assert sandbox("orders", "get", "1", "--json").json["shipments"][0]["tracking_number"]
