"""A sample shipment and a sample order for trying templates; neither is stored."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from shipcli.models import Order, Shipment

SENDER = {
    "id": "adr_sample", "company_name": "Harbour Goods", "person_name": "Dock Two",
    "address_line1": "2600 Benjamin Franklin Pkwy", "city": "Philadelphia", "state_code": "PA",
    "postal_code": "19130", "country_code": "US", "phone_number": "+1 215-763-8100",
    "federal_tax_id": "12-3456789",
}  # fmt: skip
RECIPIENT = {
    "id": "adr_sample", "company_name": "Müller & Söhne GmbH", "person_name": "Zoë Müller",
    "address_line1": "Pariser Platz 1", "city": "Berlin", "postal_code": "10117", "country_code": "DE",
    "phone_number": "+49 30 22730", "email": "zoe@example.com",
}  # fmt: skip


def _make_item(number: int, title: str, pieces: int, value: str, code: str) -> dict[str, Any]:
    return {
        "id": f"cdt_sample{number}", "title": title, "sku": f"SKU-{number:03}", "quantity": pieces,
        "weight": Decimal("0.4"), "weight_unit": "KG", "value_amount": Decimal(value),
        "value_currency": "USD", "hs_code": code, "origin_country": "US",
    }  # fmt: skip


ITEMS = [
    _make_item(1, "Enamel mug", 2, "12.50", "7323.94"),
    _make_item(2, "Linen apron", 1, "38.00", "6211.43"),
]


def make_sample_shipment() -> Shipment:
    """An international shipment of two articles."""
    parcel = {"id": "pcl_sample", "weight": Decimal("1.4"), "weight_unit": "KG", "length": 30, "width": 20,
              "height": 15, "dimension_unit": "CM", "items": ITEMS}  # fmt: skip
    customs = {
        "id": "cst_sample", "content_type": "merchandise", "incoterm": "DAP", "invoice": "INV-SAMPLE",
        "invoice_date": "2026-01-31", "signer": "Dock Two", "commercial_invoice": True, "commodities": ITEMS,
        "duty": {"paid_by": "recipient", "currency": "USD", "declared_value": Decimal("63.00")},
    }  # fmt: skip
    return Shipment.model_validate(
        {
            "id": "shp_sample",
            "status": "purchased",
            "carrier_name": "sample",
            "carrier_id": "sample",
            "service": "sample_express",
            "tracking_number": "SAMPLE000000001",
            "reference": "SO-SAMPLE",
            "shipper": SENDER,
            "recipient": RECIPIENT,
            "parcels": [parcel],
            "customs": customs,
            "meta": {"rate_provider": "sample", "service_name": "SAMPLE EXPRESS"},
            "test_mode": True,
        }
    )


def make_sample_order() -> Order:
    """An order of two articles, one of which has not been sent yet."""
    lines = [{**item, "unfulfilled_quantity": at} for at, item in enumerate(ITEMS)]
    return Order.model_validate(
        {
            "id": "ord_sample",
            "order_id": "SO-SAMPLE",
            "order_date": "2026-01-31",
            "status": "partial",
            "shipping_to": RECIPIENT,
            "shipping_from": SENDER,
            "line_items": lines,
            "shipments": [],
            "test_mode": True,
        }
    )
