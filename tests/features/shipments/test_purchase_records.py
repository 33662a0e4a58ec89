"""What is written down of a purchase: who has it, what it cost, what is in doubt, and what is told of it."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from shipcli.carrier.wire.calls import Request
from shipcli.features.connections import accounts
from shipcli.features.connections.intents import CLAIM_S, Intent, announce, take_over
from shipcli.features.core import idempotency, processes
from shipcli.features.core.app import App
from shipcli.features.core.idempotency_key import IdempotencyKey
from shipcli.features.shipments import purchase
from shipcli.features.shipments import service as shipments
from shipcli.models import Conflict, Message, OutcomeUnknown, Refused, Shipment, ShipmentPurchaseData
from shipcli.store.errors import StoreError
from tests.factories import ABROAD, PARCEL, draft
from tests.features.conftest import Clock, perform_keyed
from tests.features.core.neighbours import dead_neighbour
from tests.features.losing import always, buying, losing
from tests.features.shipments.purchases import buy, dead, interrupted, locked_ledger, rated, sold


def events(app: App, kind: str) -> list[dict[str, Any]]:
    return [one["data"] for one in app.store.each("event") if one["type"] == kind]


def full_disk(*_: object, **__: object) -> None:
    raise StoreError("there is no room")


# -- who has it ----------------------------------------------------------------------------------


def neighbour() -> str:
    """Another process that lives: the one that started this one."""
    return processes._name_pid(os.getppid())


def held_by_a_neighbour(app: App, monkeypatch: pytest.MonkeyPatch, lasts_s: float) -> dict[str, Any]:
    """A purchase that another living process has under way, as it is stored."""
    interrupted(app, monkeypatch, "conclude", "generic")
    held = {"claimed_by": neighbour(), "claimed_until": app.store.steady() + lasts_s}
    with app.store.transaction() as tx:
        tx.update("intents", {"state": "open"}, held)
    (row,) = app.store.select("intents")
    return row


def test_a_purchase_of_another_living_process_is_its_own_as_long_as_its_claim_lasts(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = held_by_a_neighbour(app, monkeypatch, 60)
    assert not take_over(app, row)
    (kept,) = app.store.select("intents")
    assert kept["claimed_by"] == neighbour()


def test_a_purchase_of_a_process_that_died_is_taken_over_before_its_claim_ends(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    held_by_a_neighbour(app, monkeypatch, 999)
    with app.store.transaction() as tx:
        tx.update("intents", {"state": "open"}, {"claimed_by": dead_neighbour()})
    (row,) = app.store.select("intents")
    assert take_over(app, row)


@pytest.mark.parametrize("status", ["cancelled", "needs_attention", "purchased", "delivered"])
def test_a_purchase_is_not_announced_of_what_is_no_draft_anymore(app: App, status: str) -> None:
    made = shipments.create_shipment(app, draft(carrier_ids=["generic"]))
    rate = made.rates[0]
    account = accounts.open_account(app, str((rate.meta or {})["carrier_connection_id"]))
    assert account
    with app.store.transaction() as tx:
        tx.put("shipment", {**made.model_dump(), "status": status})
    with pytest.raises(Conflict, match=f"is {status} and cannot be purchased again"):
        announce(app, Intent(app.new_id(""), made, rate), account)
    assert app.store.select("intents") == []


def test_a_purchase_of_another_living_process_that_is_late_is_taken_over_for_as_long(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    row, before = held_by_a_neighbour(app, monkeypatch, -1), app.store.steady()
    assert take_over(app, row)
    (kept,) = app.store.select("intents")
    assert kept["claimed_by"] == processes.name_process()
    assert before + CLAIM_S <= kept["claimed_until"] <= app.store.steady() + CLAIM_S


def test_a_new_purchase_is_claimed_for_five_minutes(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    before, seen = app.store.steady(), list[Any]()
    monkeypatch.setattr(
        purchase, "conclude", lambda *_: seen.extend(app.store.select("intents")) or full_disk()
    )
    with pytest.raises(StoreError):
        buy(app, rated(app))
    (claim,) = seen
    assert (claim["state"], claim["claimed_by"]) == ("open", processes.name_process())
    assert before + 300 <= claim["claimed_until"] <= app.store.steady() + 300


def test_a_purchase_parcel_by_parcel_keeps_its_claim_as_long_as_parcels_are_sold(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = shipments.create_shipment(app, draft(carrier_ids=["fedex_ws"], parcels=[PARCEL] * 4))
    time = Clock(datetime(2031, 5, 7, tzinfo=UTC))
    monkeypatch.setattr(app.store, "steady", lambda: time.now.timestamp())
    taken: list[bool] = []

    def slowly(_: Request) -> bool:
        time.advance(seconds=CLAIM_S * 2 / 3)
        taken.extend(take_over(app, row) for row in app.store.select("intents", {"state": "open"}))
        return False

    with losing(app, "fedex_ws", before=slowly):
        bought = buy(app, made)
    assert bought.status == "purchased"
    assert taken == [False] * 4


def test_a_result_that_finds_no_room_is_stored_by_whoever_comes_next_of_the_same_process(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = rated(app)
    with monkeypatch.context() as patch:
        patch.setattr(purchase, "store_bought", full_disk)
        with pytest.raises(StoreError):
            buy(app, made)
        with pytest.raises(StoreError):
            purchase.settle_open(app)
    assert purchase.settle_open(app) == [made.id]
    assert [shipments.get_shipment(app, made.id).tracking_number] == sold(app)


def test_only_the_purchases_that_are_asked_for_are_settled(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    one = interrupted(app, monkeypatch, "conclude", "generic")
    other = interrupted(app, monkeypatch, "conclude", "generic")
    assert purchase.settle_open(app, []) == []
    assert purchase.settle_open(app, [other]) == [other]
    assert shipments.get_shipment(app, one).status == "draft"
    assert purchase.settle_open(app) == [one]


# -- keys ----------------------------------------------------------------------------------------


def once_of(app: App, made: Shipment) -> IdempotencyKey:
    return idempotency.make_idempotency_key(app, "purchase", "k1", {"id": made.id})


def keyed_purchase(app: App, made: Shipment) -> dict[str, Any]:
    chosen = ShipmentPurchaseData(selected_rate_id=made.rates[0].id)
    return perform_keyed(app, once_of(app, made), shipments.purchase_shipment, made.id, chosen)


def test_a_keyed_purchase_that_was_not_sent_is_made_by_its_repetition(app: App) -> None:
    made = shipments.create_shipment(app, draft(carrier_ids=["usps"]))
    with locked_ledger(app), pytest.raises(StoreError):
        keyed_purchase(app, made)
    assert keyed_purchase(app, made)["status"] == "purchased"
    assert len(sold(app)) == 1


def test_a_keyed_purchase_of_which_the_carrier_knows_nothing_is_made_by_its_repetition(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = rated(app)
    with losing(app, before=buying):
        monkeypatch.setattr(purchase, "conclude", full_disk)
        with pytest.raises(StoreError):
            keyed_purchase(app, made)
        monkeypatch.undo()
        dead(app)
        assert purchase.settle_open(app) == [made.id]
    assert keyed_purchase(app, made)["status"] == "purchased"
    assert len(sold(app)) == 1


# -- what is told --------------------------------------------------------------------------------


def doubtful(app: App) -> tuple[Shipment, OutcomeUnknown]:
    made = rated(app)
    known = {"test_mode": True, "resource": "shipments", "key": "SO-1", "shipment_id": made.id}
    with app.store.transaction() as tx:
        tx.insert("import_rows", {**known, "row_number": 2, "state": "draft"})
    with losing(app, after=always), pytest.raises(OutcomeUnknown) as caught:
        buy(app, made)
    return made, caught.value


def test_a_doubt_names_the_carrier_and_the_price_that_may_have_been_paid(app: App) -> None:
    made, said = doubtful(app)
    kept, rate = shipments.get_shipment(app, made.id), made.rates[0]
    assert (kept.carrier_name, kept.carrier_id, kept.service) == ("canadapost", "canadapost", rate.service)
    assert (kept.selected_rate, kept.selected_rate_id) == (rate, rate.id)
    note = said.messages[-1]
    assert (note.code, note.carrier_name, note.carrier_id) == ("outcome_unknown", "canadapost", "canadapost")
    assert str(note.message).startswith("The purchase was sent and its outcome is unknown. Look it up")
    assert [one.code for one in kept.messages[-len(said.messages) :]] == [one.code for one in said.messages]


def test_a_doubt_is_told_to_subscribers_and_counted_for_the_row_of_its_file(app: App) -> None:
    made, _ = doubtful(app)
    (told,) = events(app, "shipment_needs_attention")
    assert (told["id"], told["status"]) == (made.id, "needs_attention")
    (row,) = app.store.select("import_rows")
    price = made.rates[0].total_charge
    assert (row["state"], Decimal(row["total_charge"]), row["currency"]) == ("needs_attention", price, "CAD")


def test_the_time_of_a_doubt_and_of_a_purchase_is_written_down(timed: App, clock: Clock) -> None:
    one, two = rated(timed), rated(timed, reference="SO-2")
    clock.advance(hours=1)
    buy(timed, two)
    with losing(timed, after=always), pytest.raises(OutcomeUnknown):
        buy(timed, one)
    times = {row["state"]: (row["created_at"], row["updated_at"]) for row in timed.store.select("intents")}
    assert times == dict.fromkeys(("attention", "done"), (timed.now(), timed.now()))


def test_a_refusal_is_kept_without_the_draft_and_with_what_the_carrier_said(app: App) -> None:
    made = shipments.create_shipment(app, draft(carrier_ids=["ups"]))
    chosen = {"selected_rate_id": made.rates[0].id, "metadata": {"sandbox_scenario": "rate_limited"}}
    with pytest.raises(Refused) as caught:
        shipments.purchase_shipment(app, made.id, ShipmentPurchaseData.model_validate(chosen))
    (kept,) = app.store.select("intents")
    assert (kept["state"], kept["draft"]) == ("failed", None)
    assert kept["detail"]["messages"] == [one.model_dump() for one in caught.value.messages]


def test_a_purchase_that_is_over_keeps_no_addresses_beside_the_shipment(app: App) -> None:
    made = buy(app, rated(app))
    (kept,) = app.store.select("intents")
    assert (kept["state"], kept["draft"], kept["shipment_id"]) == ("done", None, made.id)
    assert kept["object_id"] == made.id


@pytest.mark.parametrize("kind", ["PDF", "ZPL"])
def test_a_bought_shipment_says_of_whom_at_what_price_and_where_its_papers_are(app: App, kind: str) -> None:
    made = shipments.create_shipment(app, draft(carrier_ids=["usps"], label_type=kind))
    done, rate = buy(app, made), made.rates[0]
    assert (done.status, done.carrier_name, done.carrier_id) == ("purchased", "usps", "usps")
    assert done.service == rate.service
    assert done.selected_rate is not None
    assert done.selected_rate_id == done.selected_rate.id
    assert (done.selected_rate.service, done.selected_rate.total_charge) == (rate.service, rate.total_charge)
    assert done.label_type == kind
    assert done.label_url == f"/v1/shipments/{done.id}/label.{kind.lower()}"
    assert done.tracking_url == f"/v1/trackers/usps/{done.tracking_number}"
    assert done.parcels[0].reference_number == done.tracking_number
    assert done == shipments.get_shipment(app, done.id)


def test_what_was_said_of_a_draft_stands_before_what_is_said_of_its_purchase(app: App) -> None:
    made = shipments.create_shipment(app, draft(carrier_ids=["ups"], recipient=ABROAD))
    noted = made.model_copy(update={"messages": [Message(code="before", message="said when it was made")]})
    with app.store.transaction() as tx:
        tx.put("shipment", noted.model_dump())
    codes = [one.code for one in buy(app, noted).messages]
    assert codes[0] == "before"
    assert len(codes) > 1
