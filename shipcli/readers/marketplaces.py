"""Ready-made data templates for the order exports of marketplaces.

Their columns are named, never counted: a file may lack some and add others. None of them knows weights: those
come from a product list, or from the command line.
"""

from __future__ import annotations

from typing import Any

from shipcli.readers.template_parts import make_address, make_source


def _make_shopify_address(side: str, name: str) -> dict[str, Any]:
    return make_address(side, {
        "name": f"{name} Name", "company": f"{name} Company", "address1": f"{name} Address1",
        "address2": f"{name} Address2", "city": f"{name} City", "state": f"{name} Province",
        "postal_code": f"{name} Zip", "country": f"{name} Country",
        "phone": [f"{name} Phone", "Phone"] if name == "Shipping" else f"{name} Phone",
    })  # fmt: skip


SHOPIFY: dict[str, Any] = {
    "slug": "shopify",
    "name": "Shopify orders",
    "description": "The orders export of Shopify; a line item per row",
    "fields_mapping": {
        "order_id": "Name",
        "order_date": make_source("Created at", "date"),
        "order_source": {"constant": "shopify"},
        "order_currency": "Currency",
        "title": "Lineitem name",
        "quantity": "Lineitem quantity",
        "sku": "Lineitem sku",
        "value_amount": make_source("Lineitem price", "amount"),
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
        "order_date": make_source(["Sale Date", "Date Paid"], "date:%m/%d/%y|%m/%d/%Y"),
        "order_source": {"constant": "etsy"},
        "order_currency": "Currency",
        "title": "Item Name",
        "quantity": "Quantity",
        "sku": "SKU",
        "value_amount": make_source("Price", "amount"),
        "value_currency": "Currency",
        "variant": "Variations",
        "metadata.transaction_id": "Transaction ID",
        **make_address("shipping_to", {
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
        "order_date": make_source("purchase-date", "date"),
        "order_source": {"constant": "amazon"},
        "title": "product-name",
        "quantity": make_source(["quantity-to-ship", "quantity-purchased"]),
        "sku": "sku",
        "metadata.order_item_id": "order-item-id",
        **make_address("shipping_to", {
            "name": "recipient-name", "address1": "ship-address-1", "address2": "ship-address-2",
            "address3": "ship-address-3", "city": "ship-city", "state": "ship-state",
            "postal_code": "ship-postal-code", "country": "ship-country", "phone": "buyer-phone-number",
        }),
        "shipping_to_email": "buyer-email",
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
        "order_id": make_source(["Order Number", "Sales Record Number"]),
        "order_date": make_source(
            ["Paid On Date", "Sale Date"], "date:%b-%d-%y|%b-%d-%Y|%d-%b-%y|%d-%b-%Y|%m/%d/%y|%m/%d/%Y"
        ),
        "order_source": {"constant": "ebay"},
        "title": "Item Title",
        "variant": "Variation Details",
        "quantity": "Quantity",
        "sku": make_source(["Custom Label", "Item Number"]),
        "value_amount": make_source("Sold For", "amount"),
        "value_currency": make_source("Sold For", "currency"),
        "metadata.item_number": "Item Number",
        **make_address("shipping_to", {
            "name": ["Ship To Name", "Post to name"], "address1": ["Ship To Address 1", "Post to address 1"],
            "address2": ["Ship To Address 2", "Post to address 2"], "city": ["Ship To City", "Post to city"],
            "state": ["Ship To State", "Post to county"],
            "postal_code": ["Ship To Zip", "Post to postcode"],
            "country": ["Ship To Country", "Post to country"], "phone": ["Ship To Phone", "Post to phone"],
        }),
        "shipping_to_email": "Buyer Email",
        "order_metadata.buyer": "Buyer Username",
        "order_metadata.shipping_method": make_source(["Shipping Service", "Delivery service"]),
        "order_metadata.note": make_source(["Buyer Note", "My Item Note"]),
    },
    "rows": {
        "inherit_by": "Order Number",
        "own": ["Item Number", "Item Title"],
        "skip_when_empty": ["Item Number", "Item Title"],
        "skip_when_filled": ["Shipped On Date"],
    },
}  # fmt: skip
