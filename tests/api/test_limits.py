"""How much and how often."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from shipcli.api.app import build
from shipcli.api.limits import Limiter
from shipcli.services.app import open_app
from tests.api.conftest import BASE, Client, client_of


@pytest.mark.acceptance(380)
def test_there_is_no_limit_unless_one_is_set(anybody: Client) -> None:
    replies = [anybody.get("/") for _ in range(70)]
    assert {reply.status for reply in replies} == {200}
    assert "ratelimit-limit" not in replies[0].headers


@pytest.mark.acceptance(380)
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
