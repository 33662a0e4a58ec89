"""The data templates that come with the program, and which of them a file is for, by its headings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from shipcli.models.basics.text import fold_text
from shipcli.models.data_template import DataTemplate
from shipcli.readers.headers import READ
from shipcli.readers.marketplaces import AMAZON, EBAY, ETSY, SHOPIFY, TIKTOK, WALMART
from shipcli.readers.shops import BIGCOMMERCE, MAGENTO, SQUARE, SQUARESPACE, WIX, WOOCOMMERCE

# Headings that only the export of one shop has together.
SIGNATURES: Mapping[str, Sequence[Sequence[str]]] = {
    "squarespace": [["Order ID", "Lineitem name", "Lineitem variant"],
                    ["Order ID", "Lineitem name", "Shipping Name", "Channel Type"]],
    "shopify": [["Name", "Lineitem name", "Lineitem quantity", "Shipping Name"]],
    "etsy": [["Order ID", "Item Name", "Ship Name", "Ship Address1"]],
    "amazon": [["order-id", "product-name", "recipient-name", "ship-address-1"]],
    "ebay": [["Sales Record Number", "Item Title", "Ship To Name"],
             ["Sales Record Number", "Item Title", "Post to name"],
             ["Order Number", "Item Title", "Ship To Address 1"],
             ["Order Number", "Item Title", "Post to address 1"]],
    "woocommerce": [["Order Number", "Country Code (Shipping)"], ["Order Number", "First Name (Shipping)"],
                    ["Order ID", "First Name (Shipping)"],
                    ["order_id", "shipping_address_1", "shipping_postcode"]],
    "bigcommerce": [["Order ID", "Product Details", "Shipping Street 1"]],
    "magento": [["ID", "Purchase Date", "Bill-to Name", "Ship-to Name"]],
    "square": [["Order", "Recipient Name", "Recipient Address", "Item Name"],
               ["Order Name", "Recipient Address", "Item Variation"]],
    "wix": [["Order number", "Item", "Recipient name", "Delivery address"]],
    "walmart": [["PO#", "Order#", "Customer Name", "Ship to Address 1"]],
    "tiktok": [["Order ID", "Seller SKU", "Product Name", "Recipient"]],
}  # fmt: skip


@cache
def list_ready_made() -> dict[str, DataTemplate]:
    """The templates that come with the program, by slug."""
    marketplaces = (SHOPIFY, ETSY, AMAZON, EBAY, WALMART, TIKTOK)
    shops = (WOOCOMMERCE, SQUARESPACE, BIGCOMMERCE, MAGENTO, SQUARE, WIX)
    rows = (*marketplaces, *shops)
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
    return template.model_copy(update={"resource_type": "shipments", "fields_mapping": fields})


def recognise_shop(headers: Sequence[str]) -> str | None:
    """The ready-made template whose shop writes these headings; None if no shop, or several, might."""
    names = {fold_text(header) for header in headers}
    shops = [
        slug
        for slug, signatures in SIGNATURES.items()
        if any(names.issuperset(map(fold_text, signature)) for signature in signatures)
    ]
    return shops[0] if len(shops) == 1 else None
