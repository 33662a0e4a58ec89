"""Orders, and the shipments that cover them."""

from __future__ import annotations

from typing import Any

from shipcli.features.core.app import App
from shipcli.features.orders import service as orders
from shipcli.features.shipments import service as shipments
from shipcli.models import Order, OrderData, Shipment, ShipmentPurchaseData
from tests.factories import PARCEL, RECIPIENT, draft

ITEM = {"title": "Lamp", "sku": "L-1", "quantity": 2, "weight": 1, "weight_unit": "KG"}


BOOK = {"title": "Book", "sku": "B-1", "quantity": 1, "weight": 300, "weight_unit": "G"}


def order_body(**changes: Any) -> dict[str, Any]:
    return {"order_id": "1001", "shipping_to": RECIPIENT, "line_items": [ITEM, BOOK], **changes}


def made(app: App, **changes: Any) -> Order:
    return orders.create_order(app, OrderData.model_validate(order_body(**changes)))


def covering(app: App, order: Order, *quantities: int) -> Shipment:
    """A stored draft that holds these quantities of the order's lines."""
    parcel = pack(order, *quantities)
    return shipments.create_shipment(app, draft(parcels=[parcel], carrier_ids=["generic"]))


def pack(order: Order, *quantities: int) -> dict[str, Any]:
    """A parcel that holds these quantities of an order's lines."""
    items = [
        {"title": line.title, "quantity": quantity, "weight": 1, "weight_unit": "KG", "parent_id": line.id}
        for line, quantity in zip(order.line_items, quantities, strict=False)
        if quantity
    ]
    return {**PARCEL, "items": items}


def bought(app: App, shipment: Shipment) -> Shipment:
    data = ShipmentPurchaseData(selected_rate_id=shipment.rates[0].id)
    return shipments.purchase_shipment(app, shipment.id, data)


def now(app: App, order: Order) -> Order:
    return orders.get_order(app, order.id)


def events(app: App) -> list[str]:
    """The names of the orders' events, oldest first."""
    names = [event["type"] for event in app.store.each("event")]
    return [name for name in reversed(names) if name.startswith("order_")]
