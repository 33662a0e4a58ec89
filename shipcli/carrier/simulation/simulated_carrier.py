"""A simulated carrier behind its wire format: what it sells and refuses, its ledger, numbers and tracking."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, ClassVar

from shipcli.carrier.limits import ServiceLimits
from shipcli.carrier.simulation.bookings import LABEL, Booking, Refusal, Surcharge
from shipcli.carrier.simulation.ledger import Ledger
from shipcli.carrier.simulation.price_list import Tariff
from shipcli.carrier.simulation.scenarios import find_code
from shipcli.carrier.simulation.tracking import SimulatedTracking, is_magic_number, simulate_tracking

WELL_FORMED = re.compile(r"[A-Z0-9](?:[A-Z0-9 _-]{3,33})[A-Z0-9]\Z", re.IGNORECASE)
SEEN = "seen"
FARTHEST_WEST = timedelta(hours=12)  # behind UTC, where a new day begins last

PLAIN_REFUSALS: Mapping[str, tuple[Any, ...]] = {
    "bad_login": ("bad_login", "These credentials are not known", 401),
    "declined": ("declined", "The purchase was declined", 400),
    "no_service": ("no_service", "No service carries this shipment there", 400),
    "over_limit": ("over_limit", "{}", 400),
    "unknown_label": ("unknown_label", "There is no such shipment", 404),
    "voided_before": ("voided_before", "The shipment is cancelled already", 409),
    "too_late": ("too_late", "The shipment is under way", 409),
    "closed_before": ("closed_before", "The shipment is on a form already", 409),
    "unknown_pickup": ("unknown_pickup", "There is no such collection", 404),
    "bad_day": ("bad_day", "Nothing is collected on that day", 400),
    "unknown_number": ("unknown_number", "There is no such number", 404),
    "unknown_point": ("unknown_point", "There is no such place to hold a parcel: {}", 400),
    "invalid": ("invalid", "The request is not valid", 400),
}


class SimulatedCarrier:
    """What one carrier sells, and what it remembers of it."""

    slug: ClassVar[str]
    tariffs: ClassVar[Sequence[Tariff]] = ()
    surcharges: ClassVar[Mapping[str, Surcharge]] = {}
    limits: ClassVar[ServiceLimits] = (
        ServiceLimits()
    )  # what its services do not take, as the adapter knows it
    refusals: ClassVar[Mapping[str, tuple[Any, ...]]] = {}  # situation -> code, text, status
    currency: ClassVar[str] = "USD"
    local_money: ClassVar[bool] = False  # bills in the money of the sender's country
    lenient: bool = False  # well-formed numbers of nobody make the happy journey, past days are collected on
    scenario: str | None = None  # of the request being answered
    purchase_key: str = ""  # the key of the purchase that is asked for
    numbers: Sequence[str] = ()  # of the labels of the request being answered, where its caller chose them

    def __init__(self, ledger: Ledger, clock: Callable[[], datetime]) -> None:
        self.ledger, self.clock = ledger, clock
        self._parcels: tuple[str, int] = "", 0  # of the last purchase, how many were asked for
        self.sold_now: list[str] = []  # by the request being answered

    def count_parcels(self, more: int) -> int:
        """How many parcels of the purchase under way were asked for by now, in one request or in several."""
        purchase, before = self._parcels
        count = more + (before if purchase == self.purchase_key else 0)
        self._parcels = self.purchase_key, count
        return count

    def refusal(self, situation: str, about: str = "") -> Refusal:
        """Return the refusal for a situation: in the carrier's words (`refusals`), else in plain ones.

        `{}` in its words stands for what it is about: a number, or several.
        """
        code, text, *status = self.refusals.get(situation, PLAIN_REFUSALS[situation])
        if situation == "declined" and "no_service" in self.refusals:
            code, _, *status = self.refusals["no_service"]  # which the carrier class knows as a plain no
        return Refusal(code, text.replace("{}", about), *status)

    @property
    def earliest_today(self) -> date:
        """The earliest date that is today anywhere on earth: it is in the past for nobody. A lenient sandbox
        takes any date.
        """
        if self.lenient:
            return date.min
        return (self.clock() - FARTHEST_WEST).date()

    # -- selling -------------------------------------------------------------------------------

    def sell(self, number: str, **record: Any) -> dict[str, Any]:
        """Enter a label in the ledger: bought now, not voided.

        Shapes: `record` should hold reference, key, service, total, currency, origin, destination, and what
                the carrier needs later (identifier, label format ...).
        """
        entry = {
            "number": number, "identifier": number, "reference": None, "key": None, **record,
            "bought_at": self.clock().isoformat(), "voided_at": None, "manifested_at": None,
        }  # fmt: skip
        self.ledger.put(self.slug, LABEL, number, entry)
        self.sold_now.append(number)
        return entry

    def take_back(self) -> None:
        """Forget what the request being answered has sold: it is refused after all."""
        for number in self.sold_now:
            self.ledger.remove(self.slug, LABEL, number)
        self.sold_now = []

    def find_sold(self, number: str) -> dict[str, Any] | None:
        """Return a label by its number or identifier."""
        label = self.ledger.get(self.slug, LABEL, number)
        return label or next(iter(self.ledger.find(self.slug, LABEL, identifier=number)), None)

    def change(self, label: Mapping[str, Any], **values: Any) -> dict[str, Any]:
        """Store a label with some values changed, e.g. voided_at."""
        entry = {**label, **values}
        self.ledger.put(self.slug, LABEL, str(label["number"]), entry)
        return entry

    def void_label(self, label: Mapping[str, Any]) -> dict[str, Any]:
        return self.change(label, voided_at=self.clock().isoformat())

    def next_number(self, series: str = LABEL) -> int:
        return self.ledger.next_number(self.slug, series)

    def make_number(self, booking: Booking, serial: int) -> str:
        """The tracking number of the next label."""
        return f"{self.slug[:2].upper()}{serial:010d}"

    def make_identifier(self, booking: Booking, numbers: Sequence[str]) -> str:
        """The identifier of the shipment: here the number of its first parcel."""
        return numbers[0]

    def make_form_number(self, serial: int) -> str:
        return f"M{serial:09d}"

    def make_pickup_number(self, serial: int) -> str:
        return f"P{serial:09d}"

    # -- tracking ------------------------------------------------------------------------------

    def first_seen(self, number: str, scenario: str | None = None) -> datetime | None:
        """When a number of nobody was first tracked; None if it has no journey."""
        if not self._has_journey(number, scenario):
            return None
        seen = self.ledger.get(self.slug, SEEN, number)
        if seen is None:
            seen = {"at": self.clock().isoformat()}
            self.ledger.put(self.slug, SEEN, number, seen)
        return datetime.fromisoformat(seen["at"])

    def _has_journey(self, number: str, scenario: str | None) -> bool:
        if is_magic_number(number) or find_code(scenario):
            return True
        return self.lenient and bool(WELL_FORMED.match(number))

    def simulate_tracking(
        self,
        number: str,
        label: Mapping[str, Any] | None = None,
        country: str = "US",
        scenario: str | None = None,
    ) -> SimulatedTracking | None:
        """Return what has happened by now to a label sold here (or given) or to a magic number.

        None when the number is unknown. `country` is where magic numbers travel; `scenario` stands for
        that of the request being answered.
        """
        scenario = scenario or self.scenario
        label = label or self.find_sold(number) or {}
        started = datetime.fromisoformat(label["bought_at"]) if label else self.first_seen(number, scenario)
        origin, destination = label.get("origin") or country, label.get("destination") or country
        return simulate_tracking(number, started, self.clock(), str(origin), str(destination), scenario)

    def require_tracking(
        self, number: str, label: Mapping[str, Any] | None = None, country: str = "US"
    ) -> SimulatedTracking:
        """As `simulate_tracking`.

        Errors: Refusal `unknown_number`.
        """
        seen = self.simulate_tracking(number, label, country)
        if seen is None:
            raise self.refusal("unknown_number")
        return seen
