"""`shipcli batches` as people and cron jobs type it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shipcli.bootstrap import open_app
from shipcli.models import json
from tests.cli.conftest import Cli, Result
from tests.factories import body
from tests.features.orders.samples import order_body

STANDARD = "standard_service"


@pytest.fixture
def batches(cli: Cli) -> Cli:
    return lambda *words, typed="": cli("batches", *words, "--sandbox", typed=typed)


def wanted(number: int, **changes: Any) -> dict[str, Any]:
    return {**body(reference=f"SO-{number}", carrier_ids=["generic"]), **changes}


def text(key: str, *rows: Any) -> str:
    return json.dumps({key: list(rows)})


def resource(done: Result, place: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = done.json["resources"][place]
    return found


def test_the_body_of_the_api_is_read_from_a_file_or_standard_input(batches: Cli, tmp_path: Path) -> None:
    file = tmp_path / "orders.json"
    file.write_text(text("orders", order_body(order_id="1")))
    for words, typed in ((str(file), ""), ("-", text("orders", order_body(order_id="2")))):
        done = batches("orders", words, "--json", typed=typed)
        assert (done.code, done.json["status"], len(done.json["resources"])) == (0, "completed", 1)


def test_a_bare_list_stands_for_the_list_of_elements(batches: Cli) -> None:
    rows = json.dumps([{"tracking_number": "SC1000000001", "carrier_name": "usps"}])
    done = batches("trackers", "-", "--json", typed=rows)
    assert (done.code, done.json["resource_type"], resource(done)["status"]) == (0, "trackers", "completed")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("{}", "orders: is required"),
        (text("orders"), "must not be empty"),
        (text("shipments", wanted(1)), "orders: is required"),
        (text("orders", order_body(), {**order_body(), "line_items": []}), "row 2: line_items"),
    ],
)
def test_a_wrong_body_is_refused_whole(batches: Cli, typed: str, said: str) -> None:
    done = batches("orders", "-", typed=typed)
    assert (done.code, said in done.err) == (6, True), done.err
    assert batches("list", "--ids").out == ""


def test_labels_are_bought_with_consent_only(batches: Cli) -> None:
    typed = text("shipments", wanted(1, service=STANDARD), wanted(2))
    refused = batches("shipments", "-", typed=typed)
    assert (refused.code, "buy 1 label" in refused.err) == (2, True)
    assert batches("list", "--ids").out == ""
    done = batches("shipments", "-", "-y", "--json", typed=typed)
    assert (done.code, done.json["status"]) == (0, "completed")


def test_drafts_need_no_consent(batches: Cli) -> None:
    assert batches("shipments", "-", typed=text("shipments", wanted(1))).code == 0


def test_a_dry_run_stores_nothing(batches: Cli) -> None:
    done = batches("shipments", "-", "--dry-run", typed=text("shipments", wanted(1, service=STANDARD)))
    assert (done.code, "would store 1 shipment and buy 1 label" in done.err) == (0, True)
    assert batches("list", "--ids").out == ""


def test_a_partly_failed_batch_exits_9_and_says_which_row(batches: Cli) -> None:
    typed = text("shipments", wanted(1), wanted(2, service="nonsense"))
    done = batches("shipments", "-", "-y", typed=typed)
    assert done.code == 9
    assert "row 2, shp_" in done.err
    assert "'nonsense' is not offered" in done.err


def test_a_batch_of_which_nothing_succeeds_exits_1(batches: Cli) -> None:
    assert batches("shipments", "-", "-y", typed=text("shipments", wanted(1, service="no"))).code == 1


def test_progress_is_on_standard_error(batches: Cli) -> None:
    done = batches("orders", "-", "--json", typed=text("orders", order_body()))
    assert "1 of 1 done" in done.err
    assert done.json["status"] == "completed"
    quiet = batches("orders", "-", "--json", "-q", typed=text("orders", order_body()))
    assert quiet.err == ""


def test_a_detached_batch_is_left_to_the_worker(batches: Cli, cli: Cli) -> None:
    made = batches("orders", "-", "--detach", "--json", typed=text("orders", order_body()))
    assert (made.code, made.json["status"], made.json["resources"]) == (0, "queued", [])
    assert cli("worker", "run", "--once", "--queues", "batches", "--sandbox").code == 0
    done = batches("watch", made.json["id"], "--json")
    assert (done.code, done.json["status"]) == (0, "completed")


def test_watching_ends_with_the_exit_code_of_the_outcome(batches: Cli) -> None:
    batches("shipments", "-", "-y", typed=text("shipments", wanted(1), wanted(2, service="no")))
    assert batches("watch", "@last").code == 9


def test_batches_are_listed_and_shown(batches: Cli) -> None:
    made = batches("orders", "-", "--json", typed=text("orders", order_body()))
    batches("trackers", "-", typed=text("trackers", {"tracking_number": "SC01", "carrier_name": "usps"}))
    listed = batches("list", "--type", "orders", "--status", "completed", "--json")
    assert [one["id"] for one in listed.json["results"]] == [made.json["id"]]
    assert listed.json["results"][0]["resources"] == made.json["resources"]
    assert batches("get", made.json["id"], "--json").json == made.json
    assert batches("get", f"batch_{'0' * 32}").code == 3


def test_retrying_exits_9_while_some_remain(batches: Cli, home: Path) -> None:
    typed = text("shipments", wanted(1), wanted(2, service="no"))
    made = batches("shipments", "-", "-y", "--json", typed=typed)
    assert batches("retry", "@last").code == 2  # what failed is tried again when that is asked for
    assert batches("retry", "@last", "--failed").code == 2  # and agreed
    assert batches("retry", "@last", "--failed", "-y").code == 9
    app = open_app(home, sandbox=True, environ={})
    with app.store.transaction() as tx:
        tx.update("batch_resources", {"resource_id": resource(made, 1)["id"]}, {"service": STANDARD})
        stored = tx.get("shipment", resource(made, 1)["id"])
        assert stored
        tx.put("shipment", {**stored, "services": []})
    app.close()
    done = batches("retry", "@last", "--failed", "-y", "--json")
    assert (done.code, done.json["status"]) == (0, "completed")
    assert batches("retry", "@last", "--failed", "-y").code == 0


def test_an_interrupted_batch_is_gone_on_with(batches: Cli) -> None:
    made = batches("orders", "-", "--detach", "--json", typed=text("orders", order_body()))
    done = batches("retry", made.json["id"], "--json")
    assert (done.code, done.json["status"]) == (0, "completed")


def test_the_singular_is_accepted(cli: Cli) -> None:
    assert cli("batch", "list", "--sandbox").code == 0
