"""Objects with ids that count, on which the examples of the reference work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING

from shipcli import models as m
from shipcli.features.book import addresses, customs, parcels
from shipcli.features.connections import service as connections
from shipcli.features.connections.intent_actions import (
    CarrierAction,
    find_account,
    list_open_rows,
    mark_needs_attention,
)
from shipcli.features.customers.content import write_content
from shipcli.features.customers.follower import KEPT, TABLE
from shipcli.features.files.batches import service as batches
from shipcli.features.orders import service as orders
from shipcli.features.paper import templates, uploads
from shipcli.features.pickups import manifests
from shipcli.features.pickups import service as pickups
from shipcli.features.rules import service as rules
from shipcli.features.shipments import service as shipments
from shipcli.features.trackers import service as trackers
from shipcli.features.webhooks import service as webhooks
from shipcli.models.basics.errors import OutcomeUnknown
from shipcli.models.batch import BatchTrackerData
from shipcli.models.rule import RuleData
from shipcli.models.sentences import body_examples as bodies

if TYPE_CHECKING:
    from shipcli.features.core.app import App

CARRIERS = {"ups", "usps", "fedex"}
DRAFTS, USPS_LABELS, ORDERS = 3, 10, 7  # what a draft or a label is used up by has one of its own


class NumberedIds:
    """Ids that count: the first address of the reference ends in 1."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def new(self, prefix: str) -> str:
        """The next id with this prefix."""
        self._counts[prefix] += 1
        return f"{prefix}{self._counts[prefix]:032x}"


def make_reference_objects(app: App) -> bool:
    """Store what the examples of the reference name, once; False in a sandbox without their carriers."""
    if app.store.get("shipment", bodies.number_id("shp_", 1)) is not None:
        return True
    slugs = {row["carrier_name"] for row in app.store.select("connections", {"test_mode": True})}
    if not slugs >= CARRIERS:
        return False
    numbered = replace(app.in_mode(True), store=app.store.with_ids(NumberedIds()))
    _make_plain_objects(numbered)
    _make_shipments(numbered)
    return True


def _make_plain_objects(app: App) -> None:
    addresses.create_address(app, m.AddressData.model_validate(bodies.BODIES["AddressData"]))
    parcels.create_parcel(app, m.ParcelData.model_validate(bodies.BODIES["ParcelData"]))
    spare = {**bodies.BODIES["CarrierConnectionData"], "carrier_id": "spare", "active": False}
    connections.add_connection(app, m.ConnectionData.model_validate(spare))
    webhooks.create_webhook(
        app, m.WebhookData.model_validate({**bodies.BODIES["WebhookData"], "disabled": True})
    )
    template = {**bodies.BODIES["DocumentTemplateData"], "slug": "reference_note"}
    templates.create_template(app, m.DocumentTemplateData.model_validate(template))
    for number in range(1, ORDERS + 1):
        order = {**bodies.BODIES["OrderData"], "order_id": f"REFERENCE-{number}"}
        orders.create_order(app, m.OrderData.model_validate(order))
    for name in ("Reference 1", "Reference 2"):
        customs.create_declaration(app, m.CustomsData.model_validate(bodies.BODIES["CustomsData"]))
        rules.add_rule(app, RuleData.model_validate({**bodies.RULE, "name": name, "enabled": False}))


def _make_shipments(app: App) -> None:
    draft = m.ShipmentData.model_validate({**bodies.BODIES["ShipmentData"], "carrier_ids": ["usps"]})
    for _ in range(DRAFTS):
        shipments.create_shipment(app, draft)
    ups = draft.model_copy(update={"carrier_ids": ["ups"], "service": "ups_ground"})
    bought_with_ups = shipments.create_shipment(app, ups)
    usps = draft.model_copy(update={"service": "usps_ground_advantage"})
    labels = [shipments.create_shipment(app, usps).id for _ in range(USPS_LABELS)]
    _collect(app, labels[3:8])
    _keep_mail(app, bought_with_ups)
    number = {"tracking_number": "SC0300000001", "carrier_name": "ups"}
    trackers.add_tracker(app, m.TrackingData.model_validate(number))
    batches.create_trackers(app, BatchTrackerData.model_validate({"trackers": [number]}))
    _leave_in_doubt(app, draft, labels[8:])
    _sell_for_the_carriers(app, usps)
    document = {**bodies.BODIES["DocumentUploadData"], "shipment_id": bought_with_ups.id}
    uploads.upload(app, m.DocumentUploadData.model_validate(document))


def _collect(app: App, labels: Sequence[str]) -> None:
    """Book pickups and make a manifest."""
    for collected in (labels[:1], labels[1:2], labels[3:]):
        body = {**bodies.BODIES["PickupData"], "tracking_numbers": [*collected]}
        pickups.schedule_pickup(app, "usps", m.PickupData.model_validate(body))
    form = {**bodies.BODIES["ManifestData"], "shipment_ids": labels[2:3]}
    manifests.create_manifest(app, m.ManifestData.model_validate(form))


def _sell_for_the_carriers(app: App, draft: m.ShipmentData) -> None:
    """A label to void and a pickup to cancel at the carrier itself, by its numbers."""
    _, collected = (shipments.create_shipment(app, draft).id for _ in range(2))
    body = {**bodies.BODIES["PickupData"], "tracking_numbers": [collected]}
    pickups.schedule_pickup(app, "usps", m.PickupData.model_validate(body))


def _keep_mail(app: App, shipment: m.Shipment) -> None:
    """A mail to the customer of a shipment, kept as a sandbox does."""
    row = {
        "shipment_id": shipment.id, "event": "purchased", "id": app.new_id("mail_"), "test_mode": True,
        "address": "ada@example.com", "state": KEPT, "created_at": app.now(), "ended_at": app.now(),
        "content": asdict(write_content(app, "purchased", shipment)),
    }  # fmt: skip
    with app.store.transaction() as tx:
        tx.add(TABLE, row)


def _leave_in_doubt(app: App, draft: m.ShipmentData, labels: Sequence[str]) -> None:
    """A purchase, a pickup and a manifest whose answers were lost, to be resolved."""
    lost = {"sandbox_scenario": "closed"}
    bought = shipments.create_shipment(app, draft.model_copy(update={"carrier_ids": ["fedex"]}))
    rate = m.ShipmentPurchaseData(selected_rate_id=(bought.rates or [])[0].id, metadata=lost)
    collected = {**bodies.BODIES["PickupData"], "tracking_numbers": labels[:1], "options": lost}
    form = {**bodies.BODIES["ManifestData"], "shipment_ids": labels[1:], "options": lost}
    for create in (
        partial(shipments.purchase_shipment, app, bought.id, rate),
        partial(pickups.schedule_pickup, app, "usps", m.PickupData.model_validate(collected)),
        partial(manifests.create_manifest, app, m.ManifestData.model_validate(form)),
    ):
        with suppress(OutcomeUnknown):
            create()
    for row in list_open_rows(app, app.store):  # no worker asks the carrier again: they stay in doubt
        action = CarrierAction.of_row(row)
        mark_needs_attention(app, action, find_account(app, action), ())
