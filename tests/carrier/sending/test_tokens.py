"""Logins: one for all who wait, again once when refused, never in a circle, never in a trace."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from shipcli.carrier import Call, Reply, Request, Token
from shipcli.carrier.sending.jobs import CarrierJob
from shipcli.carrier.sending.ports import MemoryTokens, RenewalTurns
from shipcli.store.errors import StoreError
from tests.carrier.stub import (
    NOON,
    MemoryTraceLog,
    Stub,
    StubWithToken,
    Wire,
    driving,
    make_stub,
    ok,
    one,
    run,
    together,
)

LOOK = Call("GET", "/rates")


class Door:
    """Gives tokens t1, t2 ... and lets in those that bear one of `good`."""

    def __init__(self, *good: str, refuse_logins: bool = False) -> None:
        self.good, self.logins, self.refuse_logins = good, 0, refuse_logins

    def __call__(self, request: Request) -> Reply:
        if request.path.startswith("/login"):
            self.logins += 1
            return ok({"error": "denied"}, 401) if self.refuse_logins else ok({"token": f"t{self.logins}"})
        bearer = request.header("authorization").removeprefix("Bearer ")
        return ok({"bearer": bearer}) if not self.good or bearer in self.good else Reply(401)


def ask(door: Door, flow: Any, **arguments: Any) -> Any:
    return run(Wire(door, delay_s=0.005), flow, make_stub(StubWithToken), **arguments)


def test_a_token_is_fetched_once_and_kept() -> None:
    door, tokens = Door(), MemoryTokens()
    for _ in range(2):
        assert ask(door, one(LOOK), tokens=tokens).result == {"bearer": "t1"}
    assert door.logins == 1


def test_many_concurrent_calls_wait_for_one_login() -> None:
    door = Door()
    outcome = ask(door, together(*[LOOK] * 20))
    assert (door.logins, len(outcome.result)) == (1, 20)


def test_one_of_many_renews_on_each_event_loop() -> None:
    turns = RenewalTurns()

    async def renew() -> bool:
        if not await turns.take("car_1", "access"):
            return False
        await asyncio.sleep(0.001)
        turns.give_back("car_1", "access")
        return True

    async def renew_together() -> list[bool]:
        return await asyncio.gather(renew(), renew(), renew())

    assert [asyncio.run(renew_together()) for _ in range(2)] == [[True, False, False]] * 2


def test_an_expired_token_is_renewed() -> None:
    tokens = MemoryTokens()
    tokens.put("car_1", "access", Token("old", NOON - timedelta(seconds=1)))
    assert ask(Door(), one(LOOK), tokens=tokens).result == {"bearer": "t1"}


class Locked(MemoryTokens):
    """Tokens that can't be looked at."""

    def get_all(self, connection_ids: Any) -> Any:
        raise StoreError("locked")

    def get(self, connection_id: str, name: str) -> Token | None:
        raise StoreError("locked")


def test_tokens_that_can_not_be_looked_at_stop_only_flows_that_need_one() -> None:
    with driving(Wire(Door()), tokens=Locked()) as driver:
        jobs = [CarrierJob(make_stub(carrier), "rate", one(LOOK)) for carrier in (Stub, StubWithToken)]
        bare, guarded = driver.run_all(jobs)
    assert (bare.failed, guarded.failed, guarded.unknown) == (False, True, False)
    assert isinstance(guarded.ours, StoreError)


def test_a_refused_token_is_renewed_once() -> None:
    tokens, door = MemoryTokens(), Door("t1")
    tokens.put("car_1", "access", Token("stale"))
    assert ask(door, one(LOOK), tokens=tokens).result == {"bearer": "t1"}
    assert door.logins == 1


def test_a_token_refused_to_many_concurrent_calls_is_renewed_once() -> None:
    tokens, door = MemoryTokens(), Door("t1")
    tokens.put("car_1", "access", Token("stale"))
    outcome = ask(door, together(*[LOOK] * 20), tokens=tokens)
    assert (door.logins, len(outcome.result)) == (1, 20)


def test_a_token_that_is_the_same_when_renewed_is_not_tried_again() -> None:
    def answer(request: Request) -> Reply:
        return ok({"token": "t1"}) if request.path.startswith("/login") else Reply(401)

    wire = Wire(answer)
    outcome = run(wire, one(LOOK), make_stub(StubWithToken))
    assert (outcome.failed, wire.paths()) == (True, ["/login/access", "/rates", "/login/access"])


class Letters(StubWithToken):
    """A log-in that stands in the body, and is refused by a word with status 500."""

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        return {}

    def complete(self, call: Call, tokens: Mapping[str, Token]) -> Call:
        return replace(call, json={**(call.json or {}), "token": tokens["access"].value}) if tokens else call

    def rejects_token(self, reply: Reply) -> bool:
        return bool(reply.json.get("error") == "who are you")

    def is_definite(self, reply: Reply) -> bool:
        return "error" in reply.json


def test_a_token_may_stand_in_the_body_and_be_refused_by_a_word() -> None:
    def answer(request: Request) -> Reply:
        if request.path.startswith("/login"):
            return ok({"token": "t1"})
        return ok({"done": True}) if request.json["token"] == "t1" else ok({"error": "who are you"}, 500)

    tokens = MemoryTokens()
    tokens.put("car_1", "access", Token("stale"))
    wire = Wire(answer)
    outcome = run(wire, one(Call("POST", "/buy", json={"a": 1})), make_stub(Letters), tokens=tokens)
    assert outcome.result == {"done": True}
    assert wire.requests[-1].json == {"a": 1, "token": "t1"}


@pytest.mark.parametrize(
    ("reply", "unknown"), [(ok({"error": "no"}, 500), False), (Reply(500, b"<html>Oops</html>"), True)]
)
def test_a_refusal_with_status_500_is_definite_where_the_carrier_says_so(reply: Reply, unknown: bool) -> None:
    tokens = MemoryTokens()
    tokens.put("car_1", "access", Token("t1"))
    flow = one(Call("POST", "/buy"))
    outcome = run(Wire(lambda request: reply), flow, make_stub(Letters), verb="ship", tokens=tokens)
    assert (outcome.failed, outcome.unknown) == (True, unknown)


def test_a_token_that_stays_refused_is_not_renewed_for_ever() -> None:
    door = Door("never")
    outcome = ask(door, one(LOOK))
    assert (outcome.failed, door.logins) == (True, 2)


def test_a_refused_login_is_tried_once_in_a_flow() -> None:
    door = Door(refuse_logins=True)
    outcome = ask(door, together(*[LOOK] * 10))
    assert door.logins == 1
    assert [note.code for note in outcome.messages] == ["denied"]


def test_a_login_needs_no_token_of_its_own() -> None:
    """The stub's login names no tokens although the class needs one for every call."""
    assert ask(Door(), one(LOOK)).result == {"bearer": "t1"}


def test_the_token_of_a_login_is_hidden_in_its_trace() -> None:
    def answer(request: Request) -> Reply:
        if request.path.startswith("/login"):
            return Reply(200, b'{"token": "tok-12345", "also": "<t>tok-12345</t>"}')
        return ok({})

    log = MemoryTraceLog()
    run(Wire(answer), one(LOOK), make_stub(StubWithToken), traces=log)
    assert len(log.traces) == 2
    assert "tok-12345" not in str(log.traces)


def test_jobs_of_other_threads_share_the_login() -> None:
    door, results = Door(), []
    with driving(Wire(door, delay_s=0.01)) as driver:

        def work() -> None:
            results.append(driver.run(CarrierJob(make_stub(StubWithToken), "rate", one(LOOK))).result)

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert (door.logins, results) == (1, [{"bearer": "t1"}] * 8)


def test_a_token_shows_its_value_to_nobody() -> None:
    assert "secret" not in repr(Token("secret"))


@pytest.mark.parametrize("names", [(), None])
def test_a_call_may_need_no_token(names: Any) -> None:
    door = Door()
    ask(door, one(Call("GET", "/open", tokens=names)))
    assert door.logins == (0 if names == () else 1)
