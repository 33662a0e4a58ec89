"""Places of carriers where parcels are handed in or fetched."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, Literal

from shipcli.models.base import NO_ITEMS, NO_KEYS, ListOrNull, Model, Number, Object
from shipcli.models.basics.errors import Invalid
from shipcli.models.message import Message
from shipcli.models.parts.address import Address

KM_PER_MILE = Decimal("1.609344")
UNITS = {"": "KM", "KM": "KM", "MI": "MI", "MILES": "MI", "MILE": "MI"}
DISTANCE = re.compile(r"([0-9]{1,4}(?:[.,][0-9]{1,3})?) *([A-Za-z]{0,5})")
Purpose = Literal["drop_off", "pick_up"]
DistanceUnit = Literal["KM", "MI"]


def to_kilometres(distance: Decimal, unit: str) -> Decimal:
    """A distance in kilometres (KM) or miles (MI)."""
    return distance if unit == "KM" else distance * KM_PER_MILE


def from_kilometres(distance: Decimal, unit: str) -> Decimal:
    """Kilometres as kilometres (KM) or miles (MI)."""
    return distance if unit == "KM" else distance / KM_PER_MILE


def read_distance(text: str) -> Decimal:
    """Kilometres of a text such as 5km or 3mi.

    Errors: Invalid.
    """
    match = DISTANCE.fullmatch(text.strip())
    unit = UNITS.get(match[2].upper()) if match else None
    if match is None or unit is None:
        raise Invalid("within", f"{text!r} is no distance such as 5km or 3mi")
    return to_kilometres(Decimal(match[1].replace(",", ".")), unit)


class LocationRequest(Model):
    """A request for the places of a carrier near an address.

    Units: `radius_km` in kilometres, None for as far as the carrier looks by itself.
    """

    address: Address
    purpose: Purpose | None = None
    limit: int = 10
    radius_km: Number | None = None
    options: Object = NO_KEYS

    @property
    def distance_unit(self) -> DistanceUnit:
        """Miles or kilometres, as people count where the address is."""
        return "MI" if self.address.country_code in ("US", "GB", "PR") else "KM"

    def radius_in(self, unit: str) -> Decimal:
        """How far away a place may be, in kilometres or miles; 0 for as far as the carrier looks."""
        return from_kilometres(self.radius_km or Decimal(0), unit)


class OpeningHours(Model):
    """From when to when a place is open on a day of the week; a day without any is closed."""

    day: str
    opens: str
    closes: str


class LocationAddress(Model):
    """Where a place is."""

    address_line1: str | None = None
    address_line2: str | None = None
    city: str | None = None
    state_code: str | None = None
    postal_code: str | None = None
    country_code: str | None = None


class Location(Model):
    """A place where a carrier takes parcels in, or hands them out.

    Shapes: `id` is what `hold_at_location` takes, None where the carrier has no such name for the place;
            `kind` is the carrier's own word for what the place is.
    """

    id: str | None = None
    carrier_name: str = ""
    carrier_id: str = ""
    name: str | None = None
    kind: str | None = None
    address: LocationAddress
    distance: Number | None = None
    distance_unit: DistanceUnit = "KM"
    drop_off: bool = False
    pick_up: bool = False
    hours: ListOrNull[OpeningHours] = NO_ITEMS
    phone_number: str | None = None
    latitude: Number | None = None
    longitude: Number | None = None
    meta: dict[str, Any] | None = None

    @property
    def distance_km(self) -> Decimal | None:
        """How far it is, in kilometres."""
        return None if self.distance is None else to_kilometres(self.distance, self.distance_unit)

    def measure_in(self, unit: DistanceUnit) -> Location:
        """The place with its distance in kilometres (KM) or miles (MI), to the hundredth."""
        if self.distance_km is None or self.distance_unit == unit:
            return self
        distance = round(from_kilometres(self.distance_km, unit), 2)
        return self.model_copy(update={"distance": distance, "distance_unit": unit})

    def serves(self, purpose: Purpose | None) -> bool:
        """Whether what is to be done can be done there."""
        return purpose is None or (self.drop_off if purpose == "drop_off" else self.pick_up)


class LocationList(Model):
    """Places near an address, nearest first, and what carriers said beside them."""

    messages: ListOrNull[Message] = NO_ITEMS
    locations: ListOrNull[Location] = NO_ITEMS
