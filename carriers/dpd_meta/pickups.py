"""Collections of META, which can be booked and not be changed. Pure.

Source: the fact sheet: META's published description leaves them out.
"""

from __future__ import annotations

from shipcli.carrier.contents import join_words
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.models import PickupDetails, PickupRequest

from .parts import Customer, is_no, write_address, write_contact, write_grams

LEAST_G, COMMENT = 1000, 70  # grams of a collection; characters


def write_pickup(request: PickupRequest, customer: Customer, depot: str | None) -> Json:
    """Where the parcels wait is told in words."""
    weight = write_grams(parcel.weight_in("G") for parcel in request.parcels if parcel.weight)
    body = {
        "customerInfos": customer.write(),
        "shipmentNumbers": list(request.shipment_identifiers or ()),
        "pickup": {
            "date": request.pickup_date,
            "fromTime": request.ready_time[:5].replace(":", ""),
            "toTime": request.closing_time[:5].replace(":", ""),
        },
        "numberOfParcels": len(request.parcels) or 1,
        "pickupAddress": write_address(request.address),
        "pickupContact": write_contact(request.address, named=True),
        "pickupWeight": str(max(int(weight), LEAST_G)),
        "comment": cut_text(join_words([request.instruction, request.package_location]), COMMENT),
        "sendingDepot": depot,
    }
    return dict(drop_empty(body))


def read_pickup(body: Json) -> PickupDetails:
    """Errors: LookupError for an answer without a number."""
    booked = [row for row in as_list(body["scheduledPickupResponse"]) if not is_no(row)]
    if not booked:
        raise LookupError("pickupreference")
    first = booked[0]
    meta = {"status_code": first.get("statusCode"), "status_description": first.get("statusDescription")}
    return PickupDetails(confirmation_number=str(first["pickupreference"]), meta=drop_empty(meta))
