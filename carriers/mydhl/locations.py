"""DHL Express Service Points: the question, and the places of the answer. Pure.

Source: MyDHL API 3.1.1, GET /servicepoints.
"""

from __future__ import annotations

from decimal import ROUND_UP, Decimal

from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, get_path
from shipcli.carrier.wire.rounding import read_amount
from shipcli.carrier.wire.rows import read_each
from shipcli.models import Location, LocationAddress, LocationRequest, OpeningHours

FINE, NO_POINTS = 1, frozenset({201, 202})  # codes of the status of an answer
# What a parcel needs of a point: printed labels billed to an account, and parcels that were sent there.
CAPABILITIES = {"drop_off": "81,74", "pick_up": "86,87"}


def write_search(request: LocationRequest, key: str | None) -> Json:
    """`key` is that of the account for this API, which DHL gives out apart."""
    address = request.address
    town = " ".join(filter(None, (address.postal_code, address.city)))
    radius = request.radius_in("KM").quantize(Decimal(1), ROUND_UP)
    query = {
        "address": ", ".join(filter(None, (address.street, town))),
        "countryCode": address.country_code,
        "servicePointResults": str(request.limit),
        "maxDistance": str(radius) if radius else None,
        "resultUom": request.distance_unit.lower(),
        "capability": CAPABILITIES.get(request.purpose or ""),
        "language": "eng",
        "key": key,
    }
    return dict(drop_empty(query))


def read_problem(body: Json) -> tuple[str, str] | None:
    """What was wrong with a question, in an answer with status 200; finding nothing is nothing wrong."""
    code = get_path(body, "status/statusCode")
    if code in (FINE, None) or code in NO_POINTS:
        return None
    return str(code), str(get_path(body, "status/statusMessage") or "")


def read_locations(body: Json) -> list[Location]:
    return read_each(as_list(body.get("servicePoints")), read_location)


def read_location(point: Json) -> Location:
    address = point["address"]
    street = " ".join(filter(None, (address.get("street"), address.get("houseNumber"))))
    can = point.get("servicePointCapabilities") or {}
    return Location(
        id=point["facilityId"],
        name=point.get("localName") or point.get("servicePointName"),
        kind=point.get("servicePointName"),
        address=LocationAddress(
            address_line1=address.get("addressLine1") or street or None,
            address_line2=address.get("addressLine2"),
            city=address.get("city"),
            state_code=address.get("state") or None,
            postal_code=address.get("zipCode"),
            country_code=address.get("country"),
        ),
        distance=read_amount(point.get("distanceValue")),
        distance_unit="MI" if str(point.get("distance")).endswith("mi") else "KM",
        drop_off=bool(can.get("shipmentDropOff")),
        pick_up=bool(can.get("shipmentCollection")),
        hours=[
            OpeningHours(
                day=str(row["dayOfWeek"]).lower(), opens=row["openingTime"], closes=row["closingTime"]
            )
            for row in as_list(get_path(point, "openingHours/openingHours"))
        ],
        phone_number=get_path(point, "contactDetails/phoneNumber"),
        latitude=read_amount(get_path(point, "geoLocation/latitude")),
        longitude=read_amount(get_path(point, "geoLocation/longitude")),
    )
