"""What a service does not take: parcels too heavy or too large, too high a value, addresses and lanes.

A carrier states it as data, rows of `limits` in its catalogue. The kit asks them before a price and before a
purchase (`shipcli.carrier.preparation`), the carrier's simulator when it prices and sells.

    "limits": [
      {"source": "Acme, size guide (public guide)", "date": "2026-11-26",
       "weight": [150, "LB"], "longest": [108, "IN"], "po_box": false},
      {"source": "Acme, letters (public rule)", "date": "2026-11-26",
       "services": ["acme_let*"], "sides": [35, 25, 2, "CM"], "lane": "domestic"}
    ]

A number at the limit is taken. It is compared in the limit's own unit, exactly if the parcel is stated in
that unit; one that was converted and rounded before (150 lb are 68.04 kg) is taken up to `SLACK` above it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_DOWN, Decimal
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from shipcli.models import Address, Commodity, Parcel
from shipcli.models.basics.areas import Place
from shipcli.models.basics.po_boxes import find_po_box
from shipcli.models.basics.reference import list_eu_countries
from shipcli.models.basics.units import convert_length, convert_weight

if TYPE_CHECKING:
    from shipcli.carrier.catalogue import ServiceTable

SLACK, THOUSANDTH = Decimal("1.0003"), Decimal("0.001")
DOMESTIC, ABROAD, GOODS = "domestic", "abroad", "customs.commodities"
OF_GOODS = ("title", "quantity", "value_amount", "value_currency")  # of goods that are declared
OR = " or "  # between fields of goods of which any will do
# The carrier's description of its API, its XSD or WSDL, a fact sheet, exchanges, a guide, its rules for all.
SOURCE_KINDS = (
    "description", "wire", "fact sheet", "recorded exchanges", "public guide", "public rule",
)  # fmt: skip
NAMED_AT_MOST = 3  # services in a message; more are counted
Amount = tuple[Decimal, str]


class MeasuredParcel(NamedTuple):
    """Weight and sides of a parcel, each with its unit; the sides, longest first, are all known or none.

    `rounding` is how much a side may be above the truth: it was rounded to whole units before. `packaging` is
    its name as it was given.
    """

    weight: Decimal | None = None
    weight_unit: str = "KG"
    sides: tuple[Decimal, ...] = ()
    size_unit: str = "CM"
    rounding: Decimal = Decimal(0)
    packaging: str | None = None

    @classmethod
    def of(cls, parcel: Parcel) -> MeasuredParcel:
        sides = parcel.sides_in(parcel.size_unit) or ()
        unit = parcel.weight_unit or "LB"
        longest_first = tuple(sorted(sides, reverse=True))
        name = parcel.packaging_type
        return cls(parcel.weight, unit, longest_first, parcel.size_unit, packaging=name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Consignment:
    """What limits are asked about.

    Shapes: `lines` are those of the recipient's address; `insured` is an amount and its currency, "" where
            that is unknown; `options` are the names of those chosen; `goods` are those that pass
            customs, None where nothing does, `declared` those of a declaration, `parcel_goods` those of the
            declarations of single parcels.
    """

    origin: str | None = None
    destination: Place = field(default_factory=lambda: Place(""))
    lines: Sequence[str] = ()
    parcels: Sequence[MeasuredParcel] = ()
    insured: Amount | None = None
    options: frozenset[str] = frozenset()
    goods: tuple[Commodity, ...] | None = None
    declared: Sequence[Commodity] = ()
    parcel_goods: Sequence[Commodity] = ()
    is_document: bool = False


class LimitProblem(NamedTuple):
    """What is wrong with a consignment: the field, a word for the kind, and the limit for people."""

    field: str
    code: str
    text: str


@dataclass(frozen=True, slots=True)
class BrokenLimit:
    """A limit that a consignment breaks."""

    limit: Limit
    problem: LimitProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """What some services of a carrier do not take; of services, all when none is named.

    Shapes: `services` and `without` are patterns of slugs ("ups_*").
            `weight`, `longest`, `length_girth` (the longest side and twice the others), `sides` (longest
            first, then their unit) and `insured` are the most of a parcel.
            `po_box`, `military` False: such addresses are not delivered to.
            `origins` are the countries from where the row holds, `destinations` those that the services go
            to: codes, "EU" for the union, with "!" in front all but these.
            `lane` is "domestic" or "abroad" for services that go nowhere else.
            `options` are the names of options that the services do not have, with the reason.
            `packaging` are the slugs of packagings that they do not take; a unified name ("small_box") is
            none of these, and means there the sender's own.
            `goods` says that goods that pass customs have to be named, those of `documents` as well;
            `declares` are the fields that each of them has to have ("value_amount", or either of
            "hs_code or sku"), without `goods` each that is in a declaration, with `by_parcel` in one of a
            single parcel.
            `priced` is for what is priced and can't be bought: the quotes say so.
            `source` says where that is published and, in brackets, what kind of source (`SOURCE_KINDS`),
            `date` when it was read there.
    """

    source: str
    date: str = ""
    services: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    weight: Amount | None = None
    longest: Amount | None = None
    length_girth: Amount | None = None
    sides: tuple[Decimal, ...] = ()
    size_unit: str = "CM"
    insured: Amount | None = None
    po_box: bool = True
    military: bool = True
    origins: tuple[str, ...] = ()
    lane: str | None = None
    destinations: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    packaging: tuple[str, ...] = ()
    goods: bool = False
    declares: tuple[str, ...] = ()
    by_parcel: bool = False
    documents: bool = False
    priced: bool = False

    def covers(self, slug: str) -> bool:
        """Whether it limits a service."""
        is_named = not self.services or any(fnmatchcase(slug, pattern) for pattern in self.services)
        return is_named and not any(fnmatchcase(slug, pattern) for pattern in self.without)

    def find_problems(self, consignment: Consignment) -> list[LimitProblem]:
        """Return what is too much of a consignment."""
        if consignment.origin and not is_among(consignment.origin, self.origins):
            return []
        parcels = enumerate(consignment.parcels)
        problems = [problem for at, parcel in parcels for problem in self._measure(parcel, f"parcel[{at}]")]
        return problems + [problem for check in CHECKS if (problem := check(self, consignment))]

    def _measure(self, parcel: MeasuredParcel, name: str) -> Iterable[LimitProblem]:
        if parcel.weight is not None and self.weight and _is_heavier(parcel, self.weight):
            yield LimitProblem(f"{name}.weight", "exceeds", f"at most {_write(self.weight)} a parcel")
        if parcel.packaging in self.packaging:
            yield LimitProblem(f"{name}.packaging_type", "refused", f"takes no {parcel.packaging}")
        if not parcel.sides or not (self.longest or self.length_girth or self.sides):
            return
        longest, *others = sides = [side - parcel.rounding for side in parcel.sides]
        girth = longest + 2 * sum(others, Decimal(0))
        if self.longest and _is_longer(longest, parcel, *self.longest):
            yield LimitProblem(f"{name}.length", "exceeds", f"at most {_write(self.longest)} long")
        if self.length_girth and _is_longer(girth, parcel, *self.length_girth):
            text = f"length and girth together at most {_write(self.length_girth)}"
            yield LimitProblem(f"{name}.length", "exceeds", text)
        pairs = zip(sides, self.sides, strict=False)
        if any(_is_longer(side, parcel, most, self.size_unit) for side, most in pairs):
            most = " x ".join(f"{side:f}" for side in self.sides)
            yield LimitProblem(f"{name}.length", "exceeds", f"at most {most} {self.size_unit.lower()}")


def read_limit(row: Mapping[str, Any]) -> Limit:
    """Return a row of a catalogue as a limit."""
    plain: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in row.items()
    }
    for name in ("weight", "longest", "length_girth", "insured"):
        if name in plain:
            plain[name] = (Decimal(str(plain[name][0])), plain[name][1])
    if "sides" in plain:
        *sides, plain["size_unit"] = plain["sides"]
        plain["sides"] = tuple(Decimal(str(side)) for side in sides)
    return Limit(**plain)


# -- what is not measured ----------------------------------------------------------------------------


def _check_insured(limit: Limit, consignment: Consignment) -> LimitProblem | None:
    if not limit.insured or not consignment.insured:
        return None
    (most, currency), (amount, unit) = limit.insured, consignment.insured
    if amount <= most or (unit and unit != currency):
        return None
    return LimitProblem("options.insurance", "exceeds", f"insures at most {most:f} {currency}")


def _check_po_box(limit: Limit, consignment: Consignment) -> LimitProblem | None:
    country = consignment.destination.country or None
    if limit.po_box or not find_po_box(consignment.lines, country):
        return None
    return LimitProblem("recipient.address_line1", "po_box", "delivers to no post office box")


def _check_military(limit: Limit, consignment: Consignment) -> LimitProblem | None:
    if limit.military or not consignment.destination.force:
        return None
    text = "delivers to no military address (APO, FPO, DPO)"
    return LimitProblem("recipient.state_code", "military", text)


def _check_lane(limit: Limit, consignment: Consignment) -> LimitProblem | None:
    origin, destination = consignment.origin, consignment.destination.country
    if not origin or not destination:
        return None
    if limit.lane == DOMESTIC and origin != destination:
        return LimitProblem("recipient.country_code", "lane", "stays inside a country")
    if limit.lane == ABROAD and origin == destination:
        return LimitProblem("recipient.country_code", "lane", "goes abroad only")
    return None


def _check_destination(limit: Limit, consignment: Consignment) -> LimitProblem | None:
    country = consignment.destination.country
    if not country or is_among(country, limit.destinations):
        return None
    return LimitProblem("recipient.country_code", "lane", f"does not go to {country}")


def _check_options(limit: Limit, consignment: Consignment) -> LimitProblem | None:
    chosen = (name for name in limit.options if name in consignment.options)
    name = next(chosen, None)
    return LimitProblem(f"options.{name}", "refused", limit.options[name]) if name else None


def _check_goods(limit: Limit, consignment: Consignment) -> LimitProblem | None:
    if limit.goods and consignment.goods == () and not (consignment.is_document and not limit.documents):
        return LimitProblem(GOODS, "required", describe_missing_goods(limit))
    declared = consignment.parcel_goods if limit.by_parcel else consignment.declared
    for at, item in enumerate((consignment.goods if limit.goods else declared) or ()):
        if missing := next((names for names in limit.declares if _lacks(item, names)), None):
            title = item.title or item.description or item.sku or "the goods"
            name = missing.split(OR)[0]
            return LimitProblem(f"{GOODS}[{at}].{name}", "required", f"wants the {missing} of {title}")
    return None


def describe_missing_goods(limit: Limit) -> str:
    """Return what to add for goods that are not declared."""
    fields = dict.fromkeys((*OF_GOODS, *limit.declares))
    return f"wants the goods declared that pass customs: add {GOODS} (--goods), each with {', '.join(fields)}"


def _lacks(item: Commodity, names: str) -> bool:
    return all(getattr(item, name) is None for name in names.split(OR))


CHECKS: tuple[Callable[[Limit, Consignment], LimitProblem | None], ...] = (
    _check_insured, _check_po_box, _check_military, _check_lane, _check_destination, _check_options,
    _check_goods,
)  # fmt: skip


def is_among(country: str, places: Iterable[str]) -> bool:
    """Whether a country is one of the places: listed, in a listed union, not excluded. No places are all."""
    return _is_among(country, tuple(places))


@lru_cache(maxsize=8192)
def _is_among(country: str, places: tuple[str, ...]) -> bool:
    names = {country, "EU"} if country in list_eu_countries() else {country}
    excluded = {place[1:] for place in places if place.startswith("!")}
    listed = {place for place in places if not place.startswith("!")}
    return names.isdisjoint(excluded) and (not listed or not names.isdisjoint(listed))


class ServiceLimits:
    """The limits of a carrier, and the services that they are of."""

    def __init__(self, rows: Sequence[Limit] = (), services: ServiceTable | None = None) -> None:
        self.rows, self._services = tuple(rows), services

    @cached_property
    def option_names(self) -> frozenset[str]:
        """The options that some services do not have."""
        return frozenset(name for row in self.rows for name in row.options)

    def find_broken(self, consignment: Consignment) -> list[BrokenLimit]:
        """Return the limits that a consignment breaks, with what is wrong."""
        return [BrokenLimit(row, problem) for row in self.rows for problem in row.find_problems(consignment)]

    def find_broken_of_code(self, code: str, consignment: Consignment) -> list[BrokenLimit]:
        """Return the limits of the service with a code on the wire that a consignment breaks."""
        slugs = self._slugs_of_codes.get(code, ())
        broken = self.find_broken(consignment) if self.rows else []
        return [problem for problem in broken if any(problem.limit.covers(slug) for slug in slugs)]

    @cached_property
    def _slugs_of_codes(self) -> Mapping[str, list[str]]:
        slugs: dict[str, list[str]] = {}
        for row in self._services or ():
            slugs.setdefault(row.wire_code, []).append(row.slug)
        return slugs

    def covers(self, limit: Limit, name: str) -> bool:
        """Whether a limit is of a service, by any of its names."""
        row = self._services.get(name) if self._services else None
        return limit.covers(name) or (row is not None and limit.covers(row.slug))

    def takes_packaging(self, service: str, packaging: str) -> bool:
        """Whether a service takes a packaging, by its slug."""
        return not any(packaging in row.packaging and self.covers(row, service) for row in self.rows)

    def select_broken(self, broken: Sequence[BrokenLimit], name: str) -> list[BrokenLimit]:
        """Return the broken limits of one service."""
        return [problem for problem in broken if self.covers(problem.limit, name)]


def round_to_limit(parcel: Parcel, limits: ServiceLimits) -> Parcel:
    """Return a parcel whose rounded weight is at a limit of another unit with a weight that is not above it.

    What is rounded up on its way (68.04 kg to 150.1 lb) would be refused by its carrier.
    """
    measured = MeasuredParcel.of(parcel)
    for most, unit in (row.weight for row in limits.rows if row.weight):
        exact = convert_weight(most, unit, measured.weight_unit).quantize(THOUSANDTH, ROUND_DOWN)
        is_above = measured.weight is not None and measured.weight > exact
        if unit != measured.weight_unit and is_above and not _is_heavier(measured, (most, unit)):
            return parcel.model_copy(update={"weight": exact})
    return parcel


def name_services(slugs: Sequence[str]) -> str:
    """Return the names of services for a message."""
    others = f" and {len(slugs) - NAMED_AT_MOST} more" if len(slugs) > NAMED_AT_MOST else ""
    return ", ".join(slugs[:NAMED_AT_MOST]) + others


def list_address_lines(address: Address) -> list[str]:
    """Return the address lines in which a post office box may be named."""
    return [line for line in (address.address_line1, *address.lines) if line]


# -- comparing ---------------------------------------------------------------------------------------


def _is_heavier(parcel: MeasuredParcel, limit: Amount) -> bool:
    most, unit = limit
    if parcel.weight is None or parcel.weight_unit == unit:
        return parcel.weight is not None and parcel.weight > most
    return convert_weight(parcel.weight, parcel.weight_unit, unit) > most * SLACK


def _is_longer(length: Decimal, parcel: MeasuredParcel, most: Decimal, unit: str) -> bool:
    if parcel.size_unit == unit:
        return length > most
    return convert_length(length, parcel.size_unit, unit) > most * SLACK


def _write(amount: Amount) -> str:
    return f"{amount[0]:f} {amount[1].lower()}"
