"""The labels of the simulated Canpar, one for each package."""

from __future__ import annotations

from collections.abc import Sequence

from shipcli.carrier import load_catalogue
from shipcli.carrier.simulation.bookings import Booking
from shipcli.carrier.simulation.papers import draw_parcels

CATALOGUE = load_catalogue(__file__)


def draw(booking: Booking, numbers: Sequence[str], kind: str) -> bytes:
    name = CATALOGUE.services.slug(booking.service).removeprefix("canpar_").replace("_", " ").upper()
    routing = f"{booking.recipient.state} {booking.recipient.postal_code}".strip()
    furniture = {"mark": booking.service, "routing": routing}
    return draw_parcels(booking, numbers, kind, "CANPAR EXPRESS", name, groups=(1, 8, 7), **furniture)
