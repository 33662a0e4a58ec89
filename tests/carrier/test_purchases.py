"""Whether a purchase took effect is said to be known only when it is."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from shipcli.carrier import Call, CarrierError, Flow, Reply, Request
from shipcli.carrier.sending.ports import TransportError
from shipcli.models import Message
from tests.carrier.stub import Wire, in_turn, ok, one, run

BUY = Call("POST", "/labels", json={"a": 1})


def codes(outcome: Any) -> list[str]:
    return [message.code for message in outcome.messages]


# -- purchases -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "unknown"),
    [
        (TransportError("reset", sent=True), True),
        (TransportError("refused", sent=False), False),
        (Reply(500), True),
        (Reply(503), True),
        (ok({"error": "no"}, 400), False),
        (ok({"error": "no"}), False),
        (Reply(400, b"<html>"), False),
        (Reply(200, b"<html>"), True),
        (Reply(202, b'{"half": ['), True),
        (Reply(429), False),
    ],
    ids=[
        "connection lost", "never sent", "500", "503", "refused", "refused with 200", "refused without words",
        "another page", "half an answer", "busy",
    ],
)  # fmt: skip
def test_a_purchase_without_a_clear_answer_is_of_unknown_outcome(answer: Any, unknown: bool) -> None:
    outcome = run(Wire(in_turn(answer)), one(BUY), verb="ship")
    assert (outcome.failed, outcome.unknown) == (True, unknown)


def test_a_purchase_that_timed_out_is_of_unknown_outcome() -> None:
    outcome = run(Wire(delay_s=5), one(Call("POST", "/labels", timeout_s=0.02)), verb="ship")
    assert outcome.unknown


@pytest.mark.parametrize(
    "verb", ["ship", "void", "schedule_pickup", "update_pickup", "cancel_pickup", "manifest"]
)
def test_what_a_carrier_bills_or_remembers_is_of_unknown_outcome_when_the_answer_is_lost(verb: str) -> None:
    assert run(Wire(in_turn(TransportError("reset", sent=True))), one(BUY), verb=verb).unknown


@pytest.mark.parametrize("verb", ["rate", "track"])
def test_what_may_be_said_again_is_not_of_unknown_outcome(verb: str) -> None:
    assert not run(Wire(in_turn(TransportError("reset", sent=True))), one(BUY), verb=verb).unknown


def test_a_purchase_whose_label_does_not_come_is_of_unknown_outcome() -> None:
    wire = Wire(lambda request: Reply(404) if request.method == "GET" else ok({}))
    outcome = run(wire, one(BUY, Call("GET", "/label.pdf")), verb="ship")
    assert (outcome.failed, outcome.unknown) == (True, True)


def test_a_refused_parcel_does_not_hide_that_another_was_bought() -> None:
    def flow() -> Flow[Any]:
        replies = yield [Call("POST", "/good"), Call("POST", "/bad")]
        if not all(reply.ok for reply in replies):
            raise CarrierError(Message(code="half", message="parcel 2 failed"))

    class Uneven(Wire):
        async def send(self, request: Request) -> Reply:
            await asyncio.sleep(0.02 if request.path == "/bad" else 0)
            return await super().send(request)

    wire = Uneven(lambda request: ok({"error": "no"}, 400) if request.path == "/bad" else ok({}))
    assert run(wire, flow(), verb="ship").unknown


def test_a_purchase_undone_by_its_flow_is_of_known_outcome() -> None:
    def flow() -> Flow[Any]:
        yield [BUY, BUY]
        yield Call("DELETE", "/labels/1")
        raise CarrierError(Message(code="rolled_back", message="parcel 2 failed"), definite=True)

    outcome = run(Wire(), flow(), verb="ship")
    assert (outcome.unknown, codes(outcome)) == (False, ["rolled_back"])


def test_a_failed_price_is_never_of_unknown_outcome() -> None:
    assert not run(Wire(lambda request: Reply(500)), one(Call("POST", "/rates"))).unknown
