"""Shipments over HTTP: what a body becomes, what a draft may see, and what is refused."""

from __future__ import annotations

import base64
import re
from typing import Any

import pytest

from shipcli.features.core.app import App
from shipcli.operations.document import make_openapi_document
from tests.api.conftest import Client, body
from tests.api.operations.samples import bought
from tests.documents.samples import IDS, texts
from tests.factories import ITEM, PARCEL, SHIPPER

GOODS = {"title": "Mug", "quantity": 2, "weight": 1, "weight_unit": "KG", "value_amount": 9.5,
         "value_currency": "USD", "origin_country": "US"}  # fmt: skip
BERLIN = {"person_name": "Zoë Müller", "address_line1": "Pariser Platz 1", "city": "Berlin",
          "postal_code": "10117", "country_code": "DE"}  # fmt: skip
ANOTHER = {**SHIPPER, "person_name": "Billing", "address_line1": "1 Other St", "postal_code": "19103"}
OPTIONS: dict[str, Any] = {
    "currency": "USD", "insurance": 100, "cash_on_delivery": 10.5, "dangerous_good": False,
    "declared_value": 80, "sms_notification": True, "email_notification": True,
    "email_notification_to": "ana@example.com", "hold_at_location": False, "paperless_trade": False,
    "preferred_service": "ups_ground", "shipment_date": "2031-05-06", "shipping_date": "2031-05-06T11:00",
    "shipment_note": "Fragile", "signature_confirmation": True, "saturday_delivery": True,
    "is_return": False,
    "doc_files": [{"doc_type": "other", "doc_file": "JVBERi0=", "doc_name": "a.pdf", "doc_format": "PDF"}],
    "doc_references": [{"doc_id": "2013-12-04-00.15.33.207814", "doc_type": "002"}],
}  # fmt: skip


def customs(**changes: Any) -> dict[str, Any]:
    return {"commodities": [GOODS], "content_type": "merchandise", "incoterm": "DDP",
            "duty": {"paid_by": "sender", "currency": "USD"}, **changes}  # fmt: skip


def count(api: Client) -> int:
    return int(api.get("/v1/shipments?limit=1").json["count"])


def purchase(api: Client, draft: dict[str, Any], **fields: Any) -> Any:
    given = {"selected_rate_id": draft["rates"][0]["id"], **fields}
    return api.post(f"/v1/shipments/{draft['id']}/purchase", given)


def refused_field(api: Client, path: str, **changes: Any) -> set[str]:
    """The fields that a body with a mistake is refused for."""
    reply = api.post(path, body(**changes))
    assert (reply.status, reply.error["code"]) == (400, "validation"), reply.content
    return set(reply.error["details"])


@pytest.fixture(scope="module")
def draft(api: Client) -> dict[str, Any]:
    """A draft that no test changes."""
    return api.made("/v1/shipments", body(carrier_ids=["generic", "ups", "canadapost"]))


# -- made --------------------------------------------------------------------------------------


def test_a_shipment_is_a_draft_with_rates_and_messages(api: Client) -> None:
    reply = api.post("/v1/shipments", body(carrier_ids=["ups", "canadapost"]))
    assert (reply.status, reply.json["status"]) == (201, "draft")
    assert {rate["carrier_id"] for rate in reply.json["rates"]} == {"ups"}
    assert {message["carrier_id"] for message in reply.json["messages"]} == {"canadapost"}


@pytest.mark.parametrize("field", ["shipper", "recipient", "parcels"])
def test_both_addresses_and_parcels_are_needed(api: Client, field: str) -> None:
    given = {name: value for name, value in body().items() if name != field}
    reply = api.post("/v1/shipments", given)
    assert (reply.status, set(reply.error["details"])) == (400, {field})


def test_there_is_at_least_one_parcel(api: Client) -> None:
    assert refused_field(api, "/v1/shipments", parcels=[]) == {"parcels"}


def test_every_field_of_a_shipment_is_shown(draft: dict[str, Any]) -> None:
    assert set(draft) == set(make_openapi_document()["components"]["schemas"]["Shipment"]["properties"])
    empty = ("tracking_number", "shipment_identifier", "tracking_url", "tracker_id", "label_url", "service",
             "invoice_url", "selected_rate", "selected_rate_id", "customs", "carrier_name")  # fmt: skip
    assert {name: draft[name] for name in empty} == dict.fromkeys(empty)
    assert re.match(r"20\d\d-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00:00\Z", draft["created_at"])
    assert draft["test_mode"] is True


def test_a_label_is_a_pdf_unless_another_known_type_is_named(api: Client, draft: dict[str, Any]) -> None:
    assert draft["label_type"] == "PDF"
    for kind in ("PDF", "ZPL", "PNG"):
        assert api.made("/v1/shipments", body(label_type=kind))["label_type"] == kind
    assert refused_field(api, "/v1/shipments", label_type="DOC") == {"label_type"}


def test_a_reference_has_35_characters_at_most_wherever_it_is_given(api: Client) -> None:
    made = api.made("/v1/shipments", body(reference="x" * 35))
    assert made["reference"] == "x" * 35
    assert refused_field(api, "/v1/shipments", reference="x" * 36) == {"reference"}
    path, long = f"/v1/shipments/{made['id']}", {"reference": "x" * 36}
    for reply in (api.put(path, long), api.post(f"{path}/rates", long), purchase(api, made, **long)):
        assert (reply.status, set(reply.error["details"])) == (400, {"reference"})
    assert api.get(path).json == made


def test_the_sender_pays_unless_another_is_named(api: Client, draft: dict[str, Any]) -> None:
    assert draft["payment"] == {"paid_by": "sender", "currency": None, "account_number": None}
    named = {"paid_by": "third_party", "currency": "EUR", "account_number": "X1"}
    assert api.made("/v1/shipments", body(payment=named))["payment"] == named


def test_the_currency_of_the_options_is_that_of_the_payment_when_none_is_given(api: Client) -> None:
    options = {"currency": "CAD"}
    assert api.made("/v1/shipments", body(options=options))["payment"]["currency"] == "CAD"
    given = body(options=options, payment={"paid_by": "sender"})
    assert api.made("/v1/shipments", given)["payment"]["currency"] is None


@pytest.mark.parametrize("word", ["XXX", "", 5, True, {"a": 1}, ["EUR"]])
def test_what_is_no_currency_stays_an_option_and_is_that_of_no_payment(api: Client, word: Any) -> None:
    made = api.made("/v1/shipments", body(options={"currency": word}))
    assert (made["options"]["currency"], made["payment"]["currency"]) == (word, None)
    lower = api.made("/v1/shipments", body(options={"currency": "eur"}))
    assert (lower["options"]["currency"], lower["payment"]["currency"]) == ("eur", "EUR")


def test_a_given_shipping_date_is_kept_and_decides(api: Client) -> None:
    given = {"shipping_date": "2031-05-10T23:15"}
    assert api.made("/v1/shipments", body(options=given))["options"] == {
        "shipping_date": "2031-05-10T23:15", "shipment_date": "2031-05-10",
    }  # fmt: skip
    both = api.made("/v1/shipments", body(options={**given, "shipment_date": "2031-05-06"}))["options"]
    assert (both["shipping_date"], both["shipment_date"]) == ("2031-05-10T23:15", "2031-05-10")


def test_the_date_that_is_filled_in_has_no_zone(draft: dict[str, Any]) -> None:
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d", draft["options"]["shipping_date"])


def test_named_connections_alone_are_asked_and_shown(api: Client) -> None:
    made = api.made("/v1/shipments", body(carrier_ids=["ups", "generic"]))
    assert {rate["carrier_id"] for rate in made["rates"]} == {"ups", "generic"}
    assert made["carrier_ids"] == ["ups", "generic"]
    reply = api.post("/v1/shipments", body(carrier_ids=["nobody"]))
    assert (reply.status, reply.error["code"]) == (404, "not_found")


def test_a_named_service_is_bought_at_once(api: Client) -> None:
    reply = api.post("/v1/shipments", body(carrier_ids=["ups"], service="ups_ground"))
    assert (reply.status, reply.json["status"], reply.json["service"]) == (201, "purchased", "ups_ground")
    assert api.get(f"/v1/shipments/{reply.json['id']}").json["tracking_number"]


def test_a_service_that_is_not_offered_stores_nothing(api: Client) -> None:
    before = count(api)
    reply = api.post("/v1/shipments", body(carrier_ids=["ups"], service="ups_mars"))
    assert (reply.status, reply.error["code"], count(api)) == (400, "service_unavailable", before)


def test_all_carriers_failing_stores_nothing(api: Client) -> None:
    before = count(api)
    given = body(carrier_ids=["ups", "usps"], options={"sandbox_scenario": "error"})
    reply = api.post("/v1/shipments", given)
    assert (reply.status, count(api)) == (424, before)
    assert {message["carrier_id"] for message in reply.json["messages"]} == {"ups", "usps"}


def test_metadata_is_kept(api: Client) -> None:
    metadata = {"team": "red", "n": 1.5, "deep": {"a": [None, True]}}
    made = api.made("/v1/shipments", body(metadata=metadata))
    assert made["metadata"] == api.get(f"/v1/shipments/{made['id']}").json["metadata"] == metadata


def test_a_shipment_is_read_and_an_unknown_one_is_not_found(api: Client, draft: dict[str, Any]) -> None:
    reply = api.get(f"/v1/shipments/{draft['id']}")
    assert (reply.status, reply.json) == (200, draft)
    assert api.get("/v1/shipments/shp_nothing").status == 404


def test_an_item_belongs_to_an_order_line_that_exists(api: Client) -> None:
    item = {**ITEM, "parent_id": "cdt_nothing"}
    reply = api.post("/v1/shipments", body(parcels=[PARCEL, {**PARCEL, "items": [item]}]))
    assert reply.status == 400
    assert list(reply.error["details"]["parcels"][1]["items"][0]) == ["parent_id"]


def test_one_service_of_each_carrier_asks_several_carriers_at_once(api: Client) -> None:
    services = ["ups_ground", "usps_ground_advantage"]
    made = api.made("/v1/shipments", body(services=services, carrier_ids=None))
    assert {(rate["carrier_name"], rate["service"]) for rate in made["rates"]} == {
        ("ups", "ups_ground"), ("usps", "usps_ground_advantage"),
    }  # fmt: skip
    assert made["carrier_ids"] == []
    everything = api.made("/v1/shipments", body(services=None, carrier_ids=None))
    assert (everything["services"], len({rate["carrier_id"] for rate in everything["rates"]}) > 2) == (
        [],
        True,
    )


# -- customs and addresses ---------------------------------------------------------------------


def test_a_declaration_is_kept_with_ids(api: Client) -> None:
    made = api.made("/v1/shipments", body(recipient=BERLIN, customs=customs()))
    kept = api.get(f"/v1/shipments/{made['id']}").json["customs"]
    assert kept == made["customs"]
    assert kept["id"].startswith("cst_")
    assert [one["id"][:4] for one in kept["commodities"]] == ["cdt_"]
    assert (kept["incoterm"], kept["duty"]["paid_by"]) == ("DDP", "sender")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("incoterm", "XYZ"), ("content_type", "junk"), ("duty", {"paid_by": "santa"}),
        ("duty", {"currency": "QQQ"}), ("invoice", "x" * 51), ("signer", "x" * 51),
        ("invoice_date", "7 May"), ("invoice_date", "2031-13-01"),
    ],
)  # fmt: skip
def test_a_wrong_declaration_is_refused(api: Client, field: str, value: Any) -> None:
    reply = api.post("/v1/shipments", body(customs=customs(**{field: value})))
    assert reply.status == 400
    assert set(reply.error["details"]["customs"]) == {field}


def test_texts_of_a_declaration_as_long_as_they_may_be_are_taken(api: Client) -> None:
    given = customs(invoice="i" * 50, signer="s" * 50, invoice_date="2031-05-06")
    kept = api.made("/v1/shipments", body(customs=given))["customs"]
    assert (kept["invoice"], kept["signer"], kept["invoice_date"]) == ("i" * 50, "s" * 50, "2031-05-06")


def test_the_payor_of_duties_stands_in_the_declaration_or_in_its_duty(api: Client) -> None:
    for given in (
        customs(duty_billing_address=ANOTHER),
        customs(duty={"paid_by": "third_party", "duty_billing_address": ANOTHER}),
    ):
        kept = api.made("/v1/shipments", body(customs=given))["customs"]
        assert kept["duty_billing_address"]["address_line1"] == "1 Other St"
        inner = kept["duty"].get("duty_billing_address")
        assert (inner is not None) == ("duty_billing_address" in given["duty"])


def test_the_other_addresses_are_kept_when_given_and_null_otherwise(
    api: Client, draft: dict[str, Any]
) -> None:
    assert (draft["return_address"], draft["billing_address"]) == (None, None)
    made = api.made("/v1/shipments", body(return_address=ANOTHER, billing_address=BERLIN))
    kept = api.get(f"/v1/shipments/{made['id']}").json
    assert (kept["return_address"]["address_line1"], kept["billing_address"]["city"]) == (
        "1 Other St",
        "Berlin",
    )


def test_the_numbers_of_a_declaration_come_back_and_are_printed(api: Client) -> None:
    given = customs(options=IDS, commercial_invoice=True)
    sent = bought(api, recipient=BERLIN, customs=given)
    assert sent["customs"]["options"] == IDS
    (text,) = texts(api.get(sent["invoice_url"]).content)
    assert [word for word in IDS.values() if word not in text] == []
    assert len(IDS) == 7


# -- options -----------------------------------------------------------------------------------


def test_every_option_is_kept_as_it_was_given(api: Client) -> None:
    made = api.made("/v1/shipments", body(options={**OPTIONS, "own": {"a": [1]}}))
    assert api.get(f"/v1/shipments/{made['id']}").json["options"] == {**OPTIONS, "own": {"a": [1]}}


def test_a_carrier_is_sent_the_options_it_offers_and_no_other(app: App, api: Client) -> None:
    options = {"signature_confirmation": True, "insurance": 80, "own_option": "OWN-4711",
               "shipment_note": "NOTE-4712", "sms_notification": "SMS-4713",
               "ups_saturday_pickup_indicator": True}  # fmt: skip
    sent = bought(api, carrier_ids=["usps"], options=options)
    extras = sent_to_carrier(app, sent["id"])["packageDescription"]["extraServices"]
    assert {str(one) for one in extras} == {"921", "930"}
    text = str(sent_to_carrier(app, sent["id"]))
    assert [word for word in ("4711", "4712", "4713", "aturday") if word in text] == []


def sent_to_carrier(app: App, shipment_id: str) -> dict[str, Any]:
    """The body of the call that bought a label."""
    from shipcli.models import json

    rows = app.store.select("traces", {"object_id": shipment_id, "verb": "ship"}, "-started_at")
    bodies = [json.loads(row["request"]["body"]) for row in rows if "label" in row["request"]["url"].lower()
              or "shipments" in row["request"]["url"].lower()]  # fmt: skip
    found: dict[str, Any] = bodies[0]
    return found


@pytest.mark.parametrize(("payor", "key"), [("recipient", "BillReceiver"), ("third_party", "BillThirdParty")])
def test_the_payors_account_and_address_reach_the_carrier(
    app: App, api: Client, payor: str, key: str
) -> None:
    payment = {"paid_by": payor, "account_number": "A9Z8Y7"}
    sent = bought(api, carrier_ids=["ups"], payment=payment, billing_address=ANOTHER)
    shipment = sent_to_carrier(app, sent["id"])["ShipmentRequest"]["Shipment"]
    charges = shipment["PaymentInformation"]["ShipmentCharge"]
    (transport,) = [one for one in charges if one["Type"] == "01"]
    assert transport[key]["AccountNumber"] == "A9Z8Y7"
    assert "19103" in str(transport[key])
    assert shipment["ShipFrom"]["Address"]["PostalCode"] == "19130"


def test_a_return_address_stands_before_the_shippers(app: App, api: Client) -> None:
    back = {**SHIPPER, "address_line1": "9 Back Rd", "postal_code": "19103"}
    places = [
        sent_to_carrier(app, bought(api, carrier_ids=["ups"], return_address=given)["id"])
        ["ShipmentRequest"]["Shipment"]["ShipFrom"]["Address"]["PostalCode"]
        for given in (None, back)
    ]  # fmt: skip
    assert places == ["19130", "19103"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"recipient": BERLIN}, {"customs_required"}),
        ({"recipient": BERLIN, "customs": customs(duty=None)}, {"duty_required"}),
        ({"recipient": BERLIN, "customs": customs()}, set()),
        ({"recipient": BERLIN, "parcels": [{**PARCEL, "is_document": True}]}, set()),
        ({}, set()),
        ({"shipper": {**BERLIN, "country_code": "FR", "postal_code": "75001"}, "recipient": BERLIN}, set()),
    ],
    ids=["no customs", "no duty", "both", "documents", "domestic", "within the EU"],
)
def test_what_a_border_asks_for_is_a_message_of_the_purchase(
    api: Client, changes: dict[str, Any], said: set[str]
) -> None:
    sent = bought(api, **changes)
    found = {message["code"] for message in sent["messages"]} & {"customs_required", "duty_required"}
    assert (sent["status"], found) == ("purchased", said)


def test_the_proxy_gives_the_files_and_a_stored_shipment_does_not(api: Client) -> None:
    rates = api.post("/v1/proxy/rates", body()).json["rates"]
    given = {**body(), "rates": rates, "selected_rate_id": rates[0]["id"]}
    docs = api.post("/v1/proxy/shipping", given).json["docs"]
    assert base64.b64decode(docs["label"]).startswith(b"%PDF")
    sent = bought(api)
    assert "docs" not in sent
    assert "docs" not in api.get(f"/v1/shipments/{sent['id']}").json
