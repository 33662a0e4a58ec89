"""Every operation that exists, once through its life; each answer is checked against the served document."""

from __future__ import annotations

from typing import Any

import pytest

from shipcli.operations.table import OPERATIONS
from tests.api.conftest import Client, body
from tests.api.operations.samples import bought
from tests.factories import ITEM, PARCEL, RECIPIENT, SHIPPER


def test_an_address_is_stored_read_changed_and_removed(api: Client) -> None:
    made = api.made("/v1/addresses", {"country_code": "CA", "postal_code": "e1c 4z8"})
    assert made["id"].startswith("adr_")
    assert (made["object_type"], made["postal_code"], made["validation"]) == ("address", "E1C4Z8", None)
    path = f"/v1/addresses/{made['id']}"
    assert api.get(path).json == made
    assert api.patch(path, {"city": "Moncton"}).json == {**made, "city": "Moncton"}
    assert api.delete(path).json["id"] == made["id"]
    assert api.get(path).error["code"] == "not_found"


def test_a_parcel_is_stored_read_changed_and_removed(api: Client) -> None:
    made = api.made("/v1/parcels", {**PARCEL, "items": [ITEM], "options": {"insurance": 10}})
    path = f"/v1/parcels/{made['id']}"
    assert api.get(path).json == made
    changed = api.patch(path, {"options": {"insured_by": "us"}}).json
    assert changed["options"] == {"insurance": 10, "insured_by": "us"}
    assert api.delete(path).status == 200
    assert api.get(path).status == 404


def test_a_connection_is_added_read_changed_and_removed(api: Client) -> None:
    account = {"client_id": "me", "client_secret": "hush"}
    given = {"carrier_name": "ups", "carrier_id": "second", "credentials": account}
    made = api.made("/v1/connections", given)
    assert made["id"].startswith("car_")
    assert (made["is_system"], made["active"], made["config"], made["metadata"]) == (False, True, {}, {})
    path = f"/v1/connections/{made['id']}"
    assert api.get(path).json == made
    assert api.patch(path, {"active": False}).json["active"] is False
    assert api.delete(path).json["id"] == made["id"]
    assert api.get(path).status == 404


def test_a_missing_credential_is_named(api: Client) -> None:
    given = {"carrier_name": "ups", "carrier_id": "x", "credentials": {"client_secret": "hush"}}
    assert set(api.post("/v1/connections", given).error["details"]) == {"client_id"}


def test_a_shipment_is_drafted_changed_rated_bought_and_cancelled(api: Client) -> None:
    draft = api.made("/v1/shipments", body(metadata={"a": 1}))
    assert (draft["status"], draft["test_mode"]) == ("draft", True)
    path = f"/v1/shipments/{draft['id']}"
    assert api.get(path).json == draft
    assert api.put(path, {"metadata": {"a": None, "b": 2}}).json["metadata"] == {"b": 2}
    rated = api.post(f"{path}/rates", {}).json
    done = api.post(f"{path}/purchase", {"selected_rate_id": rated["rates"][0]["id"], "label_type": "ZPL"})
    assert (done.status, done.json["status"]) == (200, "purchased")
    assert api.post(f"{path}/purchase", {"selected_rate_id": "x"}).error["code"] == "state_error"
    cancelled = api.post(f"{path}/cancel")
    assert (cancelled.status, cancelled.json["status"]) == (200, "cancelled")
    assert api.delete(path).status == 405


def test_a_tracker_is_added_read_changed_and_removed(api: Client, anybody: Client) -> None:
    number = bought(api, carrier_ids=["ups"])["tracking_number"]
    tracker = api.get(f"/v1/trackers/{number}").json
    path = f"/v1/trackers/{tracker['id']}"
    assert anybody.get(path).json == tracker
    assert anybody.get(f"/v1/trackers/{number}").json["id"] == tracker["id"]
    assert api.put(path, {"metadata": {"x": "y"}, "status": "delivered"}).json["metadata"] == {"x": "y"}
    assert api.delete(path).json["id"] == tracker["id"]
    again = api.post("/v1/trackers", {"tracking_number": number, "carrier_name": "ups"})
    assert (again.status, len(again.json["info"])) == (202, 19)
    assert api.get(f"/v1/trackers/ups/{number}").json["id"] == again.json["id"]


def test_an_unknown_number_is_not_found_in_the_words_of_the_carrier(api: Client) -> None:
    given = {"tracking_number": "1ZNOBODYKNOWS", "carrier_name": "ups"}
    reply = api.post("/v1/trackers", given)
    assert (reply.status, set(reply.json)) == (404, {"messages"})
    assert api.post("/v1/trackers?pending_pickup", given).json["status"] == "pending"
    assert (
        api.post("/v1/trackers?pending_pickup=false", {**given, "tracking_number": "1ZNEVER"}).status == 404
    )


def test_an_order_is_stored_read_changed_and_cancelled(api: Client) -> None:
    given = {"order_id": "A-1", "shipping_to": RECIPIENT, "shipping_from": SHIPPER, "line_items": [ITEM]}
    made = api.made("/v1/orders", given)
    assert (made["status"], made["source"], made["line_items"][0]["unfulfilled_quantity"]) == (
        "unfulfilled", "API", 2,
    )  # fmt: skip
    path = f"/v1/orders/{made['id']}"
    assert api.get(path).json == made
    assert api.post("/v1/orders", given).error["code"] == "failure"
    assert api.put(path, {"options": {"currency": "USD"}}).json["options"] == {"currency": "USD"}
    assert api.post(f"{path}/cancel").json["status"] == "cancelled"
    assert api.delete(path).error["code"] == "state_error"
    again = api.made("/v1/orders", given)
    assert api.delete(f"/v1/orders/{again['id']}").json["status"] == "cancelled"


def test_an_order_shows_its_shipments(api: Client) -> None:
    order = api.made("/v1/orders", {"order_id": "A-2", "shipping_to": RECIPIENT, "line_items": [ITEM]})
    item = {**ITEM, "parent_id": order["line_items"][0]["id"]}
    sent = bought(api, parcels=[{**PARCEL, "items": [item]}])
    found = api.get(f"/v1/orders/{order['id']}").json
    assert ([one["id"] for one in found["shipments"]], found["status"]) == ([sent["id"]], "fulfilled")
    assert api.get("/v1/orders?order_id=A-2").json["results"] == [found]


def test_a_pickup_is_scheduled_changed_and_cancelled(api: Client) -> None:
    sent = bought(api, carrier_ids=["usps"])
    given = {"pickup_date": "2030-05-06", "ready_time": "09:00", "closing_time": "17:00",
             "tracking_numbers": [sent["tracking_number"]], "metadata": {"dock": 2}}  # fmt: skip
    made = api.made("/v1/pickups/usps/schedule", given)
    assert (made["object_type"], made["metadata"]) == ("pickup", {"dock": 2})
    path = f"/v1/pickups/{made['id']}"
    assert api.get(path).json == made
    assert api.post(path, {"instruction": "Ring twice"}).json["instruction"] == "Ring twice"
    assert api.post(f"/v1/shipments/{sent['id']}/cancel").status == 409
    assert api.post(f"{path}/cancel", {"reason": "rain"}).json["id"] == made["id"]
    assert api.get(path).status == 404


def test_a_manifest_is_made_and_read(api: Client) -> None:
    sent = bought(api, carrier_ids=["usps"])
    given = {"carrier_name": "usps", "address": SHIPPER, "shipment_ids": [sent["id"]]}
    made = api.made("/v1/manifests", given)
    assert api.get(f"/v1/manifests/{made['id']}").json == made
    assert api.get("/v1/manifests").json["results"][0]["id"] == made["id"]
    assert [one["id"] for one in api.get("/v1/shipments?has_manifest=true").json["results"]] == [sent["id"]]
    assert api.get(made["manifest_url"]).content.startswith(b"%PDF")
    assert api.post("/v1/manifests", given).status == 400


def test_a_webhook_is_made_read_changed_and_removed(api: Client) -> None:
    made = api.made("/v1/webhooks", {"url": "http://127.0.0.1:9/hook", "enabled_events": ["all"]})
    assert made["secret"].startswith("whsec_")
    path = f"/v1/webhooks/{made['id']}"
    assert api.get(path).json == made
    assert api.patch(path, {"disabled": True}).json["disabled"] is True
    tried = api.post(f"{path}/test", {"payload": {"x": 1}}).json
    assert tried == {"operation": "Test Webhook", "success": False}
    assert api.post(f"{path}/test", {}).status == 400
    assert api.delete(path).json == {"operation": "Remove webhook", "success": True}
    assert api.get(path).status == 404


def test_a_template_is_stored_used_changed_and_removed(api: Client) -> None:
    text = "<p>{{ data.name }}</p>"
    made = api.made("/v1/documents/templates", {"name": "Note", "slug": "note", "template": text})
    path = f"/v1/documents/templates/{made['id']}"
    assert (api.get(path).json, made["related_object"]) == (made, "other")
    assert api.patch(path, {"active": False}).json["active"] is False
    file = api.made("/v1/documents/generate", {"template_id": made["id"], "data": {"name": "Ana"}})
    assert set(file) == {"template_id", "doc_file"}
    assert api.post("/v1/documents/generate", {}).status == 400
    assert api.get("/v1/documents/templates").json["count"] == 1
    assert api.delete(path).json["id"] == made["id"]


def test_documents_are_sent_for_a_bought_shipment(api: Client) -> None:
    sent = bought(api, carrier_ids=["ups"])
    files = [{"doc_file": "JVBERi0=", "doc_name": "invoice.pdf"}]
    made = api.made("/v1/documents/uploads", {"shipment_id": sent["id"], "document_files": files})
    assert made["object_type"] == "document-upload-record"
    assert api.get(f"/v1/documents/uploads/{made['id']}").json == made
    assert api.get(f"/v1/documents/uploads?shipment_id={sent['id']}").json["results"] == [made]
    refused = bought(api)
    given = {"shipment_id": refused["id"], "document_files": files}
    assert api.post("/v1/documents/uploads", given).status == 406


def test_the_proxy_rates_buys_tracks_and_voids_without_storing(api: Client) -> None:
    before = api.get("/v1/shipments").json["count"]
    rates = api.post("/v1/proxy/rates", body(carrier_ids=["ups"])).json["rates"]
    given = {**body(), "rates": rates, "selected_rate_id": rates[0]["id"]}
    sold = api.post("/v1/proxy/shipping", given)
    assert (sold.status, sold.json["status"], "label_url" in sold.json) == (200, "purchased", False)
    number = sold.json["tracking_number"]
    asked = {"tracking_number": number, "carrier_name": "ups"}
    assert api.post("/v1/proxy/tracking", asked).json["tracking"]["tracking_number"] == number
    assert api.get(f"/v1/proxy/tracking/ups/{number}").status == 200
    void = {"shipment_identifier": sold.json["shipment_identifier"]}
    done = api.post("/v1/proxy/shipping/ups/cancel", void)
    assert (done.status, done.json["confirmation"]["success"]) == (202, True)
    assert api.get("/v1/shipments").json["count"] == before


def test_the_proxy_schedules_changes_and_cancels_pickups(api: Client) -> None:
    given = {"pickup_date": "2030-05-06", "ready_time": "09:00", "closing_time": "17:00", "address": SHIPPER,
             "parcels": [PARCEL]}  # fmt: skip
    made = api.post("/v1/proxy/pickups/usps", given)
    assert made.status == 201, made.content
    number = {"confirmation_number": made.json["pickup"]["confirmation_number"]}
    assert api.post("/v1/proxy/pickups/usps/update", {**given, **number}).status == 200
    done = api.post("/v1/proxy/pickups/usps/cancel", number)
    assert done.json["confirmation"]["success"] is True
    assert api.post("/v1/proxy/pickups/usps/cancel", {}).status == 400


def test_the_proxy_makes_a_manifest(api: Client) -> None:
    sent = bought(api, carrier_ids=["usps"])
    given = {"carrier_name": "usps", "address": SHIPPER, "shipment_identifiers": [sent["tracking_number"]]}
    made = api.post("/v1/proxy/manifest", given)
    assert made.status == 200, made.content
    assert made.json["manifest"]["doc"]["manifest"]


@pytest.mark.parametrize(
    "path", [row.path for row in OPERATIONS if row.method == "GET" and "{" not in row.path]
)
def test_every_list_answers_as_documented(api: Client, path: str) -> None:
    assert api.get(path).status == 200


@pytest.mark.parametrize(
    "row",
    [row for row in OPERATIONS if row.path_names in (("id",), ("id_or_tracking_number",))],
    ids=lambda r: r.id,
)
def test_an_unknown_id_is_not_found(api: Client, row: Any) -> None:
    values = {"/purchase": {"selected_rate_id": "x"}, "/test": {"payload": {}}}
    given = next((value for end, value in values.items() if row.path.endswith(end)), {})
    reply = api.ask(row.method, row.path.format(id="no_such", id_or_tracking_number="no_such"), given)
    assert (reply.status, reply.error["code"]) == (404, "not_found")
    assert reply.error["message"]
