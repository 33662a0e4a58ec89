"""One call of every operation, in the order that a working day has; what each answered is kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from starlette.testclient import TestClient

from shipcli.features.core.app import App
from shipcli.features.identity import users
from shipcli.operations.table import OPERATIONS
from tests.api.checking import check
from tests.api.conftest import Client, Reply, body
from tests.api.samples import code_of
from tests.factories import ITEM, PARCEL, RECIPIENT, SHIPPER

BY_NAME = {row.name: row for row in OPERATIONS}
EMAIL, PASSWORD = "day@shop.example", "correct horse battery"
FILE = {"doc_file": "JVBERi0=", "doc_name": "invoice.pdf"}
WHEN = {"pickup_date": "2030-05-06", "ready_time": "09:00", "closing_time": "17:00"}
CUSTOMS = {
    "commodities": [{**ITEM, "value_amount": 10, "value_currency": "USD", "origin_country": "US"}],
    "duty": {"paid_by": "sender"},
    "content_type": "merchandise",
}


@dataclass(frozen=True)
class Seen:
    """What an operation answered."""

    name: str
    method: str
    path: str
    status: int
    value: Any


@dataclass
class Journey:
    """Asks by the names of operations."""

    app: App
    http: TestClient
    api: Client
    seen: list[Seen] = field(default_factory=list)

    def ask(self, name: str, value: Any = None, query: str = "", **path: str) -> Any:
        row = BY_NAME[name]
        place = row.path.format(**path)
        return self._kept(name, place, self.api.ask(row.method, place + query, value))

    def _kept(self, name: str, path: str, reply: Reply) -> Any:
        self.seen.append(Seen(name, BY_NAME[name].method, path, reply.status, reply.json))
        assert reply.status < 300, (name, reply.content)
        return reply.json

    def imported(self, content: bytes) -> Any:
        """The file import; it takes a form."""
        path = BY_NAME["importFile"].path
        headers = {"Authorization": str(self.api._authorization)}
        files = {"data_file": ("rows.csv", content, "text/csv")}
        got = self.http.post(path, data={"resource_type": "trackers"}, files=files, headers=headers)
        check("POST", path, got.status_code, "application/json", got.content)
        return self._kept("importFile", path, Reply(got.status_code, got.headers, got.content))

    def walk(self) -> list[Seen]:
        for part in (self.instance, self.log_in, self.stored, self.shipped, self.collected, self.papers,
                     self.ordered, self.batched, self.proxied, self.listed, self.cleared):  # fmt: skip
            part()
        return self.seen

    def instance(self) -> None:
        self.ask("ping")
        self.ask("references")
        self.ask("listCarriers")
        self.ask("getServices", carrier_name="ups")

    def log_in(self) -> None:
        users.create_user(self.app, EMAIL, PASSWORD)
        pair = self.ask("authenticate", {"email": EMAIL, "password": PASSWORD})
        self.ask("verifyToken", {"token": pair["access"]})
        self.ask("refreshToken", {"refresh": pair["refresh"]})
        uri = users.enrol(self.app, EMAIL)
        pair = self.ask("authenticate", {"email": EMAIL, "password": PASSWORD})
        code = code_of(uri, datetime.now(UTC))
        self.ask("getVerifiedToken", {"refresh": pair["refresh"], "otp_token": code})

    def stored(self) -> None:
        self.address = self.ask("createAddress", RECIPIENT)["id"]
        self.ask("retrieveAddress", id=self.address)
        self.ask("updateAddress", {"city": "Tempe"}, id=self.address)
        self.parcel = self.ask("createParcel", {**PARCEL, "items": [ITEM]})["id"]
        self.ask("retrieveParcel", id=self.parcel)
        self.ask("updateParcel", {"description": "Cups"}, id=self.parcel)
        account = {"client_id": "me", "client_secret": "hush"}
        given = {"carrier_name": "ups", "carrier_id": "second", "credentials": account}
        self.connection = self.ask("addCarrierConnection", given)["id"]
        self.ask("retrieveCarrierConnection", id=self.connection)
        self.ask("updateCarrierConnection", {"active": False}, id=self.connection)
        hook = {"url": "http://127.0.0.1:9/hook", "enabled_events": ["all"]}
        self.webhook = self.ask("createWebhook", hook)["id"]
        self.ask("retrieveWebhook", id=self.webhook)
        self.ask("updateWebhook", {"description": "Shop"}, id=self.webhook)
        self.ask("testWebhook", {"payload": {"x": 1}}, id=self.webhook)

    def shipped(self) -> None:
        draft = self.ask("createShipment", body(carrier_ids=["usps"], parcels=[{**PARCEL, "items": [ITEM]}]))
        self.ask("retrieveShipment", id=draft["id"])
        self.ask("updateShipment", {"reference": "R-1"}, id=draft["id"])
        rated = self.ask("fetchShipmentRates", {}, id=draft["id"])
        chosen = {"selected_rate_id": rated["rates"][0]["id"]}
        self.sent = self.ask("purchaseShipment", chosen, id=draft["id"])
        self.ups = self.ask("createShipment", body(carrier_ids=["ups"], service="ups_ground"))
        abroad = {**RECIPIENT, "country_code": "DE", "postal_code": "10117", "city": "Berlin",
                  "state_code": None}  # fmt: skip
        self.ask("createShipment", body(recipient=abroad, customs=CUSTOMS))
        unbought = self.ask("createShipment", body())
        self.ask("cancelShipment", id=unbought["id"])
        tracked = {"id_or_tracking_number": self.ups["tracker_id"]}
        self.ask("retrieveTracker", **tracked)
        self.ask("updateTracker", {"metadata": {"x": "y"}}, **tracked)
        self.ask("removeTracker", **tracked)
        self.ask("addTracker", {"tracking_number": "SC0300000001", "carrier_name": "ups"})
        self.ask("createTracker", carrier_name="ups", tracking_number="SC0100000007")

    def collected(self) -> None:
        given = {**WHEN, "tracking_numbers": [self.sent["tracking_number"]]}
        made = self.ask("schedulePickup", given, carrier_name="usps")
        self.ask("retrievePickup", id=made["id"])
        self.ask("updatePickup", {"instruction": "Ring twice"}, id=made["id"])
        self.ask("listPickups")
        self.ask("cancelPickup", {}, id=made["id"])
        form = {"carrier_name": "usps", "address": SHIPPER, "shipment_ids": [self.sent["id"]]}
        self.ask("retrieveManifest", id=self.ask("createManifest", form)["id"])

    def papers(self) -> None:
        given = {"name": "Note", "slug": "day_note", "template": "<p>{{ data.name }}</p>"}
        self.template = self.ask("createDocumentTemplate", given)["id"]
        self.ask("retrieveDocumentTemplate", id=self.template)
        self.ask("updateDocumentTemplate", {"name": "Notes"}, id=self.template)
        self.ask("generateDocument", {"template_id": self.template, "data": {"name": "Ana"}})
        files = {"shipment_id": self.ups["id"], "document_files": [FILE]}
        self.ask("retrieveUpload", id=self.ask("uploadDocuments", files)["id"])

    def ordered(self) -> None:
        given = {"order_id": "DAY-1", "shipping_to": RECIPIENT, "line_items": [ITEM]}
        order = self.ask("createOrder", given)["id"]
        self.ask("retrieveOrder", id=order)
        self.ask("updateOrder", {"metadata": {"x": 1}}, id=order)
        self.ask("cancelOrder", id=order)
        self.ask("dismissOrder", id=self.ask("createOrder", given)["id"])

    def batched(self) -> None:
        order = {"order_id": "DAY-2", "shipping_to": RECIPIENT, "line_items": [ITEM]}
        self.ask("createOrders", {"orders": [order]})
        self.ask("createShipments", {"shipments": [body()]})
        number = {"tracking_number": "SC1000000001", "carrier_name": "ups"}
        made = self.ask("createTrackers", {"trackers": [number]})
        self.ask("retrieveBatchOperation", id=made["id"])
        self.imported(b"Tracking Number,Carrier\nSC1000000002,ups\n")

    def proxied(self) -> None:
        rates = self.ask("fetchRates", body(carrier_ids=["ups"]))["rates"]
        given = {**body(), "rates": rates, "selected_rate_id": rates[0]["id"]}
        sold = self.ask("buyLabel", given)
        number = {"tracking_number": sold["tracking_number"], "carrier_name": "ups"}
        self.ask("getTracking", number)
        self.ask("trackShipment", **number)
        self.ask("voidLabel", {"shipment_identifier": sold["shipment_identifier"]}, carrier_name="ups")
        when = {**WHEN, "address": SHIPPER, "parcels": [PARCEL]}
        made = self.ask("pickupSchedule", when, carrier_name="usps")
        booked = {"confirmation_number": made["pickup"]["confirmation_number"]}
        self.ask("pickupUpdate", {**when, **booked}, carrier_name="usps")
        self.ask("pickupCancel", booked, carrier_name="usps")
        again = self.ask("createShipment", body(carrier_ids=["usps"], service="usps_ground_advantage"))
        form = {"carrier_name": "usps", "address": SHIPPER,
                "shipment_identifiers": [again["tracking_number"]]}  # fmt: skip
        self.ask("generateManifest", form)

    def listed(self) -> None:
        lists = (row.name for row in OPERATIONS if row.method == "GET" and "{" not in row.path)
        for name in lists:
            self.ask(name)

    def cleared(self) -> None:
        self.ask("discardAddress", id=self.address)
        self.ask("discardParcel", id=self.parcel)
        self.ask("removeCarrierConnection", id=self.connection)
        self.ask("discardDocumentTemplate", id=self.template)
        self.ask("removeWebhook", id=self.webhook)


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every object inside a value, itself included."""
    if isinstance(value, dict):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(one)
