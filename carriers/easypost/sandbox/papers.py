"""Numbers and labels of the carriers behind the simulated EasyPost."""

from __future__ import annotations

from shipcli.carrier import has_check_digit, load_catalogue
from shipcli.carrier.desk import Sale
from shipcli.carrier.number_forms import ups_check_digit
from shipcli.carrier.simulated_papers import draw_booking, group_text

CATALOGUE = load_catalogue(__file__)
CONTENT_TYPES = {kind: word for word, kind in CATALOGUE.table("label_types").items()}


def make_number(carrier: str, serial: int) -> str:
    """A number in the form of the carrier behind the hub; those without a known form count theirs."""
    if carrier == "UPS":
        body = f"EASYPO03{serial % 10_000_000:07d}"
        return f"1Z{body}{ups_check_digit(body)}"
    if carrier == "USPS":
        body = f"94001000{serial:013d}"
        return next(body + digit for digit in "0123456789" if has_check_digit(body + digit))
    return f"{carrier[:3].upper()}{serial:011d}"


def draw(sale: Sale) -> bytes:
    """The label as the carrier behind the hub looks, in the kind that was asked for."""
    from shipcli.drawing import draw_label

    booking, number = sale.booking, sale.numbers[0]
    carrier, _, service = booking.service.partition(" ")
    to = booking.recipient
    furniture = {
        "mark": CATALOGUE.table("label_marks").get(booking.service),
        "routing": f"{to.state or to.country} {to.postal_code[:3]}",
        "postal_barcode": f"420{to.postal_code[:5]}" if to.country == "US" else None,
        "caption": group_text(number, 4, 4, 4, 4, 4),
    }
    spec = draw_booking(booking, number, 0, carrier, service.upper(), **furniture)
    return draw_label(spec, booking.label)
