"""The labels of the simulated Web Tools."""

from __future__ import annotations

from shipcli.carrier import Catalogue
from shipcli.carrier.simulation.bookings import Sale
from shipcli.carrier.simulation.papers import draw_booking, draw_format, group_text
from shipcli.carrier.wire.label_files import encode_file

HOME_GROUPS, POSTAL_GROUPS = (4, 4, 4, 4, 4), (2, 3, 3, 3, 2)  # as people read the two kinds of numbers


def draw_label(sale: Sale, catalogue: Catalogue) -> str:
    """The label of a parcel, as base64 text; at home its barcode begins with the ZIP code (420).

    Source: Intelligent Mail Package Barcode specification; Publication 199.
    """
    booking, number = sale.booking, sale.numbers[0]
    service = catalogue.table("service_names")[booking.service].upper()
    mark = catalogue.table("label_marks").get(booking.service)
    groups = HOME_GROUPS if number.isdigit() else POSTAL_GROUPS
    furniture = {"mark": mark, "caption": group_text(number, *groups), "banner": "USPS TRACKING #"}
    label = draw_booking(booking, number, 0, "USPS", service, **furniture)
    if not booking.abroad:
        label = label._replace(tracking_number=f"420{booking.recipient.postal_code}{number}")
    return encode_file(draw_format(label, booking.label))
