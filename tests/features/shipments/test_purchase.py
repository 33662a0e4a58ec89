"""What happens when a purchase is interrupted, refused or repeated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from shipcli.features.book import addresses, parcels
from shipcli.features.connections.intents import announce
from shipcli.features.core import idempotency, processes
from shipcli.features.core.app import App
from shipcli.features.core.idempotency_key import IdempotencyKey
from shipcli.features.shipments import purchase
from shipcli.features.shipments import service as shipments
from shipcli.models import (
    AddressPatch,
    Conflict,
    IdempotencyConflict,
    OutcomeUnknown,
    ParcelPatch,
    Refused,
    Shipment,
    ShipmentData,
    ShipmentPurchaseData,
)
from shipcli.store.errors import CommitUnknown, StoreError
from tests.factories import body, draft
from tests.features.conftest import live_labels, perform_keyed, resolve
from tests.features.shipments.purchases import interrupted, locked_ledger


@pytest.mark.parametrize(
    ("where", "slug"),
    [("conclude", "generic"), ("store_bought", "generic"), ("conclude", "shipengine")],
)
def test_a_killed_purchase_is_recovered_where_the_carrier_remembers(
    app: App, monkeypatch: pytest.MonkeyPatch, where: str, slug: str
) -> None:
    shipment_id = interrupted(app, monkeypatch, where, slug)
    assert purchase.settle_open(app) == [shipment_id]
    found = shipments.get_shipment(app, shipment_id)
    assert found.status == "purchased"
    assert sum(len(numbers) for numbers in live_labels(app).values()) == 1
    assert found.tracking_number in next(iter(live_labels(app).values()))


def test_a_killed_purchase_without_recovery_needs_attention(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipment_id = interrupted(app, monkeypatch, "conclude", "fedex")
    purchase.settle_open(app)
    found = shipments.get_shipment(app, shipment_id)
    assert (found.status, found.tracking_number) == ("needs_attention", None)
    with pytest.raises(Conflict):
        shipments.purchase_shipment(
            app, shipment_id, ShipmentPurchaseData(selected_rate_id=found.rates[0].id)
        )
    with pytest.raises(Conflict):
        shipments.cancel_shipment(app, shipment_id)


@pytest.mark.parametrize("slug", ["generic", "usps"])
def test_a_store_that_is_locked_is_no_answer_of_the_carrier_and_the_same_again_buys(
    app: App, slug: str
) -> None:
    made = shipments.create_shipment(app, draft(carrier_ids=[slug]))
    wanted = ShipmentPurchaseData(selected_rate_id=made.rates[0].id)
    with locked_ledger(app), pytest.raises(StoreError, match="is locked by"):
        shipments.purchase_shipment(app, made.id, wanted)
    assert live_labels(app) == {}
    assert shipments.purchase_shipment(app, made.id, wanted).status == "purchased"
    assert sum(len(numbers) for numbers in live_labels(app).values()) == 1


def test_a_purchase_whose_announcement_was_not_answered_was_not_sent_and_the_same_again_buys(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = shipments.create_shipment(app, draft(carrier_ids=["usps"]))
    wanted = ShipmentPurchaseData(selected_rate_id=made.rates[0].id)

    def lose_answer(*words: Any) -> Any:
        announce(*words)
        raise CommitUnknown("here")

    with monkeypatch.context() as cut:
        cut.setattr(purchase, "announce", lose_answer)
        with pytest.raises(CommitUnknown):
            shipments.purchase_shipment(app, made.id, wanted)
    assert live_labels(app) == {}
    assert shipments.purchase_shipment(app, made.id, wanted).status == "purchased"
    assert sum(len(numbers) for numbers in live_labels(app).values()) == 1


def test_attention_is_resolved_as_bought(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    shipment_id = interrupted(app, monkeypatch, "conclude", "fedex")
    purchase.settle_open(app)
    (number,) = next(iter(live_labels(app).values()))
    done = resolve(app, shipment_id, bought=number)
    assert (done.status, done.tracking_number) == ("purchased", number)
    assert done.tracker_id
    assert "outcome_unknown" not in {message.code for message in done.messages}


def test_attention_is_resolved_as_not_bought(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    shipment_id = interrupted(app, monkeypatch, "conclude", "fedex")
    purchase.settle_open(app)
    back = resolve(app, shipment_id, bought=None)
    assert back.status == "draft"
    again = shipments.purchase_shipment(
        app, shipment_id, ShipmentPurchaseData(selected_rate_id=back.rates[0].id)
    )
    assert again.status == "purchased"
    with pytest.raises(Conflict):
        resolve(app, shipment_id, bought=None)


def test_an_intent_of_a_living_process_is_left_alone(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    shipment_id = interrupted(app, monkeypatch, "conclude", "generic")
    with app.store.transaction() as tx:
        mine = {"claimed_by": processes.name_process(), "claimed_until": 2e10}
        tx.update("intents", {"state": "open"}, mine)
    assert purchase.settle_open(app) == []
    found = shipments.get_shipment(app, shipment_id)
    with pytest.raises(Conflict):
        shipments.purchase_shipment(
            app, shipment_id, ShipmentPurchaseData(selected_rate_id=found.rates[0].id)
        )


def test_a_lost_answer_of_a_carrier_that_can_not_be_asked_needs_a_person(app: App) -> None:
    made = shipments.create_shipment(app, draft(carrier_ids=["fedex"]))
    with app.store.transaction() as tx:
        stored = tx.get("shipment", made.id)
        assert stored
        tx.put("shipment", {**stored, "options": {**stored["options"], "sandbox_scenario": "garbled"}})
    with pytest.raises(OutcomeUnknown) as caught:
        shipments.purchase_shipment(app, made.id, ShipmentPurchaseData(selected_rate_id=made.rates[0].id))
    assert "outcome_unknown" in {message.code for message in caught.value.messages}
    assert shipments.get_shipment(app, made.id).status == "needs_attention"


def test_a_refusal_leaves_the_draft(app: App) -> None:
    made = shipments.create_shipment(app, draft(carrier_ids=["ups"]))
    with app.store.transaction() as tx:
        stored = tx.get("shipment", made.id)
        assert stored
        tx.put("shipment", {**stored, "options": {**stored["options"], "sandbox_scenario": "rate_limited"}})
    with pytest.raises(Refused):
        shipments.purchase_shipment(app, made.id, ShipmentPurchaseData(selected_rate_id=made.rates[0].id))
    assert shipments.get_shipment(app, made.id).status == "draft"
    assert live_labels(app) == {}


# -- idempotency -------------------------------------------------------------------------------


@pytest.fixture
def keyed(app: App) -> Callable[..., IdempotencyKey]:
    def make(key: str = "k1", **changes: object) -> IdempotencyKey:
        return idempotency.make_idempotency_key(app, "create_shipment", key, body(**changes))

    return make


def test_the_same_key_and_body_buy_once(app: App, keyed: Callable[..., IdempotencyKey]) -> None:
    data = {"service": "ups_ground"}
    first = perform_keyed(app, keyed(**data), shipments.create_shipment, draft(**data))
    second = perform_keyed(app, keyed(**data), shipments.create_shipment, draft(**data))
    assert second == first
    assert app.store.count("shipment") == 1
    assert sum(len(numbers) for numbers in live_labels(app).values()) == 1


def test_the_same_key_with_another_body_is_a_conflict(app: App, keyed: Callable[..., IdempotencyKey]) -> None:
    perform_keyed(app, keyed(), shipments.create_shipment, draft())
    other = draft(reference="SO-2")
    with pytest.raises(IdempotencyConflict):
        perform_keyed(app, keyed(reference="SO-2"), shipments.create_shipment, other)


def test_a_key_whose_first_request_still_runs_is_a_conflict(
    app: App, keyed: Callable[..., IdempotencyKey]
) -> None:
    def again() -> None:
        with pytest.raises(IdempotencyConflict, match="still running"):
            perform_keyed(app, keyed(), shipments.create_shipment, draft())

    idempotency.perform_with_key(app, keyed(), again)
    assert app.store.count("shipment") == 0


def test_keys_belong_to_a_mode_and_a_caller(app: App) -> None:
    from dataclasses import replace

    callers = [app, app.in_mode(False), replace(app, caller="somebody")]
    made = [
        perform_keyed(
            caller,
            idempotency.make_idempotency_key(caller, "create_shipment", "k1", body()),
            shipments.create_shipment,
            draft(),
        )
        for caller in callers
    ]
    assert len({one["id"] for one in made}) == len(callers)
    assert [one["test_mode"] for one in made] == [True, False, True]


def test_a_failure_that_reached_no_carrier_is_not_remembered(
    app: App, keyed: Callable[..., IdempotencyKey]
) -> None:
    wrong = ShipmentData.model_validate(body(service="nope"))
    once = idempotency.make_idempotency_key(app, "create_shipment", "k1", body(service="nope"))
    for _ in range(2):
        with pytest.raises(Exception, match="not offered"):
            perform_keyed(app, once, shipments.create_shipment, wrong)
    assert app.store.select("idempotency", {}) == []


def test_a_carriers_refusal_is_remembered(app: App) -> None:
    data = body(options={"sandbox_scenario": "error"}, carrier_ids=["ups"])
    once = idempotency.make_idempotency_key(app, "create_shipment", "k1", data)
    for _ in range(2):
        with pytest.raises(Refused) as caught:
            perform_keyed(app, once, shipments.create_shipment, ShipmentData.model_validate(data))
        assert not isinstance(caught.value, OutcomeUnknown), "nothing was bought, and that is known"
    assert [row["status"] for row in app.store.select("idempotency", {})] == [424]


def test_a_shipment_that_is_being_bought_is_not_changed(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    from shipcli.models import ShipmentRateData, ShipmentUpdateData

    shipment_id = interrupted(app, monkeypatch, "conclude", "fedex")
    with pytest.raises(Conflict):
        shipments.update_shipment(app, shipment_id, ShipmentUpdateData(metadata={"a": "b"}))
    with pytest.raises(Conflict):
        shipments.fetch_rates(app, shipment_id, ShipmentRateData())


def test_what_is_inside_a_shipment_that_is_being_bought_is_not_changed(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipment_id = interrupted(app, monkeypatch, "conclude", "fedex")
    inside = shipments.get_shipment(app, shipment_id)
    parcel_id = str(inside.parcels[0].id)
    with pytest.raises(Conflict, match="under way"):
        addresses.update_address(app, str(inside.recipient.id), AddressPatch(person_name="Bo"))
    with pytest.raises(Conflict, match="under way"):
        parcels.update_parcel(app, parcel_id, ParcelPatch(description="Cups"))
    assert shipments.get_shipment(app, shipment_id) == inside
    assert addresses.get_address(app, str(inside.recipient.id)) == inside.recipient


def test_a_shipment_whose_address_changes_while_its_purchase_is_made_ready_is_not_bought(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = shipments.create_shipment(app, draft(carrier_ids=["usps"]))
    check = purchase.check_purchase

    def slow(shipment: Shipment) -> None:
        addresses.update_address(app, str(made.recipient.id), AddressPatch(person_name="Bo"))
        check(shipment)

    monkeypatch.setattr(purchase, "check_purchase", slow)
    with pytest.raises(Conflict, match="was changed since"):
        shipments.purchase_shipment(app, made.id, ShipmentPurchaseData(selected_rate_id=made.rates[0].id))
    assert live_labels(app) == {}
    now = shipments.get_shipment(app, made.id)
    assert (now.status, now.recipient.person_name) == ("draft", "Bo")


def test_new_rates_do_not_undo_what_was_changed_meanwhile(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    from shipcli.models import ShipmentRateData, ShipmentUpdateData

    made = shipments.create_shipment(app, draft(carrier_ids=["ups"]))
    asked = shipments.quote

    def slow(*args: object, **kwargs: object) -> object:
        shipments.update_shipment(app, made.id, ShipmentUpdateData(metadata={"meanwhile": True}))
        return asked(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(shipments, "quote", slow)
    assert shipments.fetch_rates(app, made.id, ShipmentRateData()).metadata == {"meanwhile": True}


@pytest.mark.parametrize("carrier", ["ups", "usps", "generic"])
def test_the_rate_that_was_chosen_stays_that_rate_whatever_the_label_says_it_cost(
    app: App, carrier: str
) -> None:
    made = shipments.create_shipment(app, draft(carrier_ids=[carrier]))
    chosen = made.rates[-1]
    bought = shipments.purchase_shipment(app, made.id, ShipmentPurchaseData(selected_rate_id=chosen.id))
    assert bought.selected_rate is not None
    assert (bought.selected_rate_id, bought.selected_rate.id) == (chosen.id, chosen.id)
    assert bought.selected_rate.transit_days == chosen.transit_days
    assert bought.selected_rate.service == chosen.service
