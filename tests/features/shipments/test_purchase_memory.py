"""A store that goes back to an earlier state while labels are sold, and one that is away just then."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

from shipcli.carrier.wire.calls import Request
from shipcli.features.core import idempotency
from shipcli.features.core.app import App
from shipcli.features.shipments import purchase, purchase_records, voids
from shipcli.features.shipments import service as shipments
from shipcli.models import Conflict, OutcomeUnknown, Shipment, ShipmentPurchaseData
from shipcli.models.basics.errors import PurchaseUndone
from shipcli.store.errors import CommitUnknown, StoreBusy
from shipcli.store.query import differs
from tests.factories import PARCEL, draft
from tests.features.conftest import perform_keyed
from tests.features.losing import LosingSimulator, losing
from tests.features.shipments.purchases import Killed, buy, dead, make_selling, sold


def forget(app: App, shipment: Shipment | None = None) -> None:
    """Take the store back to a state before the purchase, or before the shipment as well."""
    with app.store.transaction() as tx:
        for table in ("intents", "idempotency"):
            tx.remove(table, [differs("key", "")])
        if shipment:
            tx.delete("shipment", shipment.id)


def once_sold(app: App, slug: str, then: Callable[[], Any]) -> AbstractContextManager[LosingSimulator]:
    """Do something as soon as this carrier has sold a label, before its answer is read."""
    sells, done = make_selling(app), list[bool]()

    def look(request: Request) -> bool:
        if sells(request) and not done:
            done.append(True)
            then()
        return False

    return losing(app, slug, after=look)


def drafted(app: App, slug: str = "ups", **changes: Any) -> Shipment:
    return shipments.create_shipment(app, draft(carrier_ids=[slug], **changes))


def find_orphan(app: App, made: Shipment) -> Shipment:
    (orphan,) = [each for each in app.store.each("shipment") if each["id"] != made.id]
    return Shipment.model_validate(orphan)


@pytest.mark.parametrize("slug", ["ups", "usps"])
def test_a_label_whose_shipment_the_store_has_lost_is_voided(app: App, slug: str) -> None:
    made = drafted(app, slug)
    with (
        once_sold(app, slug, lambda: forget(app, shipment=made)),
        pytest.raises(PurchaseUndone, match="lost the record of this purchase.* was voided") as raised,
    ):
        buy(app, made)
    assert (raised.value.status, sold(app)) == (409, [])
    orphan = find_orphan(app, made)
    assert orphan.status == "cancelled"
    assert f"the record of this purchase, of {made.id}" in str(orphan.messages[-1].message)


def test_a_lost_label_is_voided_by_the_next_process_if_this_one_dies(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, store, calls = drafted(app, "usps"), purchase.store_bought, list[bool]()

    def die_the_second_time(*words: Any) -> None:
        calls.append(True)
        if len(calls) == 2:
            raise Killed
        store(*words)

    with monkeypatch.context() as patch, once_sold(app, "usps", lambda: forget(app, shipment=made)):
        patch.setattr(purchase, "store_bought", die_the_second_time)
        with pytest.raises(Killed):
            buy(app, made)
    dead(app)
    assert len(sold(app)) == 1
    (orphan_id,) = purchase.settle_open(app)
    assert (sold(app), shipments.get_shipment(app, orphan_id).status) == ([], "cancelled")
    assert app.store.get("shipment", made.id) is None


def test_a_label_whose_shipment_is_still_a_draft_is_its_label(app: App) -> None:
    made = drafted(app)
    with once_sold(app, "ups", lambda: forget(app)):
        bought = buy(app, made)
    assert (bought.id, [bought.tracking_number]) == (made.id, sold(app))
    assert [row["state"] for row in app.store.select("intents")] == ["done"]


def test_a_label_whose_shipment_others_have_bought_again_is_voided_and_theirs_is_kept(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, theirs, conclude = drafted(app), list[Shipment](), purchase.conclude

    def buy_again(*words: Any) -> Shipment:
        monkeypatch.setattr(purchase, "conclude", conclude)
        forget(app)
        theirs.append(buy(app, made))
        return conclude(*words)

    monkeypatch.setattr(purchase, "conclude", buy_again)
    with pytest.raises(PurchaseUndone):
        buy(app, made)
    kept = shipments.get_shipment(app, made.id)
    assert [kept.tracking_number] == [theirs[0].tracking_number] == sold(app)
    assert find_orphan(app, made).status == "cancelled"


def test_a_draft_that_the_store_has_lost_is_not_bought(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    made, announce = drafted(app), purchase.announce

    def announce_later(*words: Any) -> Any:
        forget(app, shipment=made)
        return announce(*words)

    monkeypatch.setattr(purchase, "announce", announce_later)
    with pytest.raises(Conflict, match="not in the store any more"):
        buy(app, made)
    assert (sold(app), app.store.select("intents")) == ([], [])


def test_a_keyed_purchase_whose_key_the_store_has_lost_is_bought_once_by_the_same_again(app: App) -> None:
    data = draft(carrier_ids=["ups"], service="ups_ground")

    def buy_new() -> dict[str, Any]:
        once = idempotency.make_idempotency_key(app, "create_shipment", "k", data.model_dump())
        return perform_keyed(app, once, shipments.create_shipment, data)

    with once_sold(app, "ups", lambda: forget(app)), pytest.raises(PurchaseUndone):
        buy_new()
    assert [buy_new()["tracking_number"]] == [buy_new()["tracking_number"]] == sold(app)


def test_a_label_that_cannot_be_voided_waits_for_a_person(app: App) -> None:
    made = drafted(app, "usps")

    def hand_over() -> None:
        forget(app, shipment=made)
        (number,) = sold(app)
        record = app.ledger.get("usps", "label", number) or {}
        app.ledger.put("usps", "label", number, {**record, "manifested_at": "2031-05-07"})

    with (
        once_sold(app, "usps", hand_over),
        pytest.raises(PurchaseUndone, match="not voided yet: .*SCAN"),
    ):
        buy(app, made)
    orphan = find_orphan(app, made)
    (row,) = app.store.select("intents", {"kind": "void"})
    assert (row["state"], row["object_id"], orphan.status) == ("attention", orphan.id, "purchased")
    assert voids.resolve_void(app, orphan.id, is_void=False).status == "purchased"
    assert app.store.select("intents", {"kind": "void"}) == []


def test_no_more_parcels_are_bought_once_the_record_is_lost_and_the_bought_one_is_named(app: App) -> None:
    made = drafted(app, "fedex_ws", parcels=[PARCEL] * 4)
    with once_sold(app, "fedex_ws", lambda: forget(app, shipment=made)), pytest.raises(OutcomeUnknown):
        buy(app, made)
    numbers, orphan = sold(app), find_orphan(app, made)
    assert (len(numbers), orphan.status) == (1, "needs_attention")
    assert numbers[0] in str(orphan.messages[-1].message)


@pytest.mark.parametrize("is_saved", [True, False], ids=["it was saved", "it was not"])
@pytest.mark.parametrize("error", [StoreBusy("the store is away"), CommitUnknown("here")])
def test_what_was_bought_is_stored_once_when_the_store_comes_back(
    app: App, monkeypatch: pytest.MonkeyPatch, error: Exception, is_saved: bool
) -> None:
    made, store, calls = drafted(app), purchase._store_outcome, list[bool]()

    def break_off(*words: Any) -> Any:
        calls.append(True)
        result = store(*words) if is_saved or len(calls) > 1 else None
        if len(calls) == 1:
            raise error
        return result

    monkeypatch.setattr(purchase, "_store_outcome", break_off)
    monkeypatch.setattr(purchase_records, "PAUSE_S", 0)
    bought = shipments.purchase_shipment(
        app, made.id, ShipmentPurchaseData(selected_rate_id=made.rates[0].id)
    )
    assert [bought.tracking_number] == sold(app)
    assert len(calls) == 2 - is_saved
    told = [each for each in app.store.each("event") if each["type"] == "shipment_purchased"]
    assert len(told) == 1
