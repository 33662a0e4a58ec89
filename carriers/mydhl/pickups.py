"""Collections of MyDHL: booked, changed, cancelled. Pure.

Source: MyDHL API 3.1.1, POST, PATCH and DELETE /pickups.
"""

from __future__ import annotations

from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.rows import read_or_skip
from shipcli.models import Invalid, PickupCancelRequest, PickupDetails, PickupRequest

from . import parts

PLACE, TEXT = 80, 80  # characters of where the parcels are, of an instruction
USUAL_PLACE, USUAL_PRODUCT, NO_REASON = "reception", "P", "Not needed"
UNKNOWN: Json = {"weight": 1.0}  # a package of which nothing is said


def write_pickup(request: PickupRequest, account: str, offset: str) -> Json:
    """Errors: Invalid for an address without somebody to ask for."""
    address = request.address
    for field, value in (("person_name", address.name), ("phone_number", address.phone_number)):
        if not value:
            raise Invalid(f"address.{field}", "is missing: DHL asks for a contact at a collection")
    shipper = {
        "postalAddress": parts.write_place(address),
        "contactInformation": parts.write_contact(address),
    }
    instruction = cut_text(request.instruction, TEXT)
    body = {
        "plannedPickupDateAndTime": f"{request.pickup_date}T{request.ready_time[:5]}:00 {offset}",
        "closeTime": request.closing_time[:5],
        "location": cut_text(request.package_location, PLACE) or USUAL_PLACE,
        "locationType": "residence" if address.residential else "business",
        "accounts": [{"typeCode": "shipper", "number": account}],
        "specialInstructions": [{"value": instruction}] if instruction else None,
        "remark": instruction,
        "shipmentDetails": [write_shipment(request)],
    }
    return {**drop_empty(body), "customerDetails": {"shipperDetails": shipper}}


def write_shipment(request: PickupRequest) -> Json:
    units = parts.choose_units(request.parcels)
    packages = [parts.write_package(parcel, units) for parcel in request.parcels if parcel.weight]
    return {
        "productCode": USUAL_PRODUCT,
        "isCustomsDeclarable": False,
        "unitOfMeasurement": parts.SYSTEMS[units],
        "packages": packages or [UNKNOWN],
    }


def write_cancellation(request: PickupCancelRequest, user: str) -> Json:
    """Who asks, and why."""
    name = request.address.name if request.address else None
    return {"requestorName": name or user, "reason": request.reason or NO_REASON}


def read_pickup(body: Json) -> PickupDetails:
    """Shapes: a booking has a list of numbers, a change the one number."""
    numbers = as_list(body.get("dispatchConfirmationNumbers")) or [body["dispatchConfirmationNumber"]]
    meta = {"confirmation_numbers": numbers, "warnings": body.get("warnings")}
    return PickupDetails(
        confirmation_number=str(numbers[0]),
        pickup_date=read_or_skip(read_text, body, "nextPickupDate"),
        ready_time=cut_text(read_or_skip(read_text, body, "readyByTime"), 5),
        meta=drop_empty(meta) if len(numbers) > 1 or body.get("warnings") else {},
    )


def read_text(body: Json, name: str) -> str | None:
    """Errors: ValueError for what is no text."""
    text = body.get(name)
    if text is None or isinstance(text, str):
        return text
    raise ValueError(name)
