"""What happens to a parcel in a sandbox, as a function of its number and of time.

A label bought in the sandbox makes the happy journey. A number `SC` + two digits + eight digits makes the
journey of its two digits, from the moment it is first tracked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from shipcli.carrier.simulation.scenarios import ALIASES, MAGIC, find_code

HAPPY = "10"


@dataclass(frozen=True, slots=True)
class Scan:
    """One event. `status` is the unified word, which the simulator translates to its carrier's."""

    at: datetime
    status: str
    description: str
    city: str
    country: str


@dataclass(frozen=True, slots=True)
class SimulatedTracking:
    """A parcel so far: scans oldest first, the latest status, the day it should arrive."""

    status: str
    scans: tuple[Scan, ...]
    estimated: datetime | None
    code: str = HAPPY  # the two digits of its journey

    @property
    def delivered(self) -> bool:
        return self.status == "delivered"


@dataclass(frozen=True, slots=True)
class Milestone:
    """An event of a journey, so many hours after its start; `place` is o(rigin) or d(estination)."""

    hours: float
    status: str
    description: str
    place: str = "o"


PENDING = Milestone(0, "pending", "Shipping information received")
PICKED = Milestone(2, "in_transit", "Picked up by the carrier")
HUB = Milestone(24, "in_transit", "Arrived at the sorting centre", "d")
OUT = Milestone(56, "out_for_delivery", "Out for delivery", "d")
DONE = Milestone(61, "delivered", "Delivered", "d")

JOURNEYS: Mapping[str, Sequence[Milestone]] = {
    "00": [PENDING],
    "01": [PENDING, PICKED],
    "02": [PENDING, PICKED, HUB, OUT],
    "03": [PENDING, PICKED, HUB, OUT, DONE],
    "04": [PENDING, PICKED, Milestone(24, "on_hold", "Held at the depot", "d")],
    "05": [PENDING, PICKED, Milestone(24, "delivery_delayed", "Delayed on the way", "d")],
    "06": [PENDING, PICKED, HUB, Milestone(56, "ready_for_pickup", "Waiting at the pickup point", "d")],
    "07": [PENDING, PICKED, HUB, OUT, Milestone(61, "delivery_failed", "Delivery attempt failed", "d")],
    "08": [Milestone(0, "unknown", "No information about this parcel")],
    "10": [PENDING, PICKED, HUB, OUT, DONE],
    "11": [PENDING, PICKED, Milestone(24, "delivery_delayed", "Delayed by one day", "d"),
           Milestone(80, "out_for_delivery", "Out for delivery", "d"),
           Milestone(85, "delivered", "Delivered", "d")],
    "12": [PENDING, PICKED, HUB, OUT,
           Milestone(61, "delivery_failed", "Nobody was there", "d"),
           Milestone(80, "out_for_delivery", "Out for delivery again", "d"),
           Milestone(85, "delivered", "Delivered", "d")],
    "13": [PENDING, PICKED, HUB, OUT, Milestone(61, "delivery_failed", "Nobody was there", "d"),
           Milestone(66, "ready_for_pickup", "Waiting at the pickup point", "d"),
           Milestone(186, "delivered", "Collected by the recipient", "d")],
    "14": [PENDING, PICKED, Milestone(12, "in_transit", "Left the country of origin"),
           Milestone(30, "on_hold", "Held by customs", "d"),
           Milestone(78, "in_transit", "Released by customs", "d"),
           Milestone(80, "in_transit", "Import completed", "d"),
           Milestone(102, "out_for_delivery", "Out for delivery", "d"),
           Milestone(107, "delivered", "Delivered", "d")],
    "15": [PENDING, PICKED, HUB, OUT, Milestone(61, "delivery_failed", "Refused by the recipient", "d"),
           Milestone(72, "delivery_failed", "On the way back to the sender", "d"),
           Milestone(120, "delivery_failed", "Returned to the sender")],
    "16": [PENDING],
    "17": [PENDING, PICKED, HUB, OUT],
    "18": [PENDING, PICKED, HUB, OUT],
    "19": [PENDING, PICKED, HUB, OUT],
    "20": [PENDING, PICKED, HUB, OUT, DONE],
    "21": [PENDING, PICKED, HUB, OUT, Milestone(61, "delivered", "Delivered, signed by S. Ample", "d")],
    "30": [PENDING, PICKED, Milestone(240, "unknown", "No scan for ten days", "d")],
    "90": [Milestone(1, "pending", "Shipping information received")],
    "95": [PENDING, PICKED, HUB],
}  # fmt: skip
LATE_PIECE = [PENDING, PICKED, HUB, Milestone(60, "delivery_delayed", "This piece is late", "d")]
PIECES, LATE = 3, 2  # of a shipment of several parcels; the last digit of a number says which it is
AT_ONCE = frozenset({"00", "01", "02", "03", "04", "05", "06", "07", "08", "15", "17", "18", "19", "20", "21",
                     "95"})  # fmt: skip
DUE_HOURS, DELAYED_DUE_HOURS = 61, 85


def is_magic_number(number: str) -> bool:
    """Whether a number stands for a journey of its own."""
    return read_code(number) in JOURNEYS


def read_code(number: str) -> str:
    """The two digits of a magic number; empty for any other."""
    magic = MAGIC.match(ALIASES.get(number, number))
    return magic.group(1) if magic else ""


def simulate_tracking(
    number: str,
    started: datetime | None,
    now: datetime,
    origin: str,
    destination: str,
    scenario: str | None = None,
) -> SimulatedTracking | None:
    """Return the journey of a number at an instant, or None if the carrier does not know it yet.

    Shapes: `started` is when its label was bought or, for a magic number, when it was first tracked;
            `scenario` is the journey of a number without magic.
    """
    if started is None:
        return None
    code = read_code(number)
    name = code if code in JOURNEYS else find_code(scenario) or HAPPY
    steps = _find_steps(name, number)
    if steps is None:
        return None
    start = _find_past_start(started, _read_last_digits(number), steps) if name in AT_ONCE else started
    past = [step for step in steps if start + timedelta(hours=step.hours) <= now]
    if not past:
        return None
    scans = tuple(_make_scan(step, start, origin, destination) for step in past)
    is_late = any(step.status == "delivery_delayed" for step in past)
    due = start + timedelta(hours=DELAYED_DUE_HOURS if is_late else DUE_HOURS)
    return SimulatedTracking(scans[-1].status, scans, due, name)


def _find_steps(name: str, number: str) -> Sequence[Milestone] | None:
    if name == "20" and int(number[-1:] or 0) % PIECES == LATE:
        return LATE_PIECE
    return JOURNEYS.get(name)


def list_pieces(number: str) -> list[str]:
    """The numbers of all parcels of the shipment that a number belongs to; its own first digits stay."""
    first = int(number[-1]) - int(number[-1]) % PIECES
    return [f"{number[:-1]}{(first + piece) % 10}" for piece in range(PIECES)]


def _read_last_digits(number: str) -> int:
    digits = "".join(char for char in number if char.isdecimal())
    return int(digits[-8:] or 0)


def _find_past_start(seen: datetime, digits: int, steps: Sequence[Milestone]) -> datetime:
    """Return a start so long ago that the whole journey is over; the digits move it by up to ten hours."""
    day = seen.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return day - timedelta(hours=steps[-1].hours + 1, minutes=digits % 600)


def _make_scan(step: Milestone, start: datetime, origin: str, destination: str) -> Scan:
    country = origin if step.place == "o" else destination
    city = CITIES.get(country, "Sandbox City")
    return Scan(start + timedelta(hours=step.hours), step.status, step.description, city, country)


CITIES: Mapping[str, str] = {
    "US": "Memphis", "CA": "Mississauga", "GB": "Coventry", "DE": "Leipzig", "FR": "Roissy", "AU": "Sydney",
    "JP": "Tokyo", "ES": "Madrid", "NL": "Utrecht", "MX": "Toluca",
}  # fmt: skip
