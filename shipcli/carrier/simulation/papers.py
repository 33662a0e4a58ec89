"""The papers of simulated carriers: labels with the details of real ones, and customs invoices."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from typing import Any

from shipcli.carrier.simulation.bookings import Booking
from shipcli.carrier.wire.label_files import encode_file
from shipcli.drawing import LETTER, Block, LabelSpec, convert, draw_form, draw_label, draw_labels
from shipcli.drawing.elements import DPI
from shipcli.drawing.paper import A4
from shipcli.models.basics.units import convert_weight

PICTURES = {"JPG": "JPEG", "TIFF": "TIFF", "GIF": "GIF"}  # by the names of their writers
IN_POUNDS = ("US", "LR", "MM", "PR", "GU", "VI", "AS", "MP")  # countries whose shippers weigh in pounds
ON_LETTER = ("US", "CA")  # countries whose carriers print on letter paper
MOST_ITEMS = 3  # lines of goods on a label
PURCHASE_KEY = re.compile(r"[0-9a-f]{30,32}")  # stands for a reference that nobody gave; no person reads it


def draw_booking(
    booking: Booking, number: str, at: int, carrier: str, service: str, **details: Any
) -> LabelSpec:
    """Return the label of one parcel: addresses, abroad with countries, weight, place, billing, goods.

    `details` is what the carrier adds: `mark`, `routing`, `postal_barcode`, `caption`, `code2d`.
    """
    which, count = booking.position or (at + 1, len(booking.weights))
    home = "" if booking.abroad else booking.origin.country
    lines = [format_label_weight(booking, at)]
    if booking.ship_date:
        lines.append(f"SHIP DATE {booking.ship_date:%d %b %Y}".upper())
    reference = booking.reference_of(at)
    if reference and not PURCHASE_KEY.fullmatch(reference):
        lines.append(f"REF {reference}")
    if booking.billing:
        lines.append(f"BILLING {booking.billing}")
    return LabelSpec(
        carrier=carrier,
        service=service,
        sender=Block("FROM", booking.origin.block(home)),
        recipient=Block("SHIP TO", booking.recipient.block(home)),
        tracking_number=number,
        references=(*lines, *list_customs_lines(booking)),
        sample=True,
        place=f"{which} OF {count}" if count > 1 else None,
        **details,
    )


def format_label_weight(booking: Booking, at: int) -> str:
    """Return the weight of a parcel in the unit of the country it leaves from, in which it was asked for."""
    unit = "LB" if booking.origin.country in IN_POUNDS else "KG"
    return f"{convert_weight(booking.weights[at], 'KG', unit):.2f} {unit}"


def draw_parcels(
    booking: Booking,
    numbers: Sequence[str],
    kind: str,
    carrier: str,
    service: str,
    *,
    groups: Sequence[int] = (),
    **details: Any,
) -> bytes:
    """Draw the labels of a booking as one file, a page for each number; numbers are printed in groups."""
    specs = [
        draw_booking(
            booking, number, at, carrier, service, **{"caption": group_text(number, *groups), **details}
        )
        for at, number in enumerate(numbers)
    ]
    return draw_labels(specs, kind)


def list_customs_lines(booking: Booking) -> list[str]:
    """Return the goods of a shipment that leaves the country, as many lines as a label has room for."""
    if not booking.abroad or not booking.items:
        return []
    shown = [
        f"{item.quantity} x {item.description[:24]}  {item.quantity * item.value} {item.currency}"
        for item in booking.items[:MOST_ITEMS]
    ]
    hidden = len(booking.items) - MOST_ITEMS
    return ["CUSTOMS", *shown, *([f"and {hidden} more"] if hidden > 0 else [])]


def group_text(text: str, *sizes: int) -> str:
    """Return a number in groups of these sizes, as people read it; what is left is the last one."""
    parts, remainder = [], text
    for size in sizes:
        parts.append(remainder[:size])
        remainder = remainder[size:]
    return " ".join(part for part in (*parts, remainder) if part)


def draw_format(spec: LabelSpec, kind: str, dpi: int = DPI) -> bytes:
    """Draw a label as PDF, ZPL or PNG, or as a picture of another format: JPG, TIFF, GIF, SVG.

    Units: `dpi` is the resolution of a ZPL file.
    """
    if kind == "ZPL" and dpi != DPI:
        return convert(draw_label(spec, "PDF"), kind, dpi=dpi)
    if kind in ("PDF", "ZPL", "PNG"):
        return draw_label(spec, kind)
    png = draw_label(spec, "PNG")
    return _write_svg(png) if kind == "SVG" else _write_picture(png, PICTURES[kind])


def _write_picture(png: bytes, name: str) -> bytes:
    from PIL import Image

    out = io.BytesIO()
    with Image.open(io.BytesIO(png)) as picture:
        picture.convert("L").save(out, name, dpi=(203, 203))
    return out.getvalue()


def _write_svg(png: bytes) -> bytes:
    data, size = encode_file(png), 'width="812" height="1218"'
    image = f'<image {size} href="data:image/png;base64,{data}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{image}</svg>'.encode()


def draw_invoice(title: str, booking: Booking, details: Mapping[str, str]) -> bytes:
    """Draw the customs invoice that a carrier makes of a booking, on the paper of its country."""
    rows = [
        (
            item.description,
            item.code,
            item.origin,
            str(item.quantity),
            f"{item.value} {item.currency}",
            f"{item.quantity * item.value} {item.currency}",
        )
        for item in booking.items
    ]
    return draw_form(
        title,
        rows,
        columns=("Description", "HS code", "Origin", "Pieces", "Unit value", "Value"),
        address=Block("Sold to", booking.recipient.block()),
        details=[(name, value) for name, value in details.items() if value],
        sample=True,
        sheet=LETTER if booking.origin.country in ON_LETTER else A4,
    )
