"""A purchase in doubt whose carrier could not be asked: the worker asks again, unless a person was first."""

from __future__ import annotations

from typing import Any

import pytest

from shipcli.carrier.wire.calls import Request
from shipcli.features.admin.settlement import settle_all
from shipcli.features.core import idempotency
from shipcli.features.core.app import App
from shipcli.features.shipments import asking_again, resolution
from shipcli.features.shipments import service as shipments
from shipcli.models import Conflict, OutcomeUnknown, Shipment, ShipmentPurchaseData
from tests.factories import draft
from tests.features.conftest import Clock, live_labels, perform_keyed, resolve
from tests.features.losing import always, buying, looking, losing
from tests.features.shipments.purchases import NOBODY, Killed, buy, killed, rated, sold


def buying_or_looking(request: Request) -> bool:
    return buying(request) or looking(request)


def doubted(app: App) -> Shipment:
    """A shipment that was bought, whose answer was lost and whose carrier could not be asked."""
    made = rated(app)
    with losing(app, after=buying_or_looking), pytest.raises(OutcomeUnknown, match="asks the carrier again"):
        buy(app, made)
    return shipments.get_shipment(app, made.id)


def test_the_worker_finds_a_purchase_when_its_carrier_answers_again(timed: App, clock: Clock) -> None:
    shipment = doubted(timed)
    settle_all(timed)
    assert shipments.get_shipment(timed, shipment.id).status == "needs_attention"  # too early
    clock.advance(minutes=1)
    settle_all(timed)
    settled = shipments.get_shipment(timed, shipment.id)
    assert (settled.status, [settled.tracking_number]) == ("purchased", sold(timed))
    assert settled.tracker_id
    assert "outcome_unknown" not in {message.code for message in settled.messages}


def test_what_the_carrier_does_not_know_is_a_draft_that_can_be_bought(timed: App, clock: Clock) -> None:
    made = rated(timed)
    with losing(timed, before=buying_or_looking), pytest.raises(OutcomeUnknown):
        buy(timed, made)
    clock.advance(minutes=1)
    settle_all(timed)
    assert (shipments.get_shipment(timed, made.id).status, sold(timed)) == ("draft", [])
    assert buy(timed, shipments.get_shipment(timed, made.id)).status == "purchased"
    assert len(sold(timed)) == 1


def test_a_keyed_purchase_in_doubt_is_answered_with_its_label_once_it_is_known(
    timed: App, clock: Clock
) -> None:
    made = rated(timed)
    chosen = ShipmentPurchaseData(selected_rate_id=made.rates[0].id)

    def purchase() -> dict[str, Any]:
        once = idempotency.make_idempotency_key(timed, "purchase", "k1", {"id": made.id})
        return perform_keyed(timed, once, shipments.purchase_shipment, made.id, chosen)

    with losing(timed, after=buying_or_looking), pytest.raises(OutcomeUnknown):
        purchase()
    clock.advance(minutes=1)
    settle_all(timed)
    assert [purchase()["tracking_number"]] == sold(timed)


def test_the_pauses_grow_and_end_after_some_hours(timed: App, clock: Clock) -> None:
    shipment = doubted(timed)
    asked_at = []
    with losing(timed, before=always) as line:
        for minute in range(1, 60 * 12):
            clock.advance(minutes=1)
            before = len(line.asked)
            assert asking_again.ask_again(timed) == []
            if len(line.asked) > before:
                asked_at.append(minute)
    assert asked_at == [1, 2, 4, 8, 16, 32, 64, 128, 256]
    assert shipments.get_shipment(timed, shipment.id).status == "needs_attention"
    assert resolve(timed, shipment.id, bought=sold(timed)[0]).status == "purchased"


def test_a_person_does_not_resolve_what_the_worker_asks_about(timed: App, clock: Clock) -> None:
    shipment = doubted(timed)
    clock.advance(minutes=1)
    answers: list[Request] = []

    def resolve_meanwhile(request: Request) -> bool:
        with pytest.raises(Conflict, match="right now"):
            resolve(timed, shipment.id, bought=None)
        answers.append(request)
        return False

    with losing(timed, before=resolve_meanwhile):
        settle_all(timed)
    assert answers
    assert [shipments.get_shipment(timed, shipment.id).tracking_number] == sold(timed)


def test_the_worker_does_not_ask_about_what_a_person_resolves(
    timed: App, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipment = doubted(timed)
    clock.advance(minutes=1)
    restore = resolution.restore_draft

    def ask_meanwhile(*arguments: Any) -> Shipment:
        with losing(timed) as line:
            assert asking_again.ask_again(timed) == []
        assert line.asked == []
        return restore(*arguments)

    monkeypatch.setattr(resolution, "restore_draft", ask_meanwhile)
    assert resolve(timed, shipment.id, bought=None).status == "draft"
    settle_all(timed)
    assert shipments.get_shipment(timed, shipment.id).status == "draft"


@pytest.mark.parametrize("where", ["recover_label", "finish"])
def test_what_a_worker_that_died_asked_about_is_asked_by_the_next(
    timed: App, clock: Clock, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    shipment = doubted(timed)
    clock.advance(minutes=1)
    with monkeypatch.context() as patch:
        patch.setattr(asking_again, where, killed)
        patch.setattr(asking_again, "free_claim", killed)
        with pytest.raises(Killed):
            settle_all(timed)
    with timed.store.transaction() as tx:
        tx.update("intents", {"state": "attention"}, NOBODY)
    settle_all(timed)
    assert [shipments.get_shipment(timed, shipment.id).tracking_number] == sold(timed)
    assert sum(len(numbers) for numbers in live_labels(timed).values()) == 1


def test_a_carrier_that_can_not_be_asked_is_left_to_a_person(timed: App, clock: Clock) -> None:
    made = shipments.create_shipment(timed, draft(carrier_ids=["fedex"]))
    with losing(timed, "fedex", before=always), pytest.raises(OutcomeUnknown) as caught:
        buy(timed, made)
    assert "asks the carrier again" not in str(caught.value.body())
    clock.advance(minutes=1)
    with losing(timed, "fedex") as line:
        settle_all(timed)
    assert line.asked == []
    assert shipments.get_shipment(timed, made.id).status == "needs_attention"
