"""The routing labels of the simulated TNT: one for each piece, all with the consignment's number."""

from __future__ import annotations

from shipcli.carrier import load_catalogue
from shipcli.carrier.simulation.bookings import Booking
from shipcli.carrier.simulation.papers import draw_parcels

CATALOGUE = load_catalogue(__file__)


def draw(booking: Booking, number: str) -> bytes:
    name = CATALOGUE.services.slug(booking.service).removeprefix("tnt_").replace("_", " ").upper()
    routing = f"{booking.recipient.country}-{booking.recipient.postal_code}"
    numbers = [number] * len(booking.weights)
    return draw_parcels(
        booking, numbers, "PDF", "TNT", name, groups=(2, 9), mark=booking.service, routing=routing
    )
