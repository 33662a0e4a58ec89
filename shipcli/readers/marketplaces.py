"""Ready-made data templates for the order exports of marketplaces.

Their columns are named, never counted: a file may lack some and add others. None of them knows weights: those
come from a product list, or from the command line.
"""

from __future__ import annotations

from typing import Any

from shipcli.readers.shops import make_address, make_source


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

WALMART: dict[str, Any] = {
    "slug": "walmart",
    "name": "Walmart orders",
    "description": "The orders of Walmart in the United States; a line of a purchase order per row",
    "fields_mapping": {
        "order_id": "PO#",
        "order_date": make_source("Order Date", "date:%m/%d/%Y|%m/%d/%y|%m/%d/%Y %H:%M:%S|%b %d, %Y"),
        "order_source": {"constant": "walmart"},
        "title": "Item Description",
        "quantity": "Qty",
        "sku": "SKU",
        "value_amount": make_source("Item Cost", "amount"),
        "value_currency": {"constant": "USD"},
        "metadata.line": "Line#",
        "metadata.upc": "UPC",
        **make_address("shipping_to", {
            "name": "Customer Name", "address1": "Ship to Address 1", "address2": "Ship to Address 2",
            "city": "City", "state": "State", "postal_code": "Zip", "phone": "Customer Phone Number",
        }),
        "shipping_to_country": {"constant": "US"},
        "order_metadata.order_number": "Order#",
        "order_metadata.shipping_method": make_source(["Requested Carrier Method", "Shipping Method"]),
    },
    "rows": {
        "inherit_by": "PO#",
        "skip_values": {"Status": ["shipped", "delivered", "cancelled", "canceled", "refunded"]},
    },
}  # fmt: skip

TIKTOK: dict[str, Any] = {
    "slug": "tiktok",
    "name": "TikTok Shop orders",
    "description": "The orders to ship of TikTok Shop; an article of an order per row",
    "fields_mapping": {
        "order_id": "Order ID",
        "order_date": make_source(
            ["Created Time", "Paid Time"],
            "date:%m/%d/%Y %I:%M:%S %p|%d/%m/%Y %H:%M:%S|%m/%d/%Y %H:%M:%S|%m/%d/%Y|%d/%m/%Y",
        ),
        "order_source": {"constant": "tiktok"},
        "title": "Product Name",
        "variant": "Variation",
        "quantity": "Quantity",
        "sku": make_source(["Seller SKU", "SKU ID"]),
        "value_amount": make_source("SKU Unit Original Price", "amount"),
        "value_currency": make_source("SKU Unit Original Price", "currency"),
        **make_address("shipping_to", {
            "name": "Recipient", "address1": ["Address Line 1", "Detail Address"],
            "address2": ["Address Line 2", "Additional address information"],
            "city": ["City", "Post Town", "District"], "state": ["State", "Province"],
            "postal_code": ["Zipcode", "Postcode"], "country": "Country", "phone": "Phone #",
        }),
        "order_metadata.buyer": "Buyer Username",
        "order_metadata.shipping_method": "Delivery Option",
        "order_metadata.note": make_source(["Buyer Message", "Seller Note"]),
    },
    "rows": {
        "inherit_by": "Order ID",
        "skip_when_filled": ["Shipped Time"],
        "skip_values": {
            "Order ID": ["platform unique order id."],  # a second row that explains the columns
            "Order Status": ["shipped", "completed", "canceled", "cancelled", "unpaid"],
        },
    },
}  # fmt: skip
