"""Collections of SAPIENT: one for each shipment, by whose id they are known. Pure."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote

from shipcli.carrier.wire.json_paths import Json, drop_empty
from shipcli.models import Invalid, PickupCancelRequest, PickupDetails, PickupRequest

from .parts import desk_options


class Collection(NamedTuple):
    """The collection of a shipment by the carrier behind the hub."""

    carrier: str
    shipment: str

    @property
    def path(self) -> str:
        return f"/v4/collections/{quote(self.carrier, safe='')}/{quote(self.shipment, safe='')}"


def find_collection(request: PickupRequest | PickupCancelRequest, usual: str) -> Collection:
    """Whose collection a request means; `usual` is the carrier where none is named.

    Errors: Invalid unless it is that of one shipment.
    """
    options = desk_options(request)
    named = getattr(request, "shipment_identifiers", None) or options.items("shipment_identifiers")
    shipment_id = options.text("sapient_shipment_id")
    shipments = [shipment_id] if shipment_id else list(dict.fromkeys(named))
    if len(shipments) != 1:
        raise Invalid("shipment_identifiers", "SAPIENT collects one shipment at a time")
    return Collection(options.text("sapient_carrier_code") or usual, str(shipments[0]))


def write_pickup(request: PickupRequest) -> Json:
    """SAPIENT takes a day, or a slot that was reserved; the times and the place are the shipment's."""
    options = desk_options(request)
    body = {
        "SlotDate": request.pickup_date[:10],
        "SlotReservationId": options.text("sapient_slot_reservation_id"),
        "BringMyLabel": options.flag("sapient_bring_my_label"),
    }
    written: Json = drop_empty(body)
    return written


def read_pickup(body: Json, collection: Collection) -> PickupDetails:
    return PickupDetails(
        confirmation_number=body["CollectionOrderId"],
        pickup_date=body.get("CollectionDate"),
        meta={"sapient_shipment_id": collection.shipment, "sapient_carrier_code": collection.carrier},
    )
