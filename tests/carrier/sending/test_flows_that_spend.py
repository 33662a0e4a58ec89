"""Purchases of several calls: what was paid for is never lost in the middle."""

from __future__ import annotations

import asyncio
import threading
from datetime import timedelta
from decimal import Decimal
from typing import Any, ClassVar

import pytest

from shipcli.carrier import (
    Bought,
    Call,
    CarrierError,
    DoneBefore,
    Flow,
    Pause,
    Reply,
    Request,
    Reserve,
    ask_strictly,
    buy_each,
    combine_labels,
    take_back,
    void_each,
)
from shipcli.carrier.sending.driver import Driver
from shipcli.carrier.sending.jobs import CarrierJob
from shipcli.carrier.sending.ports import TransportError
from shipcli.carrier.wire.label_files import decode_file, encode_file
from shipcli.drawing import count_pages, draw_form
from shipcli.models import Label, Quote, ShipmentRequest
from shipcli.store.errors import StoreError
from tests.carrier.stub import NOON, Stub, StubWithToken, Wire, driving, in_turn, make_stub, ok, run, together

LOST = TransportError("gone", sent=True)
PAPERS = ("JVBERi0xLjQK", "%PDF-1.4", "XlhBXkZE", "^XA^FD1^XZ", "iVBORw0KGgoA", "R0lGODlh")
BUY, PAPER = Call("POST", "/buy"), Call("GET", "/paper", tolerant=True)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shipcli.carrier.sending.call_sender.BACKOFF_S", (0.0, 0.0))


def codes(outcome: Any) -> list[str]:
    return [one.code for one in outcome.messages]


def paying() -> Flow[Any]:
    reply = yield BUY
    yield Bought(reply.json["number"], "S1")
    paper = yield Call("GET", "/paper")
    return paper.json


def test_a_tolerant_call_survives_a_lost_connection() -> None:
    def flow() -> Flow[Any]:
        reply = yield PAPER
        return reply.ok, reply.definite

    outcome = run(Wire(in_turn(LOST)), flow())
    assert (outcome.result, codes(outcome)) == ((False, False), ["unreachable"])


@pytest.mark.parametrize("wrong", [LOST, ok({"error": "no"}, 409), Reply(500), Reply(200, b'{"half": [')])
def test_a_flow_is_thrown_what_went_wrong_and_may_undo(wrong: Any) -> None:
    def flow() -> Flow[Any]:
        yield BUY
        try:
            yield Call("POST", "/confirm")
        except CarrierError as error:
            yield Call("DELETE", "/order")
            raise CarrierError(*error.messages, definite=True) from error

    wire = Wire(in_turn(ok({}), wrong, ok({})))
    outcome = run(wire, flow(), verb="ship")
    assert wire.paths() == ["/buy", "/confirm", "/order"]
    assert (outcome.failed, outcome.unknown) == (True, False)
    assert outcome.messages


@pytest.mark.parametrize("wrong", [LOST, ok({"error": "no"}, 404), Reply(500)])
def test_what_was_bought_is_known_when_its_paper_fails(wrong: Any) -> None:
    outcome = run(Wire(in_turn(ok({"number": "N1"}), wrong)), paying(), verb="ship")
    assert outcome.result is None
    assert outcome.paid == Bought("N1", "S1")


@pytest.mark.parametrize("status", [200, 422])
@pytest.mark.parametrize("paper", PAPERS)
def test_a_refusal_that_brings_a_label_is_of_unknown_outcome(paper: str, status: int) -> None:
    outcome = run(Wire(in_turn(ok({"error": "no", "label": paper}, status))), paying(), verb="ship")
    assert (outcome.failed, outcome.unknown, codes(outcome)) == (True, True, ["no"])


def test_a_refusal_that_only_speaks_of_a_label_is_a_definite_no() -> None:
    said = {"error": "no", "label": "none: a PDF-1.4 or XlhBXkZE was not made", "id": "aXlhBR0lGOD"}
    outcome = run(Wire(in_turn(ok(said, 422))), paying(), verb="ship")
    assert (outcome.failed, outcome.unknown) == (True, False)


class Breaking(Wire):
    """Breaks at once where the path says so; anything else is answered when that has happened."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error, self.broken, self.answered = error, asyncio.Event(), False

    async def send(self, request: Request) -> Reply:
        if request.path.startswith("/break"):
            self.broken.set()
            raise self.error
        await self.broken.wait()
        for _ in range(5):  # all that follows from the break has come about
            await asyncio.sleep(0)
        self.answered = True
        return ok({})


@pytest.mark.parametrize("verb", ["ship", "void"])
def test_a_call_that_spends_and_ends_in_a_way_nobody_expected_is_of_unknown_outcome(verb: str) -> None:
    outcome = run(Wire(in_turn(RuntimeError("cannot schedule"))), together(BUY), verb=verb)
    assert (outcome.failed, outcome.unknown) == (True, True)


def test_an_error_of_our_own_before_a_call_is_sent_leaves_nothing_in_doubt() -> None:
    with driving(Wire(in_turn(StoreError("locked")))) as driver:
        flows = (together(BUY), paying())
        outcomes = driver.run_all([CarrierJob(make_stub(), "ship", flow) for flow in flows])
    assert [one.unknown for one in outcomes] == [False, False]


@pytest.mark.parametrize("error", [RuntimeError("cannot schedule"), StoreError("the store is locked")])
def test_when_one_of_several_purchases_breaks_the_others_are_awaited(error: Exception) -> None:
    wire = Breaking(error)
    outcome = run(wire, together(Call("POST", "/break"), BUY), verb="ship")
    assert wire.answered
    assert (outcome.failed, outcome.unknown) == (True, True)


def test_what_was_bought_is_told_before_the_next_call() -> None:
    events: list[Any] = []

    def answer(request: Request) -> Reply:
        events.append(request.path)
        return ok({"number": "N1"})

    with driving(Wire(answer)) as driver:
        driver.run(CarrierJob(make_stub(), "ship", paying(), on_bought=events.append))
    assert events == ["/buy", Bought("N1", "S1"), "/paper"]


def test_writing_down_what_was_bought_holds_up_no_other_flow() -> None:
    free = threading.Event()

    def write_down(bought: Bought) -> None:
        loop.call_soon_threadsafe(free.set)  # what else the loop has to do
        assert free.wait(5)

    with driving(Wire(in_turn(ok({"number": "N1"})))) as driver:
        loop = driver.loop()
        outcome = driver.run(CarrierJob(make_stub(), "ship", paying(), on_bought=write_down))
    assert outcome.result == {"number": "N1"}


def test_a_purchase_that_ended_well_leaves_nothing_to_fetch() -> None:
    outcome = run(Wire(in_turn(ok({"number": "N1"}))), paying(), verb="ship")
    assert outcome.paid is None
    assert outcome.result == {"number": "N1"}


# -- parcel by parcel ------------------------------------------------------------------------------


def parcels(count: int) -> Flow[Any]:
    calls = [Call("POST", f"/buy/{at}") for at in range(count)]
    return buy_each(calls, read_label, lambda label: Call("DELETE", f"/labels/{label.tracking_number}"))


def looking(count: int) -> Flow[Any]:
    """The same of a carrier that names a shipment before it is paid, and shows what became of it."""
    calls = [Call("POST", f"/buy/{at}") for at in range(count)]
    looks = [Call("GET", f"/shipments/{at}") for at in range(count)]
    return buy_each(
        calls, read_label, lambda label: Call("DELETE", f"/labels/{label.tracking_number}"), looks
    )


def read_label(reply: Reply) -> Label:
    price = Decimal(reply.json.get("price", "1"))
    paid = Quote(carrier_name="stub", service="stub", total_charge=price, currency="USD")
    return Label(tracking_number=reply.json["number"], docs={"label": "QQ=="}, selected_rate=paid)


def shop(refused: dict[str, Reply | Exception]) -> Wire:
    def answer(request: Request) -> Reply:
        reply = refused.get(request.path, ok({"number": request.path[-1]}))
        if isinstance(reply, Exception):
            raise reply
        return reply

    return Wire(answer)


def test_every_parcel_gets_its_label() -> None:
    outcome = run(shop({}), parcels(3), verb="ship")
    assert [label.tracking_number for label in outcome.result] == ["0", "1", "2"]


def test_labels_of_a_refused_shipment_are_taken_back() -> None:
    wire = shop({"/buy/1": ok({"error": "too_heavy"}, 422)})
    outcome = run(wire, parcels(3), verb="ship")
    assert wire.paths()[3:] == ["/labels/0", "/labels/2"]
    assert (codes(outcome), outcome.unknown, outcome.bought) == (["too_heavy"], False, ())


@pytest.mark.parametrize(
    "wrong",
    [
        {"/buy/1": LOST},
        {"/buy/1": Reply(500)},
        {"/buy/1": ok({"strange": 1})},
        {"/buy/1": ok({"number": "1", "price": "n/a"})},
        {"/buy/1": ok({"error": "no"}, 422), "/labels/0": ok({"error": "too_late"}, 409)},
    ],
)
def test_it_is_unknown_what_is_left_when_not_all_could_be_taken_back(wrong: dict[str, Any]) -> None:
    outcome = run(shop(wrong), parcels(2), verb="ship")
    assert (outcome.failed, outcome.unknown) == (True, True)
    assert [one.tracking_number for one in outcome.bought] == ["0"]
    assert outcome.paid is None


@pytest.mark.parametrize("strange", [{"strange": 1}, {"number": "1", "price": "n/a"}])
def test_a_parcel_whose_answer_makes_no_sense_is_told(strange: dict[str, Any]) -> None:
    outcome = run(shop({"/buy/1": ok(strange)}), parcels(2), verb="ship")
    assert codes(outcome) == ["unreadable_reply"]


@pytest.mark.parametrize("lost", [LOST, Reply(500), Reply(200, b'{"half": [')])
def test_a_label_whose_answer_is_lost_is_found_by_its_shipment(lost: Any) -> None:
    wire = shop({"/buy/1": lost})
    outcome = run(wire, looking(2), verb="ship")
    assert [label.tracking_number for label in outcome.result] == ["0", "1"]
    assert wire.paths() == ["/buy/0", "/buy/1", "/shipments/1"]


@pytest.mark.parametrize("shown", [ok({"paid": False}), ok({"error": "none"}, 404), LOST])
def test_a_purchase_that_shows_no_label_yet_is_of_unknown_outcome(shown: Any) -> None:
    outcome = run(shop({"/buy/0": LOST, "/shipments/0": shown}), looking(1), verb="ship")
    assert (outcome.failed, outcome.unknown, outcome.bought) == (True, True, ())


def test_nobody_looks_for_a_label_that_was_refused() -> None:
    wire = shop({"/buy/0": ok({"error": "no"}, 422)})
    outcome = run(wire, looking(1), verb="ship")
    assert (wire.paths(), outcome.unknown) == (["/buy/0"], False)


@pytest.mark.parametrize("wrong", [LOST, ok({"error": "no"}, 422)])
def test_calls_of_which_none_may_fail_end_the_flow_when_one_does(wrong: Any) -> None:
    def flow() -> Flow[Any]:
        return (yield from ask_strictly([Call("GET", "/buy/0"), Call("GET", "/buy/1")]))

    assert [reply.json for reply in run(shop({}), flow()).result] == [{"number": "0"}, {"number": "1"}]
    outcome = run(shop({"/buy/1": wrong}), flow())
    assert outcome.failed
    assert outcome.messages


def test_labels_of_which_one_has_no_file_are_no_whole_label() -> None:
    files = {"label": encode_file(b"^XA^FDhello^FS^XZ")}
    labels = [Label(tracking_number="N1", docs=files), Label(tracking_number="N2", docs={"label": ""})]
    assert combine_labels(labels, "ZPL").docs == {}


def test_labels_of_parcels_become_one_label() -> None:
    price = Quote(carrier_name="stub", service="stub_ground", total_charge=5, currency="EUR")
    receipt = draw_form("Receipt", [("1",)], columns=("Label",))
    labels = [
        Label(
            tracking_number=f"N{at}",
            shipment_identifier=f"S{at}",
            docs={"label": encode_file(b"^XA^FDhello^FS^XZ"), "invoice": encode_file(receipt)},
            selected_rate=price,
        )
        for at in (1, 2)
    ]
    one = combine_labels(labels, "ZPL")
    assert (one.tracking_number, one.meta["tracking_numbers"]) == ("N1", ["N1", "N2"])
    assert one.selected_rate
    assert one.selected_rate.total_charge == 10
    assert (decode_file(one.docs["label"]) or b"").count(b"^XA") == 2
    assert count_pages(decode_file(one.docs["invoice"]) or b"") == 2


# -- numbers ---------------------------------------------------------------------------------------


def taking(series: str, count: int) -> Flow[Any]:
    numbers = yield Reserve(series, count)
    return numbers


def test_flows_are_given_numbers_that_nobody_had() -> None:
    with driving(Wire()) as driver:
        jobs = [CarrierJob(make_stub(), "ship", taking("parcels", 2)) for _ in range(3)]
        taken = [outcome.result for outcome in driver.run_all(jobs)]
        other = driver.run(CarrierJob(make_stub(), "ship", taking("letters", 1))).result
    assert sorted(number for one in taken for number in one) == [1, 2, 3, 4, 5, 6]
    assert other == [1]


# -- pauses ----------------------------------------------------------------------------------------


def waiting(times: int) -> Flow[Any]:
    for _ in range(times):
        yield Pause(30)
    return "ready"


def paused(times: int) -> tuple[Any, list[float]]:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    driver = Driver(lambda carrier: Wire(), sleep=sleep)
    outcome = driver.run(CarrierJob(make_stub(), "ship", waiting(times)))
    driver.close()
    return outcome, slept


def test_a_flow_may_wait_for_a_paper_that_comes_later() -> None:
    outcome, slept = paused(3)
    assert (outcome.result, slept) == ("ready", [10.0, 10.0, 10.0])


def test_a_flow_waits_one_minute_at_most() -> None:
    outcome, slept = paused(9)
    assert (codes(outcome), sum(slept)) == (["timeout"], 60.0)


# -- credentials and files -------------------------------------------------------------------------


def one(call: Call) -> Flow[Any]:
    reply = yield call
    return reply.content


def test_a_foreign_host_is_told_no_credentials() -> None:
    wire = Wire(lambda request: ok({"token": "t0ken"}))
    run(wire, one(Call("GET", "https://storage.example/label.pdf")), make_stub(StubWithToken))
    assert [(request.url, dict(request.headers)) for request in wire.requests] == [
        ("https://storage.example/label.pdf", {})
    ]


@pytest.mark.parametrize(
    "call",
    [
        Call("GET", "https://stub.example/label.pdf"),
        Call("GET", "https://track.example/label.pdf"),
        Call("GET", "https://storage.example/label.pdf", credentials=True),
    ],
)
def test_own_hosts_and_hosts_the_call_vouches_for_are_told_credentials(call: Call) -> None:
    wire = Wire(lambda request: ok({"token": "t0ken"}))
    run(wire, one(call), make_stub(StubWithToken))
    assert wire.requests[-1].headers["Authorization"] == "Bearer t0ken"


def test_a_connection_that_names_its_own_server_asks_it_and_tells_it_the_credentials() -> None:
    from tests.carrier.stub import StubWithServer

    wire = Wire(lambda request: ok({"token": "t0ken"}))
    run(wire, one(Call("GET", "/label.pdf")), make_stub(StubWithServer))
    assert {request.url for request in wire.requests} == {
        "https://own.stub.example/v2/login/access",
        "https://own.stub.example/v2/label.pdf",
    }
    assert wire.requests[-1].headers["Authorization"] == "Bearer t0ken"


def test_a_host_of_the_carrier_without_encryption_is_foreign() -> None:
    wire = Wire(lambda request: ok({"token": "t0ken"}))
    run(wire, one(Call("GET", "http://stub.example/label.pdf")), make_stub(StubWithToken))
    assert [dict(request.headers) for request in wire.requests] == [{}]


def test_nothing_is_parsed_of_a_file() -> None:
    outcome = run(Wire(lambda request: Reply(200, b"%PDF-1.4 \xff")), one(Call("GET", "/a", file=True)))
    assert outcome.result == b"%PDF-1.4 \xff"


def test_a_refusal_in_place_of_a_file_is_the_carriers_own_message() -> None:
    outcome = run(Wire(lambda request: ok({"error": "not_ready"})), one(Call("GET", "/a", file=True)))
    assert codes(outcome) == ["not_ready"]


@pytest.mark.parametrize("reply", [Reply(200), ok({"fine": True})])
def test_what_is_no_file_is_no_label(reply: Reply) -> None:
    outcome = run(Wire(lambda request: reply), one(Call("GET", "/a", file=True)))
    assert codes(outcome) == ["unreadable_reply"]


def test_a_text_is_no_refusal() -> None:
    text = Reply(200, b"OK 17", {"content-type": "text/plain"})
    assert run(Wire(lambda request: text), one(Call("GET", "/a"))).result == b"OK 17"


def test_errors_beside_results_of_a_batch_are_messages() -> None:
    outcome = run(Wire(lambda request: ok({"error": "one_unknown"})), one(Call("GET", "/a", partial=True)))
    assert (codes(outcome), outcome.failed) == (["one_unknown"], False)


def test_the_carriers_own_words_are_not_joined_by_our_reader_s() -> None:
    def flow() -> Flow[Any]:
        reply = yield Call("POST", "/buy", partial=True)
        return reply.json["label"]

    outcome = run(Wire(lambda request: ok({"error": "no_label"})), flow(), verb="ship")
    assert codes(outcome) == ["no_label"]


# -- taken in part, and cancelled one by one -------------------------------------------------------


def taken_in_part(*numbers: str) -> Flow[Any]:
    """An order of which some parcels were taken, and which is taken back."""
    yield BUY
    labels = [Label(tracking_number=number) for number in numbers]
    undo = Call("DELETE", "/labels")
    yield from take_back(labels, undo, lambda reply: bool(reply.json.get("all")))


@pytest.mark.parametrize(
    ("answer", "unknown"),
    [(ok({"all": True}), False), (ok({"all": False}), True), (ok({"error": "no"}, 409), True), (LOST, True)],
)
def test_an_order_that_was_taken_in_part_is_taken_back(answer: Any, unknown: bool) -> None:
    wire = Wire(in_turn(ok({}), answer))
    outcome = run(wire, taken_in_part("N1", "N2"), verb="ship")
    assert wire.paths() == ["/buy", "/labels"]
    assert (outcome.result, outcome.failed, outcome.unknown) == (None, True, unknown)
    assert [one.tracking_number for one in outcome.bought] == (["N1", "N2"] if unknown else [])


def test_an_order_of_which_nothing_was_taken_has_nothing_to_take_back() -> None:
    wire = Wire(in_turn(ok({"error": "none"}, 200), ok({})))
    outcome = run(wire, taken_in_part(), verb="ship")
    assert wire.paths() == ["/buy"]
    assert outcome.failed


class Voiding(Stub):
    done_before = (DoneBefore(verb="void", code="gone"),)


def voided(*answers: Any) -> Any:
    calls = [Call("DELETE", f"/labels/{at}") for at in range(len(answers))]
    carrier = make_stub(Voiding)
    wire = shop({f"/labels/{at}": answer for at, answer in enumerate(answers)})
    return run(wire, void_each(carrier, calls), carrier, verb="void")


def test_a_label_that_was_cancelled_before_is_cancelled() -> None:
    gone, no = ok({"error": "gone"}, 409), ok({"error": "no"}, 409)
    assert voided(ok({}), gone).result.success is True
    assert voided(ok({}), no).result.success is False
    assert (voided(gone).result, voided(gone).failed) == (None, True)


def test_a_lost_answer_leaves_a_cancellation_open() -> None:
    outcome = voided(ok({}), LOST)
    assert (outcome.result, outcome.unknown) == (None, True)


# -- what became of a purchase ---------------------------------------------------------------------


class Indexing(Stub):
    """A carrier that knows of a purchase a minute after it was made."""

    lookup_lag_s = 60.0
    replies: ClassVar[list[Label | None]] = []

    def recover(self, request: ShipmentRequest) -> Flow[Label | None]:
        yield Call("GET", "/labels")
        return self.replies.pop(0) if self.replies else None


def look_up(
    monkeypatch: pytest.MonkeyPatch, *replies: Label | None, age_s: float = 0
) -> tuple[Any, int, float]:
    """What a look-up came to, how often it asked, and how long it waited."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(Indexing, "replies", list(replies))
    carrier, wire = make_stub(Indexing, sent_at=NOON - timedelta(seconds=age_s)), Wire()
    request = ShipmentRequest.model_validate({"shipper": {}, "recipient": {}, "parcels": [], "service": "x"})
    with driving(wire, sleep=sleep) as driver:
        outcome = driver.run(CarrierJob.of(carrier, "recover", request))
    assert not outcome.failed
    return outcome.result and outcome.result.tracking_number, len(wire.requests), sum(slept)


def test_a_purchase_that_is_not_found_at_once_is_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    label = Label(tracking_number="1Z", shipment_identifier="1Z")
    assert look_up(monkeypatch, label) == ("1Z", 1, 0)
    assert look_up(monkeypatch, None, None, label) == ("1Z", 3, 20)
    assert look_up(monkeypatch) == (None, 7, 60)


def test_an_older_purchase_is_not_waited_for_longer_than_its_carrier_needs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert look_up(monkeypatch, age_s=45) == (None, 3, 20)
    assert look_up(monkeypatch, age_s=3600) == (None, 1, 0)
