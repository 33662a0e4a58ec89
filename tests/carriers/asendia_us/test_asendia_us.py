"""Asendia US: what neither the cases nor the contract show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from shipcli.carriers.asendia_us import AsendiaUs

from shipcli.carrier import Reply
from shipcli.models import json as plain_json
from tests.carriers.bench import Bench
from tests.carriers.tap import Tap


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench(AsendiaUs)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("code", "unknown"),
    [(500, True), ("InternalServerError", True), (400, False), ("BadRequest", False)],
)
def test_a_fault_of_the_server_leaves_a_purchase_in_doubt_and_a_refusal_does_not(
    bench: Bench, code: Any, unknown: bool
) -> None:
    request, tap = bench.request(), Tap(bench)
    body = {"responseStatusCode": code, "responseStatusMessage": "No"}
    tap.instead = lambda sent: Reply(200, plain_json.dump_bytes(body), {"content-type": "application/json"})
    outcome = bench.ask("ship", request)
    assert (outcome.failed, outcome.unknown) == (True, unknown)
