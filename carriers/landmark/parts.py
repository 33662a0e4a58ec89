"""What the documents of Landmark Global share: places and packages. Pure.

Units: pounds and inches, or kilograms and centimetres, to the hundredth, rounded up.
Source: schemas of ShipRequest and ImportRequest.
"""

from __future__ import annotations

from decimal import Decimal

from shipcli.carrier import load_catalogue
from shipcli.carrier.contents import choose_units
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_measure
from shipcli.models import Address, Parcel, ShipmentRequest

CATALOGUE = load_catalogue(__file__)


def write_place(address: Address) -> Json:
    """Shapes: the members that the schema requires are there, empty where there is nothing to say."""
    return {
        "Name": address.company_name or address.person_name or "",
        "Attention": address.person_name,
        "Address1": address.street or "",
        "Address2": address.address_line2,
        "City": address.city or "",
        "State": address.state_code or "",
        "PostalCode": address.postal_code or "",
        "Country": address.country_code or "",
    }


def write_parcels(request: ShipmentRequest) -> Json:
    units = choose_units(request)
    return {"Package": [write_parcel(parcel, *units) for parcel in request.parcels]}


def write_parcel(parcel: Parcel, weight_unit: str, size_unit: str) -> Json:
    sides = parcel.known_sides_in(size_unit)
    return {
        "WeightUnit": weight_unit,
        "Weight": round_measure(parcel.weight_in(weight_unit)),
        "DimensionsUnit": size_unit,
        "Length": round_side(sides.get("length")),
        "Width": round_side(sides.get("width")),
        "Height": round_side(sides.get("height")),
        "PackageReference": parcel.reference_number,
    }


def round_side(side: Decimal | None) -> Decimal | None:
    return round_measure(side) if side else None
