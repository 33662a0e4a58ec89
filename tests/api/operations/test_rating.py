"""Rates that nobody keeps."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import pytest

from shipcli.features.core.app import App
from tests.api.conftest import Client, body
from tests.api.operations.samples import stored
from tests.factories import ITEM, PARCEL, RECIPIENT, SHIPPER
from tests.features.losing import always, losing

MUG = {
    "title": "Mug",
    "quantity": 1,
    "weight": 1,
    "weight_unit": "LB",
    "value_amount": 9,
    "value_currency": "USD",
}
FILLED = [{**PARCEL, "content": "Books", "items": [MUG]}]  # carriers that sell goods abroad ask what they are
PATH = "/v1/proxy/rates"
ABROAD = {**RECIPIENT, "country_code": "CA", "postal_code": "K1A 0B1", "state_code": "ON", "city": "Ottawa"}
FIELDS = {
    "id", "object_type", "carrier_name", "carrier_id", "currency", "service", "total_charge", "transit_days",
    "extra_charges", "estimated_delivery", "meta", "test_mode",
}  # fmt: skip


def rates_of(api: Client, **changes: Any) -> list[dict[str, Any]]:
    return list(api.made(PATH, body(**changes))["rates"])


@pytest.fixture(scope="module")
def every(api: Client) -> list[dict[str, Any]]:
    """The rates of all carriers."""
    return rates_of(api, carrier_ids=[])


def test_rates_are_answered_and_nothing_is_stored(api: Client) -> None:
    before = stored(api)
    reply = api.post(PATH, body(carrier_ids=[]))
    assert (reply.status, set(reply.json)) == (200, {"messages", "rates"})
    assert reply.json["rates"]
    assert stored(api) == before


def test_a_rate_says_what_it_costs_and_whose_it_is(api: Client, every: list[dict[str, Any]]) -> None:
    names = {row["id"]: row for row in api.get("/v1/connections?limit=100").json["results"]}
    hubs = api.get("/v1/references").json["carrier_hubs"]
    for rate in every:
        assert set(rate) == FIELDS
        assert (rate["object_type"], rate["test_mode"]) == ("rate", True)
        assert re.fullmatch("rat_[0-9a-f]{32}", rate["id"])
        assert isinstance(rate["total_charge"], int | float | Decimal)
        assert all({"name", "amount", "currency"} <= set(charge) for charge in rate["extra_charges"])
        meta = rate["meta"]
        assert meta["service_name"]
        assert meta["carrier"]
        if rate["carrier_name"] not in hubs:  # hubs name the carrier that moves the parcel
            assert meta["carrier"] == rate["carrier_name"]
        assert names[meta["carrier_connection_id"]]["carrier_id"] == rate["carrier_id"]
    assert any(rate["extra_charges"] for rate in every)
    assert {type(rate["estimated_delivery"]) for rate in every} == {str, type(None)}


def test_the_cheapest_rate_comes_first(every: list[dict[str, Any]]) -> None:
    prices = [rate["total_charge"] for rate in every]
    assert len(set(prices)) > 5
    assert prices == sorted(prices)


def test_without_names_every_account_that_serves_the_origin_is_asked(fresh: tuple[Any, Client]) -> None:
    app, api = fresh
    credentials = {"client_id": "me", "client_secret": "hush", "account_country_code": "CA"}
    given = {"carrier_name": "ups", "carrier_id": "ups-ca", "credentials": credentials}
    api.made("/v1/connections", given)
    from_home, from_canada = (
        api.made(PATH, body(shipper=shipper, recipient=RECIPIENT, parcels=FILLED, carrier_ids=[]))
        for shipper in (SHIPPER, ABROAD)
    )
    assert {rate["carrier_id"] for rate in from_home["rates"]} >= {"easypost", "generic", "ups", "usps"}
    assert not {rate["carrier_id"] for rate in from_home["rates"]} & {"ups-ca", "canadapost"}
    assert "ups-ca" not in {message["carrier_id"] for message in from_home["messages"]}
    assert {rate["carrier_id"] for rate in from_canada["rates"]} >= {"generic", "ups-ca", "canadapost"}
    sent = app.store.select("traces", {"verb": "rate"})
    # Canada Post collects in Canada alone: it is asked of the second origin only.
    assert sum("canadapost" in row["request"]["url"] for row in sent) == 1


@pytest.mark.parametrize("recipient", [RECIPIENT, ABROAD])
@pytest.mark.parametrize("shipper", [SHIPPER, ABROAD])
def test_carriers_that_do_not_serve_a_lane_say_nothing_unless_they_are_named(
    api: Client, shipper: dict[str, Any], recipient: dict[str, Any]
) -> None:
    unnamed = body(shipper=shipper, recipient=recipient, parcels=FILLED, carrier_ids=[])
    assert api.made(PATH, unnamed)["messages"] == []
    named = body(shipper=shipper, recipient=recipient, carrier_ids=["usps", "canadapost", "generic"])
    said = {(one["carrier_id"], one["code"].split("_")[2]) for one in api.made(PATH, named)["messages"]}
    assert ("usps", "ORIGIN") in said or ("canadapost", "ORIGIN") in said


def test_when_nobody_serves_the_origin_the_answer_says_who_was_left_out(fresh: tuple[Any, Client]) -> None:
    app, api = fresh
    for row in app.store.columns("connections", ("id", "carrier_name"), {"test_mode": True}):
        if row[1] not in ("usps", "canadapost"):
            assert api.patch(f"/v1/connections/{row[0]}", {"active": False}).status == 200
    germany = {"country_code": "DE", "postal_code": "10117", "city": "Berlin"}
    reply = api.post(PATH, body(shipper=germany, carrier_ids=[]))
    assert (reply.status, reply.error["code"]) == (404, "not_found")
    assert reply.error["details"] == {
        "usps": "This account ships from US, not from DE",
        "canadapost": "This account ships from CA, not from DE",
    }


def test_names_limit_who_is_asked(api: Client) -> None:
    for names in (["ups"], ["usps", "generic"]):
        assert {rate["carrier_id"] for rate in rates_of(api, carrier_ids=names)} == set(names)


def test_services_limit_what_is_offered(api: Client, every: list[dict[str, Any]]) -> None:
    wanted = ["ups_ground", "usps_ground_advantage"]
    found = rates_of(api, carrier_ids=[], services=wanted)
    assert {rate["service"] for rate in found} == set(wanted) < {rate["service"] for rate in every}


@pytest.mark.parametrize("scenario", ["error", "closed", "garbled"])
def test_an_account_that_fails_does_not_hide_the_others(app: App, api: Client, scenario: str) -> None:
    with losing(app, "usps", before=always, instead=scenario) as line:
        reply = api.post(PATH, body(carrier_ids=["ups", "usps"]))
    assert line.asked
    assert reply.status == 200
    assert {rate["carrier_id"] for rate in reply.json["rates"]} == {"ups"}
    assert {message["carrier_id"] for message in reply.json["messages"]} == {"usps"}


def test_an_account_that_does_not_serve_the_lane_does_not_hide_the_others(api: Client) -> None:
    reply = api.post(PATH, body(carrier_ids=["ups", "canadapost"]))
    assert reply.status == 200
    assert {rate["carrier_id"] for rate in reply.json["rates"]} == {"ups"}
    assert {message["carrier_id"] for message in reply.json["messages"]} == {"canadapost"}


def test_when_all_fail_their_messages_are_the_answer(api: Client) -> None:
    options = {"sandbox_scenario": "error"}
    reply = api.post(PATH, body(carrier_ids=["ups", "usps"], options=options))
    assert (reply.status, set(reply.json)) == (424, {"messages"})
    assert {message["carrier_id"] for message in reply.json["messages"]} == {"ups", "usps"}


def test_nobody_to_ask_is_not_found(api: Client) -> None:
    for changes in ({"carrier_ids": ["nobody"]}, {"carrier_ids": [], "services": ["mars_express"]}):
        reply = api.post(PATH, body(**changes))
        assert (reply.status, reply.error["code"]) == (404, "not_found")


@pytest.mark.parametrize("field", ["shipper", "recipient", "parcels"])
def test_both_ends_and_parcels_are_required(api: Client, field: str) -> None:
    without = {name: value for name, value in body().items() if name != field}
    wrong = [without, {**without, field: None}, *([{**without, field: []}] if field == "parcels" else [])]
    for given in wrong:
        reply = api.post(PATH, given)
        assert (reply.status, set(reply.error["details"])) == (400, {field})


def test_everything_beside_the_required_fields_is_taken(api: Client) -> None:
    item = {**ITEM, "sku": "C-1"}
    more = {"services": ["ups_ground"], "options": {"insurance": 10}, "reference": "R-1",
            "carrier_ids": ["ups"]}  # fmt: skip
    (rate,) = rates_of(api, parcels=[{**PARCEL, "items": [item]}], **more)
    assert (rate["carrier_id"], rate["service"]) == ("ups", "ups_ground")
    bare = {name: value for name, value in body().items() if name != "carrier_ids"}
    assert api.made(PATH, bare)["rates"]


def test_a_carrier_whose_api_is_off_is_asked_by_name_only(api: Client, every: list[dict[str, Any]]) -> None:
    both = rates_of(api, carrier_ids=["usps", "usps_wt"])
    assert "usps_wt" not in {rate["carrier_name"] for rate in every}
    assert {rate["carrier_name"] for rate in both} == {"usps", "usps_wt"}
