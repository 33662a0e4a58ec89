"""Rates without a rating API: prices from service levels with zones and weight brackets.

A carrier states its levels in its catalogue (`service_levels`) and asks for its rates like this:

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        return rate_by_sheet(self, request)

A rate sheet that a user bound to the connection (`context.rate_sheet`, read by `read_sheet` from the rows of
a file) replaces the services it names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from shipcli.carrier.base import DESTINATION_NOT_SERVICED, FIELD_ERROR, Carrier, CarrierError
from shipcli.carrier.flow_steps import list_charges, sum_parcels
from shipcli.carrier.preparation.returns import is_return
from shipcli.carrier.service_level import ServiceLevel, Zone, is_within
from shipcli.carrier.wire.calls import Flow
from shipcli.models import Message, Parcel, Quote, RateRequest, ShipmentRequest

POSTAL_RANGE = re.compile(r"([A-Z0-9]+)-([A-Z0-9]+)\Z")
LONG_ZIP = 9
UNLIMITED = (None, None, None)


@dataclass(frozen=True, slots=True)
class Route:
    """From where to where, as a rate sheet sees it; the postal code is letters and digits only."""

    domestic: bool
    country: str
    postal_code: str
    city: str

    @classmethod
    def of(cls, request: RateRequest | ShipmentRequest, home: str | None = None) -> Route:
        """Return the route of a request; `home` stands for the shipper's country where that is missing.

        Without any country for the shipper a shipment is domestic.
        """
        origin = request.shipper.country_code or home or ""
        country = request.recipient.country_code or origin
        postal_code = _strip_code(request.recipient.postal_code or "")
        if country == "US" and len(postal_code) == LONG_ZIP:
            postal_code = postal_code[:5]
        city = (request.recipient.city or "").strip().casefold()
        return cls(not origin or origin == country, country, postal_code, city)


def rate_by_sheet(carrier: Carrier[Any, Any], request: RateRequest) -> Flow[list[Quote]]:
    """Return the rates of a connection from its service levels; nothing is sent.

    Errors: CarrierError saying why, service by service, when none fits.
    """
    yield from ()
    levels = _list_levels(carrier, request)
    quotes = list_quotes(
        levels,
        request,
        carrier_name=carrier.slug,
        carrier_id=carrier.context.carrier_id or None,
        home=carrier.home,
    )
    if not quotes:
        raise CarrierError(explain_rejections(levels, request, carrier.home))
    return quotes


def _list_levels(carrier: Carrier[Any, Any], request: RateRequest) -> Sequence[ServiceLevel]:
    """Return the levels of the sheet; of a return those that bring goods back, where there are any."""
    levels = carrier.levels()
    if not is_return(request, carrier):
        return levels
    return [level for level in levels if carrier.services.brings_back(level.service_code)] or levels


def price_by_sheet(
    carrier: Carrier[Any, Any], request: ShipmentRequest, parcels: Sequence[Parcel], name: str | None = None
) -> Quote | None:
    """Return what some parcels of a purchase cost, or None for a service that the sheet does not price there.

    `name` stands for the carrier's where its owner gave it another one.
    """
    quotes = price_services(
        [level for level in carrier.levels() if level.service_code == request.service],
        Route.of(request, carrier.home),
        parcels,
        carrier_name=name or carrier.slug,
        carrier_id=carrier.context.carrier_id or None,
    )
    return quotes[0] if quotes else None


def list_quotes(
    levels: Sequence[ServiceLevel],
    request: RateRequest,
    *,
    carrier_name: str,
    carrier_id: str | None = None,
    home: str | None = None,
) -> list[Quote]:
    """Return the prices of a request. The services it names restrict it if one of them is in the sheet."""
    return price_services(
        _select_levels(levels, request),
        Route.of(request, home),
        request.parcels,
        carrier_name=carrier_name,
        carrier_id=carrier_id,
    )


def price_services(
    levels: Sequence[ServiceLevel],
    route: Route,
    parcels: Sequence[Parcel],
    *,
    carrier_name: str,
    carrier_id: str | None = None,
) -> list[Quote]:
    """Return the price of every service that takes all parcels: their sum, and the days of the slowest."""

    def quote(level: ServiceLevel, zone: Zone) -> Quote:
        days = level.transit_days if zone.transit_days is None else zone.transit_days
        return Quote(
            carrier_name=carrier_name,
            carrier_id=carrier_id,
            service=level.service_code,
            total_charge=zone.rate,
            currency=level.currency,
            transit_days=days,
            extra_charges=list_charges([(level.charge, zone.rate if level.charge else None)], level.currency),
            meta={"service_name": level.service_name},
        )

    def quote_parcel(parcel: Parcel) -> list[Quote]:
        outcomes = ((level, find_price(level, route, parcel)) for level in levels)
        return [quote(level, zone) for level, zone in outcomes if isinstance(zone, Zone)]

    return sum_parcels([quote_parcel(parcel) for parcel in parcels])


def reject_reason(level: ServiceLevel, route: Route, parcel: Parcel) -> str | None:
    """Return why a service can't take a parcel there, or None when it can."""
    outcome = find_price(level, route, parcel)
    return outcome if isinstance(outcome, str) else None


def find_price(level: ServiceLevel, route: Route, parcel: Parcel) -> Zone | str:
    """Return the zone that prices a parcel, or why the service can't take it there."""
    if not level.active:
        return "is not active"
    if not level.serves(route.domestic):
        return f"does not go {'inside' if route.domestic else 'outside'} the country"
    weight = parcel.weight_in(level.weighed_in)
    if not is_within(weight, level.min_weight, level.max_weight):
        return f"takes {_describe_span(level)}, the parcel weighs {_format_weight(weight)}"
    if not _fits(level, parcel):
        return "does not take parcels of this size"
    if zone := find_zone(level, route, weight):
        return zone
    if not _reaches(level, route):
        return f"has no zone for {' '.join(filter(None, (route.country, route.postal_code)))}"
    return f"has no price for {_format_weight(weight)} {level.weighed_in}"


def find_zone(level: ServiceLevel, route: Route, weight: Decimal) -> Zone | None:
    """Return the zone that prices a weight: the most specific place, there its first bracket."""
    fit = (zone for zone in level.zones_to(route.country) if zone.holds(weight) and _is_around(zone, route))
    return next(fit, None)


def explain_rejections(
    levels: Sequence[ServiceLevel], request: RateRequest, home: str | None = None
) -> Message:
    """Return the message of a sheet without a price; its details give a reason for each service."""
    route, selected = Route.of(request, home), _select_levels(levels, request)
    details: dict[str, Any] = {}
    for level in selected:
        reasons = filter(None, (reject_reason(level, route, parcel) for parcel in request.parcels))
        details[level.service_code] = next(reasons, "takes no empty shipment")
    serves = any(
        level.active and level.serves(route.domestic) and _reaches(level, route) for level in selected
    )
    first = [f"{code} {reason}" for code, reason in list(details.items())[:3]]
    text = "; ".join(first) or "the rate sheet is empty"
    code = FIELD_ERROR if serves else DESTINATION_NOT_SERVICED
    return Message(code=code, message=f"No service fits: {text}", details=details or None)


def _select_levels(levels: Sequence[ServiceLevel], request: RateRequest) -> Sequence[ServiceLevel]:
    named = [level for level in levels if level.service_code in request.services]
    return named or levels


def _fits(level: ServiceLevel, parcel: Parcel) -> bool:
    """A box may be turned where all three limits are given; else each side has its own. Unknown sides fit."""
    if level.limits == UNLIMITED:
        return True
    unit = level.measured_in
    sides = [parcel.length_in(unit), parcel.width_in(unit), parcel.height_in(unit)]
    measured = [side for side in sides if side is not None]
    most = [limit for limit in level.limits if limit is not None]
    if len(most) == len(measured) == len(sides):
        return all(side <= limit for side, limit in zip(sorted(measured), sorted(most), strict=True))
    pairs = zip(sides, level.limits, strict=True)
    return all(side is None or limit is None or side <= limit for side, limit in pairs)


def _reaches(level: ServiceLevel, route: Route) -> bool:
    return any(_is_around(zone, route) for zone in level.zones_to(route.country))


def _is_around(zone: Zone, route: Route) -> bool:
    """Whether a zone of the country takes in the postal code or the city."""
    if not zone.postal_codes and not zone.cities:
        return True
    in_city = any(city.strip().casefold() == route.city for city in zone.cities)
    return in_city or any(_is_in(route.postal_code, area) for area in zone.postal_codes)


def _is_in(postal_code: str, area: str) -> bool:
    if not postal_code:
        return False
    if area.endswith("*"):
        return postal_code.startswith(_strip_code(area))
    ends = POSTAL_RANGE.match(area.replace(" ", ""))
    if ends and len(ends[1]) == len(ends[2]):
        return ends[1] <= postal_code[: len(ends[1])] <= ends[2]
    return postal_code == _strip_code(area)


def _strip_code(text: str) -> str:
    return "".join(character for character in text.upper() if character.isalnum())


def _describe_span(level: ServiceLevel) -> str:
    least = f"from {_format_weight(level.min_weight)} " if level.min_weight else ""
    most = f"up to {_format_weight(level.max_weight)} " if level.max_weight is not None else ""
    return f"{least}{most}{level.weighed_in}"


def _format_weight(number: Decimal) -> str:
    return format(round(number, 3).normalize(), "f")
