"""The Postal Service's server as a simulator, for parcels to other countries."""

from __future__ import annotations

from shipcli.carrier import load_catalogue
from shipcli.carrier.simulation.bookings import Booking
from shipcli.models.basics.check_digits import compute_postal_check_digit

from ..usps.sandbox import UspsSimulator

CATALOGUE = load_catalogue(__file__)


class UspsInternationalSimulator(UspsSimulator):
    """The Postal Service abroad, in a sandbox."""

    slug = "usps_international"
    tariffs = CATALOGUE.tariffs
    limits = CATALOGUE.limits
    surcharges = CATALOGUE.surcharges
    price_rules, label_rules = CATALOGUE.rules("price"), CATALOGUE.rules("label")

    def make_number(self, booking: Booking, serial: int) -> str:
        """A number by the standard S10, such as CP123456785US; Global Express has numbers as at home."""
        prefix, digits = CATALOGUE.table("number_prefixes").get(booking.service), f"{serial:08}"
        if prefix is None:
            return super().make_number(booking, serial)
        return f"{prefix}{digits}{compute_postal_check_digit(digits)}US"
