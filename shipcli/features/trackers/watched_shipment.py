"""The shipment that a tracker watches: it is found by its number and follows the tracker's status."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shipcli.features.core.repository import save
from shipcli.features.trackers.status_rules import SHIPMENT_STATUS, STATUS_EVENTS
from shipcli.models import Tracker

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.transaction import Transaction

UNWATCHED = frozenset({"draft", "cancelled"})


def link_shipment(app: App, tx: Transaction, tracker: Tracker) -> Tracker:
    """Link the tracker to the purchased shipment with its number and carrier that has no tracker, if any.

    This happens if the shipment's earlier tracker was removed, or if the connection that bought the label
    does not track, so that it never had one.
    """
    meta = tracker.meta or {}
    if "shipment_id" in meta:
        return tracker
    rows = tx.select("shipments", {"tracking_number": tracker.tracking_number})
    for id in (row["id"] for row in rows if row["status"] not in UNWATCHED):
        shipment = tx.get("shipment", id, app.test_mode)
        sold = (shipment or {}).get("meta") or {}
        is_its_carrier = tracker.carrier_name in (sold.get("ext"), sold.get("rate_provider"))
        if shipment and is_its_carrier and not shipment["tracker_id"]:
            save(app, tx, "shipment", {**shipment, "tracker_id": tracker.id}, "noted")
            return tracker.model_copy(update={"meta": {**meta, "shipment_id": id}})
    return tracker


def update_shipment_status(app: App, tx: Transaction, tracker: Tracker) -> None:
    """Set a shipment's status from its tracker's and emit the event of the new status."""
    from shipcli.events import emit

    status = SHIPMENT_STATUS.get(tracker.status)
    shipment_id = (tracker.meta or {}).get("shipment_id")
    document = tx.get("shipment", shipment_id) if status and shipment_id else None
    if document is None or document["status"] in (status, "cancelled", "draft"):
        return
    document["status"] = status
    save(app, tx, "shipment", document, "tracked")
    if status in STATUS_EVENTS:
        emit(tx, app, STATUS_EVENTS[status], document)
