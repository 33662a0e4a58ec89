"""Pickups over HTTP: scheduled for stored shipments, changed, cancelled."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.conftest import Client
from tests.api.operations.samples import bought
from tests.factories import CANADA, PARCEL, SHIPPER

WHEN = {"pickup_date": "2030-05-06", "ready_time": "09:00", "closing_time": "17:00"}
SCHEDULE = "/v1/pickups/usps/schedule"


def sent(api: Client, carrier: str = "usps", **changes: Any) -> dict[str, Any]:
    return bought(api, carrier_ids=[carrier], **changes)


def wanted(*shipments: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**WHEN, "tracking_numbers": [one["tracking_number"] for one in shipments], **changes}


def booked(api: Client, *shipments: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return api.made(SCHEDULE, wanted(*shipments or (sent(api),), **changes))


def path_of(pickup: dict[str, Any]) -> str:
    return f"/v1/pickups/{pickup['id']}"


@pytest.fixture(scope="module")
def held(api: Client) -> dict[str, Any]:
    """A shipment that a pickup of the module holds."""
    shipment = sent(api)
    booked(api, shipment)
    return shipment


def test_a_pickup_is_scheduled_where_the_first_shipment_is(api: Client) -> None:
    first = sent(api, parcels=[PARCEL, PARCEL])
    second = sent(api, shipper={**SHIPPER, "person_name": "Another"})
    reply = api.post(SCHEDULE, wanted(first, second))
    made = reply.json
    assert (reply.status, made["id"][:4], made["object_type"]) == (201, "pck_", "pickup")
    assert made["confirmation_number"]
    assert made["parcels"] == [*first["parcels"], *second["parcels"]]
    assert made["address"]["id"] != first["shipper"]["id"]
    assert {**made["address"], "id": None} == {**first["shipper"], "id": None}


def test_a_given_address_is_the_place(api: Client) -> None:
    made = booked(api, address={**SHIPPER, "person_name": "Gate 4"})
    assert made["address"]["person_name"] == "Gate 4"


@pytest.mark.parametrize("field", ["pickup_date", "ready_time", "closing_time", "tracking_numbers"])
def test_day_hours_and_numbers_are_needed(api: Client, field: str) -> None:
    given = {name: value for name, value in {**WHEN, "tracking_numbers": ["1"]}.items() if name != field}
    reply = api.post(SCHEDULE, given)
    assert (reply.status, set(reply.error["details"])) == (400, {field})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("pickup_date", "06/05/2030"), ("pickup_date", "2030-13-01"), ("ready_time", "9 am"),
        ("closing_time", "25:00"), ("instruction", "x" * 51), ("package_location", "x" * 51),
    ],
)  # fmt: skip
def test_a_wrong_form_is_refused_now_and_later(
    api: Client, held: dict[str, Any], field: str, value: str
) -> None:
    pickup = api.get("/v1/pickups").json["results"][0]
    for path in (SCHEDULE, path_of(pickup)):
        reply = api.post(path, wanted(held, **{field: value}))
        assert (reply.status, set(reply.error["details"])) == (400, {field})


def test_texts_as_long_as_they_may_be_are_taken(api: Client) -> None:
    made = booked(api, instruction="x" * 50, package_location="y" * 50)
    assert (made["instruction"], made["package_location"]) == ("x" * 50, "y" * 50)


def test_unknown_numbers_and_held_shipments_are_refused(api: Client, held: dict[str, Any]) -> None:
    before = api.get("/v1/pickups").json["count"]
    free = sent(api)
    for other in ("unknown", held["tracking_number"]):
        reply = api.post(SCHEDULE, wanted(free, tracking_numbers=[free["tracking_number"], other]))
        assert (reply.status, set(reply.error["details"])) == (400, {"tracking_numbers"})
        assert other in str(reply.error["details"])
    assert api.get("/v1/pickups").json["count"] == before


def test_metadata_and_options_come_back(api: Client) -> None:
    made = booked(api, metadata={"dock": 2}, options={"note": "x"})
    found = api.get(path_of(made)).json
    assert (found["metadata"], found["options"]) == (made["metadata"], made["options"])
    assert (found["metadata"], found["options"]) == ({"dock": 2}, {"note": "x"})


def test_a_charge_is_a_name_an_amount_and_a_currency_or_nothing(api: Client) -> None:
    assert booked(api)["pickup_charge"] is None
    shipment = sent(api, "canadapost", shipper=CANADA, recipient={**CANADA, "person_name": "Marie Roy"})
    charge = api.made("/v1/pickups/canadapost/schedule", wanted(shipment))["pickup_charge"]
    assert set(charge) == {"name", "amount", "currency"}
    assert (charge["amount"] > 0, charge["currency"]) == (True, "CAD")


def test_pickups_are_listed_and_read(api: Client) -> None:
    made = booked(api)
    page, one = api.get("/v1/pickups"), api.get(path_of(made))
    assert (page.status, page.json["results"][0]) == (200, made)
    assert (one.status, one.json) == (200, made)


def test_a_change_changes_what_is_given(api: Client) -> None:
    made = booked(api, instruction="Ring", metadata={"a": 1})
    given = {"ready_time": "10:00", "pickup_date": "2030-05-07", "address": {"person_name": "Gate 4"}}
    reply = api.post(path_of(made), given)
    address = {**made["address"], "person_name": "Gate 4"}
    wanted = {**made, "ready_time": "10:00", "pickup_date": "2030-05-07", "address": address}
    assert (reply.status, reply.json) == (200, wanted)
    assert api.get(path_of(made)).json == wanted


def test_a_pickup_moves_to_a_stored_address_that_is_named(api: Client) -> None:
    made = booked(api)
    place = api.made("/v1/addresses", {**SHIPPER, "person_name": "Dock Nine", "address_line1": "9 Pier Rd"})
    moved = api.post(path_of(made), {"address": {"id": place["id"]}}).json["address"]
    assert moved == {**place, "id": made["address"]["id"]}
    own = {"id": made["address"]["id"], "person_name": "Gate 4"}
    assert api.post(path_of(made), {"address": own}).json["address"] == {**moved, "person_name": "Gate 4"}
    assert api.post(path_of(made), {"address": {"id": "adr_none"}}).status == 404


def test_the_carrier_is_asked_with_the_stored_number_unless_one_is_given(api: Client) -> None:
    made = booked(api)
    assert api.post(path_of(made), {"instruction": "Ring"}).status == 200
    refused = api.post(path_of(made), {"instruction": "Ring", "confirmation_number": "WTC999"})
    assert (refused.status, "WTC999" in str(refused.json["messages"])) == (424, True)


def listed(api: Client, more: str) -> list[str]:
    return [one["id"] for one in api.get(f"/v1/pickups?limit=100{more}").json["results"]]


def test_a_cancelled_pickup_is_given_back_and_gone(api: Client) -> None:
    for reason in ({"reason": "Snow"}, {}):
        made = booked(api)
        reply = api.post(f"{path_of(made)}/cancel", reason)
        assert (reply.status, reply.json) == (200, made)
        assert api.get(path_of(made)).status == 404
        assert made["id"] not in listed(api, "")
        assert made["id"] in listed(api, "&cancelled=true")
        assert made["id"] in listed(api, "&cancelled=all")
    assert api.post(f"{path_of(booked(api))}/cancel", {"reason": {"a": 1}}).status == 400


def test_a_refusal_and_an_unknown_carrier_are_told(api: Client) -> None:
    shipment = sent(api)
    refused = api.post(SCHEDULE, wanted(shipment, pickup_date="2020-05-06"))
    assert (refused.status, [one["carrier_id"] for one in refused.json["messages"]]) == (424, ["usps"])
    for carrier in ("no_such_carrier", "sendle"):
        reply = api.post(f"/v1/pickups/{carrier}/schedule", wanted(shipment))
        assert (reply.status, reply.error["code"]) == (404, "not_found")
