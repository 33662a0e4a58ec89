"""An example for every column of the files that are imported; together they are whole files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shipcli.readers.address_rows import REQUIRED as ADDRESSES_NEED
from shipcli.readers.headers import READ
from shipcli.readers.orders import REQUIRED as ORDERS_NEED
from shipcli.readers.products import REQUIRED as PRODUCTS_NEED
from shipcli.readers.shipments import SHIPPED_FROM_HERE
from shipcli.readers.trackers import REQUIRED as TRACKERS_NEED

NEEDED: Mapping[str, Sequence[str]] = {
    "shipments": SHIPPED_FROM_HERE,
    "orders": ORDERS_NEED,
    "products": PRODUCTS_NEED,
    "trackers": TRACKERS_NEED,
    "addresses": ADDRESSES_NEED,
}
_ADA = {"name": "Ada Brooks", "company": "Brooks & Lee", "phone": "+1 617-555-0162",
        "email": "ada@example.com", "address1": "5 Main St", "address2": "Unit 9", "city": "Boston",
        "state": "MA", "postal_code": "02134", "country": "US"}  # fmt: skip
_IDA = {"name": "Ida Berg", "phone": "+47 22 55 01 00", "address1": "Parkveien 3", "city": "Oslo",
        "postal_code": "0350", "country": "NO"}  # fmt: skip


def _add_side(side: str, address: Mapping[str, str]) -> dict[str, str]:
    return {f"{side}_{part}": value for part, value in address.items()}


EXAMPLES: Mapping[str, Sequence[Mapping[str, str]]] = {
    "shipments": (
        {"reference": "A-1001", **_add_side("recipient", _ADA), "parcel_weight": "2.5",
         "parcel_weight_unit": "LB", "parcel_length": "10", "parcel_width": "8", "parcel_height": "4",
         "parcel_dimension_unit": "IN"},
        {"reference": "A-1002", **_add_side("recipient", _IDA), "parcel_weight": "1lb 4oz",
         "parcel_length": "10", "parcel_width": "8", "parcel_height": "4", "parcel_dimension_unit": "IN",
         "goods": "Mug:2:12.50USD:6912.00:CN"},
    ),
    "orders": (
        {"order_id": "1001", "order_date": "2026-11-20", "order_source": "shop", "order_currency": "USD",
         "title": "Mug", "variant": "Blue / Large", "quantity": "2", "sku": "MUG-11", "value_amount": "12.50",
         "value_currency": "USD", "weight": "12", "weight_unit": "OZ", "hs_code": "6912.00",
         "origin_country": "CN", **_add_side("shipping_to", _ADA)},
        {"order_id": "1002", "order_date": "2026-11-20", "order_source": "shop", "order_currency": "USD",
         "title": "Poster", "quantity": "1", "sku": "POSTER-A2", "value_amount": "18.00",
         "value_currency": "USD", "weight": "300", "weight_unit": "G", "hs_code": "4911.91",
         "origin_country": "US", **_add_side("shipping_to", _IDA)},
    ),
    "products": (
        {"sku": "MUG-11", "title": "Stoneware mug", "weight": "12", "weight_unit": "OZ",
         "value_amount": "12.50", "value_currency": "USD", "hs_code": "6912.00", "origin_country": "CN",
         "length": "4", "width": "4", "height": "5", "dimension_unit": "IN", "barcode": "9506000134352"},
        {"sku": "POSTER-A2", "title": "Poster A2", "weight": "300", "weight_unit": "G",
         "value_amount": "18.00", "value_currency": "USD", "hs_code": "4911.91", "origin_country": "US"},
    ),
    "trackers": (
        {"tracking_number": "1Z12345E0205271688", "tracking_carrier": "ups"},
        {"tracking_number": "779017972697", "tracking_carrier": "fedex"},
    ),
    "addresses": (_add_side("address", _ADA), _add_side("address", _IDA)),
}  # fmt: skip


def list_example_columns(resource_type: str) -> list[dict[str, str]]:
    """Every column that a file may have: its heading, its field, whether it is needed, an example."""
    rows = EXAMPLES[resource_type]
    return [
        {
            "column": header,
            "field": name,
            "needed": "yes" if name in NEEDED[resource_type] else "",
            "example": next((row[name] for row in rows if name in row), ""),
        }
        for name, header in READ[resource_type].items()
    ]


def list_example_rows(resource_type: str) -> tuple[list[str], list[dict[str, str]]]:
    """The headings and the rows of an example file."""
    fields, rows = READ[resource_type], EXAMPLES[resource_type]
    names = [name for name in fields if any(name in row for row in rows)]
    return [fields[name] for name in names], [
        {fields[name]: row.get(name, "") for name in names} for row in rows
    ]
