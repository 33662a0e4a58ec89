"""An order on a terminal: what it holds, where it goes, how it was paid to go, what was sent of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from shipcli.cli.console.cells import format_cell
from shipcli.cli.console.list_views import format_address, format_money, format_order_age, format_price
from shipcli.features.book.methods import PAID, read_paid_method
from shipcli.models.parts.articles import VARIANTS

Plain = Mapping[str, Any]
VARIANT = (*VARIANTS, "options")  # in the metadata of a line: which of an article


def write_order_card(order: Plain) -> list[tuple[str, str]]:
    """The lines of the card, each with its heading."""
    return [(title, text) for title, text in _write_lines(order) if text]


def _write_lines(order: Plain) -> Iterator[tuple[str, str]]:
    metadata = order.get("metadata") or {}
    yield "order", f"{order['order_id']} of {order['source']}, {order['status']}"
    yield "placed", ", ".join(part for part in (order.get("order_date"), format_order_age(order)) if part)
    yield "to", describe_place(order["shipping_to"])
    yield "from", describe_place(order.get("shipping_from") or {})
    yield "method paid", read_paid_method(order) or ""
    for line in order.get("line_items") or []:
        yield "item", describe_line(line)
    for shipment in order.get("shipments") or []:
        yield "shipment", describe_shipment(shipment)
    for shipment in order.get("returns") or []:
        yield "return", describe_shipment(shipment)
    yield "note", str(metadata.get("note") or "")
    others = {name: value for name, value in metadata.items() if name not in ("note", PAID)}
    yield "metadata", ", ".join(f"{name} {format_cell(value)}" for name, value in others.items())
    options = order.get("options") or {}
    yield "options", ", ".join(f"{name} {format_cell(value)}" for name, value in options.items())
    yield "id", str(order["id"])


def describe_place(address: Plain) -> str:
    """Ada Brooks, Acme Goods, 12 Harbor St, Floor 2, Boston MA 02210, US, +1 617 555 0199."""
    street = " ".join(str(address[name]) for name in ("street_number", "address_line1") if address.get(name))
    place = format_address({**address, "address_line1": address.get("address_line2") or ""})
    parts = (
        address.get("person_name"),
        address.get("company_name"),
        street,
        place,
        address.get("phone_number"),
    )
    return ", ".join(str(part) for part in parts if part)


def describe_line(line: Plain) -> str:
    """2 x Mug, Colour:Blue (MUG-11), 0.4 KG, 12.50 USD, 1 left."""
    metadata = line.get("metadata") or {}
    variant = next((str(metadata[name]) for name in VARIANT if metadata.get(name)), "")
    name = ", ".join(part for part in (line.get("title") or line.get("description"), variant) if part)
    sku = f" ({line['sku']})" if line.get("sku") and name else line.get("sku") or ""
    weight = f"{format_cell(line['weight'])} {line.get('weight_unit') or ''}" if line.get("weight") else ""
    left, quantity = line.get("unfulfilled_quantity", 0), line["quantity"]
    rest = "" if left == quantity else f"{left} left" if left else "sent"
    facts = (weight.strip(), format_money(line.get("value_amount"), line.get("value_currency")), rest)
    return ", ".join([f"{quantity} x {name}{sku}", *(fact for fact in facts if fact)])


def describe_shipment(shipment: Plain) -> str:
    """ups_ground, 1Z999AA10123456784, 12.40 USD, purchased, label PDF."""
    label = f"label {shipment.get('label_type') or ''}".strip() if shipment.get("label_url") else "no label"
    parts = (shipment.get("service"), shipment.get("tracking_number"), format_price(shipment))
    return ", ".join([*(str(part) for part in parts if part), str(shipment["status"]), label])
