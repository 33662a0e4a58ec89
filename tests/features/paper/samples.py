"""Goods, orders and shipments that papers are drawn of."""

from __future__ import annotations

from typing import Any

from shipcli.features.core.app import App
from shipcli.features.orders import service as orders
from shipcli.features.paper import templates
from shipcli.features.shipments import service as shipments
from shipcli.models import DocumentTemplate, DocumentTemplateData, OrderData, Shipment, ShipmentPurchaseData
from tests.factories import ABROAD, PARCEL, RECIPIENT, draft

GOODS = {"title": "Mug", "quantity": 2, "sku": "MUG", "weight": 1, "weight_unit": "LB", "value_amount": 9.5,
         "value_currency": "USD", "origin_country": "US", "hs_code": "6912.00"}  # fmt: skip


CUSTOMS = {"content_type": "merchandise", "incoterm": "DDP", "commodities": [GOODS], "invoice": "INV-7",
           "signer": "Ann", "duty": {"paid_by": "sender", "currency": "USD"}}  # fmt: skip


def bought(app: App, carrier: str = "ups", **changes: Any) -> Shipment:
    made = shipments.create_shipment(app, draft(carrier_ids=[carrier], **changes))
    return shipments.purchase_shipment(app, made.id, ShipmentPurchaseData(selected_rate_id=made.rates[0].id))


def abroad(app: App, carrier: str = "generic", **changes: Any) -> Shipment:
    return bought(app, carrier, recipient=ABROAD, **{"customs": CUSTOMS, **changes})


def ordered(app: App, **changes: Any) -> Any:
    body = {"order_id": "1001", "shipping_to": RECIPIENT, "line_items": [GOODS], **changes}
    return orders.create_order(app, OrderData.model_validate(body))


def covering(app: App, order: Any, carrier: str = "ups") -> Shipment:
    item = {**GOODS, "quantity": 1, "parent_id": order.line_items[0].id}
    return bought(app, carrier, parcels=[{**PARCEL, "items": [item]}])


def made(app: App, slug: str = "inv", **changes: Any) -> DocumentTemplate:
    body = {"name": "Invoice", "slug": slug, "template": "<p>{{ data.x }}</p>", **changes}
    return templates.create_template(app, DocumentTemplateData.model_validate(body))
