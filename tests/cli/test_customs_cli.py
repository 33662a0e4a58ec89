"""Customs of what goes abroad: goods from flags, and gaps that are named before money is spent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from shipcli.models import json
from tests.cli.conftest import Cli, Result
from tests.services.conftest import ABROAD, RECIPIENT, SHIPPER
from tests.services.test_documents import GOODS

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
    assert "passes no customs" in sandbox("orders", "fulfil", "W2", "--goods", MUG, "-y").err
