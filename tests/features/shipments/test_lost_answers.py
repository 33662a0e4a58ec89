"""A purchase whose answer is lost: the carrier is asked, and what nobody knows is not bought again."""

from __future__ import annotations

from typing import Any

import pytest

from shipcli.features.connections.intents import take_over
from shipcli.features.core import idempotency
from shipcli.features.core.app import App
from shipcli.features.shipments import purchase
from shipcli.features.shipments import service as shipments
from shipcli.features.trackers import service as trackers
from shipcli.models import Conflict, NotFound, OutcomeUnknown, Refused, Shipment, ShipmentPurchaseData
from tests.factories import PARCEL, draft
from tests.features.conftest import live_labels, perform_keyed, resolve
from tests.features.losing import always, buying, looking, losing
from tests.features.shipments.purchases import buy, dead, interrupted, rated, sold
from tests.features.trackers.samples import event, found

DOUBTS = {"outcome_unknown", "unreachable"}
OWN = {"reference_number": "BOX-1"}


# -- asked at once -----------------------------------------------------------------------------


def test_a_lost_answer_is_settled_at_once_by_the_carriers_memory(app: App) -> None:
    """The line breaks after the label was sold: the outcome is unknown to us, not to the carrier."""
    made = rated(app)
    with losing(app, after=buying) as line:
        bought = buy(app, made)
    assert [bought.tracking_number] == sold(app)
    assert shipments.get_shipment(app, made.id).status == "purchased"
    assert "unreachable" not in {message.code for message in bought.messages}
    assert len([one for one in line.asked if one.startswith("POST")]) == 1


def test_a_carrier_that_knows_of_no_purchase_leaves_a_draft_that_can_be_bought(app: App) -> None:
    made = rated(app)
    with losing(app, before=buying), pytest.raises(Refused) as caught:
        buy(app, made)
    assert not isinstance(caught.value, OutcomeUnknown)
    assert (shipments.get_shipment(app, made.id).status, sold(app)) == ("draft", [])
    assert buy(app, made).status == "purchased"
    assert len(sold(app)) == 1


def test_what_can_not_be_asked_either_needs_a_person_and_is_not_bought_again(app: App) -> None:
    made = rated(app)
    with losing(app, after=lambda request: buying(request) or looking(request)):
        with pytest.raises(OutcomeUnknown) as caught:
            buy(app, made)
        assert shipments.get_shipment(app, made.id).status == "needs_attention"
    assert "unreachable" in {message.code for message in caught.value.messages}
    with pytest.raises(Conflict):
        buy(app, made)
    assert len(sold(app)) == 1


def test_what_the_carrier_said_stands_on_a_shipment_that_needs_attention(app: App) -> None:
    made = rated(app)
    with losing(app, after=always), pytest.raises(OutcomeUnknown):
        buy(app, made)
    codes = [message.code for message in shipments.get_shipment(app, made.id).messages]
    assert {"unreachable", "outcome_unknown"} <= set(codes)


@pytest.mark.parametrize("was_bought", [True, False])
def test_what_a_person_found_out_is_no_longer_in_doubt(app: App, was_bought: bool) -> None:
    made = rated(app)
    with losing(app, after=always), pytest.raises(OutcomeUnknown):
        buy(app, made)
    resolve(app, made.id, bought=sold(app)[0] if was_bought else None)
    codes = {message.code for message in shipments.get_shipment(app, made.id).messages}
    assert not codes & DOUBTS


def test_the_repetition_of_a_keyed_purchase_in_doubt_says_the_same_and_asks_nobody(app: App) -> None:
    made, said = rated(app), []
    chosen = ShipmentPurchaseData(selected_rate_id=made.rates[0].id)
    with losing(app, after=always) as line:
        for _ in range(2):
            once = idempotency.make_idempotency_key(app, "purchase", "k1", {"id": made.id})
            with pytest.raises(OutcomeUnknown) as caught:
                perform_keyed(app, once, shipments.purchase_shipment, made.id, chosen)
            said.append((caught.value.body(), len(line.asked)))
    assert said[0] == said[1]
    assert len(sold(app)) == 1


# -- asked by a later process ------------------------------------------------------------------


def left_open(app: App, monkeypatch: pytest.MonkeyPatch) -> Shipment:
    """A draft whose purchase died before the answer was kept."""
    return shipments.get_shipment(app, interrupted(app, monkeypatch, "conclude", "generic"))


def test_a_dead_purchase_whose_carrier_can_not_be_asked_needs_a_person(app: App) -> None:
    made = rated(app)
    with losing(app, after=lambda request: buying(request) or looking(request)):
        with pytest.raises(OutcomeUnknown):
            buy(app, made)
        with app.store.transaction() as tx:  # as a process leaves it that dies before it has asked
            tx.update("intents", {"shipment_id": made.id}, {"state": "open"})
            stored = tx.get("shipment", made.id)
            assert stored
            tx.put("shipment", {**stored, "status": "draft"})
        dead(app)
        assert purchase.settle_open(app) == [made.id]
    assert shipments.get_shipment(app, made.id).status == "needs_attention"
    with pytest.raises(Conflict):
        buy(app, made)
    assert len(sold(app)) == 1


def test_purchases_of_the_other_mode_are_not_settled(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    live = app.in_mode(False)
    shipment = left_open(live, monkeypatch)
    assert purchase.settle_open(app) == []
    assert shipments.get_shipment(live, shipment.id).status == "draft"
    assert purchase.settle_open(live) == [shipment.id]
    assert shipments.get_shipment(live, shipment.id).status == "purchased"


def test_of_two_that_find_a_dead_purchase_one_settles_it(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    left_open(app, monkeypatch)
    (seen_by_both,) = app.store.select("intents", {"state": "open"})
    assert [take_over(app, seen_by_both) for _ in range(2)] == [True, False]


# -- by a person -------------------------------------------------------------------------------


def test_a_bought_parcel_that_the_carrier_holds_does_not_become_a_draft(app: App) -> None:
    made = shipments.create_shipment(app, draft(service="ups_ground", carrier_ids=["ups"]))
    tracker = trackers.get_tracker(app, str(made.tracker_id))
    news = found(tracker.tracking_number, events=[event(), event("2031-05-06")], status="on_hold")
    trackers.save(app, tracker, news)
    assert shipments.get_shipment(app, made.id).status == "needs_attention"
    with pytest.raises(Conflict):
        resolve(app, made.id, bought=None)
    held = shipments.get_shipment(app, made.id)
    assert (held.status, held.tracking_number) == ("needs_attention", made.tracking_number)


def in_doubt(app: App, reference: str = "SO-1") -> Shipment:
    """A shipment whose carrier can't say whether it was bought."""
    made = rated(app, reference=reference)
    with losing(app, after=always), pytest.raises(OutcomeUnknown):
        buy(app, made)
    return shipments.get_shipment(app, made.id)


def test_an_answer_settles_one_shipment_and_no_other(app: App) -> None:
    one, other = in_doubt(app, "A"), in_doubt(app, "B")
    (number,) = live_labels(app)["A"]
    assert resolve(app, one.id, bought=number).tracking_number == number
    assert shipments.get_shipment(app, other.id).status == "needs_attention"
    assert resolve(app, other.id, bought=None).status == "draft"
    states = {row["shipment_id"]: row["state"] for row in app.store.select("intents")}
    assert states == {one.id: "resolved", other.id: "resolved"}


@pytest.mark.parametrize("live", [False, True])
def test_what_was_bought_by_a_persons_word_is_marked_so(app: App, live: bool) -> None:
    place = app.in_mode(not live)
    doubtful = in_doubt(place)
    done = resolve(place, doubtful.id, bought="7023210039414604")
    assert (done.status, done.tracking_number) == ("purchased", "7023210039414604")
    assert (done.meta or {})["resolved"] is True
    assert {one.code for one in done.messages} == {one.code for one in doubtful.messages} - DOUBTS
    assert shipments.get_shipment(place, done.id) == done


@pytest.mark.parametrize("live", [False, True])
def test_what_was_not_bought_is_a_draft_as_before(app: App, live: bool) -> None:
    place = app.in_mode(not live)
    doubtful = in_doubt(place)
    back = resolve(place, doubtful.id, bought=None)
    assert (back.status, back.test_mode) == ("draft", not live)
    chosen = (back.carrier_name, back.carrier_id, back.service, back.selected_rate, back.selected_rate_id)
    assert chosen == (None,) * 5
    assert {one.code for one in back.messages} == {one.code for one in doubtful.messages} - DOUBTS
    assert shipments.get_shipment(place, back.id) == back
    with pytest.raises(NotFound):
        shipments.get_shipment(app.in_mode(live), back.id)


def test_a_row_of_a_file_that_was_not_bought_is_a_draft_again(app: App) -> None:
    doubtful = in_doubt(app)
    known = {"test_mode": True, "resource": "shipments", "key": "SO-1", "shipment_id": doubtful.id}
    with app.store.transaction() as tx:
        tx.insert("import_rows", {**known, "row_number": 2, "state": "needs_attention"})
    resolve(app, doubtful.id, bought=None)
    assert [row["state"] for row in app.store.select("import_rows")] == ["draft"]


def test_only_what_is_in_doubt_and_of_this_mode_is_answered(app: App) -> None:
    doubtful, plain = in_doubt(app), rated(app)
    for place, id in ((app.in_mode(False), doubtful.id), (app, "shp_nobody")):
        with pytest.raises(NotFound, match=f"Shipment {id} not found"):
            resolve(place, id, bought=None)
    with pytest.raises(Conflict, match="is draft: there is nothing to resolve"):
        resolve(app, plain.id, bought=None)


def test_an_answer_needs_the_record_and_the_connection_of_the_purchase(app: App) -> None:
    doubtful = in_doubt(app)
    (row,) = app.store.select("intents")
    with app.store.transaction() as tx:
        tx.update("intents", {"key": row["key"]}, {"connection_id": "car_gone"})
    with pytest.raises(Conflict, match="connection"):
        resolve(app, doubtful.id, bought="1234")
    with app.store.transaction() as tx:
        tx.remove("intents", {"key": row["key"]})
    with pytest.raises(Conflict, match="record"):
        resolve(app, doubtful.id, bought="1234")
    assert resolve(app, doubtful.id, bought=None).status == "draft"


# -- what is kept ------------------------------------------------------------------------------


def test_a_refused_purchase_keeps_no_addresses(app: App) -> None:
    made = shipments.create_shipment(app, draft(carrier_ids=["ups"]))
    with app.store.transaction() as tx:
        tx.put("shipment", {**made.model_dump(), "metadata": {"sandbox_scenario": "rate_limited"}})
    with pytest.raises(Refused):
        buy(app, made)
    kept = app.store.select("intents")
    assert [row["state"] for row in kept] == ["failed"]
    assert "Ana Ruiz" not in str(kept)


@pytest.mark.parametrize(("slug", "shown"), [("ups", False), ("generic", True)])
def test_the_number_we_give_a_parcel_is_shown_to_carriers_without_numbers_of_their_own(
    app: App, monkeypatch: pytest.MonkeyPatch, slug: str, shown: bool
) -> None:
    given: list[str | None] = []
    build = purchase.build_label_request

    def watched(*arguments: Any) -> Any:
        request = build(*arguments)
        given.extend(parcel.reference_number for parcel in request.parcels)
        return request

    monkeypatch.setattr(purchase, "build_label_request", watched)
    buy(app, shipments.create_shipment(app, draft(carrier_ids=[slug])))
    buy(app, shipments.create_shipment(app, draft(carrier_ids=[slug], parcels=[{**PARCEL, **OWN}])))
    assert [number is not None for number in given] == [shown, True]
    assert given[1] == "BOX-1"


# -- on the disk -------------------------------------------------------------------------------


STATES = """select case when state = 'open' and detail like '%"bought"%' then 'sold' else state end
from intents order by created_at"""


@pytest.fixture
def commits(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[str], bool]]:
    """The states of the purchases at each commit, and whether that commit waits for the disk.

    One that is open and of which something was sold is in the state "sold".
    """
    from shipcli.store.sqlite.session import SqliteSession

    seen: list[tuple[list[str], bool]] = []
    commit = SqliteSession.commit

    def watched(self: SqliteSession) -> None:
        if self.rows("select 1 from sqlite_master where name = 'intents'"):
            states = [str(row[0]) for row in self.rows(STATES)]
            seen.append((states, self.rows("pragma synchronous")[0][0] == 2))
        commit(self)

    monkeypatch.setattr(SqliteSession, "commit", watched)
    return seen


def first(commits: list[tuple[list[str], bool]], state: str) -> bool:
    """Whether the commit that brought a purchase into a state waited for the disk."""
    return next(waits for states, waits in commits if states == [state])


@pytest.mark.sqlite_only("which commits wait for the disk")
def test_a_purchase_and_its_result_are_on_the_disk_before_anything_else_happens(
    app: App, commits: list[tuple[list[str], bool]]
) -> None:
    buy(app, rated(app))
    assert [first(commits, state) for state in ("open", "sold", "done")] == [True, True, True]


@pytest.mark.sqlite_only("which commits wait for the disk")
def test_a_doubt_and_what_a_person_said_of_it_are_on_the_disk(
    app: App, commits: list[tuple[list[str], bool]]
) -> None:
    made = rated(app)
    with losing(app, after=always), pytest.raises(OutcomeUnknown):
        buy(app, made)
    resolve(app, made.id, bought=None)
    assert (first(commits, "attention"), first(commits, "resolved")) == (True, True)


@pytest.mark.sqlite_only("which commits wait for the disk")
def test_what_buys_nothing_does_not_wait_for_the_disk(
    app: App, commits: list[tuple[list[str], bool]]
) -> None:
    rated(app)
    assert commits
    assert not any(waits for _, waits in commits)
