"""Addresses over HTTP: rules, changes, and what they are bound to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from shipcli.api.app import build
from shipcli.bootstrap import open_app
from tests.api.conftest import BASE, Client, body, client_of
from tests.api.samples import WHEN, refused
from tests.factories import ITEM, RECIPIENT, SHIPPER

PATH = "/v1/addresses"
TEXTS = {
    "postal_code": 10, "city": 30, "federal_tax_id": 20, "state_tax_id": 20, "phone_number": 20,
    "state_code": 20, "street_number": 20, "person_name": 50, "company_name": 50, "address_line1": 50,
    "address_line2": 50,
}  # fmt: skip
FIELDS = {
    "id", "object_type", "country_code", "email", "residential", "validate_location", "validation", *TEXTS,
}  # fmt: skip


@pytest.fixture(scope="module")
def sent(api: Client) -> dict[str, Any]:
    return api.made("/v1/shipments", body(service="standard_service"))


def test_a_country_is_enough_and_the_answer_has_every_field(api: Client) -> None:
    reply = api.post(PATH, {"country_code": "DE"})
    assert reply.status == 201
    assert set(reply.json) == FIELDS
    given = {"country_code": "DE", "object_type": "address", "residential": False, "validate_location": False}
    assert {name: value for name, value in reply.json.items() if value is not None and name != "id"} == given
    assert reply.json["id"].startswith("adr_")


@pytest.mark.parametrize(
    "given", [{}, {"country_code": None}, {"country_code": "XX"}, {"country_code": "us"}]
)
def test_the_country_is_required_and_one_of_those_known(api: Client, given: dict[str, Any]) -> None:
    assert refused(api.post(PATH, {"city": "Rome", **given})) == {"country_code"}


@pytest.mark.parametrize(("field", "most"), TEXTS.items())
def test_a_text_is_as_long_as_its_maximum_and_no_longer(api: Client, field: str, most: int) -> None:
    too_long = api.post(PATH, {"country_code": "GB", field: "1" * (most + 1)})
    assert refused(too_long) == {field}
    assert str(most) in too_long.error["details"][field][0]
    longest = "020 7031 3000".rjust(most) if field == "phone_number" else "x" * most
    assert api.post(PATH, {"country_code": "GB", field: longest}).status == 201


def test_a_canadian_postal_code_is_written_without_gaps(api: Client) -> None:
    for given in ("e1c 4z8", "E1C-4Z8", "e1c_4z8", "E1C4Z8"):
        made = api.made(PATH, {"country_code": "CA", "postal_code": given})
        assert made["postal_code"] == "E1C4Z8"
    for wrong in ("12345", "E1C4Z", "1EC4Z8"):
        assert refused(api.post(PATH, {"country_code": "CA", "postal_code": wrong})) == {"postal_code"}


def test_a_postal_code_of_the_united_states_has_five_or_nine_digits(api: Client) -> None:
    for good in ("12345", "12345-6789"):
        assert api.made(PATH, {"country_code": "US", "postal_code": good})["postal_code"] == good
    for wrong in ("1234", "123456", "E1C4Z8", "12345-67"):
        assert refused(api.post(PATH, {"country_code": "US", "postal_code": wrong})) == {"postal_code"}


def test_a_phone_number_becomes_international(api: Client) -> None:
    made = api.made(PATH, {"country_code": "CA", "phone_number": "514 000 0000"})
    assert made["phone_number"] == "+1 514-000-0000"
    for wrong in ("call me", "1"):
        assert refused(api.post(PATH, {"country_code": "CA", "phone_number": wrong})) == {"phone_number"}


def test_a_validation_that_nobody_does_is_no_failure(api: Client) -> None:
    made = api.made(PATH, {**RECIPIENT, "validate_location": True})
    assert (made["validate_location"], made["validation"]) == (True, None)


def test_a_validation_says_whether_and_why(tmp_path: Path) -> None:
    app = open_app(tmp_path / "home", sandbox=True, environ={}, flags={"address_validation": "offline"})
    with TestClient(build(app), base_url=BASE) as http:
        api = client_of(app, http)
        validation = api.made(PATH, {**RECIPIENT, "validate_location": True})["validation"]
        assert validation["success"] is True
        assert validation["meta"]["provider"] == "offline"
        wrong = api.post(PATH, {**RECIPIENT, "state_code": "NY", "validate_location": True})
        assert (wrong.status, wrong.error["code"]) == (400, "invalid_address")
    app.close()


def test_only_addresses_that_stand_alone_are_listed(fresh: tuple[Any, Client]) -> None:
    api = fresh[1]
    alone = api.made(PATH, RECIPIENT)
    sent = api.made("/v1/shipments", body(
        carrier_ids=["usps"], service="usps_ground_advantage", return_address=RECIPIENT,
        billing_address=SHIPPER, customs={"commodities": [ITEM], "duty_billing_address": RECIPIENT},
    ))  # fmt: skip
    order = {"order_id": "A-1", "shipping_to": RECIPIENT, "shipping_from": SHIPPER, "line_items": [ITEM]}
    api.made("/v1/orders", {**order, "billing_address": RECIPIENT})
    given = {**WHEN, "address": SHIPPER, "tracking_numbers": [sent["tracking_number"]]}
    api.made("/v1/pickups/usps/schedule", given)
    form = {"carrier_name": "usps", "address": SHIPPER, "shipment_ids": [sent["id"]]}
    api.made("/v1/manifests", form)
    assert api.get(PATH).json["results"] == [alone]


def test_a_change_touches_the_given_fields_only(api: Client) -> None:
    made = api.made(PATH, {**RECIPIENT, "email": "ana@example.com"})
    path = f"{PATH}/{made['id']}"
    changed = api.patch(path, {"city": "Tempe", "email": None})
    assert (changed.status, changed.json) == (200, {**made, "city": "Tempe", "email": None})
    assert api.get(path).json == changed.json
    assert api.patch(path, {}).json == changed.json


def test_a_change_takes_every_field_of_the_creation(api: Client) -> None:
    path = f"{PATH}/{api.made(PATH, {'country_code': 'DE'})['id']}"
    whole = {
        "postal_code": "1010", "city": "Wien", "federal_tax_id": "F1", "state_tax_id": "S1",
        "person_name": "Ana", "company_name": "Cups", "country_code": "AT", "email": "a@b.example",
        "phone_number": "+43 1 234567890", "state_code": "W", "residential": True, "street_number": "7",
        "address_line1": "Ring", "address_line2": "Top 3", "validate_location": True,
    }  # fmt: skip
    assert set(whole) == FIELDS - {"id", "object_type", "validation"}
    for field, value in whole.items():
        assert api.patch(path, {field: value}).json[field] == value
    assert whole.items() <= api.get(path).json.items()
    for field, value in (("city", "x" * 31), ("country_code", "XX"), ("country_code", None)):
        assert refused(api.patch(path, {field: value})) == {field}


def test_an_address_of_a_bought_shipment_stays_as_it_is(api: Client, sent: dict[str, Any]) -> None:
    for side in ("shipper", "recipient"):
        path = f"{PATH}/{sent[side]['id']}"
        for reply in (api.patch(path, {"city": "Tempe"}), api.delete(path)):
            assert (reply.status, reply.error["code"]) == (409, "state_error")
        assert api.get(path).json == sent[side]


def test_another_place_empties_the_rates_of_a_draft(api: Client) -> None:
    draft = api.made("/v1/shipments", body())
    assert draft["rates"]
    api.patch(f"{PATH}/{draft['recipient']['id']}", {"city": "Tempe"})
    changed = api.get(f"/v1/shipments/{draft['id']}").json
    assert (changed["recipient"]["city"], changed["rates"], changed["status"]) == ("Tempe", [], "draft")


def test_an_address_of_a_draft_or_an_order_is_not_deleted(api: Client) -> None:
    draft = api.made("/v1/shipments", body())
    given = {"order_id": "A-9", "shipping_to": RECIPIENT, "shipping_from": SHIPPER, "line_items": [ITEM]}
    order = api.made("/v1/orders", given)
    held = [draft["shipper"], draft["recipient"], order["shipping_to"], order["shipping_from"]]
    for address in held:
        reply = api.delete(f"{PATH}/{address['id']}")
        assert (reply.status, reply.error["code"]) == (409, "state_error")


def test_an_address_that_stands_alone_is_deleted(api: Client) -> None:
    made = api.made(PATH, RECIPIENT)
    gone = api.delete(f"{PATH}/{made['id']}")
    assert (gone.status, gone.json) == (200, made)
    assert api.get(f"{PATH}/{made['id']}").status == 404


def test_an_id_stands_for_a_copy_of_the_address(api: Client) -> None:
    made = api.made(PATH, SHIPPER)
    stored = {"id": made["id"]}
    sent = api.made("/v1/shipments", body(
        shipper=stored, carrier_ids=["usps"], service="usps_ground_advantage", return_address=stored,
    ))  # fmt: skip
    order = api.made("/v1/orders", {"order_id": "A-7", "shipping_to": stored, "line_items": [ITEM]})
    given = {**WHEN, "address": stored, "tracking_numbers": [sent["tracking_number"]]}
    pickup = api.made("/v1/pickups/usps/schedule", given)
    form = {"carrier_name": "usps", "address": stored, "shipment_ids": [sent["id"]]}
    manifest = api.made("/v1/manifests", form)
    for copy in (sent["shipper"], order["shipping_to"], pickup["address"]):
        assert copy["id"] not in (None, made["id"])
        assert {**copy, "id": made["id"]} == made
    for copy in (sent["return_address"], manifest["address"]):  # these are answered without an id
        assert copy.items() <= made.items()
        assert set(SHIPPER) <= set(copy)
    missing = api.post("/v1/shipments", body(shipper={"id": "adr_no"}))
    assert (missing.status, missing.error["code"]) == (404, "not_found")
