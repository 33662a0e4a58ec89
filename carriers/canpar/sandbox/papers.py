"""The labels of the simulated Canpar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shipcli.carrier import load_catalogue
from shipcli.carrier.desk import Booking
from shipcli.carrier.simulated_papers import draw_booking, group_text

if TYPE_CHECKING:
    from shipcli.drawing import LabelSpec

CATALOGUE = load_catalogue(__file__)


def draw(booking: Booking, numbers: Sequence[str], kind: str) -> bytes:
    """A label for each package, in one file."""
    from shipcli.drawing import draw_labels

    return draw_labels([_draw_package(booking, number, at) for at, number in enumerate(numbers)], kind)


def _draw_package(booking: Booking, number: str, at: int) -> LabelSpec:
    service = CATALOGUE.services.slug(booking.service).removeprefix("canpar_")
    return draw_booking(
        booking,
        number,
        at,
        "CANPAR EXPRESS",
        service.replace("_", " ").upper(),
        mark=booking.service,
        routing=f"{booking.recipient.state} {booking.recipient.postal_code}".strip(),
        caption=group_text(number, 1, 8, 7),
    )
