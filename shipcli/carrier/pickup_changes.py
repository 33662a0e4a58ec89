"""Changes of collections, for carriers that can only cancel one and book another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shipcli.carrier.base import CarrierError
from shipcli.carrier.wire.calls import Flow
from shipcli.models import Confirmation, Message, PickupDetails

if TYPE_CHECKING:
    from shipcli.carrier.base import Carrier


def rebook_pickup(
    carrier: Carrier[Any, Any], number: str, cancel: Flow[Confirmation], book: Flow[PickupDetails]
) -> Flow[PickupDetails]:
    """Cancel the collection `number`, then book another in its place.

    One that is cancelled already, by a change that failed half-way, does not stand in the way.
    Errors: CarrierError; of a booking that fails it says that nothing is left of the old collection.
    """
    try:
        yield from cancel
    except CarrierError as error:
        if not carrier.says_done_before("cancel_pickup", error.messages):
            raise
    try:
        return (yield from book)
    except CarrierError as error:
        text = f"Pickup {number} is cancelled, and the one in its place is not confirmed"
        raise CarrierError(*error.messages, Message(code="pickup_not_replaced", message=text)) from error
