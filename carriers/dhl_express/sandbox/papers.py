"""Papers of the simulated DHL: the transport label of each piece in one file, and the invoice."""

from __future__ import annotations

from shipcli.carrier import load_catalogue
from shipcli.carrier.simulation.bookings import Booking, Sale
from shipcli.carrier.simulation.papers import draw_booking, draw_invoice, group_text
from shipcli.carrier.wire.json_paths import Json, get_path
from shipcli.carrier.wire.label_files import encode_file

CATALOGUE = load_catalogue(__file__)


def routing_code(booking: Booking) -> str:
    """The code of the way to the door: country, postal code, product and features."""
    to = booking.recipient
    postal = "".join(character for character in to.postal_code.upper() if character.isalnum())
    return f"2L{to.country}{postal}+48000001"


def draw(sale: Sale) -> str:
    """The labels of all pieces as one file in base64: PDF pages, or printer language one after the other."""
    from shipcli.drawing import draw_label, merge

    booking = sale.booking
    mark, name, _ = CATALOGUE.table("products")[booking.service]
    specs = [
        draw_booking(
            booking,
            sale.identifier,
            at,
            "DHL EXPRESS",
            name,
            mark=mark,
            routing=routing_code(booking),
            postal_barcode=f"J{plate}",  # the licence plate of the piece, with its data identifier
            caption=f"WAYBILL {group_text(sale.identifier, 2, 4, 4)}",
        )
        for at, plate in enumerate(sale.numbers)
    ]
    return encode_file(merge([draw_label(spec, booking.label) for spec in specs], booking.label))


def draw_form(sale: Sale, body: Json) -> str:
    """The customs invoice that DHL makes of the declaration, in base64."""
    facts = {
        title: str(get_path(body, path) or "") for title, path in CATALOGUE.table("invoice_lines").items()
    }
    title = "DHL Express proforma invoice" if body.get("DHLInvoiceType") == "PFI" else "DHL Express invoice"
    return encode_file(draw_invoice(title, sale.booking, {"Waybill": sale.identifier, **facts}))
