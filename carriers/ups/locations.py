"""Where UPS takes parcels in and hands them out: the question, and the places of the answer. Pure.

Source: Locator API v2.
"""

from __future__ import annotations

from collections.abc import Sequence

from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, get_path
from shipcli.carrier.wire.rounding import read_amount
from shipcli.carrier.wire.rows import read_each
from shipcli.models import Address, Location, LocationAddress, LocationRequest, OpeningHours

from .parts import LINE

PLACES, ACCESS_POINTS = "1", "64"  # the kinds of request
MOST, LEAST_RADIUS = 50, 5
MOST_RADIUS = {"MI": 100, "KM": 150}
NEAREST = "01"  # the order of the answer
LOCATION_TYPE, REGULAR_HOURS = "01", "10"
PICK_UP, DROP_OFF, BOTH = "005", "006", "007"  # what an access point offers
OPEN_ALL_DAY = ("00:00", "23:59")
DAYS = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
CLOCK = 4  # digits of HHMM, without the first where it is 0


# -- the question ----------------------------------------------------------------------------------


def list_kinds(request: LocationRequest) -> list[str]:
    """The kinds of places to ask for: parcels are handed out at access points alone."""
    return [ACCESS_POINTS] if request.purpose == "pick_up" else [ACCESS_POINTS, PLACES]


def write_search(request: LocationRequest, kind: str) -> Json:
    unit = request.distance_unit
    criteria = {
        "MaximumListSize": str(min(request.limit, MOST)),
        "SearchRadius": write_radius(request, unit),
    }
    return _write_question(request.address, kind, criteria, unit)


def write_radius(request: LocationRequest, unit: str) -> str | None:
    """A whole number within what UPS takes."""
    if request.radius_km is None:
        return None
    radius = round(request.radius_in(unit))
    return str(min(max(radius, LEAST_RADIUS), MOST_RADIUS[unit]))


def write_lookup(id: str, address: Address) -> Json:
    """A question for one access point; `address` is of the country where it is."""
    return _write_question(address, ACCESS_POINTS, {"AccessPointSearch": {"PublicAccessPointID": id}}, "KM")


def _write_question(address: Address, kind: str, criteria: Json, unit: str) -> Json:
    body = {
        "Request": {"RequestAction": "Locator", "RequestOption": kind},
        "OriginAddress": {
            "AddressKeyFormat": {
                "AddressLine": cut_text(address.street, LINE),
                "PoliticalDivision2": address.city,
                "PoliticalDivision1": address.state_code,
                "PostcodePrimaryLow": address.postal_code,
                "CountryCode": address.country_code,
            }
        },
        "Translate": {"Locale": "en_US"},
        "UnitOfMeasurement": {"Code": unit},
        "LocationSearchCriteria": criteria,
        "SortCriteria": {"SortType": NEAREST},
    }
    return {"LocatorRequest": drop_empty(body)}


# -- the answer ------------------------------------------------------------------------------------


def read_locations(body: Json) -> list[Location]:
    return read_each(as_list(get_path(body, "LocatorResponse/SearchResults/DropLocation")), read_location)


def drop_doubles(places: Sequence[Location]) -> list[Location]:
    """The places without those that came before as a place of another kind, at the same address."""
    unique: dict[tuple[str | None, str | None], Location] = {}
    for place in places:
        unique.setdefault((place.name, place.address.address_line1), place)
    return list(unique.values())


def read_location(place: Json) -> Location:
    """One place. Only an access point has an id that others may know."""
    address = place["AddressKeyFormat"]
    lines = as_list(address.get("AddressLine"))
    access_point = get_path(place, "AccessPointInformation/PublicAccessPointID")
    drop_off, pick_up = read_offerings(place, bool(access_point))
    return Location(
        id=access_point,
        name=address.get("ConsigneeName"),
        kind=read_kind(place),
        address=LocationAddress(
            address_line1=lines[0] if lines else None,
            address_line2=lines[1] if len(lines) > 1 else None,
            city=address.get("PoliticalDivision2"),
            state_code=address.get("PoliticalDivision1") or None,
            postal_code=address.get("PostcodePrimaryLow"),
            country_code=address.get("CountryCode"),
        ),
        distance=read_amount(get_path(place, "Distance/Value")),
        distance_unit="MI" if get_path(place, "Distance/UnitOfMeasurement/Code") == "MI" else "KM",
        drop_off=drop_off,
        pick_up=pick_up,
        hours=read_hours(place),
        phone_number=next(iter(as_list(place.get("PhoneNumber"))), None),
        latitude=read_amount(get_path(place, "Geocode/Latitude")),
        longitude=read_amount(get_path(place, "Geocode/Longitude")),
    )


def read_offerings(place: Json, is_access_point: bool) -> tuple[bool, bool]:
    """Whether parcels are taken in, and handed out; a place that says nothing of it does what is usual."""
    rows = as_list(get_path(place, "ServiceOfferingList/ServiceOffering"))
    codes = {str(row.get("Code")) for row in rows} & {PICK_UP, DROP_OFF, BOTH}
    if codes:
        return bool(codes & {DROP_OFF, BOTH}), bool(codes & {PICK_UP, BOTH})
    return True, is_access_point or place.get("WillCallLocationIndicator") == "Y"


def read_kind(place: Json) -> str | None:
    """What UPS calls such a place: `UPS Access Point`, `The UPS Store`."""
    rows = [
        option
        for attribute in as_list(place.get("LocationAttribute"))
        if get_path(attribute, "OptionType/Code") == LOCATION_TYPE
        for option in as_list(attribute.get("OptionCode"))
    ]
    return next((row["Description"] for row in rows if row.get("Description")), None)


def read_hours(place: Json) -> list[OpeningHours]:
    """The regular hours, Monday first."""
    tables = as_list(get_path(place, "OperatingHours/StandardHours"))
    days = [
        day for row in tables if row.get("HoursType") == REGULAR_HOURS for day in as_list(row["DayOfWeek"])
    ]
    days.sort(key=lambda day: (int(day["Day"]) + 5) % 7)
    return [OpeningHours(day=DAYS[int(day["Day"]) - 1], opens=opens, closes=closes)
            for day in days for opens, closes in list_spans(day)]  # fmt: skip


def list_spans(day: Json) -> list[tuple[str, str]]:
    if "ClosedIndicator" in day:
        return []
    if "Open24HoursIndicator" in day:
        return [OPEN_ALL_DAY]
    opens, closes = as_list(day.get("OpenHours")), as_list(day.get("CloseHours"))
    return [(read_hour(start), read_hour(end)) for start, end in zip(opens, closes, strict=False)]


def read_hour(text: str) -> str:
    """930 as 09:30."""
    digits = str(text).zfill(CLOCK)
    return f"{digits[:2]}:{digits[2:]}"


# -- a shipment that is held at one ----------------------------------------------------------------


def write_access_point(point: Location, attention: str | None) -> Json:
    """The place as an order names it. Source: Shipping API, AlternateDeliveryAddress."""
    address = point.address
    return {
        "Name": cut_text(point.name, LINE) or "UPS Access Point",
        "AttentionName": cut_text(attention, LINE),
        "UPSAccessPointID": point.id,
        "Address": {
            "AddressLine": [
                cut_text(line, LINE) for line in (address.address_line1, address.address_line2) if line
            ],
            "City": address.city,
            "StateProvinceCode": address.state_code,
            "PostalCode": address.postal_code,
            "CountryCode": address.country_code,
        },
    }
