"""Purchases on another server of this API, which offers the operations of the contract and no others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shipcli.features.orders.service import create_order
from shipcli.models import OrderData, json
from shipcli.operations.table import ADDITIONS, STEPS
from tests.api.conftest import body
from tests.factories import ITEM, RECIPIENT, SHIPPER
from tests.gateway.conftest import Line, Served, between
from tests.gateway.samples import HERE, SHIPMENTS, THERE, bought, table

Draft = dict[str, Any]


@pytest.fixture
def other(served: Served, typed: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Line]:
    """The line through such a server."""
    monkeypatch.setenv("SHIPCLI_API_KEY", served.key)
    with between(served.port, served.asked, hidden=STEPS) as port:
        served.operations()
        place = ("--home", str(tmp_path / "own"), "--api-url", f"http://127.0.0.1:{port}")
        yield lambda *words, **more: typed(*place, *words, **more)


def write(folder: Path, **changes: Any) -> tuple[str, ...]:
    (folder / "parcel.json").write_bytes(json.dump_bytes(body(**changes)))
    return "ship", "--from-file", "parcel.json", "--cheapest", "-y", "--json"


def list_named(served: Served, reference: str) -> list[Draft]:
    return [row for row in served.app.store.each("shipment") if row["reference"] == reference]


def test_a_parcel_is_shipped_in_plain_calls(served: Served, other: Line, tmp_path: Path) -> None:
    line = write(tmp_path, reference="PLAIN-1")
    shipped = other(*line)
    assert shipped.code == 0, shipped.err
    assert {"fetchRates", "createShipment", "purchaseShipment"} <= served.operations()
    (label,) = bought(served.app, "PLAIN-1")
    assert shipped.json["tracking_number"] == label["tracking_number"]
    again = other(*line)
    assert (again.code, label["tracking_number"] in again.err) == (5, True)
    assert len(list_named(served, "PLAIN-1")) == 1


def test_a_dry_run_and_too_small_a_budget_store_nothing(served: Served, other: Line, tmp_path: Path) -> None:
    line = write(tmp_path, reference="PLAIN-2")
    planned = other(*line, "--dry-run")
    assert (planned.code, bool(planned.json["total_charge"])) == (0, True), planned.err
    assert other(*line, "--max-total", "0.01USD").code == 11
    assert list_named(served, "PLAIN-2") == []


def test_a_refused_parcel_leaves_no_open_draft(served: Served, other: Line, tmp_path: Path) -> None:
    line = write(
        tmp_path, reference="PLAIN-3", carrier_ids=["fedex"], metadata={"sandbox_scenario": "rate_limited"}
    )
    assert other(*line).code == 7
    assert {row["status"] for row in list_named(served, "PLAIN-3")} <= {"cancelled"}


@pytest.mark.parametrize("weight", [(), ("--weight", "3kg")])
def test_a_stored_draft_is_bought_as_it_was_rated(
    other: Line, tmp_path: Path, weight: tuple[str, ...]
) -> None:
    write(tmp_path, reference=f"PLAIN-4{len(weight)}")
    draft = other("shipments", "create", "--from-file", "parcel.json", "--json").json
    line = ("ship", draft["id"], *weight, "--cheapest", "-y", "--json")
    planned = other(*line, "--dry-run")
    assert other("shipments", "get", draft["id"], "--json").json["parcels"] == draft["parcels"]
    label = other(*line)
    assert label.code == 0, label.err
    assert label.json["selected_rate"]["total_charge"] == planned.json["total_charge"]
    assert label.json["parcels"][0]["weight"] == (3 if weight else draft["parcels"][0]["weight"])


def test_a_word_is_found_by_any_server_and_by_ours_at_once(
    served: Served, there: Line, other: Line, tmp_path: Path
) -> None:
    write(tmp_path, reference="PLAIN-8")
    draft = there("shipments", "create", "--from-file", "parcel.json", "--json").json
    for word in ("PLAIN-8", draft["id"][:-6]):
        for way in (there, other):
            served.operations()
            assert way("shipments", "get", word, "--json").json["id"] == draft["id"]
            asked = served.operations()
            assert ("listShipments" in asked, "listIds" in asked) == (way is other, way is there)
    for way in (there, other):
        assert way("shipments", "get", "PLAIN-none").code == 3


def test_what_only_our_servers_promise_is_refused_by_its_name(
    served: Served, other: Line, tmp_path: Path
) -> None:
    order = {"order_id": "PLAIN-5", "shipping_to": RECIPIENT, "shipping_from": SHIPPER, "line_items": [ITEM]}
    create_order(served.app, OrderData.model_validate(order))
    file = table(tmp_path / "rows.csv", SHIPMENTS, [[*HERE, *THERE, "2", "KG", "", "generic", "PLAIN-5"]])
    orders = table(tmp_path / "orders.csv", ["Order number"], [["PLAIN-6"]])
    for line, name in (
        (("import", "shipments", file, "--buy", "cheapest"), "import shipments"),
        (("import", "orders", orders), "import orders"),
        (("orders", "fulfil", "PLAIN-5", "--cheapest"), "orders fulfil"),
        (("ship", "PLAIN-5", "--cheapest"), "the purchase of an order"),
    ):
        refused = other(*line, "-y")
        assert (refused.code, f"{name} is for servers of shipcli" in refused.err) == (2, True), refused.err
    assert list_named(served, "PLAIN-5") == []


def test_orders_are_not_corrected_there_and_the_answer_says_what_is_lacking(
    served: Served, typed: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHIPCLI_API_KEY", served.key)
    for number in ("PLAIN-8", "PLAIN-9"):
        order = {
            "order_id": number,
            "shipping_to": RECIPIENT,
            "line_items": [{**ITEM, "sku": number, "quantity": 2}],
        }
        create_order(served.app, OrderData.model_validate(order))
    with between(served.port, served.asked, hidden=(*ADDITIONS, *STEPS)) as port:
        place = ("--home", str(tmp_path / "own"), "--api-url", f"http://127.0.0.1:{port}")
        for words, lacking in (
            (("edit", "PLAIN-8", "--line1", "9 Fixed St"), "correct address and lines of an order"),
            (("split", "PLAIN-8", "--sku", "PLAIN-8:1"), "move lines of an order to a new order"),
            (("combine", "PLAIN-8", "PLAIN-9", "-y"), "move lines of orders into one"),
        ):
            refused = typed(*place, "orders", *words)
            assert (refused.code, f"has no operation for this: {lacking}" in refused.err) == (2, True), (
                refused.err
            )


def test_a_lost_answer_is_looked_up_and_nothing_is_bought_twice(
    served: Served, typed: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHIPCLI_API_KEY", served.key)
    line = write(tmp_path, reference="PLAIN-7")
    for hidden, operation in ((STEPS, "purchaseShipment"), ((), "buyRate")):
        with between(served.port, served.asked, hidden, lost=[operation]) as port:
            place = ("--home", str(tmp_path / "own"), "--api-url", f"http://127.0.0.1:{port}")
            found = typed(*place, *line, "--again")
            assert found.code == 0, found.err
            numbers = {row["tracking_number"] for row in bought(served.app, "PLAIN-7")}
            assert found.json["tracking_number"] in numbers
    assert len(bought(served.app, "PLAIN-7")) == 2
