"""Papers of the simulated FedEx: labels, the commercial invoice, the proof of delivery."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shipcli.carrier import load_catalogue
from shipcli.carrier.simulation.bookings import Booking, Sale
from shipcli.carrier.simulation.papers import draw_booking, draw_format, draw_invoice, group_text
from shipcli.carrier.wire.json_paths import Json, get_path
from shipcli.carrier.wire.label_files import encode_file
from shipcli.drawing import Block, draw_form

CATALOGUE = load_catalogue(__file__)
ASTRA, ASTRA_HEAD = "1001", 22  # the long barcode: 22 digits, then the number


def long_barcode(booking: Booking, number: str) -> str:
    """The 34 digits that FedEx scans: a prefix, where it goes, the number of the package."""
    postal_code = "".join(character for character in booking.recipient.postal_code if character.isdigit())
    return f"{ASTRA}{postal_code[:9]}".ljust(ASTRA_HEAD, "0") + number


def draw(sale: Sale, at: int) -> str:
    """One package's label in base64."""
    booking, number, to = sale.booking, sale.numbers[at], sale.booking.recipient
    service = booking.service.removeprefix("FEDEX_").replace("_", " ")
    routing = f"{to.state or to.country} {to.postal_code[:5]}-{to.country} {to.city[:3].upper()}"
    code = "|".join((number, booking.service, to.postal_code, to.country, f"{at + 1}/{len(sale.numbers)}"))
    spec = draw_booking(
        booking,
        number,
        at,
        "FedEx",
        service,
        mark=CATALOGUE.table("service_marks").get(booking.service, "E"),
        routing=routing,
        caption=f"TRK# {group_text(number, 4, 4)}",
        code2d=("pdf417", code),
    )
    if number.isdigit():
        spec = spec._replace(tracking_number=long_barcode(booking, number))
    return encode_file(draw_format(spec, booking.label))


def invoice(sale: Sale, body: Json) -> str | None:
    """The commercial invoice in base64, where one is asked for."""
    shipment = body["requestedShipment"]
    if not get_path(shipment, "shippingDocumentSpecification/commercialInvoiceDetail"):
        return None
    declared = get_path(shipment, "customsClearanceDetail/commercialInvoice") or {}
    details = {
        "Shipment": sale.identifier,
        "Invoice": get_path(declared, "customerReferences/value") or "",
        "Terms": declared.get("termsOfSale") or "",
        "Purpose": declared.get("shipmentPurpose") or "",
    }
    return encode_file(draw_invoice("FedEx commercial invoice", sale.booking, details))


def signature(number: str) -> str:
    """A proof of delivery as a picture in base64."""
    from shipcli.drawing import Block, LabelSpec, draw_label

    block = Block("DELIVERED TO", ("S. AMPLE", "Front door"))
    spec = LabelSpec("FedEx", "PROOF OF DELIVERY", block, block, number, sample=True)
    return encode_file(draw_label(spec, "PNG"))


def draw_close(number: str, labels: Sequence[Mapping[str, Any]]) -> str:
    """The manifest of a close, in base64."""
    rows = [
        (
            str(label["number"]),
            str(label["service"]),
            f"{label['destination']} {label['recipient_postal_code']}",
        )
        for label in labels
    ]
    details = (("Form", number), ("Pieces", str(len(rows))))
    columns = ("Tracking number", "Service", "Destination")
    shipper = Block("Shipper", ("Account of FedEx Ground",))
    form = draw_form("FedEx Ground manifest", rows, columns=columns, address=shipper, details=details)
    return encode_file(form)
