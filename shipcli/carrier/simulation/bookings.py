"""What is ordered from a simulated carrier, what it costs and what was sold; and how it refuses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from shipcli.carrier.limits import Consignment, MeasuredParcel
from shipcli.carrier.simulation.price_list import Offer
from shipcli.carrier.wire.rounding import read_amount
from shipcli.models.basics.areas import Place
from shipcli.models.basics.reference import list_countries

if TYPE_CHECKING:
    from shipcli.carrier.simulation.rules import RuleProblem

LABEL, PICKUP, MANIFEST = "label", "pickup", "manifest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Party:
    """Somebody at an address, as the carrier understood it."""

    country: str
    name: str = ""
    company: str = ""
    lines: tuple[str, ...] = ()
    city: str = ""
    state: str = ""
    postal_code: str = ""
    phone: str = ""
    residential: bool = False

    def block(self, home: str = "") -> tuple[str, ...]:
        """The lines of the address as they are printed; the country in full, unless it is the one at home."""
        town = " ".join(part for part in (self.city, self.state, self.postal_code) if part)
        abroad = self.country != home
        country = list_countries().get(self.country, self.country).upper() if abroad else ""
        names = dict.fromkeys([self.name, self.company])
        return tuple(line for line in (*names, *self.lines, town, country) if line)


@dataclass(frozen=True, slots=True, kw_only=True)
class BookedItem:
    """Goods that cross a border."""

    description: str
    quantity: int = 1
    value: Decimal = Decimal(0)
    currency: str = ""
    origin: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Booking:
    """A shipment as the carrier understood it.

    Units: kilograms, one weight for each parcel. `extras` are surcharges, by our word for them.
    """

    shipper: Party
    recipient: Party
    weights: tuple[Decimal, ...]
    service: str = ""
    account: str | None = None
    reference: str | None = None
    references: tuple[str | None, ...] = ()  # of the parcels
    key: str | None = None
    extras: tuple[str, ...] = ()
    items: tuple[BookedItem, ...] = ()
    parcels: tuple[MeasuredParcel, ...] = ()  # as they are measured, where sizes are limited
    insured: Decimal | None = None  # where values are limited
    label: str = "PDF"
    ship_date: date | None = None
    billing: str = ""
    packaging: str = ""  # the code of a packaging that has prices of its own
    sender: Party | None = None  # where it leaves from, if that is not the shipper
    position: tuple[int, int] | None = None  # which of how many, of a parcel that is booked alone

    @property
    def origin(self) -> Party:
        return self.sender or self.shipper

    @property
    def abroad(self) -> bool:
        return self.origin.country != self.recipient.country

    def turn_around(self) -> Booking:
        """The way back of the shipment."""
        return replace(self, shipper=self.recipient, recipient=self.shipper)

    def list_texts(self) -> Iterator[str]:
        """The texts written by people that its papers may show."""
        for party in (self.shipper, self.origin, self.recipient):
            yield from party.block()
        yield from filter(None, (self.reference, *self.references))
        if self.abroad:
            yield from (item.description for item in self.items)

    def measure(self) -> Consignment:
        """What limits are asked about."""
        there = self.recipient
        return Consignment(
            origin=self.origin.country,
            destination=Place(there.country, there.state, there.postal_code),
            lines=there.lines,
            parcels=self.parcels or [MeasuredParcel(weight) for weight in self.weights],
            insured=(self.insured, "") if self.insured else None,
            options=frozenset({"saturday_delivery"} if "saturday" in self.extras else ()),
        )

    def reference_of(self, at: int) -> str | None:
        """The reference of a parcel: its own, else that of the shipment."""
        reference = self.references[at] if at < len(self.references) else None
        return reference or self.reference


@dataclass(frozen=True, slots=True)
class Surcharge:
    """What an extra costs, in dollars: once, or for each parcel; `code` is the carrier's word for it."""

    amount: Decimal
    per_parcel: bool = False
    code: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "amount", Decimal(str(self.amount)))  # a text in a data file


@dataclass(frozen=True, slots=True)
class PricedOffer:
    """A service with its surcharges, in the currency in which the sender is billed."""

    offer: Offer
    extras: Mapping[str, Decimal]
    currency: str

    @property
    def total(self) -> Decimal:
        return self.offer.total + sum(self.extras.values(), Decimal(0))


@dataclass(frozen=True, slots=True)
class Sale:
    """What was sold: numbers of the parcels, the identifier of the shipment, the price."""

    booking: Booking
    priced: PricedOffer
    numbers: tuple[str, ...]
    identifier: str
    records: Sequence[Mapping[str, Any]] = field(default=())


def measure_parcel(
    weight: Any, weight_unit: str, sides: Iterable[Any] = (), size_unit: str = "CM", rounding: str = "0"
) -> MeasuredParcel:
    """Return a parcel of a request as limits are asked about it; sides that are not all numbers are none."""
    values = [read_amount(side) for side in sides]
    ordered = sorted((value for value in values if value), reverse=True) if all(values) else ()
    return MeasuredParcel(Decimal(str(weight)), weight_unit, tuple(ordered), size_unit, Decimal(rounding))


class Refusal(Exception):
    """An error response of the carrier: its code, text and status.

    `problem` is what its description forbids, if that is the reason.
    """

    def __init__(
        self, code: str, text: str, status: int = 400, path: str = "", problem: RuleProblem | None = None
    ) -> None:
        super().__init__(text)
        self.problem = problem
        self.code, self.text, self.status, self.path = code, text, status, path
