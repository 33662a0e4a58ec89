"""A keyed request that died is settled, and never sent a second time by itself."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.core import idempotency
from shipcli.features.core.app import App
from shipcli.features.core.idempotency_key import IdempotencyKey
from shipcli.features.shipments import purchase
from shipcli.features.shipments import service as shipments
from shipcli.models import Conflict, IdempotencyConflict, Message, OutcomeUnknown, Refused
from tests.factories import CANADIAN, body, draft
from tests.features.conftest import Clock, live_labels, perform_keyed
from tests.features.core.neighbours import dead_neighbour, neighbour
from tests.features.shipments.purchases import Killed, dead, killed


def keyed(app: App, **changes: Any) -> IdempotencyKey:
    return idempotency.make_idempotency_key(app, "create_shipment", "k1", body(**changes))


def buy(app: App, slug: str, service: str) -> Any:
    data = {"service": service, "carrier_ids": [slug]}
    return perform_keyed(app, keyed(app, **data), shipments.create_shipment, draft(**data))


def interrupted(
    app: App, monkeypatch: pytest.MonkeyPatch, slug: str, service: str, where: str = "conclude"
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(purchase, where, killed)
        with pytest.raises(Killed):
            buy(app, slug, service)
    dead(app)


def bought(app: App) -> int:
    return sum(len(numbers) for numbers in live_labels(app).values())


def buy_canadian(app: App) -> Any:
    data = {
        "service": "canadapost_expedited_parcel", "carrier_ids": ["canadapost"], "shipper": CANADIAN,
        "recipient": {**CANADIAN, "address_line1": "1 Main St"},
    }  # fmt: skip
    return perform_keyed(app, keyed(app, **data), shipments.create_shipment, draft(**data))


@pytest.mark.parametrize("where", ["conclude", "store_bought"])
def test_the_repetition_of_a_killed_purchase_gives_the_label_that_was_bought(
    app: App, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    interrupted(app, monkeypatch, "generic", "standard_service", where)
    made = buy(app, "generic", "standard_service")
    assert made["status"] == "purchased"
    assert bought(app) == 1
    assert app.store.count("shipment") == 1
    assert buy(app, "generic", "standard_service") == made


def test_the_repetition_of_a_purchase_that_nobody_remembers_is_unknown_and_stays_so(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted(app, monkeypatch, "fedex", "fedex_ground")
    for _ in range(2):
        with pytest.raises(OutcomeUnknown):
            buy(app, "fedex", "fedex_ground")
    assert bought(app) == 1
    assert [row["status"] for row in app.store.select("shipments")] == ["needs_attention"]


def test_somebody_else_may_settle_it_before_the_repetition(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted(app, monkeypatch, "fedex", "fedex_ground")
    (shipment_id,) = purchase.settle_open(app)
    with pytest.raises(OutcomeUnknown) as caught:
        buy(app, "fedex", "fedex_ground")
    assert shipment_id in str(caught.value.body())
    assert bought(app) == 1


def test_a_purchase_that_never_reached_the_carrier_is_made_by_the_repetition(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Unsent:
        """A driver whose process dies before it sends a purchase."""

        def __init__(self, driver: Any) -> None:
            self.run_all, self._run = driver.run_all, driver.run

        def run(self, job: Any) -> Any:
            if job.verb == "ship":
                raise Killed
            return self._run(job)

    with monkeypatch.context() as patch:
        patch.setitem(app.shared, "driver", Unsent(app.driver))
        with pytest.raises(Killed):
            buy_canadian(app)
    dead(app)
    assert bought(app) == 0
    assert buy_canadian(app)["status"] == "purchased"
    assert bought(app) == 1


def test_a_request_that_still_runs_elsewhere_is_a_conflict(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(purchase, "conclude", killed)
        with pytest.raises(Killed):
            buy(app, "generic", "standard_service")
    with pytest.raises(IdempotencyConflict, match="still being settled"):
        buy(app, "generic", "standard_service")
    assert bought(app) == 1


def test_a_carriers_refusal_of_a_purchase_is_remembered(app: App) -> None:
    made = shipments.create_shipment(app, draft(carrier_ids=["ups"]))
    stored = {**(app.store.get("shipment", made.id) or {})}
    with app.store.transaction() as tx:
        tx.put("shipment", {**stored, "options": {**stored["options"], "sandbox_scenario": "declined"}})
    from shipcli.models import ShipmentPurchaseData

    once = idempotency.make_idempotency_key(app, "purchase", "k2", {"id": made.id})
    wanted = ShipmentPurchaseData(selected_rate_id=made.rates[0].id)
    messages = []
    for _ in range(2):
        with pytest.raises(Refused) as caught:
            perform_keyed(app, once, shipments.purchase_shipment, made.id, wanted)
        messages.append(caught.value.body())
    assert messages[0] == messages[1]
    assert len(app.store.select("traces", {"verb": "ship"})) == 1


def test_a_key_is_forgotten_after_a_week(timed: App, clock: Clock) -> None:
    first = perform_keyed(timed, keyed(timed), shipments.create_shipment, draft())
    clock.advance(days=8)
    second = perform_keyed(timed, keyed(timed), shipments.create_shipment, draft())
    assert second["id"] != first["id"]


# -- who holds a key ---------------------------------------------------------------------------


def address(app: App, once: IdempotencyKey) -> dict[str, Any]:
    from shipcli.features.book.addresses import create_address
    from shipcli.models import AddressData

    return perform_keyed(app, once, create_address, AddressData(country_code="US"))


def of_address(app: App) -> IdempotencyKey:
    return idempotency.make_idempotency_key(app, "create_address", "k1", {"country_code": "US"})


def under_way(app: App, **mark: Any) -> None:
    """A request of the key that began and did not end."""
    once = of_address(app)
    row = {**once.to_dict(), "state": "running", "status": None, "response": {**once.mark(), **mark},
           "created_at": app.now(), "expires_at": "2999-01-01T00:00:00Z"}  # fmt: skip
    with app.store.transaction() as tx:
        tx.upsert("idempotency", row)


def test_a_key_of_a_process_that_died_is_free_before_its_lease_ends(app: App) -> None:
    under_way(app, owner=dead_neighbour(), ticket="theirs", until=app.store.steady() + 999)
    assert address(app, of_address(app))["id"]


def test_an_unknown_outcome_is_remembered_whatever_its_messages_are(app: App) -> None:
    work = []

    def lose() -> None:
        work.append(1)
        raise OutcomeUnknown([Message(code="unreachable", message="the line broke")])

    for _ in range(2):
        with pytest.raises(Refused, match="the line broke"):
            idempotency.perform_with_key(app, of_address(app), lose)
    assert len(work) == 1


def test_a_key_on_which_this_process_is_not_at_work_is_free_at_once(app: App) -> None:
    under_way(app)
    assert address(app, of_address(app))["id"]


def test_a_key_of_another_living_process_is_held_as_long_as_its_lease(app: App) -> None:
    under_way(app, owner=neighbour(), ticket="theirs")
    with pytest.raises(IdempotencyConflict, match="still running"):
        address(app, of_address(app))
    under_way(app, owner=neighbour(), ticket="theirs", until=app.store.steady() - 1)
    assert address(app, of_address(app))["id"]


def test_a_key_that_another_living_process_gave_up_is_settled_and_stays_of_unknown_outcome(app: App) -> None:
    under_way(app, owner=neighbour(), ticket="theirs", sent=True, abandoned=True)
    bodies = []
    for _ in range(3):
        with pytest.raises(OutcomeUnknown, match="Look it up with the carrier") as caught:
            address(app, of_address(app))
        bodies.append(caught.value.body())
    assert bodies[0] == bodies[1] == bodies[2]
    assert app.store.count("address") == 0


def test_who_fails_after_a_carrier_was_asked_gives_the_key_up(app: App) -> None:
    def fail() -> None:
        with app.store.transaction() as tx:
            once.mark_sent(tx)
        raise ZeroDivisionError

    once = of_address(app)
    with pytest.raises(ZeroDivisionError):
        idempotency.perform_with_key(app, once, fail)
    assert app.store.select("idempotency")[0]["response"]["abandoned"] is True


def test_who_is_late_and_finds_the_key_taken_over_makes_nothing(app: App) -> None:
    from shipcli.features.book.addresses import create_address
    from shipcli.models import AddressData

    late = of_address(app)

    def slow() -> None:
        under_way(app, owner=neighbour(), ticket="theirs")
        create_address(app, AddressData(country_code="US"), once=late)

    with pytest.raises(IdempotencyConflict, match="taken the place"):
        idempotency.perform_with_key(app, late, slow)
    assert app.store.count("address") == 0
    assert app.store.select("idempotency")[0]["response"]["ticket"] == "theirs"


def test_who_is_late_and_finds_the_key_taken_over_buys_nothing(app: App) -> None:
    data = {"service": "ups_ground", "carrier_ids": ["ups"]}
    late = keyed(app, **data)

    def slow() -> None:
        with app.store.transaction() as tx:
            tx.update("idempotency", late.where, {"response": {**late.mark(), "ticket": "theirs"}})
        shipments.create_shipment(app, draft(**data), once=late)

    with pytest.raises(IdempotencyConflict, match="taken the place"):
        idempotency.perform_with_key(app, late, slow)
    assert bought(app) == 0
    assert app.store.select("intents") == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_batch_whose_process_was_killed_before_it_answered_is_given_again(tmp_path: Path) -> None:
    """SIGKILL right after the commit of the batch, before anybody hears of it."""
    from shipcli.features.files.batches.service import create_shipments
    from shipcli.models import BatchShipmentData

    wanted = BatchShipmentData.model_validate({"shipments": [body(service="standard_service")]})
    open_app(tmp_path, sandbox=True, environ={}).close()

    def asked(app: App, use: Any) -> dict[str, Any]:
        return perform_keyed(
            app, idempotency.make_idempotency_key(app, "batch", "k1", wanted.model_dump()), use, wanted
        )

    def dying(app: App, *given: Any, **options: Any) -> None:
        create_shipments(app, *given, **options)
        os.kill(os.getpid(), signal.SIGKILL)

    pid = os.fork()
    if pid == 0:
        try:
            asked(open_app(tmp_path, sandbox=True, environ={}), dying)
        finally:
            os._exit(3)  # a child must not go on as a second test run
    assert os.WIFSIGNALED(os.waitpid(pid, 0)[1])
    opened = open_app(tmp_path, sandbox=True, environ={})
    try:
        first = asked(opened, create_shipments)
        assert opened.store.count("batch") == 1
        assert opened.store.select("batch_resources")[0]["batch_id"] == first["id"]
    finally:
        opened.close()


# -- what is remembered of a failure -----------------------------------------------------------


UNREACHABLE = Message(code="unreachable", message="down")
REFUSED = Message(code="E7", message="no such place")
DOUBT = Message(code=OutcomeUnknown.code, message="look it up")


@pytest.mark.parametrize(
    ("error", "remembered"),
    [
        (Refused([UNREACHABLE]), False),
        (Refused([REFUSED]), True),
        (Refused([UNREACHABLE, REFUSED]), True),
        (OutcomeUnknown([UNREACHABLE, DOUBT]), True),
        (Conflict("busy"), False),
        (ZeroDivisionError(), False),
    ],
    ids=["nobody heard", "refused", "one of two heard", "perhaps heard", "ours", "a bug"],
)
def test_a_failure_is_repeated_when_a_carrier_may_have_heard_of_it(
    app: App, error: Exception, remembered: bool
) -> None:
    tries: list[int] = []
    address(app, of_address(app))  # another request, which is remembered

    def fail() -> None:
        tries.append(1)
        raise error

    for _ in range(2):
        with pytest.raises(type(error)):
            idempotency.perform_with_key(app, keyed(app), fail)
    assert len(tries) == (1 if remembered else 2)


@pytest.mark.parametrize(
    ("error", "unknown"),
    [(Refused([UNREACHABLE]), False), (ZeroDivisionError(), True), (Conflict("busy"), True)],
    ids=["it never arrived", "a bug", "ours"],
)
def test_what_fails_after_a_carrier_was_asked_is_of_unknown_outcome_unless_it_never_arrived(
    app: App, error: Exception, unknown: bool
) -> None:
    tries: list[int] = []

    def fail(once: IdempotencyKey) -> None:
        tries.append(1)
        with app.store.transaction() as tx:
            once.mark_sent(tx)
        raise error

    for expected in (type(error), OutcomeUnknown if unknown else type(error)):
        request = keyed(app)
        with pytest.raises(expected):
            idempotency.perform_with_key(app, request, lambda request=request: fail(request))
    assert len(tries) == (1 if unknown else 2)


def test_a_body_with_its_names_in_another_order_is_the_same_request(app: App) -> None:
    first, again = ({"a": 1, "b": {"c": 2, "d": 3}}, {"b": {"d": 3, "c": 2}, "a": 1})
    digests = {
        idempotency.make_idempotency_key(app, "create_address", "k1", body).digest for body in (first, again)
    }
    assert len(digests) == 1


@pytest.mark.parametrize("state", ["taken over", "forgotten", "answered"])
def test_a_request_that_no_longer_holds_its_key_makes_no_carrier_act(app: App, state: str) -> None:
    once, acted = of_address(app), list[str]()
    idempotency.claim(app, once)
    with app.store.transaction() as tx:
        if state == "forgotten":
            once.forget(tx)
        elif state == "answered":
            once.remember(tx, {"id": "adr_1"})
        else:
            tx.update("idempotency", once.where, {"response": of_address(app).mark()})
    with pytest.raises(IdempotencyConflict, match="taken the place"):
        idempotency.send_once(app, once, lambda: acted.append("asked"))
    assert acted == []


def test_what_a_carrier_refused_for_certain_may_be_sent_again(app: App) -> None:
    def refuse() -> None:
        raise Conflict("no")

    once = of_address(app)
    idempotency.claim(app, once)
    with pytest.raises(Conflict):
        idempotency.send_once(app, once, refuse)
    (kept,) = app.store.select("idempotency")
    assert (kept["response"]["ticket"], "sent" in kept["response"]) == (once.ticket, False)
