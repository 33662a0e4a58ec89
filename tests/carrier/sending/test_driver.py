"""The driver sends, retries, waits, reports, and never lets one failure spoil another."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from typing import Any

import pytest

from shipcli.carrier import Call, CarrierConfig, Flow, Reply, Request
from shipcli.carrier.sending.jobs import CarrierJob
from shipcli.carrier.sending.ports import TransportError
from shipcli.carrier.sending.redaction import LONGEST_BODY, MASK
from shipcli.carrier.sending.transport import RetiredTransport
from shipcli.models import Invalid, Message
from shipcli.store.errors import StoreError
from tests.carrier.stub import (
    MemoryTraceLog,
    Stub,
    StubAccount,
    StubWithToken,
    Wire,
    driving,
    in_turn,
    make_stub,
    ok,
    one,
    run,
    together,
)

BUY, LOOK = Call("POST", "/labels", json={"a": 1}), Call("GET", "/rates")


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shipcli.carrier.sending.call_sender.BACKOFF_S", (0.0, 0.01))


def codes(outcome: Any) -> list[str]:
    return [message.code for message in outcome.messages]


# -- sending ---------------------------------------------------------------------------------------


def test_a_call_goes_to_the_host_of_the_mode() -> None:
    wire = Wire()
    run(wire, one(LOOK), make_stub(test_mode=True))
    run(wire, one(LOOK), make_stub(test_mode=False))
    assert [request.url for request in wire.requests] == [
        "https://test.stub.example/rates",
        "https://stub.example/rates",
    ]


def test_a_call_may_name_another_host_of_the_carrier_or_a_whole_address() -> None:
    wire = Wire()
    run(wire, one(Call("GET", "/t", host="track"), Call("GET", "https://cdn.example/label.pdf")))
    assert [request.url for request in wire.requests] == [
        "https://track.example/t",
        "https://cdn.example/label.pdf",
    ]


class Gone(Stub):
    retired = "stub2"


@pytest.mark.parametrize("flow", [one(BUY), together(BUY, BUY)])
def test_a_carrier_whose_api_is_off_is_not_asked_and_names_another(flow: Flow[Any]) -> None:
    outcome = run(RetiredTransport(Gone), flow, verb="ship")
    assert {message.message for message in outcome.messages} == {
        "The API of Stub has been switched off: use stub2 instead"
    }
    assert not outcome.unknown


class Gathering(Wire):
    """Answers nobody before so many have asked: who asks one after the other gets no answer."""

    def __init__(self, count: int) -> None:
        super().__init__(lambda request: ok({"path": request.path}))
        self.count, self.complete = count, asyncio.Event()

    async def send(self, request: Request) -> Reply:
        reply = await super().send(request)
        if len(self.requests) == self.count:
            self.complete.set()
        await self.complete.wait()
        return reply


def test_ten_carriers_are_asked_at_once() -> None:
    wire = Gathering(10)
    carriers = [make_stub(type(f"Stub{number}", (Stub,), {"slug": f"stub{number}"})) for number in range(10)]
    with driving(wire) as driver:
        outcomes = driver.run_all([CarrierJob(carrier, "rate", one(LOOK)) for carrier in carriers])
    assert len(wire.requests) == 10
    assert not any(outcome.failed for outcome in outcomes)


def test_calls_of_a_list_are_sent_together_and_answered_in_order() -> None:
    outcome = run(Gathering(5), together(*(Call("GET", f"/{number}") for number in range(5))))
    assert [body["path"] for body in outcome.result or []] == [f"/{number}" for number in range(5)]


def test_no_more_calls_than_allowed_are_under_way_at_once() -> None:
    class Narrow(Stub):
        slug, concurrency = "narrow", 2

    busy, most = 0, 0

    class Counting(Wire):
        async def send(self, request: Request) -> Reply:
            nonlocal busy, most
            busy += 1
            most = max(most, busy)
            reply = await super().send(request)
            busy -= 1
            return reply

    run(Counting(delay_s=0.01), together(*[LOOK] * 8), make_stub(Narrow))
    assert most == 2


def test_calls_of_a_paced_carrier_start_apart() -> None:
    class Paced(Stub):
        slug, spacing_s = "paced", 0.05

    start = time.perf_counter()
    run(Wire(), together(LOOK, LOOK, LOOK), make_stub(Paced))
    assert time.perf_counter() - start >= 0.1


def test_a_driver_that_was_closed_starts_again_where_flows_waited_for_each_other() -> None:
    class Alone(StubWithToken):
        slug, concurrency = "alone", 1

    wire = Wire(lambda request: ok({"token": "t"}), delay_s=0.01)
    with driving(wire) as driver:
        for number in range(2):
            jobs = [
                CarrierJob(make_stub(Alone, connection_id=f"car_{number}"), "rate", one(LOOK))
                for _ in range(3)
            ]
            assert [outcome.failed for outcome in driver.run_all(jobs)] == [False] * 3
            driver.close()


# -- failures --------------------------------------------------------------------------------------


def test_one_failing_carrier_disturbs_no_other() -> None:
    def broken() -> Flow[Any]:
        yield LOOK
        raise RuntimeError("a bug")

    with driving(Wire()) as driver:
        bad, good = driver.run_all(
            [CarrierJob(make_stub(), "rate", broken()), CarrierJob(make_stub(), "rate", one(LOOK))]
        )
    assert (bad.failed, codes(bad)) == (True, ["unreadable_reply"])
    assert (good.failed, good.result) == (False, {})


def test_one_failing_leg_is_a_message_beside_the_results_of_the_others() -> None:
    wire = Wire(lambda request: ok({"error": "E1"}) if request.path == "/b" else ok({"path": request.path}))
    outcome = run(wire, together(Call("GET", "/a"), Call("GET", "/b"), Call("GET", "/c")))
    assert [body["path"] for body in outcome.result or []] == ["/a", "/c"]
    assert codes(outcome) == ["E1"]


@pytest.mark.parametrize(
    ("wrong", "code"),
    [(Reply(200, b'{"half": ['), "unreadable_reply"), (TransportError("gone", sent=True), "unreachable")],
    ids=["garbled", "lost"],
)
def test_a_leg_that_is_lost_or_garbled_leaves_the_others(wrong: Any, code: str) -> None:
    def answer(request: Request) -> Reply:
        if request.path == "/a":
            return ok({"good": True})
        if isinstance(wrong, Exception):
            raise wrong
        return Reply(wrong.status, wrong.content)

    outcome = run(Wire(answer), together(Call("POST", "/a"), Call("POST", "/b")))
    assert (outcome.result, codes(outcome)) == ([{"good": True}], [code])


def test_a_refusal_ends_the_flow_with_the_words_of_the_carrier() -> None:
    wire = Wire(lambda request: ok({"error": "E7"}))
    outcome = run(wire, one(LOOK, LOOK))
    assert (outcome.result, outcome.failed, len(wire.requests)) == (None, True, 1)
    assert [message.message for message in outcome.messages] == ["the carrier says E7"]


def test_a_refusal_without_words_names_the_status() -> None:
    outcome = run(Wire(lambda request: Reply(403, b"<html>")), one(LOOK))
    assert [message.message for message in outcome.messages] == ["Stub answered with status 403"]


def test_a_code_without_words_gets_those_of_the_answer() -> None:
    class Terse(Stub):
        def read_messages(self, reply: Reply) -> list[Message]:
            return [Message(), Message(code=str(reply.json["error"]))]

    wire = Wire(lambda request: ok({"error": "E7", "detail": "No such place"}, 400))
    outcome = run(wire, one(LOOK), make_stub(Terse))
    told = [(message.code, message.message) for message in outcome.messages]
    assert told == [("E7", "Stub answered with status 400: No such place")]


def test_a_tolerant_call_gives_its_refusal_to_the_flow() -> None:
    outcome = run(Wire(lambda request: ok({"error": "E1"})), one(Call("GET", "/a", tolerant=True)))
    assert outcome.result == {"error": "E1"}


def test_a_wrong_value_found_by_a_flow_is_a_validation_message() -> None:
    def flow() -> Flow[Any]:
        yield LOOK
        raise Invalid("options.cod", "is not a number")

    outcome = run(Wire(), flow())
    assert (outcome.failed, codes(outcome)) == (True, ["validation"])


def test_messages_name_the_connection_they_came_through() -> None:
    outcome = run(Wire(lambda request: ok({"error": "E1"})), one(LOOK), make_stub(carrier_id="my-stub"))
    assert [(note.carrier_name, note.carrier_id) for note in outcome.messages] == [("stub", "my-stub")]


def test_a_slow_carrier_is_given_up_after_its_time() -> None:
    outcome = run(Wire(delay_s=5.0), one(Call("POST", "/a", timeout_s=0.05)))
    assert codes(outcome) == ["timeout"]


def test_a_flow_with_a_limit_is_given_up_after_it_and_what_was_under_way_is_traced() -> None:
    traces, quick, slow = MemoryTraceLog(), make_stub(carrier_id="quick"), make_stub(carrier_id="slow")
    with driving(Wire(delay_s=0.2), traces=traces) as driver:
        jobs = [CarrierJob(quick, "rate", one(LOOK)), CarrierJob(slow, "rate", one(LOOK), limit_s=0.05)]
        outcomes = driver.run_all(jobs)
    assert [outcome.failed for outcome in outcomes] == [False, True]
    assert codes(outcomes[1]) == ["timeout"]
    assert {trace.carrier_id: "error" in trace.response for trace in traces.traces} == {
        "quick": False,
        "slow": True,
    }


def test_an_unreadable_reply_is_logged_with_the_id_its_message_shows(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.ERROR, "shipcli.driver"):
        outcome = run(Wire(lambda request: Reply(200, b"<html>")), one(LOOK))
    assert (outcome.messages[0].details or {})["trace_id"] in caplog.text


# -- repeating -------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_question_is_asked_again_when_the_carrier_is_busy(status: int) -> None:
    wire = Wire(in_turn(Reply(status), Reply(status), ok({"good": True})))
    assert run(wire, one(LOOK)).result == {"good": True}
    assert len(wire.requests) == 3


def test_a_question_is_asked_three_times_at_most() -> None:
    wire = Wire(lambda request: Reply(503))
    assert run(wire, one(LOOK)).failed
    assert len(wire.requests) == 3


def test_a_lost_question_is_asked_again() -> None:
    wire = Wire(in_turn(TransportError("reset", sent=True), ok({"good": True})))
    assert run(wire, one(LOOK)).result == {"good": True}


@pytest.mark.parametrize("reply", [Reply(503), Reply(429), TransportError("reset", sent=False)], ids=str)
def test_a_call_that_may_not_be_repeated_is_sent_once(reply: Any) -> None:
    wire = Wire(in_turn(reply))
    assert run(wire, one(BUY), verb="ship").failed
    assert len(wire.requests) == 1


def test_a_post_that_says_so_is_repeated() -> None:
    wire = Wire(in_turn(Reply(503), ok({"good": True})))
    assert run(wire, one(Call("POST", "/rates", json={}, repeatable=True))).result == {"good": True}


def test_an_error_of_the_carrier_itself_is_not_repeated() -> None:
    wire = Wire(lambda request: Reply(500))
    run(wire, one(LOOK))
    assert len(wire.requests) == 1


def test_the_time_a_busy_carrier_names_is_kept() -> None:
    wire = Wire(in_turn(ok({}, 429, retry_after="1"), ok({"good": True})))
    start = time.perf_counter()
    assert run(wire, one(LOOK)).result == {"good": True}
    assert time.perf_counter() - start >= 1.0


def test_a_busy_carrier_that_names_no_time_is_asked_again() -> None:
    wire = Wire(in_turn(ok({}, 429, retry_after="²"), ok({"good": True})))
    assert run(wire, one(LOOK)).result == {"good": True}


def test_a_busy_carrier_that_names_a_long_time_is_not_waited_for() -> None:
    wire = Wire(lambda request: ok({}, 429, retry_after="60"))
    assert run(wire, one(LOOK)).failed
    assert len(wire.requests) == 1


# -- what is kept ----------------------------------------------------------------------------------


def test_every_exchange_is_kept_without_secrets() -> None:
    log = MemoryTraceLog()
    secret = "pa&ss w/rd"
    wire = Wire(lambda request: ok({"echo": secret}))
    run(wire, one(Call("POST", "/a", json={"p": secret}, query={"p": secret})), traces=log)
    [trace] = log.traces
    assert (trace.verb, trace.carrier_name, trace.response["status"]) == ("rate", "stub", 200)
    assert "ss w" not in str([trace.request, trace.response])
    assert "ss%20w" not in trace.request["url"]


def test_a_large_answer_is_masked_beside_the_loop_that_all_flows_share() -> None:
    threads: dict[str, list[str]] = {"/small": [], "/large": []}
    log = MemoryTraceLog()

    class Watched(Stub):
        def secrets(self) -> list[str]:
            threads[path].append(threading.current_thread().name)
            return super().secrets()

    for path, size in (("/small", 1), ("/large", 5_000_000)):
        wire = Wire(lambda request, size=size: ok({"echo": "^XA" * size}))  # type: ignore[misc]
        run(wire, one(Call("GET", path)), make_stub(Watched), traces=log)
    assert threads["/small"] == ["carriers"]
    assert threads["/large"]
    assert "carriers" not in threads["/large"]
    assert [len(trace.response["body"]) for trace in log.traces] == [len('{"echo":"^XA"}'), LONGEST_BODY]


def test_account_numbers_are_hidden_in_traces_and_readable_in_messages() -> None:
    class Account(StubAccount):
        account_number: str = "A1B2C3D4"

    class StubWithNumber(Stub):
        Credentials = Account

    carrier = StubWithNumber(Account(), CarrierConfig(), make_stub().context)
    log = MemoryTraceLog()
    answers = Wire(lambda request: ok({"error": "A1B2C3D4 is closed"}))
    call = Call("POST", "/accounts/A1B2C3D4", json={"payer": "A1B2C3D4"}, query={"by": "A1B2C3D4"})
    with driving(answers, traces=log) as driver:
        outcome = driver.run(CarrierJob(carrier, "rate", one(call)))
    [trace] = log.traces
    assert "A1B2C3D4" not in str([trace.request, trace.response])
    assert MASK in trace.request["url"]
    assert MASK in trace.request["body"]
    assert MASK in trace.response["body"]
    assert "A1B2C3D4 is closed" in outcome.messages[0].message


def test_a_message_that_repeats_a_secret_is_told_without_it() -> None:
    outcome = run(Wire(lambda request: ok({"error": "pa&ss w/rd"})), one(LOOK))
    [message] = outcome.messages
    assert (message.message, message.carrier_name) == (f"the carrier says {MASK}", "stub")
    assert "ss w" not in str(message.model_dump())


def test_a_lost_exchange_is_kept_with_its_reason() -> None:
    log = MemoryTraceLog()
    run(Wire(in_turn(TransportError("reset", sent=True))), one(BUY), traces=log)
    assert [trace.response for trace in log.traces] == [{"error": "reset"}]


def test_flows_that_run_together_are_kept_together() -> None:
    batches: list[int] = []

    class Log:
        def record(self, traces: Any) -> None:
            batches.append(len(traces))

    with driving(Wire(), traces=Log()) as driver:
        driver.run_all(
            [CarrierJob(make_stub(), "rate", one(Call("GET", "/a"), Call("GET", "/b"))) for _ in range(3)]
        )
    assert batches == [6]


def test_a_trace_log_that_breaks_loses_no_result(caplog: pytest.LogCaptureFixture) -> None:
    class Full:
        def record(self, traces: Any) -> None:
            raise OSError("no space left")

    with caplog.at_level(logging.CRITICAL, "shipcli.driver"):
        outcome = run(Wire(lambda request: ok({"label": 1})), one(BUY), verb="ship", traces=Full())
    assert outcome.result == {"label": 1}


def test_results_are_shown_to_the_observer() -> None:
    seen: list[Any] = []
    run(Wire(), one(LOOK), observe=lambda job, result: seen.append((job.verb, result)))
    assert seen == [("rate", {})]


def test_a_driver_that_was_closed_starts_again() -> None:
    with driving(Wire()) as driver:
        driver.run(CarrierJob(make_stub(), "rate", one(LOOK)))
        driver.close()
        assert driver.run(CarrierJob(make_stub(), "rate", one(LOOK))).result == {}


# -- what goes wrong on our own side ---------------------------------------------------------------


def locked() -> StoreError:
    return StoreError("the store x.db is locked by another program")


def test_an_error_of_our_own_is_not_told_as_an_answer_of_the_carrier() -> None:
    with driving(Wire(in_turn(locked()))) as driver:
        ours, fine = driver.run_all([CarrierJob(make_stub(), "rate", flow) for flow in (one(LOOK), one())])
    assert (codes(ours), fine.failed) == (["store"], False)
    assert ours.messages[0].message == "the store x.db is locked by another program"
    assert isinstance(ours.ours, StoreError)


def test_an_error_of_our_own_is_raised_where_one_carrier_was_asked() -> None:
    with pytest.raises(StoreError, match="is locked"):
        run(Wire(in_turn(locked())), one(LOOK))


def test_an_error_of_our_own_leaves_a_purchase_that_was_sent_unknown() -> None:
    outcome = run(Wire(in_turn(ok({}), locked())), one(BUY, LOOK), verb="ship")
    assert (outcome.unknown, codes(outcome)) == (True, ["store"])
