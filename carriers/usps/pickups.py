"""Collections. Pure."""

from __future__ import annotations

from decimal import Decimal

from shipcli.carrier import RequestOptions
from shipcli.carrier.wire.address_parts import read_phone_digits, split_name
from shipcli.carrier.wire.json_paths import Json, drop_empty
from shipcli.models import Address, Invalid, PickupDetails, PickupRequest

from .parts import CATALOGUE, write_email, write_place, write_pounds

USUAL_PLACE, OTHER_PLACE, CELL_DIGITS = "FRONT_DOOR", "OTHER", 10


def write_pickup(request: PickupRequest, options: RequestOptions) -> Json:
    """A collection. The state is left out: the ZIP code decides, and the recorded requests have none.

    Errors: Invalid for an address without a name, or with neither e-mail address nor phone.
    """
    address = request.address
    first, last = split_name(address.person_name or address.company_name)
    weight = sum((parcel.weight_in("LB") for parcel in request.parcels), Decimal(0))
    kind = options.text("usps_package_type") or "OTHER"
    body = {
        "pickupDate": request.pickup_date,
        "pickupAddress": {
            "firstName": first,
            "lastName": last or first,
            "firm": address.company_name,
            "address": write_place(address),
            "contact": [write_contact(address)],
        },
        "packages": [{"packageType": kind, "packageCount": max(1, len(request.parcels))}],
        "estimatedWeight": write_pounds(weight),
        "pickupLocation": _location(request.package_location, request.instruction),
    }
    if not first:
        raise Invalid("address.person_name", "USPS wants a name to ask for")
    return dict(drop_empty(body))


def write_contact(address: Address) -> Json:
    """How USPS says that a collection is confirmed. Shapes: a cell number has ten digits."""
    cell = read_phone_digits(address.phone_number, CELL_DIGITS)
    if email := write_email(address):
        return {"email": email}
    if cell and len(cell) == CELL_DIGITS:
        return {"cellNumber": cell}
    raise Invalid("address.email", "USPS wants an e-mail address or a phone of ten digits for a collection")


def _location(location: str | None, instruction: str | None) -> Json:
    """The carrier knows nine places by a word; any other is told in the instructions.

    Without a word from the caller it is the front door: the carrier wants a place.
    """
    if not location and not instruction:
        return {"packageLocation": USUAL_PLACE}
    word = (location or "").strip().upper().replace(" ", "_")
    if word in CATALOGUE.table("pickup_places") and (instruction or word != OTHER_PLACE):
        return {"packageLocation": word, "specialInstructions": instruction}
    instructions = ", ".join(dict.fromkeys(part for part in (location, instruction) if part))
    return {"packageLocation": OTHER_PLACE, "specialInstructions": instructions}


def read_pickup(body: Json) -> PickupDetails:
    return PickupDetails(confirmation_number=body["confirmationNumber"], pickup_date=body.get("pickupDate"))
