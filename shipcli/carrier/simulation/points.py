"""Places near an address where simulated carriers take parcels in or hand them out.

The same address has the same places each time. A simulator remembers those that it named, so that it knows
their ids in later requests.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from enum import Enum
from typing import Any

from shipcli.carrier.simulation.bookings import Booking, Party
from shipcli.carrier.simulation.ledger import Ledger
from shipcli.models.basics.enums import WEEKDAYS
from shipcli.models.basics.postal import find_state_of
from shipcli.models.location import from_kilometres

POINT = "point"
STREETS = ("Mill Road", "Station Street", "Market Square", "Harbor Avenue", "Garden Lane", "Bridge Street")
SHOPS = ("Corner Kiosk", "Green Grocer", "Paper & Pens", "Night Pharmacy", "Bike Works")
DAYS = tuple(day.upper() for day in WEEKDAYS)
MOST = 12  # places near one address
NEAREST_KM, STEP_KM, TENTH = Decimal("0.3"), Decimal("0.9"), Decimal("0.1")
DEGREE = Decimal("0.0001")
CENTRAL = "10001"  # the postal code where only a city is asked for
KM_PER_DEGREE = Decimal(111)


class PointKind(Enum):
    """What a place is."""

    SHOP = "shop"
    STATION = "station"  # the carrier's own, open on working days
    LOCKER = "locker"  # open at all hours


KINDS = (PointKind.SHOP, PointKind.STATION, PointKind.SHOP, PointKind.LOCKER)
OPEN: Mapping[PointKind, tuple[tuple[str, ...], str, str]] = {
    PointKind.SHOP: (DAYS[:6], "09:00", "19:00"),
    PointKind.STATION: (DAYS[:5], "08:00", "18:00"),
    PointKind.LOCKER: (DAYS, "00:00", "23:59"),
}


@dataclass(frozen=True)
class SimulatedPoint:
    """A place.

    Shapes: `drop_off` and `pick_up` say what may be done there.
    """

    id: str
    kind: PointKind
    name: str
    street: str
    city: str
    state: str
    postal_code: str
    country: str
    distance_km: Decimal
    latitude: Decimal
    longitude: Decimal
    drop_off: bool = True
    pick_up: bool = True

    @property
    def hours(self) -> list[tuple[str, str, str]]:
        """The day, when it opens and when it closes; days on which it is closed are missing."""
        days, opens, closes = OPEN[self.kind]
        return [(day, opens, closes) for day in days]

    @property
    def phone(self) -> str:
        return f"555{int(hashlib.sha256(self.id.encode()).hexdigest(), 16) % 10**7:07d}"

    def distance_in(self, unit: str) -> Decimal:
        """How far it is, in kilometres or miles."""
        return from_kilometres(self.distance_km, unit).quantize(TENTH)


class PointDirectory:
    """The places of one simulated carrier. `make_id` makes an id in its form from a large number."""

    def __init__(self, ledger: Ledger, slug: str, make_id: Callable[[int], str], example: str = "") -> None:
        self._ledger, self._slug, self._make_id, self._example = ledger, slug, make_id, example

    def list_near(
        self, place: Party, *, most: int = MOST, radius_km: Decimal | None = None, picks: bool = False
    ) -> list[SimulatedPoint]:
        """Return the places near an address, nearest first; with `picks` those that hand out parcels."""
        near = (self._make(place, number) for number in range(MOST))
        points = [
            point
            for point in near
            if (radius_km is None or point.distance_km <= radius_km) and (point.pick_up or not picks)
        ][:most]
        for point in points:
            plain = {**asdict(point), "kind": point.kind.value}
            texts = {name: str(value) for name, value in plain.items() if isinstance(value, Decimal)}
            self._ledger.put(self._slug, POINT, point.id, {**plain, **texts})
        return points

    def find(self, id: str) -> SimulatedPoint | None:
        """Return the place with an id that was named before, or that of the documents; None for any other."""
        record = self._ledger.get(self._slug, POINT, id)
        if record:
            return _read_point(record)
        if id and id == self._example:
            home = Party(country="US", city="New York", state="NY", postal_code="10001")
            return replace(self._make(home, 0), id=id)
        return None

    def _make(self, place: Party, number: int) -> SimulatedPoint:
        key = f"{self._slug} {place.country} {place.postal_code or place.city} {number}"
        seed = int(hashlib.sha256(key.upper().encode()).hexdigest(), 16)
        kind, distance = KINDS[number % len(KINDS)], NEAREST_KM + number * STEP_KM + seed % 5 * TENTH
        return SimulatedPoint(
            id=self._make_id(seed),
            kind=kind,
            name=SHOPS[seed // 7 % len(SHOPS)],
            street=f"{seed // 11 % 180 + 1} {STREETS[seed // 13 % len(STREETS)]}",
            city=place.city or "Newtown",
            state=place.state or find_state_of(place.postal_code, place.country) or "",
            postal_code=place.postal_code or CENTRAL,
            country=place.country,
            distance_km=distance,
            latitude=(Decimal(40) + distance / KM_PER_DEGREE).quantize(DEGREE),
            longitude=Decimal(seed % 100) / 10,
            pick_up=number % 4 != 1,
        )


def _read_point(record: Mapping[str, Any]) -> SimulatedPoint:
    numbers = {name: Decimal(record[name]) for name in ("distance_km", "latitude", "longitude")}
    return SimulatedPoint(**{**record, **numbers, "kind": PointKind(record["kind"])})


def hold_booking(booking: Booking, point: SimulatedPoint) -> Booking:
    """A shipment that goes to a place instead of to its recipient, who fetches it there."""
    held = Party(
        name=booking.recipient.name,
        company=point.name,
        lines=(point.street,),
        city=point.city,
        state=point.state,
        postal_code=point.postal_code,
        country=point.country,
        phone=booking.recipient.phone,
    )
    return replace(booking, recipient=held)


def announce_hold(booking: Booking, point: SimulatedPoint) -> Booking:
    """A shipment whose label says where its recipient fetches it."""
    return replace(booking, recipient=replace(booking.recipient, company=f"Held at {point.name}"))
