"""How much and how often."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from shipcli.api.app import build
from shipcli.api.http.responses import HttpResponse
from shipcli.api.limits import Limiter
from shipcli.bootstrap import open_app
from shipcli.features.core.app import App
from tests.api.conftest import BASE, Client, body, client_of
from tests.factories import ITEM, PARCEL
from tests.processes import PATIENCE_S


def test_there_is_no_limit_unless_one_is_set(anybody: Client) -> None:
    replies = [anybody.get("/") for _ in range(70)]
    assert {reply.status for reply in replies} == {200}
    assert "ratelimit-limit" not in replies[0].headers


def test_what_goes_over_the_limit_is_told_when_to_come_again(tmp_path: Path) -> None:
    app = open_app(tmp_path / "home", sandbox=True, environ={}, flags={"rate_limit": 3})
    with TestClient(build(app), base_url=BASE) as http:
        api = client_of(app, http)
        replies = [api.get("/v1/addresses") for _ in range(4)]
        assert [reply.status for reply in replies] == [200, 200, 200, 429]
        assert replies[-1].error["code"] == "throttled"
        assert 0 < int(replies[-1].headers["retry-after"]) <= 60
        assert [reply.headers["ratelimit-remaining"] for reply in replies] == ["2", "1", "0", "0"]
        assert Client(http).get("/").status == 200
    app.close()


def test_a_minute_later_everybody_may_ask_again() -> None:
    now = [0.0]
    limiter = Limiter(1, lambda: now[0])
    assert [limiter.count("a").is_spent for _ in range(2)] == [False, True]
    assert limiter.count("b").is_spent is False
    now[0] = 61
    assert limiter.count("a").is_spent is False


def test_the_limit_of_bodies_can_be_set(tmp_path: Path) -> None:
    app = open_app(tmp_path / "home", sandbox=True, environ={}, flags={"body_limit": 100})
    with TestClient(build(app), base_url=BASE) as http:
        api = client_of(app, http)
        assert api.post("/v1/addresses", {"country_code": "US", "x": "y" * 100}).status == 413
        assert api.post("/v1/addresses", {"country_code": "US"}).status == 201
    app.close()


def test_an_address_that_guesses_keys_is_slowed_down_and_good_keys_are_not(tmp_path: Path) -> None:
    app = open_app(tmp_path / "home", sandbox=True, environ={})
    with TestClient(build(app), base_url=BASE) as http:
        guesses = [Client(http, f"Token key_{number:032x}").get("/v1/addresses") for number in range(32)]
        assert [reply.status for reply in guesses] == [401] * 30 + [429] * 2
        assert 0 < int(guesses[-1].headers["retry-after"]) <= 60
        assert client_of(app, http).get("/v1/addresses").status == 200
    app.close()


def nested(depth: int) -> Any:
    return [nested(depth - 1)] if depth else "x"


@pytest.mark.parametrize(
    ("changes", "field", "word"),
    [
        ({"metadata": {f"k{n}": n for n in range(201)}}, "metadata", "200 keys"),
        ({"options": {f"k{n}": n for n in range(201)}}, "options", "200 keys"),
        ({"parcels": [PARCEL] * 201}, "parcels", "200 parcels"),
        ({"parcels": [{**PARCEL, "items": [ITEM] * 501}] * 2}, "", "1000 commodities"),
        ({"customs": {"commodities": [ITEM] * 1001}}, "customs", "1000 commodities"),
        ({"metadata": {"x": nested(70)}}, "metadata", "64 levels"),
    ],
    ids=["metadata", "options", "parcels", "items of all parcels", "customs", "depth"],
)
def test_a_body_that_holds_too_much_is_refused_by_name(
    api: Client, changes: dict[str, Any], field: str, word: str
) -> None:
    reply = api.post("/v1/shipments", body(**changes))
    assert (reply.status, reply.error["code"]) == (400, "validation")
    assert word in str(reply.error)
    assert field in str(reply.error)


@pytest.mark.parametrize("depth", [65, 252, 900])
def test_a_body_may_not_be_nested_deeper_than_can_be_read(api: Client, depth: int) -> None:
    content = b'{"country_code": "US", "x": ' + b"[" * depth + b"]" * depth + b"}"
    reply = api.ask("POST", "/v1/addresses", content=content)
    assert (reply.status, reply.error["code"]) == (400, "validation")


def test_a_body_at_the_limits_is_taken(api: Client) -> None:
    item = {"weight": 0.01, "weight_unit": "KG", "title": "Cup", "quantity": 1}
    full = body(
        metadata={f"k{n}": "x" for n in range(200)},
        parcels=[{**PARCEL, "items": [item] * 5} for _ in range(200)],
    )
    assert api.post("/v1/shipments", full).status == 201


def test_the_limits_hold_for_each_shipment_of_a_batch(api: Client) -> None:
    rows = [body(parcels=[PARCEL] * 150) for _ in range(3)]
    assert api.post("/v1/batches/shipments", {"shipments": rows}).status == 200
    rows[2]["parcels"] = [PARCEL] * 201
    refused = api.post("/v1/batches/shipments", {"shipments": rows})
    assert refused.status == 400
    assert "shipments[2].parcels" in str(refused.error)


def test_the_limits_can_be_set(tmp_path: Path) -> None:
    app = open_app(tmp_path / "home", sandbox=True, environ={}, flags={"parcel_limit": 1})
    with TestClient(build(app), base_url=BASE) as http:
        api = client_of(app, http)
        assert api.post("/v1/shipments", body(parcels=[PARCEL] * 2)).status == 400
        assert api.post("/v1/shipments", body()).status == 201
    app.close()


def test_one_caller_never_holds_all_threads(app: App) -> None:
    dispatcher = build(app)._dispatcher  # type: ignore[attr-defined]
    over, answer = threading.Event(), HttpResponse(200, b"")

    def wait() -> HttpResponse:
        over.wait(PATIENCE_S)
        return answer

    async def ask() -> HttpResponse:
        slow = [asyncio.create_task(dispatcher._in_pool("slow", wait)) for _ in range(100)]
        try:
            async with asyncio.timeout(PATIENCE_S):
                response: HttpResponse = await dispatcher._in_pool("honest", lambda: answer)
            assert not any(task.done() for task in slow)
            return response
        finally:
            over.set()
            await asyncio.gather(*slow)

    assert asyncio.run(ask()) is answer
    dispatcher.close()
