"""Post offices and parcel lockers: where parcels are handed in, and held to be fetched. Pure.

Source: Locations API v3, post-office-locations, parcel-locker-locations.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_UP, Decimal

from shipcli.carrier.address_answers import join_zip
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, get_path
from shipcli.carrier.wire.rounding import read_amount
from shipcli.carrier.wire.rows import read_each
from shipcli.models import Location, LocationAddress, LocationRequest, OpeningHours

from .parts import split_zip

HELD = "HOLD_FOR_PICKUP"  # the service of an office where parcels are held
FARTHEST_MILES, MOST = 100, 100
LOCKER = "LOCKER-"  # in front of the facility of a locker, which is that of the office where it stands


def write_search(request: LocationRequest) -> Json:
    """The address, in whole miles around it; offices that hold parcels alone where that is asked for."""
    address = request.address
    zip_code, extension = split_zip(address.postal_code)
    miles = request.radius_in("MI").quantize(Decimal(1), ROUND_UP)
    query = {
        "streetAddress": address.street,
        "city": address.city,
        "state": address.state_code,
        "ZIPCode": zip_code,
        "ZIPPlus4": extension,
        "radius": str(min(int(miles), FARTHEST_MILES)) if miles else None,
        "pickupService": HELD if request.purpose == "pick_up" else None,
        "limit": str(min(request.limit, MOST)),
    }
    return dict(drop_empty(query))


def write_locker_search(request: LocationRequest) -> Json:
    """The ZIP code, else the town: lockers are not looked for any farther."""
    zip_code, _ = split_zip(request.address.postal_code)
    town = {"city": request.address.city, "state": request.address.state_code}
    named = {"ZIPCode": zip_code} if zip_code else town
    return dict(drop_empty({**named, "limit": str(min(request.limit, MOST))}))


def read_locations(body: Json) -> list[Location]:
    return read_each(as_list(body.get("locations")), read_location)


def read_lockers(body: Json | list[Json], offices: list[Location]) -> list[Location]:
    """The lockers that take parcels, as far away as the offices where they stand."""
    away = {office.id: office.distance for office in offices}
    lockers = [row for row in as_list(body) if row.get("lockerOnline") is not False]
    return read_each(lockers, read_locker, away)


def read_locker(locker: Json, away: Mapping[str | None, Decimal | None]) -> Location:
    facility = str(locker["facilityID"])
    return Location(
        id=f"{LOCKER}{facility}",
        name=locker.get("locationName"),
        kind="Parcel locker",
        address=read_address(locker["locationAddress"]),
        distance=away.get(facility),
        distance_unit="MI",
        drop_off=bool(locker.get("servicePrepaidReturns")),
        pick_up=bool(locker.get("serviceDirectShip")),
        latitude=read_amount(locker.get("latitude")),
        longitude=read_amount(locker.get("longitude")),
    )


def write_held(facility: str | None, *, is_held: bool) -> Json:
    """How a parcel is told to go to an office, or to a locker there."""
    if facility and facility.startswith(LOCKER):
        return {"parcelLockerDelivery": True, "facilityId": facility.removeprefix(LOCKER)}
    return {"holdForPickup": is_held or bool(facility) or None, "facilityId": facility}


def read_location(office: Json) -> Location:
    """One post office. Units: miles."""
    services = as_list(office.get("services"))
    kind = office.get("postOfficeType")
    return Location(
        id=office["facilityID"],
        name=office.get("facilityName"),
        kind=str(kind).replace("_", " ").capitalize() if kind else None,
        address=read_address(office["facilityAddress"]),
        distance=read_amount(office.get("distance")),
        distance_unit="MI",
        drop_off=True,
        pick_up=any(service.get("service") == HELD for service in services),
        hours=read_hours(services),
        phone_number=get_path(office, "phoneNumbers/phone"),
        latitude=read_amount(get_path(office, "geoCoordinates/latitude")),
        longitude=read_amount(get_path(office, "geoCoordinates/longitude")),
    )


def read_address(address: Json) -> LocationAddress:
    return LocationAddress(
        address_line1=address.get("streetAddress"),
        address_line2=address.get("secondaryAddress"),
        city=address.get("city"),
        state_code=address.get("state") or None,
        postal_code=join_zip(address.get("ZIPCode"), address.get("ZIPPlus4")),
        country_code="US",
    )


def read_hours(services: list[Json]) -> list[OpeningHours]:
    """When the office is open: the hours of the service that has most of them."""
    tables = [as_list(service.get("hours")) for service in services]
    days = max(tables, key=len, default=[])
    return [
        OpeningHours(
            day=str(day["dayOfWeek"]).lower(),
            opens=read_hour(span["openTime"]),
            closes=read_hour(span["closeTime"]),
        )
        for day in days
        for span in as_list(day.get("times"))
    ]


def read_hour(text: str) -> str:
    """0800 as 08:00."""
    digits = str(text).replace(":", "").zfill(4)
    return f"{digits[:2]}:{digits[2:4]}"
