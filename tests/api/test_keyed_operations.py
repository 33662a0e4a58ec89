"""Every operation that is asked by POST, asked twice under one key: nothing of it is done a second time."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

from shipcli.features.core.app import App
from shipcli.operations.operation import IdempotencyPolicy, Operation
from shipcli.operations.table import SERVED
from tests.api.conftest import Client, Reply, body
from tests.api.samples import ACCOUNT, NUMBER, ORDER, WHEN, picked_up, sent
from tests.factories import ITEM, PARCEL, RECIPIENT, SHIPPER
from tests.features.conftest import live_labels
from tests.refusals import refusing_rows

POSTED = {
    row.name: row for row in SERVED if row.method == "POST" and row.policy is not IdempotencyPolicy.NEVER
}
REMEMBERING = [
    name
    for name, row in POSTED.items()
    if row.policy is IdempotencyPolicy.IN_TRANSACTION and not name.startswith("resolve")
]
ACTING = {
    "purchaseShipment", "buyLabel", "cancelShipment", "schedulePickup", "updatePickup", "cancelPickup",
    "createManifest", "uploadDocuments",
}  # fmt: skip
# Done once more they do no harm: the carrier says that it was done before.
REPEATABLE = {"voidLabel", "pickupUpdate", "pickupCancel", "updatePickup"}
# What a person says became of something: saying it again changes nothing.
SAID = {name for name in POSTED if name.startswith("resolve")}
FILE = {"doc_file": "JVBERi0=", "doc_name": "invoice.pdf"}
TEMPLATE = {"name": "Note", "slug": "keyed_note", "template": "<p>{{ data.name }}</p>"}
Given = tuple[dict[str, str], Any]  # the values of the path, and the body


def rated(api: Client) -> Given:
    draft = api.made("/v1/shipments", body(carrier_ids=["ups"]))
    return {"id": draft["id"]}, {"selected_rate_id": draft["rates"][0]["id"]}


def sold(api: Client) -> dict[str, Any]:
    rates = api.made("/v1/proxy/rates", body(carrier_ids=["ups"]))["rates"]
    return {**body(), "rates": rates, "selected_rate_id": rates[0]["id"]}


def voidable(api: Client) -> Given:
    label = api.made("/v1/proxy/shipping", sold(api))
    return {"carrier_name": "ups"}, {"shipment_identifier": label["shipment_identifier"]}


def booked(api: Client) -> dict[str, Any]:
    made = api.made("/v1/proxy/pickups/usps", {**WHEN, "address": SHIPPER, "parcels": [PARCEL]})
    return {"confirmation_number": made["pickup"]["confirmation_number"]}


def manifest_form(api: Client, field: str, source: str) -> dict[str, Any]:
    return {"carrier_name": "usps", "address": SHIPPER, field: [sent(api)[source]]}


def made_id(api: Client, path: str, value: Any) -> dict[str, str]:
    return {"id": api.made(path, value)["id"]}


def parted(api: Client) -> Given:
    order = api.made("/v1/orders", {**ORDER, "line_items": [{**ORDER["line_items"][0], "quantity": 3}]})
    return {"id": order["id"]}, {"line_items": [{"id": order["line_items"][0]["id"], "quantity": 1}]}


WANTED: dict[str, Callable[[Client], Given]] = {
    "createAddress": lambda api: ({}, RECIPIENT),
    "createParcel": lambda api: ({}, {**PARCEL, "items": [ITEM]}),
    "createCustoms": lambda api: ({}, {"commodities": [ITEM], "content_type": "merchandise"}),
    "addCarrierConnection": lambda api: ({}, ACCOUNT),
    "createWebhook": lambda api: ({}, {"url": "http://127.0.0.1:9/", "enabled_events": ["all"]}),
    "testWebhook": lambda api: (
        made_id(api, "/v1/webhooks", {"url": "http://127.0.0.1:9/", "enabled_events": ["all"]}),
        {"payload": {"x": 1}},
    ),
    "createDocumentTemplate": lambda api: ({}, TEMPLATE),
    "generateDocument": lambda api: ({}, {"template": "<p>{{ data.x }}</p>", "data": {"x": "y"}}),
    "uploadDocuments": lambda api: (
        {},
        {
            "shipment_id": api.made("/v1/shipments", body(carrier_ids=["ups"], service="ups_ground"))["id"],
            "document_files": [FILE],
        },
    ),
    "createShipment": lambda api: ({}, body()),
    "purchaseShipment": rated,
    "fetchShipmentRates": lambda api: (made_id(api, "/v1/shipments", body()), {}),
    "cancelShipment": lambda api: ({"id": sent(api)["id"]}, None),
    "addTracker": lambda api: ({}, NUMBER),
    "createOrder": lambda api: ({}, ORDER),
    "cancelOrder": lambda api: (made_id(api, "/v1/orders", ORDER), None),
    "splitOrder": parted,
    "combineOrders": lambda api: (
        made_id(api, "/v1/orders", ORDER),
        {"orders": [api.made("/v1/orders", {**ORDER, "order_id": "another"})["id"]]},
    ),
    "schedulePickup": lambda api: (
        {"carrier_name": "usps"},
        {**WHEN, "tracking_numbers": [sent(api)["tracking_number"]]},
    ),
    "updatePickup": lambda api: ({"id": picked_up(api)["id"]}, {"instruction": "Ring twice"}),
    "cancelPickup": lambda api: ({"id": picked_up(api)["id"]}, {}),
    "createManifest": lambda api: ({}, manifest_form(api, "shipment_ids", "id")),
    "createOrders": lambda api: ({}, {"orders": [ORDER]}),
    "createShipments": lambda api: ({}, {"shipments": [body(service="standard_service")]}),
    "createTrackers": lambda api: ({}, {"trackers": [NUMBER]}),
    "importFile": lambda api: ({}, b"Tracking Number,Carrier\nSC1000000002,ups\n"),
    "fetchRates": lambda api: ({}, body(carrier_ids=["ups"])),
    "buyLabel": lambda api: ({}, sold(api)),
    "voidLabel": voidable,
    "getTracking": lambda api: ({}, NUMBER),
    "pickupSchedule": lambda api: (
        {"carrier_name": "usps"},
        {**WHEN, "address": SHIPPER, "parcels": [PARCEL]},
    ),
    "pickupUpdate": lambda api: (
        {"carrier_name": "usps"},
        {**WHEN, "address": SHIPPER, "parcels": [PARCEL], **booked(api)},
    ),
    "addRule": lambda api: ({}, {"condition": "country = US", "service": "ups_ground"}),
    "returnShipment": lambda api: ({"id": sent(api)["id"]}, {"carrier_ids": ["ups"]}),
    "pickupCancel": lambda api: ({"carrier_name": "usps"}, booked(api)),
    "generateManifest": lambda api: ({}, manifest_form(api, "shipment_identifiers", "tracking_number")),
}  # fmt: skip


def test_every_operation_asked_by_post_is_tried_here() -> None:
    assert set(WANTED) == set(POSTED) - SAID


class Keyed:
    """One request under a key, to be sent as often as wanted."""

    def __init__(self, app: App, api: Client, name: str) -> None:
        self.app, self.api = app, api
        path, self.value = WANTED[name](api)
        row: Operation = POSTED[name]
        self.path = row.path.format(**path)

    def send(self) -> Reply:
        if not isinstance(self.value, bytes):
            return self.api.post(self.path, self.value, Idempotency_Key="k")
        boundary = "x" * 20
        lines = [
            f"--{boundary}", 'content-disposition: form-data; name="resource_type"', "", "trackers",
            f"--{boundary}", 'content-disposition: form-data; name="data_file"; filename="a.csv"', "",
            self.value.decode(), f"--{boundary}--", "",
        ]  # fmt: skip
        media = f"multipart/form-data; boundary={boundary}"
        form = "\r\n".join(lines).encode()
        return self.api.ask("POST", self.path, content=form, Content_Type=media, Idempotency_Key="k")

    def done(self) -> tuple[Any, ...]:
        """What is stored, and what the carriers sold, booked and listed."""
        rows = self.app.store.select("batch_resources", {})
        ledger = [self.app.store.count("event"), len(live_labels(self.app))]
        return self.app.store.info()["objects"], len(rows), ledger


def unkept(app: App) -> AbstractContextManager[None]:
    """The store refuses to keep an answer under a key."""
    return refusing_rows(app.store, "update", "idempotency", "new.state = 'done'")


@pytest.mark.parametrize("name", WANTED)
def test_a_repetition_gives_the_first_answer_marked_and_does_nothing(fresh: Any, name: str) -> None:
    request = Keyed(*fresh, name)
    first = request.send()
    assert first.status < 300, first.content
    assert "idempotent-replayed" not in first.headers
    before = request.done()
    again = request.send()
    assert (again.status, again.content) == (first.status, first.content)
    assert again.headers["idempotent-replayed"] == "true"
    assert request.done() == before


@pytest.mark.parametrize("name", [name for name in REMEMBERING if name not in ACTING])
def test_what_is_made_and_its_answer_are_kept_together_or_not_at_all(
    fresh: tuple[App, Client], name: str
) -> None:
    request = Keyed(*fresh, name)
    before = request.done()
    with unkept(request.app):
        assert request.send().status == 500
    assert request.done() == before
    made = request.send()
    assert made.status < 300
    assert "idempotent-replayed" not in made.headers


@pytest.mark.parametrize("name", [name for name in REMEMBERING if name in ACTING])
def test_what_a_carrier_did_is_not_done_again_when_its_answer_is_not_kept(
    fresh: tuple[App, Client], name: str
) -> None:
    request = Keyed(*fresh, name)
    with unkept(request.app):
        assert request.send().status == 500
    sold = live_labels(request.app)
    assert request.send().status in (200, 201, 424)
    assert live_labels(request.app) == sold


@pytest.mark.parametrize(
    "name", [name for name in WANTED if POSTED[name].policy is IdempotencyPolicy.RECORD_FIRST]
)
def test_a_carrier_is_not_asked_again_when_nobody_knows_what_it_answered(
    fresh: tuple[App, Client], name: str
) -> None:
    request = Keyed(*fresh, name)
    with unkept(request.app):
        request.send()
    asked = len(request.app.store.select("traces"))
    again = request.send()
    assert (again.status, again.json["messages"][0]["code"]) == (424, "outcome_unknown")
    assert len(request.app.store.select("traces")) == asked


@pytest.mark.parametrize("name", sorted(REPEATABLE - {"voidLabel"}))  # whose 500 the contract leaves out
def test_what_does_no_harm_twice_is_done_again_when_its_answer_is_not_kept(
    fresh: tuple[App, Client], name: str
) -> None:
    request = Keyed(*fresh, name)
    with unkept(request.app):
        assert request.send().status == 500
    after = request.done()
    assert request.send().status < 300
    assert request.done() == after


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in WANTED
        if POSTED[name].policy is IdempotencyPolicy.AFTERWARDS and name not in REPEATABLE
    ],
)
def test_what_keeps_its_answer_afterwards_stores_nothing(fresh: Any, name: str) -> None:
    request = Keyed(*fresh, name)
    before = request.done()
    assert request.send().status < 300
    assert request.done() == before
