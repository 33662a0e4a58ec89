"""Numbers and papers of the simulated UPS: 1Z numbers, MaxiCode, labels and the invoice."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from shipcli.carrier import load_catalogue
from shipcli.carrier.simulation.bookings import Booking
from shipcli.carrier.simulation.papers import draw_booking, draw_invoice, group_text
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.label_files import encode_file
from shipcli.models.basics.check_digits import compute_ups_check_digit

if TYPE_CHECKING:
    from shipcli.drawing import LabelSpec

CATALOGUE = load_catalogue(__file__)


def make_number(account: str, service: str, serial: int) -> str:
    """1Z, the six characters of the shipper, two of the service, seven digits and the check digit."""
    shipper = "".join(
        character for character in account.upper() if character.isascii() and character.isalnum()
    )[:6].ljust(6, "0")
    body = f"{shipper}{service[:2]:0>2}{serial % 10_000_000:07d}"
    return f"1Z{body}{compute_ups_check_digit(body)}"


def maxicode(number: str, booking: Booking, at: datetime, position: str) -> str:
    """The message of the carrier's own code: where to, what, from whom, which package of how many."""
    to = booking.recipient
    postal = "".join(character for character in to.postal_code if character.isalnum())
    address = [postal, CATALOGUE.table("iso_numbers").get(to.country, "000"), f"0{number[8:10]}"]
    fields = [
        number[:2] + number[10:], "UPSN", number[2:8], f"{at:%j}", "", position, "", "Y", "",
        to.city[:20], to.state[:2],
    ]  # fmt: skip
    parts = (part.encode("ascii", "replace").decode().upper() for part in [*address, *fields])
    return "[)>\x1e01\x1d96" + "\x1d".join(parts) + "\x1e\x04"


def draw(booking: Booking, numbers: Sequence[str], at: int, now: datetime) -> str:
    """One package's label in base64: printer language, or a picture lying on its side as UPS paints it."""
    from shipcli.drawing import draw_label
    from shipcli.drawing.formats.rotated_image import write_rotated_gif
    from shipcli.drawing.layout import draw_label_page

    spec = write_spec(booking, numbers, at, now)
    is_language = booking.label == "ZPL"
    return encode_file(draw_label(spec, "ZPL") if is_language else write_rotated_gif(draw_label_page(spec)))


def draw_file(booking: Booking, numbers: Sequence[str], now: datetime) -> str:
    """The labels of all packages as one PDF in base64."""
    from shipcli.drawing import draw_labels

    specs = [write_spec(booking, numbers, at, now) for at in range(len(numbers))]
    return encode_file(draw_labels(specs, "PDF"))


def write_spec(booking: Booking, numbers: Sequence[str], at: int, now: datetime) -> LabelSpec:
    """What the label of one package says."""
    number, to = numbers[at], booking.recipient
    service = CATALOGUE.table("service_names")[booking.service].removeprefix("ups_")
    furniture = {
        "mark": CATALOGUE.table("label_marks").get(booking.service),
        "routing": f"{to.state or to.country} {to.postal_code[:3]} 9-{booking.service}",
        "postal_barcode": f"420{to.postal_code[:5]}" if to.country == "US" else None,
        "caption": group_text(number, 2, 3, 3, 2, 4),
        "code2d": ("maxicode", maxicode(number, booking, now, f"{at + 1}/{len(numbers)}")),
    }
    return draw_booking(booking, number, at, "UPS", service.replace("_", " ").upper(), **furniture)


def invoice(booking: Booking, forms: Json, number: str) -> str:
    """The commercial invoice UPS makes of the forms of a shipment, in base64."""
    names = {"Invoice date": "InvoiceDate", "Reason": "ReasonForExport", "Terms": "TermsOfShipment"}
    details = {"Shipment": number, **{title: str(forms.get(name) or "") for title, name in names.items()}}
    return encode_file(draw_invoice("UPS commercial invoice", booking, details))
