"""Pickups after a crash or a lost answer: looked up at the carrier, else by a person; never booked twice."""

from __future__ import annotations

from typing import Any

import pytest

from shipcli.carrier.wire.calls import Request
from shipcli.features.admin import settlement
from shipcli.features.connections import accounts, intent_actions
from shipcli.features.connections.intent_actions import PICKUP_CANCEL, CarrierAction
from shipcli.features.core.app import App
from shipcli.features.pickups import bookings, grouping, proxy
from shipcli.features.pickups import service as pickups
from shipcli.features.shipments import service as shipments
from shipcli.models import (
    Conflict,
    Invalid,
    NotFound,
    OutcomeUnknown,
    Pickup,
    PickupCancelData,
    PickupCancelRequestData,
    PickupResolveData,
    PickupUpdateData,
    Refused,
    Shipment,
)
from shipcli.store.query import flag
from tests.factories import CANADA, PARCEL
from tests.features.losing import losing
from tests.features.pickups.bookings import body, booked, collections, die, interrupted, sold
from tests.features.shipments.purchases import is_open


@pytest.mark.parametrize("carrier", ["canadapost", "dhl_parcel_de"])
def test_a_pickup_that_a_dead_process_booked_is_found_by_the_same_again(timed: App, carrier: str) -> None:
    held = sold(timed, carrier)
    pickup_id = interrupted(timed, held, carrier, reached=True)
    found = booked(timed, held, carrier=carrier)
    assert found.id == pickup_id
    assert [one["number"] for one in collections(timed)] == [found.confirmation_number]
    assert [one.id for one in grouping.list_pickup_shipments(timed, pickup_id)] == [held.id]
    assert not is_open(timed)


def test_a_pickup_at_a_given_address_that_a_dead_process_booked_is_found_by_the_same_again(
    timed: App,
) -> None:
    held = sold(timed, "canadapost")
    pickup_id = interrupted(timed, held, "canadapost", reached=True, address=CANADA)
    assert booked(timed, held, carrier="canadapost", address=CANADA).id == pickup_id
    assert len(collections(timed)) == 1


@pytest.mark.parametrize("carrier", ["canadapost", "dhl_parcel_de"])
def test_a_pickup_that_was_announced_and_never_asked_for_is_booked_once(timed: App, carrier: str) -> None:
    held = sold(timed, carrier)
    interrupted(timed, held, carrier, reached=False)
    booked(timed, held, carrier=carrier)
    assert len(collections(timed)) == 1
    assert not is_open(timed)


def test_the_worker_finds_a_pickup_that_a_dead_process_booked(timed: App) -> None:
    pickup_id = interrupted(timed, sold(timed, "canadapost"), "canadapost", reached=True)
    settlement.settle_all(timed)
    assert pickups.get_pickup(timed, pickup_id).confirmation_number == collections(timed)[0]["number"]


@pytest.mark.parametrize(
    "other",
    [
        {"pickup_date": "2031-05-09"},
        {"closing_time": "15:00"},
        {"address": {**CANADA, "postal_code": "K1A 0B2"}},
    ],
    ids=["day", "hours", "place"],
)
def test_a_pickup_of_another_content_is_not_taken_for_it(timed: App, other: dict[str, Any]) -> None:
    first, second = sold(timed, "canadapost"), sold(timed, "canadapost")
    account = accounts.choose(timed, "pickup", carrier_name="canadapost")[0]
    elsewhere = proxy_pickups_of(timed, first, **other)
    pickup_id = interrupted(timed, second, "canadapost", reached=False)
    made = booked(timed, second, carrier="canadapost")
    assert made.id != pickup_id
    assert made.confirmation_number != elsewhere
    assert account.kind.can("recover_pickup")


def proxy_pickups_of(app: App, held: Shipment, **changes: Any) -> str:
    """A collection that somebody booked past the store."""
    from shipcli.models import PickupRequestData

    plain = body(held, **changes).model_dump()
    given = {**plain, "address": plain.get("address") or CANADA, "parcels": [PARCEL]}
    given = {key: value for key, value in given.items() if key in PickupRequestData.model_fields}
    made = proxy.schedule_pickup(app, "canadapost", PickupRequestData.model_validate(given))
    assert made.pickup is not None
    return str(made.pickup.confirmation_number)


def test_a_stored_pickup_of_the_same_content_is_not_taken_for_it(timed: App) -> None:
    first, second = sold(timed, "canadapost"), sold(timed, "canadapost")
    before = booked(timed, first, carrier="canadapost")
    interrupted(timed, second, "canadapost", reached=False)
    made = booked(timed, second, carrier="canadapost")
    assert made.confirmation_number != before.confirmation_number
    assert len(collections(timed)) == 2


def test_another_wish_for_the_same_shipments_is_told_of_the_pickup_that_was_found(timed: App) -> None:
    held = sold(timed, "canadapost")
    pickup_id = interrupted(timed, held, "canadapost", reached=True)
    with pytest.raises(Invalid, match=pickup_id):
        booked(timed, held, carrier="canadapost", pickup_date="2031-05-09")
    assert len(collections(timed)) == 1


def test_a_lost_answer_is_looked_up_at_once_and_nothing_was_booked(timed: App) -> None:
    held = sold(timed, "canadapost")
    with pytest.raises(Refused, match="can't be read"):
        booked(timed, held, carrier="canadapost", options={"sandbox_scenario": "garbled"})
    assert booked(timed, held, carrier="canadapost").id
    assert len(collections(timed)) == 1


@pytest.mark.parametrize(("day", "is_told"), [("2031-05-08", True), ("2031-05-09", False)])
def test_ups_tells_of_lost_pickups_of_today_and_tomorrow_alone(timed: App, day: str, is_told: bool) -> None:
    held = sold(timed, "ups")
    pickup_id = interrupted(timed, held, "ups", reached=True, pickup_date=day)
    if is_told:
        assert booked(timed, held, carrier="ups", pickup_date=day).id == pickup_id
    else:
        with pytest.raises(OutcomeUnknown, match="today and tomorrow"):
            booked(timed, held, carrier="ups", pickup_date=day)
    assert len(collections(timed)) == 1


# -- a carrier that can't be asked -----------------------------------------------------------------


def needing_attention(app: App) -> tuple[Shipment, str]:
    held = sold(app, "usps")
    pickup_id = interrupted(app, held, "usps", reached=True)
    with pytest.raises(OutcomeUnknown, match=f"shipcli pickups resolve {pickup_id}"):
        booked(app, held)
    return held, pickup_id


def test_a_pickup_that_only_a_person_can_look_up_is_not_booked_again(timed: App) -> None:
    held, pickup_id = needing_attention(timed)
    with pytest.raises(Conflict, match=f"pickups resolve {pickup_id}"):
        booked(timed, held)
    settlement.settle_all(timed)
    assert len(collections(timed)) == 1


def test_a_person_says_that_a_pickup_was_booked(timed: App) -> None:
    held, pickup_id = needing_attention(timed)
    number = collections(timed)[0]["number"]
    said = PickupResolveData(booked=True, confirmation_number=number)
    assert bookings.resolve_pickup(timed, pickup_id, said)["confirmation_number"] == number
    assert [one.id for one in grouping.list_pickup_shipments(timed, pickup_id)] == [held.id]
    assert pickups.cancel_pickup(timed, pickup_id).confirmation_number == number
    assert collections(timed) == []


def test_a_person_says_that_a_pickup_was_not_booked(timed: App) -> None:
    held, pickup_id = needing_attention(timed)
    for _ in range(2):  # saying it again is answered alike
        said = bookings.resolve_pickup(timed, pickup_id, PickupResolveData(booked=False))
        assert said["booked"] is False
    assert booked(timed, held).id != pickup_id


def test_a_wrong_answer_is_corrected_by_another(timed: App) -> None:
    held, pickup_id = needing_attention(timed)
    for number in ("WRONG", "WTC1"):
        bookings.resolve_pickup(timed, pickup_id, PickupResolveData(booked=True, confirmation_number=number))
    assert pickups.get_pickup(timed, pickup_id).confirmation_number == "WTC1"
    said = bookings.resolve_pickup(timed, pickup_id, PickupResolveData(booked=False))
    assert said == {"id": pickup_id, "object_type": "pickup", "booked": False}
    assert not (shipments.get_shipment(timed, held.id).meta or {}).get("pickup_id")
    again = bookings.resolve_pickup(timed, pickup_id, PickupResolveData(booked=False))
    assert again["booked"] is False
    said = PickupResolveData(booked=True, confirmation_number="WTC1")
    with pytest.raises(NotFound):
        bookings.resolve_pickup(timed, pickup_id, said)


def test_an_answer_without_its_number_is_refused(timed: App) -> None:
    _, pickup_id = needing_attention(timed)
    with pytest.raises(Invalid) as caught:
        bookings.resolve_pickup(timed, pickup_id, PickupResolveData(booked=True))
    (problem,) = caught.value.problems
    assert problem.field == "confirmation_number"
    assert "number" in problem.reason


def test_of_a_pickup_that_is_known_there_is_nothing_to_say(timed: App) -> None:
    made = booked(timed, sold(timed, "usps"))
    with pytest.raises(NotFound, match="no pickup with an unknown outcome"):
        bookings.resolve_pickup(timed, made.id, PickupResolveData(booked=False))


# -- cancelled and changed -------------------------------------------------------------------------


@pytest.mark.parametrize("carrier", ["usps", "canadapost"])
@pytest.mark.parametrize("by_worker", [True, False], ids=["by the worker", "by the same again"])
def test_a_cancellation_that_a_dead_process_left_open_is_finished(
    timed: App, carrier: str, by_worker: bool
) -> None:
    held = sold(timed, carrier)
    made = booked(timed, held, carrier=carrier)
    cancel_past_us(timed, made)
    account = accounts.choose(timed, "pickup", carrier_name=carrier)[0]
    details = {"reason": None}
    action = CarrierAction(PICKUP_CANCEL, timed.new_id(""), made.id, account.id, (), details)
    intent_actions.announce(timed, action, account)
    die(timed, action)
    if by_worker:
        settlement.settle_all(timed)
    else:
        assert pickups.cancel_pickup(timed, made.id, PickupCancelData()).id == made.id
    assert timed.store.count("pickup", [flag("cancelled", False)]) == 0
    assert not is_open(timed)
    assert not (shipments.get_shipment(timed, held.id).meta or {}).get("pickup_id")


def cancel_past_us(app: App, made: Pickup) -> None:
    data = PickupCancelRequestData.model_validate({"confirmation_number": made.confirmation_number})
    proxy.cancel_pickup(app, made.carrier_name, data)


@pytest.mark.parametrize("carrier", ["usps", "canadapost"])
def test_a_pickup_that_was_cancelled_past_us_can_still_be_cancelled(timed: App, carrier: str) -> None:
    made = booked(timed, sold(timed, carrier), carrier=carrier)
    cancel_past_us(timed, made)
    assert pickups.cancel_pickup(timed, made.id).id == made.id


def writing(request: Request) -> bool:
    """Of USPS: the call that changes or cancels, after the one that finds the version of the collection."""
    return request.method in ("PUT", "DELETE")


@pytest.mark.parametrize("lost", ["before", "after"])
def test_a_cancellation_whose_answer_is_lost_is_asked_for_again(timed: App, lost: str) -> None:
    made = booked(timed, sold(timed, "usps"))
    line = losing(timed, "usps", **{lost: writing}, instead="error")
    with line, pytest.raises(OutcomeUnknown):
        pickups.cancel_pickup(timed, made.id)
    assert pickups.get_pickup(timed, made.id)
    pickups.cancel_pickup(timed, made.id)
    assert collections(timed) == []


@pytest.mark.parametrize("lost", ["before", "after"])
def test_a_change_whose_answer_is_lost_is_made_by_the_same_again(timed: App, lost: str) -> None:
    made = booked(timed, sold(timed, "usps"))
    change = PickupUpdateData.model_validate({"pickup_date": "2031-05-09"})
    line = losing(timed, "usps", **{lost: writing}, instead="error")
    with line, pytest.raises(OutcomeUnknown, match="the same again"):
        pickups.update_pickup(timed, made.id, change)
    assert pickups.update_pickup(timed, made.id, change).pickup_date == "2031-05-09"
    assert [one["day"] for one in collections(timed)] == ["2031-05-09"]


def test_shipments_of_a_pickup_under_way_are_not_voided(timed: App) -> None:
    held, _ = needing_attention(timed)
    with pytest.raises(Conflict, match="A pickup of the shipment"):
        shipments.cancel_shipment(timed, held.id)
