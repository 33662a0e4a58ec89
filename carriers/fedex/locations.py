"""Where FedEx takes packages in and holds them: the question, and the places of the answer. Pure.

Source: Locations Search API v1.
"""

from __future__ import annotations

from decimal import Decimal

from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, get_path
from shipcli.carrier.wire.rounding import read_amount, round_half_up
from shipcli.carrier.wire.rows import read_each
from shipcli.models import Location, LocationAddress, LocationRequest, OpeningHours

from .parts import write_address

HELD, HANDED_IN = "HOLD_AT_LOCATION", "DROPOFF"
TRANSFERS = {"pick_up": HELD, "drop_off": HANDED_IN}
TENTH = Decimal("0.1")
OPEN_ALL_DAY = ("00:00", "23:59")
CLOCK = len("09:00")
FAMILY = "FEDEX_"


def write_search(request: LocationRequest) -> Json:
    """Nearest first, within the country that is asked about."""
    unit = request.distance_unit
    transfer = TRANSFERS.get(request.purpose or "")
    address = {name: value for name, value in write_address(request.address).items() if name != "residential"}
    body = {
        "locationsSummaryRequestControlParameters": {
            "distance": _write_radius(request, unit),
            "maxResults": request.limit,
        },
        "locationSearchCriterion": "ADDRESS",
        "location": {"address": address},
        "locationCapabilities": [{"transferOfPossessionType": transfer}] if transfer else None,
        "multipleMatchesAction": "RETURN_ALL",
        "sameCountry": True,
        "sort": {"criteria": "DISTANCE", "order": "ASCENDING"},
    }
    return dict(drop_empty(body))


def _write_radius(request: LocationRequest, unit: str) -> Json | None:
    """How far away, without a word FedEx looks as far as it likes."""
    if request.radius_km is None:
        return None
    return {"units": unit, "value": round_half_up(request.radius_in(unit), TENTH)}


def read_locations(body: Json) -> list[Location]:
    return read_each(as_list(get_path(body, "output/locationDetailList")), read_location)


def read_location(place: Json) -> Location:
    """One place.

    Shapes: what may be done there stands among its attributes, or as the purpose that was asked for.
    """
    address = get_path(place, "contactAndAddress/address") or {}
    contact = get_path(place, "contactAndAddress/contact") or {}
    lines = as_list(address.get("streetLines"))
    attributes = [str(word) for word in as_list(place.get("locationAttributeTypes"))]
    transfers = [row.get("transferOfPossessionType") for row in as_list(place.get("locationCapabilities"))]
    return Location(
        id=place["locationId"],
        name=get_path(place, "contactAndAddress/addressAncillaryDetail/displayName")
        or contact.get("companyName"),
        kind=read_kind(place.get("locationType")),
        address=LocationAddress(
            address_line1=lines[0] if lines else None,
            address_line2=lines[1] if len(lines) > 1 else None,
            city=address.get("city"),
            state_code=address.get("stateOrProvinceCode") or None,
            postal_code=address.get("postalCode"),
            country_code=address.get("countryCode"),
        ),
        distance=read_amount(get_path(place, "distance/value")),
        distance_unit="MI" if get_path(place, "distance/units") == "MI" else "KM",
        drop_off=HANDED_IN in transfers
        or any("DROPOFF" in word or word == "DROP_BOX" for word in attributes),
        pick_up=HELD in transfers or any(word.endswith(HELD) for word in attributes),
        hours=read_hours(place),
        phone_number=contact.get("phoneNumber"),
        latitude=read_amount(get_path(place, "geoPositionalCoordinates/latitude")),
        longitude=read_amount(get_path(place, "geoPositionalCoordinates/longitude")),
    )


def read_kind(word: str | None) -> str | None:
    """FEDEX_OFFICE as FedEx Office."""
    return f"FedEx {word.removeprefix(FAMILY).replace('_', ' ').title()}" if word else None


def read_hours(place: Json) -> list[OpeningHours]:
    return [
        OpeningHours(day=str(row["dayofweek"]).lower(), opens=opens, closes=closes)
        for row in as_list(place.get("storeHours"))
        for opens, closes in list_spans(row)
    ]


def list_spans(day: Json) -> list[tuple[str, str]]:
    kind = day.get("operationalHoursType")
    if kind == "OPEN_ALL_DAY":
        return [OPEN_ALL_DAY]
    spans = as_list(day.get("operationalHours")) if kind != "CLOSED_ALL_DAY" else []
    return [(str(span["begins"])[:CLOCK], str(span["ends"])[:CLOCK]) for span in spans]
