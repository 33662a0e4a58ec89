"""Collections of Hermes: a day and one of three slots. Pure.

Source: HSI Order API 2025-12-18: PickupOrder.
"""

from __future__ import annotations

from datetime import time

from shipcli.carrier.wire.json_paths import Json, drop_empty
from shipcli.models import Address, Invalid, PickupDetails, PickupRequest

from . import parts

SLOTS = ((time(12), "BETWEEN_10_AND_13"), (time(14), "BETWEEN_12_AND_15"))
LAST_SLOT = "BETWEEN_14_AND_17"
SIZES = ("XS", "S", "M", "L", "XL")
USUAL_SIZE = "M"


def write_pickup(request: PickupRequest) -> Json:
    address, count = request.address, len(request.parcels) or 1
    counts = {f"pickupParcelCount{size}": count if size == USUAL_SIZE else 0 for size in SIZES}
    return {
        "pickupAddress": write_place(address),
        "pickupName": drop_empty(parts.write_name(address)),
        **drop_empty({"phone": address.phone_number}),
        "pickupDate": request.pickup_date[:10],
        "pickupTimeSlot": choose_slot(request.ready_time),
        "parcelCount": counts,
    }


def write_place(address: Address) -> Json:
    """The description needs a house number, which may be empty."""
    street, house = parts.split_house(address)
    addition = ", ".join(filter(None, (address.address_line2, address.company_name)))
    place = {
        "street": street,
        "zipCode": address.postal_code,
        "town": address.city,
        "countryCode": address.country_code,
        "addressAddition": addition,
    }
    return {**drop_empty(place), "houseNumber": house or ""}


def choose_slot(ready_time: str) -> str:
    """Errors: Invalid for a text that is no time."""
    try:
        ready = time.fromisoformat(ready_time)
    except ValueError:
        raise Invalid("ready_time", f"{ready_time!r} is not a time") from None
    return next((slot for end, slot in SLOTS if ready < end), LAST_SLOT)


def read_pickup(body: Json) -> PickupDetails:
    return PickupDetails(confirmation_number=str(body["pickupOrderID"]))
