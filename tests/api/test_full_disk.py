"""A disk without room: requests say so, the health of the server says so, and no key stays held."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest

from shipcli.features.core.app import App
from tests.api.conftest import Client, body
from tests.api.samples import ORDER
from tests.factories import RECIPIENT
from tests.features.conftest import live_labels

pytestmark = pytest.mark.sqlite_only("limits the size of its file")
# Random text, which stays large when the store deflates it: the first row that holds it needs new pages.
NOISE = Random(1).randbytes(150_000).hex()
LARGE = {f"x{number}": NOISE[number * 15_000 :][:15_000] for number in range(20)}
ENDLESS = 1_000_000_000


@contextmanager
def full(app: App) -> Iterator[None]:
    """The store has no room for another page."""
    with app.store._pool.transaction() as session:
        pages = session.rows("pragma page_count")[0][0]
        session.run(f"pragma max_page_count = {pages}")
    yield
    with app.store._pool.transaction() as session:
        session.run(f"pragma max_page_count = {ENDLESS}")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("/v1/shipments", body(metadata=LARGE)),
        ("/v1/shipments", body(metadata=LARGE, service="standard_service")),
        ("/v1/orders", {**ORDER, "metadata": LARGE}),
        ("/v1/documents/templates", {"name": "a", "slug": "a", "template": NOISE}),
    ],
)
def test_what_finds_no_room_says_so_and_succeeds_under_its_key_when_there_is_some(
    fresh: tuple[App, Client], path: str, value: Any
) -> None:
    app, api = fresh
    api.made("/v1/addresses", RECIPIENT)
    with full(app):
        reply = api.post(path, value, Idempotency_Key="k")
        assert (reply.status, reply.error["code"]) == (507, "store_full")
        assert "the disk is full; free some space and try again" in reply.error["message"]
    assert live_labels(app) == {}
    assert api.post(path, value, Idempotency_Key="k").status == 201
    assert app.store.select("idempotency", {"state": "running"}) == []


def test_the_health_of_the_server_says_that_there_is_no_room_until_there_is_some(
    fresh: tuple[App, Client],
) -> None:
    app, api = fresh
    assert api.get("/status/").json["database"] == "working"
    with full(app):
        assert api.post("/v1/shipments", body(metadata=LARGE)).status == 507
        api.post("/v1/addresses", RECIPIENT)  # what is small may find a place all the same
        said = api.get("/status/")
        assert (said.status, said.json["database"]) == (507, "cannot write: the disk is full")
        assert said.json["server"] == "working"
    assert api.get("/status/").json["database"] == "working"


def test_what_is_small_is_not_bought_either_until_there_is_room(fresh: tuple[App, Client]) -> None:
    app, api = fresh
    rates = api.made("/v1/proxy/rates", body())["rates"]
    parts = {name: value for name, value in body().items() if name != "carrier_ids"}
    purchases = [
        ("/v1/shipments", body(service="standard_service")),
        ("/v1/proxy/shipping", {**parts, "rates": rates, "selected_rate_id": rates[0]["id"]}),
    ]
    with full(app):
        assert api.post("/v1/shipments", body(metadata=LARGE)).status == 507
        for path, value in purchases:
            reply = api.post(path, value)
            assert (reply.status, reply.error["code"]) == (507, "store_full")
        assert live_labels(app) == {}
    for path, value in purchases:
        api.made(path, value)
