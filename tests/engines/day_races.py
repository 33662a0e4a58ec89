"""Processes that import one file, and that book and list the same shipments, while others change them."""

from __future__ import annotations

import random
from contextlib import closing
from typing import Any

from shipcli.features.book.drafts import make_draft
from shipcli.features.connections.intent_actions import MANIFEST, PICKUP, CarrierAction
from shipcli.features.core.app import App
from shipcli.features.core.repository import save
from shipcli.features.core.shipment_lookup import HELD_BY, LISTED_IN
from shipcli.features.files.order_import import store_orders
from shipcli.features.files.shipment_store import store_drafts
from shipcli.features.pickups import bookings
from shipcli.features.pickups.manifest_creation import write_made
from shipcli.features.shipments.service import store_draft, update_shipment
from shipcli.models import Manifest, OrderData, Pickup, Shipment, ShipmentUpdateData
from shipcli.models.purchase_steps import DraftRows, RowDraft
from shipcli.store.query import one_of
from tests import factories
from tests.engines import work

READY, ROW = "ready", "row"  # how their references begin
SHIPMENTS, ROWS = 5, 8
SOURCE = "file"


def prepare(app: App) -> None:
    """Store shipments that are ready to be collected, and the order of each row that is imported."""
    for number in range(SHIPMENTS):
        draft = store_draft(app, make_draft(app, factories.draft(reference=f"{READY}-{number}")))
        with app.store.transaction() as tx:
            save(app, tx, "shipment", {**draft.model_dump(), "status": "purchased"}, "outcome")
    store_orders(app, [_describe_order(number, 0) for number in range(ROWS)], "skip")


def collect(home: str, environ: dict[str, str], times: int) -> int:
    """Book and list shipments that others want as well, note something in each; how many notes that were."""
    notes = 0
    with closing(work.open_measured(home, environ)) as app:
        for _ in range(times):
            some = random.sample(_list_shipments(app, READY), SHIPMENTS)
            pickup, manifest = _make_pickup(app), _make_manifest(app)
            bookings.write_booked(app, _announce(app, PICKUP, pickup.id, some), pickup, some)
            for shipment in some:
                update_shipment(app, shipment.id, ShipmentUpdateData(metadata={app.new_id("note_"): "1"}))
            notes += len(some)
            write_made(app, _announce(app, MANIFEST, manifest.id, some), manifest, b"%PDF-", some)
            bookings.remove(app, pickup)
    return notes


def import_rows(home: str, environ: dict[str, str], times: int) -> None:
    """Import two files again and again, their rows in any order: of orders, and of drafts that ship some."""
    with closing(work.open_measured(home, environ)) as app:
        for _ in range(times):
            numbers = random.sample(range(ROWS), ROWS)
            store_orders(
                app, [_describe_order(ROWS + number, random.random()) for number in numbers], "update"
            )
            rows = [
                RowDraft(number=number, key=f"{ROW}-{number}", data=_describe_row(app, number))
                for number in numbers
            ]
            store_drafts(app, DraftRows(digest=app.new_id(""), on_duplicate="update", rows=rows))


def list_wrong(app: App, notes: int) -> dict[str, int]:
    """What went wrong: all are 0 if nothing did."""
    ready, drafts = _list_shipments(app, READY), _list_shipments(app, ROW)
    rows = app.store.select("import_rows")
    links = app.store.select("order_shipments", [one_of("shipment_id", [draft.id for draft in drafts])])
    orders = [
        app.store.get("order", row["id"]) or {} for row in app.store.select("orders", {"source": SOURCE})
    ]
    lines = {line["id"] for order in orders for line in order["line_items"]}
    owned = app.store.select("members", [one_of("id", sorted(lines))])
    return {
        "notes beside bookings lost": notes - sum(len(shipment.metadata) for shipment in ready),
        "bookings that stay": sum(HELD_BY in (shipment.meta or {}) for shipment in ready),
        "shipments on no manifest": sum(LISTED_IN not in (shipment.meta or {}) for shipment in ready),
        "rows without a draft": len({row["shipment_id"] for row in rows} ^ {draft.id for draft in drafts}),
        "rows twice": len(drafts) - ROWS,
        "orders of a file twice": len(orders) - 2 * ROWS,
        "lines without their order": len(lines) - len(owned),
        "orders without their draft": ROWS - len({link["order_id"] for link in links}),
    }


def _list_shipments(app: App, reference: str) -> list[Shipment]:
    """The shipments whose references begin so."""
    documents = app.store.each("shipment", [], True)
    return [
        Shipment.model_validate(document)
        for document in documents
        if str(document["reference"]).startswith(reference)
    ]


def _announce(app: App, kind: str, id: str, shipments: list[Shipment]) -> CarrierAction:
    return CarrierAction(kind, app.new_id(""), id, "conn", tuple(shipment.id for shipment in shipments))


def _make_pickup(app: App) -> Pickup:
    return Pickup.model_validate({
        "id": app.new_id("pick_"), "carrier_name": "ups", "carrier_id": "ups", "confirmation_number": "1",
        "address": {**factories.SHIPPER, "id": app.new_id("adr_")}, "test_mode": True,
    })  # fmt: skip


def _make_manifest(app: App) -> Manifest:
    return Manifest.model_validate({
        "id": app.new_id("manf_"), "carrier_name": "ups", "carrier_id": "ups",
        "address": factories.SHIPPER, "test_mode": True,
    })  # fmt: skip


def _describe_order(number: int, weight: float) -> tuple[OrderData, Any]:
    lines = [{"title": "Cup", "sku": "CUP", "quantity": 1, "weight": 1 + weight, "weight_unit": "KG"}]
    data = {
        "order_id": f"F-{number}",
        "source": SOURCE,
        "shipping_to": factories.RECIPIENT,
        "line_items": lines,
    }
    return OrderData.model_validate(data), lambda field: True


def _describe_row(app: App, number: int) -> Any:
    order = app.store.select("orders", {"order_id": f"F-{number}"})[0]["id"]
    line = (app.store.get("order", order) or {})["line_items"][0]["id"]
    parcel = {**factories.PARCEL, "items": [{**factories.ITEM, "quantity": 1, "parent_id": line}]}
    return factories.draft(reference=f"{ROW}-{number}", parcels=[parcel])
