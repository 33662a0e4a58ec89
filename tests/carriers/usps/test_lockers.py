"""Parcel lockers of the Postal Service: where they are, and parcels that go there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from shipcli.carriers.usps import Usps

from shipcli.carrier import Reply
from shipcli.models import Location, LocationRequest
from shipcli.models import json as plain_json
from tests.carriers.bench import Bench, address, said
from tests.carriers.tap import Tap

LOCKER = "LOCKER-"


@pytest.fixture
def home() -> Iterator[Bench]:
    made = Bench(Usps)
    yield made
    made.close()


def look(bench: Bench, **values: Any) -> list[Location]:
    outcome = bench.ask("find_locations", LocationRequest(address=address("US", "Bo Buyer"), **values))
    assert outcome.result is not None, said(outcome)
    return list(outcome.result)


def find_lockers(places: list[Location]) -> list[Location]:
    return [place for place in places if str(place.id).startswith(LOCKER)]


def test_lockers_are_as_far_away_as_the_offices_where_they_stand(home: Bench) -> None:
    places = look(home, limit=50)
    away = {place.id: place.distance for place in places}
    lockers = find_lockers(places)
    assert lockers
    for locker in lockers:
        assert (locker.kind, locker.pick_up) == ("Parcel locker", True)
        assert locker.distance == away[str(locker.id).removeprefix(LOCKER)]


def test_a_locker_that_takes_no_parcels_now_is_left_out(home: Bench) -> None:
    row = {"facilityID": "1368559", "locationName": "JOSE MARTI", "locationAddress": {"city": "Miami"}}
    rows = [{**row, "lockerOnline": False}, {**row, "lockerOnline": True, "serviceDirectShip": False}]
    answer = Reply(200, plain_json.dump_bytes(rows), {"content-type": "application/json"})
    Tap(home, instead=lambda request: answer if "parcel-locker" in request.url else None)
    assert [place.pick_up for place in find_lockers(look(home))] == [False]


def test_offices_are_told_where_lockers_can_not_be_asked_for(home: Bench) -> None:
    refusal = Reply(403, b'{"error": {"code": "403", "message": "Insufficient OAuth scope"}}')
    Tap(home, instead=lambda request: refusal if "parcel-locker" in request.url else None)
    places = look(home)
    assert places
    assert find_lockers(places) == []


def test_who_hands_a_parcel_in_is_told_of_offices_alone(home: Bench) -> None:
    tap = Tap(home)
    assert find_lockers(look(home, purpose="drop_off")) == []
    assert [sent for sent in tap.sent if "parcel-locker" in sent.url] == []


@pytest.mark.parametrize("is_locker", [True, False])
def test_a_parcel_goes_to_the_locker_or_is_held_at_the_office(home: Bench, is_locker: bool) -> None:
    places = look(home, limit=50)
    ids = [str(place.id) for place in places if place.pick_up and place in find_lockers(places)]
    facility = ids[0].removeprefix(LOCKER)
    tap = Tap(home)
    options = {"hold_at_location": ids[0] if is_locker else facility}
    outcome = home.ask("ship", home.request(service="usps_ground_advantage", options=options))
    assert outcome.result, said(outcome)
    [body] = [plain_json.loads(sent.content) for sent in tap.sent if sent.url.endswith("/labels/v3/label")]
    told = {
        name: body["toAddress"].get(name) for name in ("parcelLockerDelivery", "holdForPickup", "facilityId")
    }
    expected = {"parcelLockerDelivery": True, "holdForPickup": None}
    held = {"parcelLockerDelivery": None, "holdForPickup": True}
    assert told == {**(expected if is_locker else held), "facilityId": facility}


def test_a_parcel_for_a_locker_needs_an_address_for_mail(home: Bench) -> None:
    locker = find_lockers(look(home, limit=50))[0].id
    recipient = address("US", "Bo Buyer").model_copy(update={"email": None})
    order = home.request(service="usps_ground_advantage", options={"hold_at_location": locker})
    outcome = home.ask("ship", order.model_copy(update={"recipient": recipient}))
    assert "recipient.email: required by USPS" in said(outcome)
