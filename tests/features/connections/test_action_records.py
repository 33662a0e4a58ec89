"""What is written down of voids, pickups and manifests: on the disk, of one mode, under their key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from shipcli.features.admin import settlement
from shipcli.features.connections import accounts, intent_actions
from shipcli.features.connections.intent_actions import MANIFEST, PICKUP, PICKUP_CANCEL, CarrierAction
from shipcli.features.connections.intent_states import ATTENTION, PURCHASE, VOID, is_being_voided
from shipcli.features.core import idempotency
from shipcli.features.core.app import App
from shipcli.features.core.idempotency_key import IdempotencyKey
from shipcli.features.core.processes import name_process
from shipcli.features.pickups import manifests
from shipcli.features.pickups import service as pickups
from shipcli.features.shipments import service as shipments
from shipcli.features.shipments import voids
from shipcli.models import Conflict, OutcomeUnknown, Refused, Shipment, ShipmentPurchaseData
from tests.factories import draft
from tests.features.conftest import live_labels, perform_keyed
from tests.features.core.neighbours import neighbour
from tests.features.pickups.bookings import body as pickup_body
from tests.features.pickups.bookings import booked, collections, die, sold
from tests.features.pickups.bookings import interrupted as pickup_interrupted
from tests.features.pickups.forms import body as form_body
from tests.features.pickups.forms import form
from tests.features.pickups.forms import interrupted as form_interrupted
from tests.features.shipments.purchases import announced, is_open, set_scenario, status
from tests.features.shipments.purchases import interrupted as purchase_interrupted

# -- on the disk -------------------------------------------------------------------------------


@pytest.fixture
def commits(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[str], bool]]:
    """What is under way at each commit, purchases left out, and whether that commit waits for the disk."""
    from shipcli.store.sqlite.session import SqliteSession

    seen: list[tuple[list[str], bool]] = []
    commit = SqliteSession.commit

    def watched(self: SqliteSession) -> None:
        if self.rows("select 1 from sqlite_master where name = 'intents'"):
            kinds = [str(kind) for (kind,) in self.rows("select kind from intents") if kind != PURCHASE]
            seen.append((kinds, self.rows("pragma synchronous")[0][0] == 2))
        commit(self)

    monkeypatch.setattr(SqliteSession, "commit", watched)
    return seen


def cancel_pickup(app: App, held: Shipment) -> None:
    pickups.cancel_pickup(app, booked(app, held).id)


ASKED: dict[str, Callable[[App, Shipment], Any]] = {
    VOID: lambda app, one: shipments.cancel_shipment(app, one.id),
    PICKUP: booked,
    PICKUP_CANCEL: cancel_pickup,
    MANIFEST: form,
}


@pytest.mark.sqlite_only("which commits wait for the disk")
@pytest.mark.parametrize("kind", ASKED)
def test_a_wish_is_on_the_disk_before_the_carrier_is_asked_and_its_end_before_it_is_told(
    timed: App, commits: list[tuple[list[str], bool]], kind: str
) -> None:
    shipment = sold(timed, "usps")
    commits.clear()
    ASKED[kind](timed, shipment)
    first = next(at for at, (kinds, _) in enumerate(commits) if kinds == [kind])
    ended = next(at for at, (kinds, _) in enumerate(commits) if at > first and kinds == [])
    assert [commits[at][1] for at in (first, ended)] == [True, True]


# -- whose it is -------------------------------------------------------------------------------


def test_what_is_open_in_one_mode_is_not_settled_in_the_other(timed: App) -> None:
    shipment = sold(timed, "usps")
    announced(timed, shipment)
    live = timed.in_mode(False)
    settlement.settle_all(live)
    assert intent_actions.list_open_rows(live, live.store) == []
    assert (status(timed, shipment), is_open(timed)) == ("purchased", True)
    settlement.settle_all(timed)
    assert (status(timed, shipment), is_open(timed)) == ("cancelled", False)


def hold(app: App, wish: CarrierAction) -> None:
    """As if another process, which lives, were at work on it."""
    claim = {"claimed_by": neighbour(), "claimed_until": app.store.steady() + 999}
    with app.store.transaction() as tx:
        tx.update("intents", {"key": wish.key}, claim)


def test_what_another_process_is_at_is_left_to_it(timed: App) -> None:
    theirs, free = sold(timed, "usps"), sold(timed, "usps", reference="SO-2")
    once = idempotency.make_idempotency_key(timed, "cancel", "k", None)
    idempotency.claim(timed, once)
    hold(timed, announced(timed, theirs, once))
    announced(timed, free)
    assert [one.id for one in settlement.settle_actions(timed)] == [free.id]
    assert settlement.settle_request(timed, once) is False
    assert (status(timed, theirs), len(live_labels(timed))) == ("purchased", 1)


def test_what_a_person_must_settle_is_not_asked_for_again(timed: App) -> None:
    doubtful = sold(timed, "usps")
    pickup_interrupted(timed, doubtful, "usps", reached=True)
    settlement.settle_all(timed)
    asked = len(timed.store.select("traces"))
    (before,) = intent_actions.list_open_rows(timed, timed.store)
    assert settlement.settle_actions(timed) == []
    assert (intent_actions.list_open_rows(timed, timed.store), len(timed.store.select("traces"))) == (
        [before],
        asked,
    )


def test_a_keyed_request_settles_nothing_that_a_person_must(timed: App) -> None:
    voiding, once = sold(timed, "usps"), idempotency.make_idempotency_key(timed, "cancel", "k", None)
    idempotency.claim(timed, once)
    wish = announced(timed, voiding, once)
    with timed.store.transaction() as tx:
        tx.update("intents", {"key": wish.key}, {"state": ATTENTION})
    assert settlement.settle_request(timed, once) is True
    assert (status(timed, voiding), len(live_labels(timed))) == ("purchased", 1)


def test_a_label_is_being_voided_only_while_its_own_void_is_open(timed: App) -> None:
    voiding, other = sold(timed, "usps"), sold(timed, "usps", reference="SO-2")
    wish = announced(timed, voiding)
    assert (is_being_voided(timed.store, voiding.id), is_being_voided(timed.store, other.id)) == (True, False)
    with timed.store.transaction() as tx:
        tx.update("intents", {"key": wish.key}, {"state": ATTENTION})
    assert is_being_voided(timed.store, voiding.id)  # it may be void until a person says otherwise
    intent_actions.drop(timed, wish)
    assert not is_being_voided(timed.store, voiding.id)


def test_of_what_a_process_is_at_nothing_is_said_by_a_person(timed: App) -> None:
    held = sold(timed, "usps")
    wish = announced(timed, held)
    hold(timed, wish)
    with pytest.raises(Conflict, match="still under way"):
        voids.resolve_void(timed, held.id, is_void=True)
    assert (status(timed, held), is_open(timed)) == ("purchased", True)


def test_what_is_open_of_another_kind_is_left_for_later(timed: App) -> None:
    voiding, listed = sold(timed, "usps"), sold(timed, "usps", reference="SO-2")
    announced(timed, voiding)
    manifest_id = form_interrupted(timed, listed, carrier="usps", reached=True)
    (made,) = settlement.settle_actions(timed, [MANIFEST])
    assert made.id == manifest_id
    assert status(timed, voiding) == "purchased"
    assert [one.id for one in settlement.settle_actions(timed)] == [voiding.id]


def test_one_that_can_not_be_settled_does_not_keep_the_others_from_it(timed: App) -> None:
    doubtful, voiding = sold(timed, "usps"), sold(timed, "usps", reference="SO-2")
    pickup_interrupted(timed, doubtful, "usps", reached=True)
    announced(timed, voiding)
    settlement.settle_all(timed)
    assert status(timed, voiding) == "cancelled"
    (left,) = intent_actions.list_open_rows(timed, timed.store)
    assert (left["kind"], left["state"]) == (PICKUP, "attention")
    assert [one["code"] for one in left["detail"]["messages"]] == ["outcome_unknown"]


def test_a_person_is_told_through_whom_a_doubtful_pickup_was_asked_for(timed: App) -> None:
    held = sold(timed, "usps")
    pickup_interrupted(timed, held, "usps", reached=True)
    with pytest.raises(OutcomeUnknown) as caught:
        booked(timed, held)
    (note,) = caught.value.messages
    assert (note.code, note.carrier_name, note.carrier_id) == ("outcome_unknown", "usps", "usps")


# -- keys --------------------------------------------------------------------------------------


def voided_under_a_key(app: App, shipment: Shipment, once: IdempotencyKey) -> None:
    """By a process that died before it heard the carrier's answer."""
    idempotency.claim(app, once)
    announced(app, shipment, once)
    with app.store.transaction() as tx:
        mark = {"owner": f"{name_process().partition('/')[0]}/999999999/1", "sent": True}
        tx.update("idempotency", once.where, {"response": mark})


def test_a_key_of_a_void_that_the_carrier_refuses_afterwards_is_free_again(timed: App) -> None:
    shipment = sold(timed, "usps")
    once = idempotency.make_idempotency_key(timed, "cancel", "k", None)
    voided_under_a_key(timed, shipment, once)
    number = str(shipment.tracking_number)
    record = timed.ledger.get("usps", "label", number) or {}
    timed.ledger.put("usps", "label", number, {**record, "manifested_at": "2031-05-07"})
    settlement.settle_all(timed)
    assert timed.store.select("idempotency") == []
    timed.ledger.put("usps", "label", number, record)
    assert perform_keyed(timed, once, shipments.cancel_shipment, shipment.id)["status"] == "cancelled"


def remembered(app: App) -> tuple[int, dict[str, Any]]:
    (row,) = app.store.select("idempotency")
    return row["status"], row["response"]


def test_the_key_of_a_wish_that_another_request_had_gets_its_answer(timed: App) -> None:
    held = sold(timed, "canadapost")
    pickup_id = pickup_interrupted(timed, held, "canadapost", reached=True)
    once, wanted = idempotency.make_idempotency_key(timed, "pickup", "k", None), pickup_body(held)
    for _ in range(2):
        found = perform_keyed(timed, once, pickups.schedule_pickup, "canadapost", wanted)
        assert found["id"] == pickup_id
    assert (remembered(timed)[0], len(collections(timed))) == (201, 1)


def test_the_key_of_a_form_that_another_request_had_gets_its_answer(timed: App) -> None:
    listed = sold(timed, "usps")
    manifest_id = form_interrupted(timed, listed, carrier="usps", reached=True)
    once = idempotency.make_idempotency_key(timed, "manifest", "k", None)
    for _ in range(2):
        assert perform_keyed(timed, once, manifests.create_manifest, form_body(listed))["id"] == manifest_id
    assert remembered(timed)[0] == 201


@pytest.mark.parametrize("kind", [VOID, PICKUP_CANCEL])
def test_the_key_of_what_is_called_off_already_gets_its_answer(timed: App, kind: str) -> None:
    held = sold(timed, "usps")
    once = idempotency.make_idempotency_key(timed, kind, "k", None)
    if kind == VOID:
        announced(timed, held)
        use, of = shipments.cancel_shipment, held.id
    else:
        use, of = pickups.cancel_pickup, booked(timed, held).id
    answers = [perform_keyed(timed, once, use, of) for _ in range(2)]
    assert answers[0] == answers[1]
    assert remembered(timed) == (200, answers[0])


def test_the_key_of_a_cancelled_pickup_gives_that_pickup_again(timed: App) -> None:
    made, once = (
        booked(timed, sold(timed, "usps")),
        idempotency.make_idempotency_key(timed, "cancel", "k", None),
    )
    account = accounts.choose(timed, "pickup", carrier_name="usps")[0]
    details = {"reason": None}
    wish = CarrierAction(PICKUP_CANCEL, timed.new_id(""), made.id, account.id, details=details)
    intent_actions.announce(timed, wish, account)
    die(timed, wish)
    for _ in range(2):
        assert perform_keyed(timed, once, pickups.cancel_pickup, made.id)["id"] == made.id
    assert remembered(timed) == (200, made.model_dump())


def test_a_refused_form_is_refused_by_its_key_without_asking_again(timed: App) -> None:
    listed = sold(timed, "usps")
    timed.ledger.remove("usps", "label", str(listed.tracking_number))
    once = idempotency.make_idempotency_key(timed, "manifest", "k", None)
    for _ in range(2):
        with pytest.raises(Refused, match="not a label of this account"):
            perform_keyed(timed, once, manifests.create_manifest, form_body(listed))
    assert len(timed.store.select("traces", {"verb": "manifest"})) == 1


# -- never twice -------------------------------------------------------------------------------


def test_a_pickup_is_not_booked_again_while_its_carrier_does_not_answer(timed: App) -> None:
    held = sold(timed, "canadapost")
    pickup_id = pickup_interrupted(timed, held, "canadapost", reached=True)
    set_scenario(timed, "canadapost", "error")
    for _ in range(2):
        with pytest.raises(OutcomeUnknown):
            booked(timed, held, carrier="canadapost")
        settlement.settle_all(timed)
        assert is_open(timed)
    set_scenario(timed, "canadapost", None)
    assert booked(timed, held, carrier="canadapost").id == pickup_id
    assert len(collections(timed)) == 1


def test_a_pickup_that_a_person_took_back_holds_its_shipments_no_more_and_can_be_booked(timed: App) -> None:
    held = sold(timed, "usps")
    made = booked(timed, held)
    pickups.cancel_pickup(timed, made.id)
    assert "pickup_id" not in (shipments.get_shipment(timed, held.id).meta or {})
    assert timed.store.select("members", {"owner_id": made.id}) == []
    assert booked(timed, held).id != made.id
    assert len(collections(timed)) == 1


def test_a_draft_that_was_bought_since_it_was_read_is_not_cancelled_past_its_label(timed: App) -> None:
    made = shipments.create_shipment(timed, draft(carrier_ids=["usps"]))
    chosen = ShipmentPurchaseData(selected_rate_id=made.rates[0].id)
    bought = shipments.purchase_shipment(timed, made.id, chosen)
    with pytest.raises(Conflict, match="is purchased and cannot be cancelled anymore"):
        voids.store_cancelled(timed, made)
    assert status(timed, made) == "purchased"
    assert live_labels(timed) == {"SO-1": [bought.tracking_number]}


def test_a_draft_that_is_being_bought_is_not_cancelled(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    shipment_id = purchase_interrupted(app, monkeypatch, "conclude", "usps")
    with pytest.raises(Conflict, match="under way"):
        shipments.cancel_shipment(app, shipment_id)
    assert shipments.get_shipment(app, shipment_id).status == "draft"


def test_a_cancelled_label_is_told_of_and_tracked_no_more(timed: App) -> None:
    sold_one = sold(timed, "usps")
    assert timed.store.count("tracker") == 1
    done = shipments.cancel_shipment(timed, sold_one.id)
    assert (done.status, done.tracker_id, timed.store.count("tracker")) == ("cancelled", None, 0)
    told = [one["data"]["id"] for one in timed.store.each("event") if one["type"] == "shipment_cancelled"]
    assert told == [sold_one.id]
    assert shipments.get_shipment(timed, sold_one.id) == done
