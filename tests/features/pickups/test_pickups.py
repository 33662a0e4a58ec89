"""Pickups of stored shipments, and those that go straight through to a carrier."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from pydantic import ValidationError
from shipcli.carriers.usps import Usps

from shipcli.features.book import addresses
from shipcli.features.connections import service as connections
from shipcli.features.connections.accounts import Account
from shipcli.features.core.app import App
from shipcli.features.core.locks import hold_locks
from shipcli.features.pickups import bookings, proxy, shorthand
from shipcli.features.pickups import service as pickups
from shipcli.features.pickups.grouping import list_pickup_shipments
from shipcli.features.shipments import service as shipments
from shipcli.gateway.local import LocalGateway
from shipcli.models import (
    AddressData,
    Conflict,
    ConnectionData,
    Invalid,
    NoConnection,
    NotFound,
    OutcomeUnknown,
    Pickup,
    PickupCancelData,
    PickupCancelRequestData,
    PickupData,
    PickupDropData,
    PickupRequestData,
    PickupUpdateData,
    PickupUpdateRequestData,
    Refused,
    json,
)
from shipcli.workflows.pickups import complete_pickup
from tests.factories import ABROAD, CANADA, FARTHER, PARCEL, RECIPIENT, SHIPPER
from tests.features.conftest import Clock, listen, live_labels
from tests.features.pickups.bookings import WHEN, booked, bought, collections


def test_a_scheduled_pickup_is_stored_with_what_the_carrier_confirmed(timed: App) -> None:
    one, two = bought(timed), bought(timed, reference="SO-2")
    made = booked(timed, one, two, package_location="Dock 2", instruction="Ring twice")
    assert made.id.startswith("pck_")
    assert made.object_type == "pickup"
    assert (made.carrier_name, made.carrier_id, made.test_mode) == ("usps", "usps", True)
    assert (made.meta or {})["carrier"] == "usps"
    assert [record["number"] for record in collections(timed)] == [made.confirmation_number]
    assert (made.pickup_date, made.ready_time, made.closing_time) == tuple(WHEN.values())
    assert pickups.get_pickup(timed, made.id).model_dump() == made.model_dump()


def test_the_parcels_are_those_of_the_shipments(timed: App) -> None:
    one, two = bought(timed, parcels=[PARCEL, PARCEL]), bought(timed)
    made = booked(timed, one, two)
    assert made.parcels == [*one.parcels, *two.parcels]


def test_without_an_address_the_first_shipments_shipper_is_the_place(timed: App) -> None:
    first, second = bought(timed), bought(timed, shipper={**SHIPPER, "person_name": "Another"})
    made = booked(timed, first, second)
    assert made.address.person_name == SHIPPER["person_name"]
    assert str(made.address.id).startswith("adr_")
    assert made.address.id != first.shipper.id
    assert addresses.get_address(timed, str(made.address.id)) == made.address


def test_a_stored_address_may_be_the_place(timed: App) -> None:
    stored = addresses.create_address(timed, AddressData.model_validate({**SHIPPER, "person_name": "Gate 4"}))
    made = booked(timed, bought(timed), address={"id": stored.id})
    assert made.address.person_name == "Gate 4"
    assert made.address.id != stored.id


def test_metadata_and_options_come_back(timed: App) -> None:
    made = booked(timed, bought(timed), metadata={"door": 4}, options={"note": "Dock 2"})
    kept = pickups.get_pickup(timed, made.id)
    assert (kept.metadata, kept.options) == ({"door": 4}, {"note": "Dock 2"})


def test_a_charge_is_a_name_an_amount_and_a_currency_or_nothing(timed: App) -> None:
    free = booked(timed, bought(timed)).model_dump()["pickup_charge"]
    paid = booked(timed, bought(timed, "canadapost", shipper=CANADA, recipient=FARTHER), carrier="canadapost")
    charge = paid.model_dump()["pickup_charge"]
    assert free is None
    assert set(charge) == {"name", "amount", "currency"}
    assert charge["currency"] == "CAD"


@pytest.mark.parametrize("field", ["pickup_date", "ready_time", "closing_time", "tracking_numbers"])
def test_what_a_pickup_needs_is_required(field: str) -> None:
    given = {**WHEN, "tracking_numbers": ["1"]}
    del given[field]
    with pytest.raises(ValidationError, match=field):
        PickupData.model_validate(given)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("pickup_date", "08/05/2031"),
        ("ready_time", "9 am"),
        ("closing_time", "25:00"),
        ("instruction", "x" * 51),
        ("package_location", "x" * 51),
    ],
)
def test_formats_and_maxima_hold(field: str, value: str) -> None:
    for model in (PickupData, PickupUpdateData):
        with pytest.raises(ValidationError, match=field):
            model.model_validate({**WHEN, "tracking_numbers": ["1"], field: value})


def test_unknown_tracking_numbers_are_refused_by_name(timed: App) -> None:
    with pytest.raises(Invalid) as caught:
        booked(timed, bought(timed), tracking_numbers=["nope", "neither"])
    assert [problem.field for problem in caught.value.problems] == ["tracking_numbers"] * 2
    assert "neither" in caught.value.message
    assert collections(timed) == []


def test_a_shipment_in_a_pickup_is_not_booked_again(timed: App) -> None:
    held = bought(timed)
    booked(timed, held)
    with pytest.raises(Invalid, match="is in a pickup already: shipcli pickups get pck_"):
        booked(timed, held)
    assert len(collections(timed)) == 1


def test_shipments_may_be_named_by_id(timed: App) -> None:
    held = bought(timed)
    made = booked(timed, tracking_numbers=[held.id, held.tracking_number])
    assert made.parcels == held.parcels


def test_another_carriers_parcel_is_not_collected(timed: App) -> None:
    with pytest.raises(Invalid, match="bought with ups"):
        booked(timed, bought(timed, "ups"))


def test_one_post_collects_its_domestic_and_its_international_parcels(timed: App) -> None:
    goods = {"title": "Book", "quantity": 1, "weight": 1, "weight_unit": "LB", "value_amount": 9,
             "value_currency": "USD", "origin_country": "US"}  # fmt: skip
    customs = {"commodities": [goods], "duty": {"paid_by": "sender"}, "content_type": "merchandise"}
    abroad = bought(timed, "usps_international", recipient=ABROAD, customs=customs)
    made = booked(timed, bought(timed), abroad)
    assert len(made.parcels) == 2


def test_a_cancelled_shipment_is_not_collected(timed: App) -> None:
    gone = bought(timed)
    shipments.cancel_shipment(timed, gone.id)
    with pytest.raises(Invalid, match="the shipment is cancelled"):
        booked(timed, gone)


@pytest.mark.parametrize("carrier", ["bpost", "no_such_carrier"])
def test_a_carrier_that_books_nothing_has_no_connection_for_it(timed: App, carrier: str) -> None:
    with pytest.raises(NoConnection):
        booked(timed, bought(timed), carrier=carrier)


def test_a_refused_booking_stores_nothing(timed: App) -> None:
    held = bought(timed)
    with pytest.raises(Refused, match="past"):
        booked(timed, held, pickup_date="2031-05-01")
    assert timed.store.count("pickup") == 0
    assert booked(timed, held).confirmation_number


def test_a_lost_answer_is_told_as_unknown(timed: App) -> None:
    with pytest.raises(OutcomeUnknown, match="not known"):
        booked(timed, bought(timed), options={"sandbox_scenario": "garbled"})


def test_two_processes_do_not_book_the_same_shipment_at_once(timed: App) -> None:
    held = bought(timed)
    with hold_locks(timed, [f"pickup/{held.id}"], "taken"), pytest.raises(Conflict, match="right now"):
        booked(timed, held)
    assert booked(timed, held).id


def test_a_held_shipment_is_not_voided_until_the_pickup_is_cancelled(timed: App) -> None:
    held = bought(timed)
    made = booked(timed, held)
    with pytest.raises(Conflict, match="pickup"):
        shipments.cancel_shipment(timed, held.id)
    pickups.cancel_pickup(timed, made.id)
    assert shipments.cancel_shipment(timed, held.id).status == "cancelled"
    assert live_labels(timed) == {}


def test_a_cancelled_pickup_is_returned_with_its_id_and_gone(timed: App) -> None:
    held = bought(timed)
    made = booked(timed, held)
    gone = pickups.cancel_pickup(timed, made.id, PickupCancelData(reason="Snow"))
    assert gone.id == made.id
    assert collections(timed) == []
    for read in (pickups.get_pickup, pickups.cancel_pickup):
        with pytest.raises(NotFound):
            read(timed, made.id)
    with pytest.raises(NotFound):
        addresses.get_address(timed, str(made.address.id))
    assert booked(timed, held).id != made.id


def test_a_cancellation_names_the_shipments_that_are_held(
    timed: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = listen(monkeypatch, Usps, "cancel_pickup")
    held = bought(timed)
    pickups.cancel_pickup(timed, booked(timed, held, options={"door": 4}).id)
    (request,) = asked
    assert request.options == {"door": 4, "shipment_identifiers": [held.shipment_identifier]}


def test_a_booking_names_its_shipments_as_a_field_and_among_the_options(
    timed: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = listen(monkeypatch, Usps, "schedule_pickup")
    one, two = bought(timed), bought(timed)
    numbers = [one.shipment_identifier, two.shipment_identifier]
    booked(timed, one, two, options={"door": 4})
    (request,) = asked
    assert request.shipment_identifiers == numbers
    assert request.options == {"door": 4, "shipment_identifiers": numbers}


def test_the_reason_of_a_cancellation_reaches_the_carrier(
    timed: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = listen(monkeypatch, Usps, "cancel_pickup")
    for given in (PickupCancelData(reason="Snow"), None):
        pickup = booked(timed, bought(timed))
        pickups.cancel_pickup(timed, pickup.id, given)
        assert asked[-1].meta == pickup.meta  # what the carrier told when it was booked, among it
    assert [request.reason for request in asked] == ["Snow", None]


def test_pickups_are_listed_newest_first(timed: App, clock: Clock) -> None:
    older = booked(timed, bought(timed))
    clock.advance(minutes=1)
    newer = booked(timed, bought(timed))
    count, texts = pickups.list_pickups(timed, (), 20, 0)
    assert count == 2
    assert [json.loads(text)["id"] for text in texts] == [newer.id, older.id]


def test_pickups_belong_to_a_mode(timed: App) -> None:
    made = booked(timed, bought(timed))
    with pytest.raises(NotFound, match=made.id):
        pickups.get_pickup(timed.in_mode(False), made.id)


# -- changes -----------------------------------------------------------------------------------------


def change(app: App, pickup: Pickup, **given: Any) -> Pickup:
    return pickups.update_pickup(app, pickup.id, PickupUpdateData.model_validate(given))


def test_an_update_changes_the_given_fields_and_no_other(timed: App) -> None:
    made = booked(timed, bought(timed), instruction="Ring")
    changed = change(timed, made, ready_time="11:00", pickup_date="2031-05-09")
    assert (changed.ready_time, changed.pickup_date) == ("11:00", "2031-05-09")
    assert (changed.closing_time, changed.instruction) == ("17:00", "Ring")
    assert collections(timed)[0]["day"] == "2031-05-09"
    assert pickups.get_pickup(timed, made.id).model_dump() == changed.model_dump()


@pytest.mark.parametrize(
    ("carrier", "given"),
    [
        ("purolator", {"pickup_date": "2031-05-12"}),
        ("purolator", {"ready_time": "13:00"}),
        ("canadapost", {"address": {"address_line1": "1 Elsewhere Rd"}}),
    ],
)
def test_a_change_that_the_carrier_can_not_be_told_is_refused(
    timed: App, carrier: str, given: dict[str, Any]
) -> None:
    """It would come as it was booked."""
    made = booked(timed, bought(timed, carrier, shipper=CANADA, recipient=FARTHER), carrier=carrier)
    with pytest.raises(Invalid, match=next(iter(given))):
        change(timed, made, **given)
    assert pickups.get_pickup(timed, made.id).model_dump() == made.model_dump()
    assert (
        change(timed, made, closing_time="16:00", address={"person_name": "Gate 4"}).closing_time == "16:00"
    )


def test_an_address_in_an_update_is_partial(timed: App) -> None:
    made = booked(timed, bought(timed))
    changed = change(timed, made, address={"person_name": "Gate 4", "company_name": None})
    assert changed.address == made.address.model_copy(update={"person_name": "Gate 4", "company_name": None})


def test_an_address_in_an_update_obeys_its_country(timed: App) -> None:
    made = booked(timed, bought(timed))
    with pytest.raises(Invalid) as caught:
        change(timed, made, address={"postal_code": "no code"})
    assert [problem.field for problem in caught.value.problems] == ["address.postal_code"]


def test_the_stored_confirmation_number_stands_for_an_absent_one(timed: App) -> None:
    made = booked(timed, bought(timed))
    assert change(timed, made, instruction="Ring").confirmation_number == made.confirmation_number
    with pytest.raises(Refused, match="WTC999"):
        change(timed, made, confirmation_number="WTC999")


def test_metadata_and_options_of_an_update_are_merged(timed: App) -> None:
    made = booked(timed, bought(timed), metadata={"a": 1, "b": 2}, options={"a": 1, "b": 2})
    changed = change(timed, made, metadata={"a": None, "c": 3}, options={"a": None, "c": 3})
    assert (changed.metadata, changed.options) == ({"b": 2, "c": 3}, {"b": 2, "c": 3})


def test_a_pickup_is_changed_and_cancelled_through_the_connection_it_was_booked_with(
    timed: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = booked(timed, bought(timed))
    own = (made.meta or {})["connection_id"]
    data = connections.reveal_connection(timed, timed.store.get("connection", own) or {})
    namesake = {"carrier_name": "usps", "carrier_id": "usps", "credentials": data.credentials}
    connections.add_connection(timed, ConnectionData.model_validate(namesake))
    through: list[tuple[str, str]] = []
    ask = pickups.ask_carrier

    def noted(app: App, account: Account, verb: str, *given: Any, **named: Any) -> Any:
        through.append((verb, account.id))
        return ask(app, account, verb, *given, **named)

    for module in (pickups, bookings):
        monkeypatch.setattr(module, "ask_carrier", noted)
    change(timed, made, ready_time="11:00")
    pickups.cancel_pickup(timed, made.id)
    assert through == [("update_pickup", own), ("cancel_pickup", own)]


def test_null_clears_a_text_and_leaves_what_a_pickup_needs(timed: App) -> None:
    made = booked(timed, bought(timed), instruction="Ring")
    changed = change(timed, made, instruction=None, ready_time=None)
    assert (changed.instruction, changed.ready_time) == (None, "09:00")


def test_added_shipments_are_collected_and_held(timed: App) -> None:
    first, second = bought(timed), bought(timed)
    made = booked(timed, first)
    changed = change(timed, made, tracking_numbers=[first.tracking_number, second.tracking_number])
    assert changed.parcels == [*first.parcels, *second.parcels]
    with pytest.raises(Conflict):
        shipments.cancel_shipment(timed, second.id)
    pickups.cancel_pickup(timed, made.id)
    assert shipments.cancel_shipment(timed, second.id).status == "cancelled"


def test_unknown_shipments_are_not_added(timed: App) -> None:
    made = booked(timed, bought(timed))
    with pytest.raises(Invalid, match="nope"):
        change(timed, made, tracking_numbers=["nope"])


def drop(app: App, pickup: Pickup, *words: str) -> Pickup:
    return pickups.drop_shipments(app, pickup.id, PickupDropData(tracking_numbers=[*words]))


def test_a_shipment_taken_out_of_a_pickup_can_be_voided_and_the_others_are_collected(timed: App) -> None:
    first, second, third = bought(timed), bought(timed), bought(timed)
    made = booked(timed, first, second, third)
    changed = drop(timed, made, second.id, str(third.tracking_number))
    assert changed.parcels == first.parcels
    assert pickups.get_pickup(timed, made.id).parcels == first.parcels
    assert [shipment.id for shipment in list_pickup_shipments(timed, made.id)] == [first.id]
    assert shipments.cancel_shipment(timed, second.id).status == "cancelled"
    assert booked(timed, third).parcels == third.parcels
    with pytest.raises(Conflict, match=f"pickups update {made.id} --drop {first.id}"):
        shipments.cancel_shipment(timed, first.id)


def test_the_carrier_is_told_once_what_was_taken_out(timed: App, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = bought(timed), bought(timed)
    made, ask, requests = booked(timed, first, second), pickups.ask_carrier, list[Any]()

    def noted(app: App, account: Account, verb: str, request: Any, **named: Any) -> Any:
        requests.append(request)
        return ask(app, account, verb, request, **named)

    monkeypatch.setattr(pickups, "ask_carrier", noted)
    assert drop(timed, made, second.id) == drop(timed, made, second.id)
    (request,) = requests
    assert (request.confirmation_number, request.parcels) == (made.confirmation_number, first.parcels)


def test_what_is_not_in_a_pickup_or_its_last_parcel_is_not_taken_out(timed: App) -> None:
    first, second = bought(timed), bought(timed)
    made, other = booked(timed, first), booked(timed, second)
    with pytest.raises(Invalid, match="nope: there is no such shipment"):
        drop(timed, made, "nope")
    with pytest.raises(Invalid, match=f"it is in {other.id}"):
        drop(timed, made, second.id)
    with pytest.raises(Invalid, match=f"shipcli pickups cancel {made.id}"):
        drop(timed, made, first.id)


# -- what a bench says -------------------------------------------------------------------------------


def test_a_bench_names_the_day_and_the_hours_and_takes_all_that_waits(timed: App) -> None:
    one, held, two = bought(timed), bought(timed), bought(timed)
    bought(timed, "ups")
    booked(timed, held)
    given = {"pickup_date": "tomorrow", "hours": "9-17:30"}
    full, left_out = complete_pickup(LocalGateway(timed), "usps", given)
    assert full["tracking_numbers"] == [one.tracking_number, two.tracking_number]
    assert (full["pickup_date"], full["ready_time"], full["closing_time"]) == ("2031-05-08", "09:00", "17:30")
    assert left_out == 0


def test_parcels_at_another_place_are_left_out_and_counted(timed: App) -> None:
    here = bought(timed)
    bought(timed, shipper={**SHIPPER, "address_line1": "1 Other St", "postal_code": "19103"})
    full, left_out = complete_pickup(LocalGateway(timed), "usps", {})
    assert (full["tracking_numbers"], left_out) == ([here.tracking_number], 1)


def test_today_is_the_day_at_the_place_of_the_parcels(timed: App, clock: Clock) -> None:
    clock.now = clock.now.replace(hour=23, minute=30)
    tokyo = {**RECIPIENT, "country_code": "JP"}
    assert (
        shorthand.complete_change(timed.now(), {"pickup_date": "today"}, tokyo)["pickup_date"] == "2031-05-08"
    )


@pytest.mark.parametrize("text", ["14:00", "17:00-14:00", "25-26", "9-9", "noon-17:00"])
def test_hours_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(Invalid, match="hours"):
        shorthand.read_hours(text)


def test_nothing_waiting_is_said(timed: App) -> None:
    with pytest.raises(Invalid, match="waits"):
        complete_pickup(LocalGateway(timed), "usps", {})


# -- connections -------------------------------------------------------------------------------------


def test_a_connection_that_a_coming_pickup_needs_is_not_removed(timed: App, clock: Clock) -> None:
    made = booked(timed, bought(timed))
    connection_id = (made.meta or {})["connection_id"]
    with pytest.raises(Conflict, match=made.id):
        connections.remove_connection(timed, connection_id)
    clock.advance(days=2)  # yesterday, and somewhere still the day itself
    with pytest.raises(Conflict, match=made.id):
        connections.remove_connection(timed, connection_id)
    clock.advance(days=1)
    assert connections.remove_connection(timed, connection_id).id == connection_id


# -- straight through --------------------------------------------------------------------------------

THROUGH = {**WHEN, "address": SHIPPER, "parcels": [PARCEL]}


def test_a_pickup_goes_straight_through_and_leaves_a_trace_only(timed: App) -> None:
    data = PickupRequestData.model_validate({**THROUGH, "options": {"door": 1}})
    answer = proxy.schedule_pickup(timed, "usps", data)
    plain = answer.model_dump()
    assert set(plain) == {"messages", "pickup"}
    assert plain["pickup"]["id"].startswith("pck_")
    assert plain["pickup"]["confirmation_number"] == collections(timed)[0]["number"]
    assert timed.store.count("pickup") == 0
    assert "schedule_pickup" in {row["verb"] for row in timed.store.select("traces")}


def test_a_pickup_is_changed_and_cancelled_straight_through(timed: App) -> None:
    made = proxy.schedule_pickup(timed, "usps", PickupRequestData.model_validate(THROUGH))
    assert made.pickup
    number = made.pickup.confirmation_number
    later = {**THROUGH, "pickup_date": "2031-05-09", "confirmation_number": number}
    changed = proxy.update_pickup(timed, "usps", PickupUpdateRequestData.model_validate(later))
    assert changed.model_dump()["pickup"] | {"parcels": None} == made.model_dump()["pickup"] | {
        "id": None, "pickup_date": "2031-05-09", "parcels": None,
    }  # fmt: skip
    given = {"confirmation_number": number, "pickup_date": None, "reason": "Snow", "address": SHIPPER}
    done = proxy.cancel_pickup(timed, "usps", PickupCancelRequestData.model_validate(given))
    assert done.confirmation
    assert done.confirmation.model_dump() == {
        "operation": "Cancel Pickup", "success": True, "carrier_name": "usps", "carrier_id": "usps",
    }  # fmt: skip
    assert collections(timed) == []


@pytest.mark.parametrize("field", ["pickup_date", "address", "parcels", "ready_time", "closing_time"])
def test_what_a_pickup_straight_through_needs_is_required(field: str) -> None:
    given = {name: value for name, value in THROUGH.items() if name != field}
    with pytest.raises(ValidationError, match=field):
        PickupRequestData.model_validate(given)


def test_changing_and_cancelling_straight_through_need_the_confirmation_number() -> None:
    for model in (PickupUpdateRequestData, PickupCancelRequestData):
        with pytest.raises(ValidationError, match="confirmation_number"):
            model.model_validate(THROUGH)


def test_a_refusal_straight_through_carries_what_the_carrier_said(timed: App) -> None:
    past = {**THROUGH, "pickup_date": (timed.now() - timedelta(days=2)).date().isoformat()}
    with pytest.raises(Refused, match="past"):
        proxy.schedule_pickup(timed, "usps", PickupRequestData.model_validate(past))
    with pytest.raises(NoConnection):
        proxy.schedule_pickup(timed, "bpost", PickupRequestData.model_validate(THROUGH))
