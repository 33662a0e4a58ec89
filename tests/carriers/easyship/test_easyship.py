"""Easyship: what neither the cases nor the contract show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from shipcli.carriers.easyship import Easyship
from shipcli.carriers.easyship.parts import CATALOGUE, behind, read_service

from shipcli.carrier import Reply, Request
from shipcli.models import json as plain_json
from tests.carriers.bench import Bench, said
from tests.carriers.errands import KEY
from tests.carriers.tap import Tap

GROUND_ADVANTAGE = "c3e97b11-2842-44f1-84d1-afaa6b3f0a7c"


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench(Easyship)
    yield made
    made.close()


def test_every_service_has_an_id_of_its_own() -> None:
    wires = [row.wire for row in CATALOGUE.services]
    assert len(wires) == len(set(wires)) == 212
    assert set(CATALOGUE.table("courier_ids").values()) <= set(wires)


def test_another_account_sells_the_same_service() -> None:
    assert read_service("7a1424ff-0d4e-4d55-bdfe-e4c6661debbf") == read_service(GROUND_ADVANTAGE)


@pytest.mark.parametrize(
    ("courier", "provider"),
    [
        ({"id": GROUND_ADVANTAGE, "name": "USPS - Ground Advantage"}, "usps"),
        ({"id": "new", "name": "Canada Post - New"}, "canadapost"),
        ({"id": "new", "name": "DHL - New"}, "dhl_express"),
        ({"id": "new", "name": None}, ""),
    ],
)
def test_the_courier_is_named_by_its_service_else_by_its_own_name(
    courier: dict[str, Any], provider: str
) -> None:
    assert behind(courier)["rate_provider"] == provider


def refuse_the_label(request: Request, reply: Reply) -> Reply:
    """The answer as it is when the courier draws no label, in the purchase and when it is looked up."""
    body = reply.json
    for shipment in [*body.get("shipments", ()), *([body["shipment"]] if "shipment" in body else [])]:
        shipment |= {"label_state": "failed", "shipping_documents": [], "trackings": []}
    body["meta"] = {"errors": ["The street number is missing"]}
    return replace(reply, content=plain_json.dump_bytes(body))


def test_a_label_that_the_courier_refuses_is_found_to_be_no_purchase(bench: Bench) -> None:
    request = bench.request()
    Tap(bench).after = refuse_the_label
    outcome = bench.ask("ship", request, key=KEY)
    assert (outcome.result, outcome.unknown, said(outcome)) == (
        None, True, "warning: The street number is missing",
    )  # fmt: skip
    found = bench.ask("recover", request, key=KEY)
    assert (found.result, found.failed) == (None, False)
