"""Collections. Pure."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_measure
from shipcli.carrier.wire.times import read_day
from shipcli.carrier.wire.xml import find, first, require
from shipcli.models import PickupDetails, PickupRequest

from . import parts

if TYPE_CHECKING:
    from lxml.etree import _Element


def write_pickup(request: PickupRequest) -> Json:
    address, unit = request.address, parts.units_of(request.parcels)
    weight = sum((parcel.weight_in(unit) for parcel in request.parcels), Decimal(0))
    pickup = {
        "comments": request.instruction,
        "created_by": address.person_name or None,
        "pickup_address": parts.write_address(address),
        "pickup_date": f"{request.pickup_date}T{request.ready_time[:5]}:00",
        "pickup_location": request.package_location,
        "pickup_phone": address.phone_number or None,
        "unit_of_measure": parts.CATALOGUE.table("units")[unit] if weight else None,
        "weight": round_measure(weight) if weight else None,
    }
    return {"pickup": parts.write_inner(pickup)}


def read_pickup(answer: _Element) -> PickupDetails:
    """Errors: LookupError when the answer has no number."""
    pickup = first(answer, "pickup")
    day = read_day(find(pickup, "pickup_date"))
    return PickupDetails(confirmation_number=require(pickup, "id"), pickup_date=day)
