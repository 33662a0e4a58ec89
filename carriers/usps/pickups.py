"""Collections. Pure."""

from __future__ import annotations

from decimal import Decimal

from shipcli.carrier import RequestOptions
from shipcli.carrier.wire.json_paths import Json, drop_empty
from shipcli.models import PickupDetails, PickupRequest

from .parts import CATALOGUE, write_place, write_pounds

USUAL_PLACE = "FRONT_DOOR"


def write_pickup(request: PickupRequest, options: RequestOptions) -> Json:
    """A collection. The state is left out: the ZIP code decides, and the recorded requests have none."""
    address = request.address
    weight = sum((parcel.weight_in("LB") for parcel in request.parcels), Decimal(0))
    kind = options.text("usps_package_type") or "OTHER"
    body = {
        "pickupDate": request.pickup_date,
        "pickupAddress": {
            "firstName": address.person_name,
            "firm": address.company_name,
            "address": write_place(address),
            "contact": [{"email": address.email}] if address.email else None,
        },
        "packages": [{"packageType": kind, "packageCount": max(1, len(request.parcels))}],
        "estimatedWeight": write_pounds(weight),
        "pickupLocation": _location(request.package_location, request.instruction),
    }
    return dict(drop_empty(body))


def _location(place: str | None, instruction: str | None) -> Json:
    """The carrier knows nine places by a word; any other is told in the instructions.

    Without a word from the caller it is the front door: the carrier wants a place.
    """
    if not place and not instruction:
        return {"packageLocation": USUAL_PLACE}
    word = (place or "").strip().upper().replace(" ", "_")
    if not word or word in CATALOGUE.table("pickup_places"):
        return {"packageLocation": word, "specialInstructions": instruction}
    told = ", ".join(part for part in (place, instruction) if part)
    return {"packageLocation": "OTHER", "specialInstructions": told}


def read_pickup(body: Json) -> PickupDetails:
    return PickupDetails(confirmation_number=body["confirmationNumber"], pickup_date=body.get("pickupDate"))
