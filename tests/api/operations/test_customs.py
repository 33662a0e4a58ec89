"""Customs declarations as stored objects: served beside the published operations, and used in shipments."""

from __future__ import annotations

import re
from typing import Any

import pytest

from shipcli.features.core.app import App
from shipcli.operations.document import make_openapi_document
from shipcli.operations.table import CUSTOMS, OPERATIONS
from tests.api.conftest import Client, body
from tests.factories import ITEM, PARCEL, RECIPIENT

PATH = "/v1/customs_info"
PAYOR = {"country_code": "DE", "person_name": "Zoë", "city": "Berlin"}
GIVEN = {
    "commodities": [ITEM], "incoterm": "DAP", "content_type": "merchandise", "invoice": "INV-1",
    "invoice_date": "2026-11-20", "options": {"eori_number": "GB1", "aes": "X2"},
    "duty": {"paid_by": "recipient", "currency": "USD", "declared_value": 12.5},
    "duty_billing_address": PAYOR,
}  # fmt: skip
ABROAD = {**RECIPIENT, "country_code": "GB", "postal_code": "SW1A 1AA", "state_code": None, "city": "London"}


def declared(api: Client, **changes: Any) -> dict[str, Any]:
    return api.made(PATH, {**GIVEN, **changes})


def test_a_declaration_is_stored_read_changed_and_removed(api: Client) -> None:
    made = declared(api)
    assert re.fullmatch("cst_[0-9a-f]{32}", made["id"])
    assert made["object_type"] == "customs_info"
    assert made["commodities"][0]["id"].startswith("cdt_")
    assert made["duty_billing_address"]["id"].startswith("adr_")
    path = f"{PATH}/{made['id']}"
    assert api.get(path).json == made
    changed = api.patch(path, {"invoice": "INV-2", "options": {"aes": None, "eel_pfc": "N"}})
    options = {"eori_number": "GB1", "eel_pfc": "N"}
    assert (changed.status, changed.json) == (200, {**made, "invoice": "INV-2", "options": options})
    assert api.delete(path).json == changed.json
    assert api.get(path).error["code"] == "not_found"
    assert api.get(f"/v1/addresses/{made['duty_billing_address']['id']}").status == 404


def test_a_change_of_duty_or_goods_leaves_the_rest_of_them(api: Client) -> None:
    made = declared(api)
    path, cup = f"{PATH}/{made['id']}", made["commodities"][0]
    duty = api.patch(path, {"duty": {"paid_by": "sender"}}).json["duty"]
    assert (duty["paid_by"], duty["declared_value"]) == ("sender", made["duty"]["declared_value"])
    more = [{"id": cup["id"], "quantity": 5}, {**ITEM, "title": "Plate"}]
    goods = api.patch(path, {"commodities": more}).json["commodities"]
    assert [(one["title"], one["quantity"]) for one in goods] == [("Cup", 5), ("Plate", 2)]
    assert goods[0]["id"] == cup["id"]
    assert api.patch(path, {"duty": None, "duty_billing_address": None}).json["duty"] is None


def test_the_payor_of_a_declaration_can_be_changed_as_an_address(api: Client) -> None:
    made = declared(api)
    payor = made["duty_billing_address"]["id"]
    assert api.patch(f"/v1/addresses/{payor}", {"city": "Bonn"}).status == 200
    assert api.get(f"{PATH}/{made['id']}").json["duty_billing_address"]["city"] == "Bonn"
    assert api.delete(f"/v1/addresses/{payor}").status == 409


def test_declarations_are_listed_newest_first_in_pages(fresh: tuple[App, Client]) -> None:
    api = fresh[1]
    ids = [declared(api)["id"] for _ in range(3)]
    api.made("/v1/shipments", body(customs=GIVEN))
    page = api.get(f"{PATH}?limit=2").json
    assert (page["count"], [one["id"] for one in page["results"]]) == (3, ids[:0:-1])
    assert page["previous"] is None
    rest = api.get(page["next"]).json
    assert ([one["id"] for one in rest["results"]], rest["next"]) == ([ids[0]], None)


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"commodities": []}, "commodities"), ({"commodities": None}, "commodities"),
        ({"commodities": [{"title": "Cup"}]}, "commodities"), ({"incoterm": "XXX"}, "incoterm"),
        ({"content_type": "shoes"}, "content_type"), ({"invoice": "x" * 51}, "invoice"),
        ({"signer": "x" * 51}, "signer"), ({"invoice_date": "20/11/2026"}, "invoice_date"),
        ({"invoice_date": ""}, "invoice_date"), ({"duty": {"paid_by": "nobody"}}, "duty"),
        ({"duty_billing_address": {"city": "Bonn"}}, "duty_billing_address"),
    ],
)  # fmt: skip
def test_a_wrong_field_is_named(api: Client, changes: dict[str, Any], wrong: str) -> None:
    stored = f"{PATH}/{declared(api)['id']}"
    for reply in (api.post(PATH, {**GIVEN, **changes}), api.patch(stored, changes)):
        assert (reply.status, set(reply.error["details"])) == (400, {wrong})


def test_a_stored_declaration_stands_for_a_copy_in_a_shipment(api: Client) -> None:
    made = declared(api)
    customs = api.made("/v1/shipments", body(customs={"id": made["id"]}))["customs"]
    assert customs["id"] != made["id"]
    assert customs["commodities"][0]["id"] != made["commodities"][0]["id"]
    assert customs["duty_billing_address"]["id"] != made["duty_billing_address"]["id"]
    for name in ("invoice", "incoterm", "options", "duty", "content_type"):
        assert customs[name] == made[name]
    assert api.get(f"{PATH}/{customs['id']}").json == customs
    assert api.post("/v1/shipments", body(customs={"id": "cst_none"})).status == 404


def test_the_declaration_of_a_draft_is_changed_and_taken_away(api: Client) -> None:
    draft = api.made("/v1/shipments", body(customs=GIVEN))
    path, shipment = f"{PATH}/{draft['customs']['id']}", f"/v1/shipments/{draft['id']}"
    assert api.patch(path, {"invoice": "INV-9"}).status == 200
    assert api.get(shipment).json["customs"]["invoice"] == "INV-9"
    assert api.get(shipment).json["rates"] == draft["rates"]
    assert api.delete(path).status == 200
    assert api.get(shipment).json["customs"] is None
    assert api.get(path).status == 404


def test_the_declaration_of_a_bought_shipment_stays_as_it_is(api: Client) -> None:
    draft = api.made("/v1/shipments", body(customs=GIVEN, recipient=ABROAD, parcels=[PARCEL]))
    rate = {"selected_rate_id": draft["rates"][0]["id"]}
    assert api.post(f"/v1/shipments/{draft['id']}/purchase", rate).status == 200
    path = f"{PATH}/{draft['customs']['id']}"
    for reply in (api.patch(path, {"invoice": "INV-9"}), api.delete(path)):
        assert (reply.status, reply.error["code"]) == (409, "state_error")
    assert api.get(path).json["invoice"] == "INV-1"


def test_both_modes_share_declarations(api: Client, live: Client) -> None:
    made = declared(api)
    assert live.get(f"{PATH}/{made['id']}").json == made


@pytest.mark.parametrize("row", CUSTOMS, ids=lambda row: f"{row.method} {row.path}")
def test_declarations_need_credentials_and_a_known_id(api: Client, anybody: Client, row: Any) -> None:
    path, given = row.path.format(id="cst_none"), GIVEN if row.body else None
    assert anybody.ask(row.method, path, given).error["code"] == "not_authenticated"
    if row.path_names:
        assert api.ask(row.method, path, given).error["code"] == "not_found"


def test_they_are_additions_to_the_published_operations() -> None:
    assert len(OPERATIONS) == 80
    listed = make_openapi_document()["paths"]["/v1/customs_info"]["get"]
    assert listed["tags"] == ["Additions"]
