"""Ready-made data templates for the order exports of marketplaces.

Their columns are named, never counted: a file may lack some and add others. None of them knows weights: those
come from a product list, or from the command line.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from shipcli.models.data_template import DataTemplate
from shipcli.readers.headers import READ

TITLE, LONG = ["cut:35"], ["cut:100"]

CODE = ["strip_apostrophe", "upper", "cut:10"]


def _make_source(header: str | list[str], *transforms: str, default: str | None = None) -> dict[str, Any]:
    source: dict[str, Any] = {"header": header, "transforms": list(transforms), "default": default}
    return {key: value for key, value in source.items() if value}


def _make_address(side: str, headers: Mapping[str, str]) -> dict[str, Any]:
    """The fields of an address: lengths as carriers take them, spreadsheet apostrophes removed.

    Phone numbers and states are shortened where they are read: cutting them here would cut their end off.
    """
    sources: dict[str, Any] = {}
    for part, header in headers.items():
        if part == "postal_code":
            sources[f"{side}_{part}"] = _make_source(header, *CODE)
        elif part == "country":
            sources[f"{side}_{part}"] = _make_source(header, "country")
        elif part in ("phone", "state"):
            sources[f"{side}_{part}"] = _make_source(header, "strip_apostrophe")
        else:
            sources[f"{side}_{part}"] = _make_source(
                header, "strip_apostrophe", f"cut:{30 if part == 'city' else 50}"
            )
    return sources


def _make_shopify_address(side: str, name: str) -> dict[str, Any]:
    return _make_address(side, {
        "name": f"{name} Name", "company": f"{name} Company", "address1": f"{name} Address1",
        "address2": f"{name} Address2", "city": f"{name} City", "state": f"{name} Province",
        "postal_code": f"{name} Zip", "country": f"{name} Country", "phone": f"{name} Phone",
    })  # fmt: skip


SHOPIFY: dict[str, Any] = {
    "slug": "shopify",
    "name": "Shopify orders",
    "description": "The orders export of Shopify; a line item per row",
    "fields_mapping": {
        "order_id": "Name",
        "order_date": _make_source("Created at", "date"),
        "order_source": {"constant": "shopify"},
        "order_currency": "Currency",
        "title": _make_source("Lineitem name", *TITLE),
        "description": _make_source("Lineitem name", *LONG),
        "quantity": "Lineitem quantity",
        "sku": _make_source("Lineitem sku", *TITLE),
        "value_amount": _make_source("Lineitem price", "amount"),
        "value_currency": "Currency",
        **_make_shopify_address("shipping_to", "Shipping"),
        "shipping_to_email": "Email",
        **_make_shopify_address("billing", "Billing"),
        "order_metadata.shopify_id": "Id",
        "order_metadata.shipping_method": "Shipping Method",
        "order_metadata.note": "Notes",
    },
    "rows": {
        "inherit_by": "Name",
        "own": ["Lineitem requires shipping", "Lineitem fulfillment status"],
        "skip_when_filled": ["Cancelled at"],
        "skip_values": {
            "Lineitem requires shipping": ["false"],
            "Lineitem fulfillment status": ["fulfilled"],
            "Financial Status": ["refunded", "voided"],
            "Fulfillment Status": ["fulfilled"],
        },
    },
}

ETSY: dict[str, Any] = {
    "slug": "etsy",
    "name": "Etsy sold order items",
    "description": "The sold order items of Etsy; a line item per row",
    "fields_mapping": {
        "order_id": "Order ID",
        "order_date": _make_source(["Sale Date", "Date Paid"], "date:%m/%d/%y|%m/%d/%Y"),
        "order_source": {"constant": "etsy"},
        "order_currency": "Currency",
        "title": _make_source("Item Name", *TITLE),
        "description": _make_source("Item Name", *LONG),
        "quantity": "Quantity",
        "sku": _make_source("SKU", *TITLE),
        "value_amount": _make_source("Price", "amount"),
        "value_currency": "Currency",
        "metadata.variations": "Variations",
        "metadata.transaction_id": "Transaction ID",
        **_make_address("shipping_to", {
            "name": "Ship Name", "address1": "Ship Address1", "address2": "Ship Address2",
            "city": "Ship City", "state": "Ship State", "postal_code": "Ship Zipcode",
            "country": "Ship Country",
        }),
        "order_metadata.buyer": "Buyer",
    },
    "rows": {"inherit_by": "Order ID", "skip_when_filled": ["Date Shipped"]},
}  # fmt: skip

AMAZON: dict[str, Any] = {
    "slug": "amazon",
    "name": "Amazon unshipped orders",
    "description": "The unshipped orders report of Amazon, separated by tabs; a line item per row",
    "fields_mapping": {
        "order_id": "order-id",
        "order_date": _make_source("purchase-date", "date"),
        "order_source": {"constant": "amazon"},
        "title": _make_source("product-name", *TITLE),
        "description": _make_source("product-name", *LONG),
        "quantity": _make_source(["quantity-to-ship", "quantity-purchased"]),
        "sku": _make_source("sku", *TITLE),
        "metadata.order_item_id": "order-item-id",
        **_make_address("shipping_to", {
            "name": "recipient-name", "address1": "ship-address-1", "address2": "ship-address-2",
            "city": "ship-city", "state": "ship-state", "postal_code": "ship-postal-code",
            "country": "ship-country", "phone": "buyer-phone-number",
        }),
        "shipping_to_email": "buyer-email",
        "order_metadata.address_line3": "ship-address-3",
        "order_metadata.shipping_method": "ship-service-level",
        "order_metadata.buyer": "buyer-name",
    },
    "rows": {"inherit_by": "order-id", "skip_values": {"quantity-to-ship": ["0"]}},
}  # fmt: skip

EBAY: dict[str, Any] = {
    "slug": "ebay",
    "name": "eBay awaiting shipment",
    "description": "The orders of eBay that await shipment; a line item per row, totals at the end",
    "fields_mapping": {
        "order_id": _make_source(["Order Number", "Sales Record Number"]),
        "order_date": _make_source("Paid On Date", "date:%b-%d-%y|%b-%d-%Y|%d-%b-%y|%m/%d/%y|%m/%d/%Y"),
        "order_source": {"constant": "ebay"},
        "title": _make_source("Item Title", *TITLE),
        "description": _make_source("Item Title", *LONG),
        "quantity": "Quantity",
        "sku": _make_source(["Custom Label", "Item Number"], *TITLE),
        "value_amount": _make_source("Sold For", "amount"),
        "value_currency": _make_source("Sold For", "currency"),
        "metadata.item_number": "Item Number",
        **_make_address("shipping_to", {
            "name": "Ship To Name", "address1": "Ship To Address 1", "address2": "Ship To Address 2",
            "city": "Ship To City", "state": "Ship To State", "postal_code": "Ship To Zip",
            "country": "Ship To Country", "phone": "Ship To Phone",
        }),
        "shipping_to_email": "Buyer Email",
        "order_metadata.buyer": "Buyer Username",
        "order_metadata.shipping_method": "Shipping Service",
    },
    "rows": {
        "inherit_by": "Order Number",
        "own": ["Item Number", "Item Title"],
        "skip_when_empty": ["Item Number", "Item Title"],
    },
}  # fmt: skip


@cache
def list_ready_made() -> dict[str, DataTemplate]:
    """The templates that come with the program, by slug."""
    rows = (SHOPIFY, ETSY, AMAZON, EBAY)
    return {row["slug"]: DataTemplate(id=row["slug"], resource_type="orders", **row) for row in rows}


# Beginnings of the fields of an order, and what they are of a shipment.
OF_SHIPMENT: Mapping[str, str] = {
    "shipping_to_": "recipient_",
    "shipping_from_": "shipper_",
    "order_id": "reference",
    "options": "options",
}


def make_shipment_template(template: DataTemplate) -> DataTemplate:
    """A template of orders for a file whose orders are to be shipments, one each; goods are left out."""
    fields = {
        name.replace(old, new, 1): source
        for name, source in template.fields_mapping.items()
        for old, new in OF_SHIPMENT.items()
        if name.startswith(old) and name.replace(old, new, 1).partition(".")[0] in READ["shipments"]
    }
    return template.changed(resource_type="shipments", fields_mapping=fields)
