"""Rows and tables of imported files."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

from shipcli.readers.tables import DataFile

CITIES = [
    ("Phoenix", "AZ", "85004", "US"), ("Chicago", "IL", "60605", "US"), ("Boston", "MA", "02118", "US"),
    ("Toronto", "ON", "M5V 2T6", "CA"), ("Berlin", "", "10117", "DE"),
]  # fmt: skip


def row(number: int, **cells: str) -> dict[str, str]:
    city, state, postal_code, country = CITIES[number % len(CITIES)]
    return {
        "Shipper name": "Dock Two", "Shipper address 1": "2600 Benjamin Franklin Pkwy",
        "Shipper city": "Philadelphia", "Shipper state": "PA", "Shipper postal code": "19130",
        "Shipper country": "US", "Recipient name": f"Person {number}", "Recipient address 1": "1 Main St",
        "Recipient city": city, "Recipient state": state, "Recipient postal code": postal_code,
        "Recipient country": country, "Parcel weight": str(1 + number % 7), "Parcel weight unit": "KG",
        "Service": "", "Carrier": "", "Reference": f"SO-{number:04d}", "Options": "", **cells,
    }  # fmt: skip


def file_content(rows: list[Mapping[str, str]]) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def table(rows: list[Mapping[str, str]], name: str = "orders.csv") -> DataFile:
    return DataFile(name, file_content(rows))


def line(order: str, title: str = "Lamp", **cells: str) -> dict[str, str]:
    """A row of an orders file."""
    return {
        "Order number": order, "Order source": "web", "Order date": "2026-11-20", "Item title": title,
        "Item quantity": "2", "Item sku": f"SKU-{title}", "Item price": "9.50", "Item currency": "USD",
        "Item weight": "0.5", "Item weight unit": "KG", "Shipping name": "Ana Ruiz",
        "Shipping address 1": "1 Main St", "Shipping city": "Phoenix", "Shipping state": "AZ",
        "Shipping postal code": "85004", "Shipping country": "US", "Options": "", **cells,
    }  # fmt: skip


def charge(number: str | None, amount: str = "7.25", **cells: str) -> dict[str, str]:
    return {"Tracking number": number or "", "Carrier": "", "Invoice number": "I-1",
            "Invoice date": "2026-11-01", "Description": "Freight", "Amount": amount, "Currency": "USD",
            **cells}  # fmt: skip
