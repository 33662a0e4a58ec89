"""The routing labels of the simulated TNT: one for each piece, all with the consignment's number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shipcli.carrier import load_catalogue
from shipcli.carrier.desk import Booking
from shipcli.carrier.simulated_papers import draw_booking, group_text

if TYPE_CHECKING:
    from shipcli.drawing import LabelSpec

CATALOGUE = load_catalogue(__file__)


def draw(booking: Booking, number: str) -> bytes:
    from shipcli.drawing import draw_labels

    return draw_labels([_draw_piece(booking, number, at) for at in range(len(booking.weights))], "PDF")


def _draw_piece(booking: Booking, number: str, at: int) -> LabelSpec:
    service = CATALOGUE.services.slug(booking.service).removeprefix("tnt_")
    return draw_booking(
        booking,
        number,
        at,
        "TNT",
        service.replace("_", " ").upper(),
        mark=booking.service,
        routing=f"{booking.recipient.country}-{booking.recipient.postal_code}",
        caption=f"CON NO. {group_text(number, 2, 9)}",
    )
