"""Processes that sell, track and void shipments of one order at once, and create orders of one number."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from typing import Any

from shipcli.features.book.drafts import make_draft
from shipcli.features.core.app import App
from shipcli.features.core.repository import save
from shipcli.features.core.shipment_lookup import list_order_shipments, list_shipment_locks
from shipcli.features.orders.fulfilment_status import derive_order
from shipcli.features.orders.service import create_order, update_order
from shipcli.features.shipments.service import store_draft, update_shipment
from shipcli.features.shipments.voids import store_cancelled
from shipcli.features.trackers.service import save as save_answer
from shipcli.models import (
    Conflict,
    OrderData,
    OrderUpdateData,
    Shipment,
    ShipmentUpdateData,
    Tracker,
    Tracking,
    TrackingEvent,
)
from tests import factories
from tests.engines import work

SHARED, PIECES = "SHARED", 100_000
DRAFT, SOLD, MOVING, VOIDED = "draft", "purchased", "in_transit", "cancelled"


def prepare(app: App) -> None:
    """Store the order that all ship."""
    create_order(app, _describe(SHARED, PIECES))


def ship_shared(home: str, environ: dict[str, str], times: int) -> dict[str, str]:
    """Ship pieces of the shared order, each by a shipment of its own; its id and what it ended as."""
    ended = {}
    with closing(work.open_measured(home, environ)) as app:
        order = app.store.select("orders", {"order_id": SHARED})[0]["id"]
        line = (app.store.get("order", order) or {})["line_items"][0]["id"]
        for number in range(times):
            parcel = {**factories.PARCEL, "items": [{**factories.ITEM, "quantity": 1, "parent_id": line}]}
            draft = store_draft(app, make_draft(app, factories.draft(parcels=[parcel])))
            ended[draft.id] = _go_on(app, draft, number)
            update_order(app, order, OrderUpdateData(metadata={draft.id: number}))
    return ended


def _go_on(app: App, draft: Shipment, number: int) -> str:
    """Take a draft as far as its number says."""
    stages = (DRAFT, SOLD, MOVING, VOIDED)[: number % 4 + 1]
    for stage in stages:
        update_shipment(app, draft.id, ShipmentUpdateData(metadata={stage: str(number)}))
        if stage == SOLD:
            draft = _sell(app, draft)
        elif stage == MOVING:
            _move(app, draft)
        elif stage == VOIDED:
            store_cancelled(app, draft)
    return stages[-1]


def _sell(app: App, draft: Shipment) -> Shipment:
    tracker = Tracker(
        id=app.new_id("trk_"), carrier_name="ups", carrier_id="ups", tracking_number=f"1Z{draft.id}",
        status="pending", events=[], meta={"shipment_id": draft.id}, test_mode=True,
    )  # fmt: skip
    with app.store.transaction(locks=partial(list_shipment_locks, shipment=draft)) as tx:
        stored = Shipment.model_validate(tx.get("shipment", draft.id))
        sold = stored.model_copy(update={"status": SOLD, "tracker_id": tracker.id})
        save(app, tx, "shipment", sold.model_dump(), "outcome")
        save(app, tx, "tracker", tracker.model_dump(), "noted")
    return sold


def _move(app: App, sold: Shipment) -> None:
    tracker = Tracker.model_validate(app.store.get("tracker", str(sold.tracker_id)))
    event = TrackingEvent(date="2026-01-02", time="10:00", code="MV", description="On its way")
    answer = Tracking(
        carrier_name="ups", carrier_id="ups", tracking_number=tracker.tracking_number,
        status=MOVING, events=[event], delivered=False,
    )  # fmt: skip
    save_answer(app, tracker, answer)


def create_numbered(home: str, environ: dict[str, str], times: int) -> int:
    """Create orders of numbers that others want as well; how many were made."""
    made = 0
    with closing(work.open_measured(home, environ)) as app:
        for number in range(times):
            try:
                create_order(app, _describe(f"N-{number}", 1))
                made += 1
            except Conflict:
                continue
    return made


def list_wrong(app: App, ended: dict[str, str]) -> dict[str, int]:
    """What went wrong with the shared order and its shipments: all are 0 if nothing did."""
    order = app.store.select("orders", {"order_id": SHARED})[0]["id"]
    document = app.store.get("order", order) or {}
    shipments = {each["id"]: each for each in list_order_shipments(app.store, order)}
    left = PIECES - sum(status in (SOLD, MOVING) for status in ended.values())
    return {
        "shipments of an order lost": len(ended.keys() ^ shipments.keys()),
        "states of shipments lost": sum(shipments[id]["status"] != status for id, status in ended.items()),
        "orders derived wrong": int(derive_order(document, list(shipments.values())) != document),
        "pieces left miscounted": abs(document["line_items"][0]["unfulfilled_quantity"] - left),
        "changes of an order lost": len(ended) - len(document["metadata"]),
        "notes of shipments lost": sum(
            status not in shipments[id]["metadata"] for id, status in ended.items()
        ),
    }


def _describe(number: str, pieces: int) -> OrderData:
    lines: list[dict[str, Any]] = [
        {"title": "Cup", "sku": "CUP", "quantity": pieces, "weight": 1, "weight_unit": "KG"}
    ]
    return OrderData.model_validate(
        {"order_id": number, "source": "race", "shipping_to": factories.RECIPIENT, "line_items": lines}
    )
