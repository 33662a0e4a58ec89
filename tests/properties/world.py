"""Objects of every kind on a server, and good bodies that name them: what random bodies are mixed with.

Left to chance, no body buys a label: its rate must be one of the shipment's, its tracking number one bought.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.api.conftest import body
from tests.api.running import Running
from tests.factories import ITEM, PARCEL, RECIPIENT, SHIPPER

NOWHERE = "http://127.0.0.1:9/hook"
HOOK = {"url": NOWHERE, "enabled_events": ["all"]}
FILES = [{"doc_file": "JVBERi0=", "doc_name": "invoice.pdf"}]
WHEN = {"pickup_date": "2031-05-08", "ready_time": "09:00", "closing_time": "17:00"}
RIDE = {**WHEN, "address": SHIPPER, "parcels": [PARCEL]}
MANIFESTED = {"carrier_name": "usps", "address": SHIPPER}
ORDER = {"shipping_to": RECIPIENT, "line_items": [ITEM]}
TEMPLATE = {"name": "Note", "template": "<p>{{ data.name }}</p>"}
ACCOUNT = {"carrier_name": "ups", "credentials": {"client_id": "me", "client_secret": "hush"}}
ABROAD = {
    "person_name": "Marie Roy", "address_line1": "1230 Tako Rd", "city": "Ottawa", "state_code": "ON",
    "postal_code": "K1A0B1", "country_code": "CA", "phone_number": "+1 613-555-0100",
}  # fmt: skip
CUSTOMS = {
    "content_type": "merchandise", "incoterm": "DDU", "duty": {"paid_by": "recipient", "declared_value": 20},
    "commodities": [{**ITEM, "value_amount": 10, "value_currency": "USD", "origin_country": "US",
                     "hs_code": "691110"}],
}  # fmt: skip
FORM = "Form"  # the schema of the import's form has no name
BODIES: dict[str, list[Any]] = {
    "AddressData": [RECIPIENT, ABROAD],
    "PatchedAddressData": [{"city": "Mesa"}],
    "ParcelData": [{**PARCEL, "items": [ITEM]}],
    "PatchedParcelData": [{"weight": 2}],
    "ShipmentData": [body(), body(carrier_ids=["ups"], service="ups_ground"),
                     body(recipient=ABROAD, customs=CUSTOMS)],
    "ShipmentUpdateData": [{"label_type": "ZPL", "metadata": {"a": None}}],
    "ShipmentRateData": [{"services": [], "carrier_ids": ["ups"]}],
    "TrackerUpdateData": [{"metadata": {"dock": "2"}, "info": {"note": "fragile"}}],
    "OrderData": [{**ORDER, "order_id": "A-2"}],
    "OrderUpdateData": [{"options": {"currency": "USD"}}],
    "PickupCancelData": [{"reason": "rain"}],
    "PickupRequest": [RIDE],
    "WebhookData": [HOOK],
    "PatchedWebhookData": [{"disabled": False}],
    "WebhookTestRequest": [{"payload": {"x": 1}}],
    "CarrierConnectionData": [{**ACCOUNT, "carrier_id": "third"}],
    "PatchedCarrierConnectionData": [{"active": True}],
    "DocumentTemplateData": [{**TEMPLATE, "slug": "other"}],
    "PatchedDocumentTemplateData": [{"active": True}],
    "BatchOrderData": [{"orders": [{**ORDER, "order_id": "A-3"}]}],
    "BatchShipmentData": [{"shipments": [body()]}],
    "RateRequest": [body(carrier_ids=["ups", "usps", "canadapost"])],
    FORM: [{"resource_type": "trackers", "data_file": "Tracking Number,Carrier\nSC1000000001,ups\n"}],
}  # fmt: skip
CARRIERS = {
    "/": "ups", "/v1/pickups/": "usps", "/v1/proxy/pickups/": "usps", "/v1/proxy/shipping/": "generic",
}  # fmt: skip


@dataclass
class World:
    """What exists on a server.

    Shapes: `bodies` by the name of their schema; `ids`, the `spare` ids of what may be removed, and the
            names of `carriers`, all by how the path starts; `words` by the name of a parameter.
    """

    bodies: dict[str, list[Any]] = field(default_factory=lambda: dict(BODIES))
    ids: dict[str, str] = field(default_factory=dict)
    spare: dict[str, str] = field(default_factory=dict)
    carriers: dict[str, str] = field(default_factory=lambda: dict(CARRIERS))
    words: dict[str, str] = field(default_factory=dict)


class Maker:
    """Makes objects that must succeed."""

    def __init__(self, server: Running) -> None:
        self.server = server

    def __call__(self, path: str, value: Any) -> dict[str, Any]:
        status, made = self.server.ask("POST", path, value)
        assert status in (200, 201, 202), (path, status, made)
        return dict(made)

    def bought(self, carrier: str, **changes: Any) -> dict[str, Any]:
        """A shipment with a label of that carrier."""
        draft = self("/v1/shipments", body(carrier_ids=[carrier], **changes))
        choice = {"selected_rate_id": draft["rates"][0]["id"]}
        return self(f"/v1/shipments/{draft['id']}/purchase", choice)


def made_on(server: Running) -> World:
    """A world of its own on a new server."""
    world, make = World(), Maker(server)
    for area in (_kept, _accounts, _shipments, _orders, _collections, _papers, _tokens):
        area(world, make)
    return world


def _kept(world: World, make: Maker) -> None:
    """What is stored as it was given: one to work with, one to remove."""
    given = [("/v1/addresses", RECIPIENT), ("/v1/parcels", PARCEL), ("/v1/webhooks", HOOK)]
    for path, value in given:
        world.ids[f"{path}/"], world.spare[f"{path}/"] = (make(path, value)["id"] for _ in range(2))


def _accounts(world: World, make: Maker) -> None:
    path = "/v1/connections"
    first, second = (make(path, {**ACCOUNT, "carrier_id": name}) for name in ("first", "second"))
    world.ids[f"{path}/"], world.spare[f"{path}/"] = first["id"], second["id"]


def _shipments(world: World, make: Maker) -> None:
    draft = make("/v1/shipments", body(carrier_ids=["ups", "generic"]))
    sent, other = make.bought("ups"), make.bought("ups")
    void, voided = make.bought("generic"), make.bought("generic")
    choice = {"selected_rate_id": draft["rates"][0]["id"]}
    tracked = {name: sent[name] for name in ("tracking_number", "carrier_name")}
    batch = make("/v1/batches/trackers", {"trackers": [tracked]})
    world.bodies |= {
        "ShipmentPurchaseData": [choice],
        "ShippingRequest": [{**body(), "rates": draft["rates"], **choice}],
        "ShipmentCancelRequest": [{"shipment_identifier": voided["shipment_identifier"]}],
        "TrackingData": [tracked],
        "BatchTrackerData": [{"trackers": [tracked]}],
    }
    world.ids |= {
        "/v1/shipments/": draft["id"],
        "/v1/shipments/{id}/cancel": void["id"],
        "/v1/trackers/": sent["tracker_id"],
        "/v1/batches/operations/": batch["id"],
    }
    world.spare["/v1/trackers/"] = other["tracker_id"]
    world.words["tracking_number"] = sent["tracking_number"]


def _orders(world: World, make: Maker) -> None:
    """An order that was sent abroad, so that it has labels and invoices."""
    order, spare = (make("/v1/orders", {**ORDER, "order_id": name}) for name in ("A-0", "A-1"))
    item = {**ITEM, "parent_id": order["line_items"][0]["id"]}
    sent = make.bought("ups", recipient=ABROAD, customs=CUSTOMS, parcels=[{**PARCEL, "items": [item]}])
    world.ids |= {
        "/v1/orders/": order["id"],
        "/v1/shipments/{id}/label": sent["id"],
        "/v1/shipments/{id}/invoice": sent["id"],
    }
    world.spare["/v1/orders/"] = spare["id"]
    world.words |= {"orders": order["id"], "shipments": sent["id"]}


def _collections(world: World, make: Maker) -> None:
    """Pickups and manifests: some made, and labels that still wait for theirs."""
    fetched, waiting, closed, left = (make.bought("usps") for _ in range(4))
    pickup = make("/v1/pickups/usps/schedule", {**WHEN, "tracking_numbers": [fetched["tracking_number"]]})
    changed, off = (make("/v1/proxy/pickups/usps", RIDE)["pickup"] for _ in range(2))
    manifest = make("/v1/manifests", {**MANIFESTED, "shipment_ids": [closed["id"]]})
    number, kept, gone = (
        {"confirmation_number": one["confirmation_number"]} for one in (pickup, changed, off)
    )
    world.bodies |= {
        "PickupData": [{**WHEN, "tracking_numbers": [waiting["tracking_number"]]}],
        "PickupUpdateData": [{**number, "instruction": "Ring twice"}],
        "PickupUpdateRequest": [{**RIDE, **kept}],
        "PickupCancelRequest": [gone],
        "ManifestData": [{**MANIFESTED, "shipment_ids": [waiting["id"]]}],
        "ManifestRequest": [{**MANIFESTED, "shipment_identifiers": [left["tracking_number"]]}],
    }
    world.ids |= {"/v1/pickups/": pickup["id"], "/v1/manifests/": manifest["id"]}
    world.words["manifests"] = manifest["id"]


def _papers(world: World, make: Maker) -> None:
    path = "/v1/documents/templates"
    note, spare = (make(path, {**TEMPLATE, "slug": slug}) for slug in ("note", "spare"))
    paper = {"shipment_id": make.bought("ups")["id"], "document_files": FILES}
    upload = make("/v1/documents/uploads", paper)
    world.bodies |= {
        "DocumentData": [{"template_id": note["id"], "data": {"name": "Ana"}}],
        "DocumentUploadData": [paper],
    }
    world.ids |= {f"{path}/": note["id"], "/v1/documents/uploads/": upload["id"]}
    world.spare[f"{path}/"] = spare["id"]


def _tokens(world: World, make: Maker) -> None:
    login = {name: make.server.said[name] for name in ("email", "password")}
    tokens = make("/api/token", login)
    refresh = {"refresh": tokens["refresh"]}
    world.bodies |= {
        "TokenObtainPair": [login],
        "TokenRefresh": [refresh],
        "TokenVerify": [{"token": tokens["access"]}],
        "VerifiedTokenObtainPair": [{**refresh, "otp_token": "123456"}],
    }
