"""Ready-made data templates for the order exports of web shops.

Source: the exporters' own column lists, and files as they are published; see `docs/imports.md`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Headers = str | Sequence[str]
UPPER = ("upper",)


def make_source(header: Headers, *transforms: str, join: str | None = None) -> dict[str, Any]:
    """Where a field comes from, in short."""
    headers = header if isinstance(header, str) else list(header)
    source: dict[str, Any] = {"header": headers, "transforms": list(transforms), "join": join}
    return {key: value for key, value in source.items() if value}


def make_address(side: str, headers: Mapping[str, Headers]) -> dict[str, Any]:
    """The fields of an address, without the apostrophes of spreadsheets; the reader fits in what is long."""
    return {
        f"{side}_{part}": make_source(header, "strip_apostrophe", *(UPPER if part == "postal_code" else ()))
        for part, header in headers.items()
    }


US_DAYS = "date:%m/%d/%Y|%m/%d/%y|%m/%d/%Y %H:%M:%S|%m/%d/%Y %H:%M|%b %d, %Y %I:%M:%S %p|%b %d, %Y|%d %b %Y"

WOOCOMMERCE: dict[str, Any] = {
    "slug": "woocommerce",
    "name": "WooCommerce orders",
    "description": "Order exports of WooCommerce: Advanced Order Export, WebToffee, SkyVerge",
    "fields_mapping": {
        "order_id": make_source(
            ["Order Number", "order_number_formatted", "order_number", "Order ID", "order_id"]
        ),
        "order_date": make_source(["Order Date", "order_date", "date"], US_DAYS),
        "order_source": {"constant": "woocommerce"},
        "order_currency": make_source(["Currency", "order_currency"]),
        "title": make_source(["Item Name", "item_name"]),
        "variant": make_source(["Product Variation", "item_meta"]),
        "quantity": make_source(["Quantity", "item_quantity"]),
        "sku": make_source(["SKU", "item_sku"]),
        "value_amount": make_source("Item Cost", "amount"),
        "value_currency": make_source(["Currency", "order_currency"]),
        "weight": "Weight",
        "items": make_source(["line_items", "line_item_*"], join="\n"),
        **make_address("shipping_to", {
            "name": ["Full Name (Shipping)", "First Name (Shipping) + Last Name (Shipping)",
                     "shipping_first_name + shipping_last_name"],
            "company": ["Company (Shipping)", "shipping_company"],
            "address1": ["Address 1 (Shipping)", "Address 1&2 (Shipping)", "shipping_address_1"],
            "address2": ["Address 2 (Shipping)", "shipping_address_2"],
            "city": ["City (Shipping)", "shipping_city"],
            "state": ["State Code (Shipping)", "State Name (Shipping)", "shipping_state"],
            "postal_code": ["Postcode (Shipping)", "shipping_postcode"],
            "country": ["Country Code (Shipping)", "Country Name (Shipping)", "shipping_country"],
            "phone": ["Phone (Shipping)", "shipping_phone", "Phone (Billing)", "billing_phone"],
        }),
        "shipping_to_email": make_source(["Email (Billing)", "customer_email", "billing_email"]),
        **make_address("billing", {
            "name": ["Full Name (Billing)", "First Name (Billing) + Last Name (Billing)",
                     "billing_first_name + billing_last_name"],
            "company": ["Company (Billing)", "billing_company"],
            "address1": ["Address 1 (Billing)", "Address 1&2 (Billing)", "billing_address_1"],
            "address2": ["Address 2 (Billing)", "billing_address_2"],
            "city": ["City (Billing)", "billing_city"],
            "state": ["State Code (Billing)", "State Name (Billing)", "billing_state"],
            "postal_code": ["Postcode (Billing)", "billing_postcode"],
            "country": ["Country Code (Billing)", "Country Name (Billing)", "billing_country"],
        }),
        "order_metadata.shipping_method": make_source(["Shipping Method Title", "shipping_method"]),
        "order_metadata.note": make_source(["Customer Note", "customer_note"]),
    },
    "rows": {
        "inherit_by": "Order Number",
        "skip_values": {
            name: ["completed", "cancelled", "refunded", "failed", "wc-completed", "wc-cancelled",
                   "wc-refunded", "wc-failed"]
            for name in ("Order Status", "status")
        },
    },
}  # fmt: skip

SQUARESPACE: dict[str, Any] = {
    "slug": "squarespace",
    "name": "Squarespace orders",
    "description": "The orders export of Squarespace; a line item per row",
    "fields_mapping": {
        "order_id": "Order ID",
        "order_date": make_source("Created at", "date"),
        "order_source": {"constant": "squarespace"},
        "order_currency": "Currency",
        "title": "Lineitem name",
        "variant": "Lineitem variant",
        "quantity": "Lineitem quantity",
        "sku": "Lineitem sku",
        "value_amount": make_source("Lineitem price", "amount"),
        "value_currency": "Currency",
        **make_address("shipping_to", {
            "name": "Shipping Name", "company": "Shipping Company", "address1": "Shipping Address1",
            "address2": "Shipping Address2", "city": "Shipping City", "state": "Shipping Province",
            "postal_code": "Shipping Zip", "country": "Shipping Country", "phone": "Shipping Phone",
        }),
        "shipping_to_email": "Email",
        **make_address("billing", {
            "name": "Billing Name", "address1": "Billing Address1", "address2": "Billing Address2",
            "city": "Billing City", "state": "Billing Province", "postal_code": "Billing Zip",
            "country": "Billing Country", "phone": "Billing Phone",
        }),
        "order_metadata.shipping_method": "Shipping Method",
        "order_metadata.note": "Private Notes",
    },
    "rows": {
        "inherit_by": "Order ID",
        "own": ["Lineitem requires shipping", "Lineitem fulfillment status"],
        "skip_when_filled": ["Cancelled at"],
        "skip_values": {
            "Lineitem requires shipping": ["false", "no"],
            "Lineitem fulfillment status": ["fulfilled"],
            "Financial Status": ["refunded", "voided"],
            "Fulfillment Status": ["fulfilled", "canceled", "cancelled"],
        },
    },
}  # fmt: skip

BIGCOMMERCE: dict[str, Any] = {
    "slug": "bigcommerce",
    "name": "BigCommerce orders",
    "description": "The orders export of BigCommerce, default template; an order per row",
    "fields_mapping": {
        "order_id": "Order ID",
        "order_date": make_source("Order Date", US_DAYS),
        "order_source": {"constant": "bigcommerce"},
        "order_currency": "Order Currency Code",
        "value_currency": "Order Currency Code",
        "items": "Product Details",
        **make_address("shipping_to", {
            "name": ["Shipping First Name + Shipping Last Name", "Shipping Name", "Customer Name"],
            "company": "Shipping Company", "address1": "Shipping Street 1", "address2": "Shipping Street 2",
            "city": ["Shipping Suburb", "Shipping City"], "state": "Shipping State",
            "postal_code": "Shipping Zip", "country": "Shipping Country",
            "phone": ["Shipping Phone", "Customer Phone"],
        }),
        "shipping_to_email": make_source(["Shipping Email", "Customer Email"]),
        **make_address("billing", {
            "name": ["Billing First Name + Billing Last Name", "Billing Name"],
            "company": "Billing Company", "address1": "Billing Street 1", "address2": "Billing Street 2",
            "city": ["Billing Suburb", "Billing City"], "state": "Billing State",
            "postal_code": "Billing Zip", "country": "Billing Country", "phone": "Billing Phone",
        }),
        "order_metadata.shipping_method": "Ship Method",
        "order_metadata.note": make_source(["Customer Message", "Order Notes"]),
    },
    "rows": {
        "inherit_by": "Order ID",
        "skip_when_filled": ["Date Shipped"],
        "skip_values": {
            "Order Status": ["shipped", "completed", "cancelled", "refunded", "declined", "incomplete"],
        },
    },
}  # fmt: skip

MAGENTO: dict[str, Any] = {
    "slug": "magento",
    "name": "Magento orders",
    "description": "The orders grid of Magento; an order per row, without goods and country: --set them",
    "fields_mapping": {
        "order_id": "ID",
        "order_date": make_source("Purchase Date", US_DAYS),
        "order_source": {"constant": "magento"},
        "shipping_to_name": make_source(["Ship-to Name", "Customer Name"]),
        "shipping_to_address1": make_source("Shipping Address", "without_last:3"),
        "shipping_to_city": make_source("Shipping Address", "part_from_end:3"),
        "shipping_to_state": make_source("Shipping Address", "part_from_end:2"),
        "shipping_to_postal_code": make_source("Shipping Address", "part_from_end:1"),
        "shipping_to_country": make_source(["Shipping Country", "Country"]),
        "shipping_to_email": "Customer Email",
        "order_metadata.shipping_method": "Shipping Information",
    },
    "rows": {
        "inherit_by": "ID",
        "skip_values": {"Status": ["complete", "canceled", "cancelled", "closed", "holded", "on hold"]},
    },
}

SQUARE: dict[str, Any] = {
    "slug": "square",
    "name": "Square Online orders",
    "description": "The orders export of Square Online; a line item per row",
    "fields_mapping": {
        "order_id": make_source(["Order", "Order Name"]),
        "order_date": make_source("Order Date", "date:%Y/%m/%d|%m/%d/%Y|%m/%d/%y"),
        "order_source": {"constant": "square"},
        "order_currency": "Currency",
        "title": "Item Name",
        "variant": make_source("Item Variation + Item Modifiers", join=", "),
        "quantity": "Item Quantity",
        "sku": "Item SKU",
        "value_amount": make_source("Item Price", "amount"),
        "value_currency": "Currency",
        **make_address("shipping_to", {
            "name": "Recipient Name", "address1": "Recipient Address", "address2": "Recipient Address 2",
            "city": "Recipient City", "state": "Recipient Region", "postal_code": "Recipient Postal Code",
            "country": "Recipient Country", "phone": "Recipient Phone",
        }),
        "shipping_to_email": "Recipient Email",
        "order_metadata.note": "Fulfillment Notes",
    },
    "rows": {
        "inherit_by": "Order",
        "skip_values": {
            "Fulfillment Type": ["pickup", "delivery", "digital", "in-store"],
            "Fulfillment Status": ["shipped", "fulfilled", "completed", "canceled", "cancelled"],
        },
    },
}  # fmt: skip

WIX: dict[str, Any] = {
    "slug": "wix",
    "name": "Wix orders",
    "description": "The orders export of Wix; a line item per row",
    "fields_mapping": {
        "order_id": "Order number",
        "order_date": make_source("Date created", US_DAYS),
        "order_source": {"constant": "wix"},
        "order_currency": "Currency",
        "title": "Item",
        "variant": make_source("Variant + Custom text", join=", "),
        "quantity": make_source(["Qty", "Quantity"]),
        "sku": "SKU",
        "weight": "Weight",
        "value_amount": make_source("Price", "amount"),
        "value_currency": "Currency",
        **make_address("shipping_to", {
            "name": "Recipient name", "company": "Recipient company name", "address1": "Delivery address",
            "city": "Delivery city", "state": ["Delivery state", "Delivery state name"],
            "postal_code": "Delivery zip/postal code", "country": "Delivery country",
            "phone": "Recipient phone",
        }),
        "shipping_to_email": "Contact email",
        "order_metadata.shipping_method": "Delivery method",
        "order_metadata.note": "Note from customer",
    },
    "rows": {
        "inherit_by": "Order number",
        "skip_values": {
            "Fulfillment status": ["fulfilled", "canceled", "cancelled"],
            "Payment status": ["refunded", "canceled", "cancelled"],
        },
    },
}  # fmt: skip
