"""The bill of lading of the simulated Purolator: a label for each piece."""

from __future__ import annotations

from collections.abc import Sequence

from shipcli.carrier.simulation.bookings import Booking
from shipcli.carrier.simulation.papers import draw_parcels


def draw(booking: Booking, numbers: Sequence[str], kind: str) -> bytes:
    service, recipient = booking.service.removeprefix("Purolator"), booking.recipient
    furniture = {"mark": service[:1], "routing": f"{recipient.state} {recipient.postal_code}".strip()}
    return draw_parcels(booking, numbers, kind, "PUROLATOR", service.upper(), groups=(3, 3, 3), **furniture)
