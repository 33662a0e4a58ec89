"""Parcels that are sold to customers, and what their carriers say of them."""

from __future__ import annotations

from typing import Any

from shipcli.features.core.app import App
from shipcli.features.shipments import service as shipments
from shipcli.features.trackers import service as trackers
from shipcli.models import Shipment, ShipmentPurchaseData, Tracker, Tracking, TrackingEvent
from shipcli.worker import Worker
from tests.factories import RECIPIENT, draft

VAN = {"carrier_name": "generic", "carrier_id": "van",
       "credentials": {"display_name": "Our Van", "custom_carrier_name": "van"}}  # fmt: skip
CUSTOMER = {**RECIPIENT, "email": "ana@example.org"}


def sell(app: App, carrier: str = "van", **changes: Any) -> Shipment:
    body = {"recipient": CUSTOMER, "carrier_ids": [carrier], "reference": "1042", **changes}
    made = shipments.create_shipment(app, draft(**body))
    return shipments.purchase_shipment(app, made.id, ShipmentPurchaseData(selected_rate_id=made.rates[0].id))


def watch(app: App, shipment: Shipment) -> Tracker:
    """A tracker of a shipment, as for carriers that track."""
    tracker = Tracker(
        id=app.new_id("trk_"),
        carrier_name=str(shipment.carrier_name),
        carrier_id="van",
        tracking_number=str(shipment.tracking_number),
        meta={"shipment_id": shipment.id},
        test_mode=app.test_mode,
    )
    with app.store.transaction() as tx:
        stored = trackers.store_new(app, tx, tracker)
        tx.put("shipment", {**(tx.get("shipment", shipment.id) or {}), "tracker_id": stored.id})
    return stored


def report(app: App, tracker: Tracker, status: str, *events: dict[str, str], **more: Any) -> Tracker:
    """What the carrier says of a parcel, stored as a refresh would."""
    scans = [
        TrackingEvent.model_validate(event)
        for event in events or ({"date": "2026-11-27", "description": status},)
    ]
    answer = Tracking(tracking_number=tracker.tracking_number, status=status, events=scans, **more)
    return trackers.save(app, tracker, answer)


def work(app: App) -> None:
    """Run the jobs that are due."""
    worker = Worker(app, periodic=())
    worker.run_due()
    worker.close()
