"""The bill of lading of the simulated Purolator: a label for each piece."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shipcli.carrier.desk import Booking
from shipcli.carrier.simulated_papers import draw_booking, group_text

if TYPE_CHECKING:
    from shipcli.drawing import LabelSpec


def draw(booking: Booking, numbers: Sequence[str], kind: str) -> bytes:
    from shipcli.drawing import draw_labels

    return draw_labels([_draw_piece(booking, number, at) for at, number in enumerate(numbers)], kind)


def _draw_piece(booking: Booking, number: str, at: int) -> LabelSpec:
    town = booking.recipient.postal_code.replace(" ", "")
    return draw_booking(
        booking,
        number,
        at,
        "PUROLATOR",
        booking.service.removeprefix("Purolator").upper(),
        mark=booking.service.removeprefix("Purolator")[:1],
        routing=f"{booking.recipient.state} {town}".strip(),
        caption=f"PIN {group_text(number, 3, 3, 3)}",
    )
