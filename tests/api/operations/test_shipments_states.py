"""Shipments over HTTP from draft to delivered: changed, rated, bought, printed, cancelled."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from shipcli.features.core.app import App
from tests.api.conftest import Client, body
from tests.api.operations.samples import bought
from tests.documents.samples import texts
from tests.factories import PARCEL, RECIPIENT, SHIPPER

STATUSES = ("draft", "purchased", "cancelled", "shipped", "in_transit", "delivered", "needs_attention",
            "out_for_delivery", "delivery_failed")  # fmt: skip
HONG_KONG = {"person_name": "Li", "address_line1": "1 Queen's Road", "city": "Central", "country_code": "HK"}
MEDIA = {
    "PDF": (b"%PDF", "application/pdf"),
    "ZPL": (b"^XA", "application/octet-stream"),
    "PNG": (b"\x89PNG\r\n\x1a\n", "image/png"),
}
WHEN = {"pickup_date": "2030-05-06", "ready_time": "09:00", "closing_time": "17:00"}


def put_status(app: App, shipment_id: str, status: str) -> None:
    """As if the shipment had come so far."""
    with app.store.transaction() as tx:
        stored = tx.get("shipment", shipment_id)
        assert stored
        tx.put("shipment", {**stored, "status": status})


def path_of(shipment: dict[str, Any]) -> str:
    return f"/v1/shipments/{shipment['id']}"


def purchase(api: Client, draft: dict[str, Any], **fields: Any) -> Any:
    return api.post(f"{path_of(draft)}/purchase", {"selected_rate_id": draft["rates"][0]["id"], **fields})


# -- changed -----------------------------------------------------------------------------------


def test_a_draft_is_changed_where_it_is_told_and_nowhere_else(api: Client) -> None:
    made = api.made(
        "/v1/shipments", body(label_type="ZPL", options={"insurance": 5, "a": 1}, metadata={"x": 1, "y": 2})
    )
    payment = {"paid_by": "third_party", "currency": "USD", "account_number": "X1"}
    given = {"label_type": "PNG", "reference": "R-2", "payment": payment, "options": {"a": None, "b": 2},
             "metadata": {"x": None, "z": 3}}  # fmt: skip
    reply = api.put(path_of(made), given)
    dates = {name: made["options"][name] for name in ("shipping_date", "shipment_date")}
    wanted = {
        **made, "label_type": "PNG", "reference": "R-2", "payment": payment, "metadata": {"y": 2, "z": 3},
        "options": {"insurance": 5, "b": 2, **dates},
    }  # fmt: skip
    assert (reply.status, reply.json) == (200, wanted)
    again = api.put(path_of(made), {"options": {"b": 3}}).json
    assert again == {**wanted, "options": {"insurance": 5, "b": 3, **dates}}
    assert api.get(path_of(made)).json == again


def test_parcels_addresses_and_customs_are_not_changed_with_a_shipment(api: Client) -> None:
    made = api.made("/v1/shipments", body())
    goods = {"commodities": [{"weight": 1, "weight_unit": "KG"}]}
    given = {"parcels": [{**PARCEL, "weight": 50}], "shipper": RECIPIENT, "recipient": SHIPPER,
             "return_address": SHIPPER, "billing_address": SHIPPER, "customs": goods}  # fmt: skip
    reply = api.put(path_of(made), given)
    assert (reply.status, reply.json) == (200, made)
    assert api.get(path_of(made)).json == made


@pytest.mark.parametrize("status", STATUSES)
def test_metadata_is_changed_in_every_status_and_the_rest_in_a_draft_only(
    app: App, api: Client, status: str
) -> None:
    made = bought(api)
    put_status(app, made["id"], status)
    reply = api.put(path_of(made), {"metadata": {"status": status}})
    assert (reply.status, reply.json["metadata"], reply.json["status"]) == (200, {"status": status}, status)
    for change in (
        {"label_type": "ZPL"}, {"reference": "R"}, {"payment": {"paid_by": "recipient"}},
        {"options": {"a": 1}}, {"options": {"a": 1}, "metadata": {"b": 1}},
    ):  # fmt: skip
        reply = api.put(path_of(made), change)
        assert reply.status == (200 if status == "draft" else 409), change
    if status != "draft":
        assert reply.error["code"] == "state_error"


# -- rated -------------------------------------------------------------------------------------


def test_the_rates_of_a_draft_are_replaced(api: Client) -> None:
    made = api.made("/v1/shipments", body(carrier_ids=["generic"]))
    reply = api.post(f"{path_of(made)}/rates", {"carrier_ids": ["ups"]})
    assert reply.status == 200
    assert {rate["carrier_id"] for rate in reply.json["rates"]} == {"ups"}
    assert api.get(path_of(made)).json["rates"] == reply.json["rates"]
    assert purchase(api, made).error["code"] == "service_unavailable"


@pytest.mark.parametrize("status", [status for status in STATUSES if status != "draft"])
def test_what_is_no_draft_is_not_rated(app: App, api: Client, status: str) -> None:
    made = api.made("/v1/shipments", body())
    put_status(app, made["id"], status)
    reply = api.post(f"{path_of(made)}/rates", {})
    assert (reply.status, reply.error["code"]) == (409, "state_error")


# -- bought ------------------------------------------------------------------------------------


def test_a_rate_of_the_draft_is_bought(api: Client) -> None:
    draft = api.made("/v1/shipments", body(carrier_ids=["ups"]))
    rate = draft["rates"][1]
    reply = api.post(f"{path_of(draft)}/purchase", {"selected_rate_id": rate["id"]})
    sent = reply.json
    assert (reply.status, sent["status"]) == (200, "purchased")
    assert (sent["carrier_name"], sent["carrier_id"], sent["service"]) == ("ups", "ups", rate["service"])
    assert (sent["selected_rate"]["service"], sent["selected_rate"]["id"]) == (
        rate["service"],
        sent["selected_rate_id"],
    )
    number = sent["tracking_number"]
    assert number.startswith("1Z")
    assert sent["shipment_identifier"]
    assert (sent["label_url"], sent["tracking_url"]) == (
        f"{path_of(sent)}/label.pdf",
        f"/v1/trackers/ups/{number}",
    )
    assert api.get(f"/v1/trackers/{sent['tracker_id']}").json["tracking_number"] == number
    assert api.get(path_of(sent)).json == sent


def test_a_purchase_names_a_rate_of_the_shipment(api: Client) -> None:
    draft, other = (api.made("/v1/shipments", body()) for _ in range(2))
    missing = api.post(f"{path_of(draft)}/purchase", {})
    assert (missing.status, set(missing.error["details"])) == (400, {"selected_rate_id"})
    for rate_id in ("rat_nothing", other["rates"][0]["id"]):
        reply = purchase(api, draft, selected_rate_id=rate_id)
        assert (reply.status, reply.error["code"]) == (400, "service_unavailable")


def test_a_refused_purchase_leaves_the_draft(api: Client) -> None:
    draft = api.made("/v1/shipments", body(carrier_ids=["ups"]))
    draft = api.put(path_of(draft), {"options": {"sandbox_scenario": "rate_limited"}}).json
    reply = purchase(api, draft)
    assert (reply.status, [one["carrier_id"] for one in reply.json["messages"]]) == (424, ["ups"])
    assert api.get(path_of(draft)).json == draft


@pytest.mark.parametrize("side", ["shipper", "recipient"])
@pytest.mark.parametrize("field", ["city", "address_line1", "person_name", "postal_code"])
def test_a_draft_may_lack_what_a_purchase_needs(api: Client, side: str, field: str) -> None:
    whole = {**(SHIPPER if side == "shipper" else RECIPIENT), "company_name": None}
    lacking = {side: {**whole, field: None}}
    draft = api.made("/v1/shipments", body(**lacking))
    again = api.post("/v1/shipments", body(**lacking, service="standard_service"))
    for reply in (purchase(api, draft), again):
        assert (reply.status, list(reply.error["details"]), list(reply.error["details"][side])) == (
            400,
            [side],
            [field],
        )
    assert api.get(path_of(draft)).json["status"] == "draft"


@pytest.mark.parametrize("field", ["city", "address_line1", "person_name"])
def test_spaces_are_no_name_and_no_place_for_a_purchase(api: Client, field: str) -> None:
    draft = api.made("/v1/shipments", body(recipient={**RECIPIENT, "company_name": "", field: "  "}))
    reply = purchase(api, draft)
    assert (reply.status, list(reply.error["details"]["recipient"])) == (400, [field])


def test_a_country_without_postal_codes_needs_none(api: Client) -> None:
    assert bought(api, recipient=HONG_KONG)["status"] == "purchased"


@pytest.mark.parametrize("status", ["purchased", "cancelled"])
def test_what_is_bought_or_cancelled_is_not_bought(api: Client, status: str) -> None:
    sent = bought(api)
    if status == "cancelled":
        api.post(f"{path_of(sent)}/cancel")
    reply = purchase(api, sent)
    assert (reply.status, reply.error["code"]) == (409, "state_error")
    assert api.get(path_of(sent)).json["status"] == status


@pytest.mark.parametrize("carrier", ["ups", "usps", "generic"])
def test_every_parcel_has_the_number_of_its_piece(api: Client, carrier: str) -> None:
    one, two = (bought(api, carrier_ids=[carrier], parcels=[PARCEL] * count) for count in (1, 2))
    assert [parcel["reference_number"] for parcel in one["parcels"]] == [one["tracking_number"]]
    numbers = [parcel["reference_number"] for parcel in two["parcels"]]
    assert len(set(numbers)) == 2
    assert two["meta"]["tracking_numbers"] == numbers
    assert two["tracking_number"] in numbers


def test_a_carrier_that_does_not_track_gives_no_tracker(api: Client) -> None:
    assert bought(api)["tracker_id"] is None


# -- files -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", MEDIA)
def test_a_label_is_downloaded_in_its_type(api: Client, anybody: Client, kind: str) -> None:
    sent = bought(api, carrier_ids=["usps"], label_type=kind)
    start, media = MEDIA[kind]
    file = anybody.get(sent["label_url"])
    assert (file.status, file.headers["content-type"]) == (200, media)
    assert file.content.startswith(start)
    assert "content-disposition" not in file.headers
    name = f"label_{sent['tracking_number']}.{kind.lower()}"
    said = anybody.get(f"{sent['label_url']}?download").headers["content-disposition"]
    assert said == f'attachment; filename="{name}"'


def test_a_shipment_without_a_label_has_none_to_download(api: Client) -> None:
    draft = api.made("/v1/shipments", body())
    for kind in ("pdf", "zpl", "png"):
        reply = api.get(f"{path_of(draft)}/label.{kind}")
        assert (reply.status, reply.error["code"]) == (404, "not_found")


def test_a_purchase_with_an_invoice_template_has_an_invoice(api: Client, anybody: Client) -> None:
    assert bought(api)["invoice_url"] is None
    text = "<p>Invoice of {{ shipment.tracking_number }}</p>"
    given = {"name": "Mine", "slug": "mine", "template": text, "related_object": "shipment"}
    api.made("/v1/documents/templates", given)
    draft = api.made("/v1/shipments", body(options={"invoice_template": "mine"}))
    assert draft["invoice_url"] is None
    sent = purchase(api, draft).json
    assert sent["invoice_url"] == f"{path_of(sent)}/invoice.pdf"
    file = anybody.get(sent["invoice_url"])
    assert (file.status, file.headers["content-type"]) == (200, "application/pdf")
    assert texts(file.content) == [f"Invoice of {sent['tracking_number']}"]


# -- cancelled ---------------------------------------------------------------------------------


def test_a_bought_shipment_is_voided(app: App, api: Client) -> None:
    sent = bought(api, carrier_ids=["ups"])
    reply = api.post(f"{path_of(sent)}/cancel")
    assert (reply.status, reply.json["status"], reply.json["tracker_id"]) == (200, "cancelled", None)
    assert (app.ledger.get("ups", "label", sent["tracking_number"]) or {})["voided_at"]
    assert api.get(path_of(sent)).json["tracker_id"] is None
    assert api.get(f"/v1/trackers/{sent['tracker_id']}").status == 404


def test_a_draft_is_cancelled(api: Client) -> None:
    reply = api.post(f"{path_of(api.made('/v1/shipments', body()))}/cancel")
    assert (reply.status, reply.json["status"]) == (200, "cancelled")


@pytest.mark.parametrize("status", ["cancelled", "delivered", "in_transit"])
def test_what_is_on_its_way_or_cancelled_is_not_cancelled(app: App, api: Client, status: str) -> None:
    sent = bought(api)
    put_status(app, sent["id"], status)
    reply = api.post(f"{path_of(sent)}/cancel")
    assert (reply.status, reply.error["code"]) == (409, "state_error")
    assert api.get(path_of(sent)).json["status"] == status


def test_a_pickup_holds_its_shipment_until_it_is_cancelled(api: Client) -> None:
    sent, other = bought(api, carrier_ids=["usps"]), bought(api, carrier_ids=["usps"])
    numbers = [sent["tracking_number"], other["tracking_number"]]
    pickup = api.made("/v1/pickups/usps/schedule", {**WHEN, "tracking_numbers": numbers})
    reply = api.post(f"{path_of(sent)}/cancel")
    assert (reply.status, reply.error["code"]) == (409, "state_error")
    assert api.get(path_of(sent)).json["status"] == "purchased"
    api.post(f"/v1/pickups/{pickup['id']}/cancel", {})
    assert api.post(f"{path_of(sent)}/cancel").status == 200
    again = {**WHEN, "tracking_numbers": [other["tracking_number"]]}
    assert api.post("/v1/pickups/usps/schedule", again).status == 201


def test_a_void_that_the_carrier_refuses_changes_nothing(app: App, api: Client) -> None:
    sent = bought(api, carrier_ids=["ups"])
    app.ledger.remove("ups", "label", sent["tracking_number"])
    reply = api.post(f"{path_of(sent)}/cancel")
    assert (reply.status, [one["carrier_id"] for one in reply.json["messages"]]) == (424, ["ups"])
    assert api.get(path_of(sent)).json == sent


@pytest.mark.parametrize("carrier", ["ups", "usps"])
def test_a_label_that_was_voided_past_the_store_is_cancelled(api: Client, carrier: str) -> None:
    sent = bought(api, carrier_ids=[carrier])
    given = {"shipment_identifier": sent["shipment_identifier"]}
    assert api.post(f"/v1/proxy/shipping/{carrier}/cancel", given).status == 202
    reply = api.post(f"{path_of(sent)}/cancel")
    assert (reply.status, reply.json["status"]) == (200, "cancelled")


def test_of_eight_that_cancel_at_once_one_does_it(app: App, api: Client) -> None:
    sent = bought(api, carrier_ids=["ups"])
    with ThreadPoolExecutor(8) as pool:
        statuses = sorted(pool.map(lambda _: api.post(f"{path_of(sent)}/cancel").status, range(8)))
    assert statuses == [200, *[409] * 7]
    assert len(app.store.select("traces", {"verb": "void", "object_id": sent["id"]})) == 1


def test_a_shipment_is_not_deleted(api: Client) -> None:
    draft = api.made("/v1/shipments", body())
    reply = api.delete(path_of(draft))
    assert (reply.status, reply.error["code"]) == (405, "method_not_allowed")
    assert api.get(path_of(draft)).json == draft
