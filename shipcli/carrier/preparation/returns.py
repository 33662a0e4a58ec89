"""Returns: which services bring goods back, and from where.

A carrier says it of its services (`returns` in the catalogue); where it says nothing, all of them do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from shipcli.carrier.base import FIELD_ERROR, CarrierError
from shipcli.models import CancelRequest, Invalid, Message, Quote, RateRequest, ShipmentRequest
from shipcli.models.basics.text import join_words

if TYPE_CHECKING:
    from shipcli.carrier.base import Carrier

RequestT = TypeVar("RequestT", RateRequest, ShipmentRequest)
IS_RETURN = "is_return"
MOST_NAMED = 4  # of services in a message


def is_return(request: RateRequest | ShipmentRequest, carrier: Carrier[Any, Any]) -> bool:
    """Whether a customer sends goods back."""
    return carrier.options_of(request).flag(IS_RETURN)


def turn_around(request: RequestT) -> RequestT:
    """The request with its ends exchanged: the way that the goods went before they come back."""
    ends = {"shipper": request.recipient, "recipient": request.shipper}
    return request.model_copy(update=ends)


def keep_direction(
    quotes: Sequence[Quote], request: RateRequest, carrier: Carrier[Any, Any]
) -> Sequence[Quote]:
    """Return the quotes of services that go the way of the request.

    A service by which goods only come back is no offer for goods that are sent, unless it is asked for by
    its name.
    Errors: CarrierError when prices are there, and none is of a service that brings goods back.
    """
    services = carrier.services
    if not is_return(request, carrier):
        named = frozenset(request.services)
        return [
            quote for quote in quotes if services.is_outward(quote.service) or str(quote.service) in named
        ]
    if not services.returning:
        return quotes
    back = [quote for quote in quotes if services.brings_back(quote.service)]
    if quotes and not back:
        text = f"None of the prices is that of a return: {_name_offers(carrier)} return labels"
        raise CarrierError(Message(code=FIELD_ERROR, message=text))
    return back


def check_parcels_back(request: RateRequest | ShipmentRequest, carrier: Carrier[Any, Any]) -> None:
    """Errors: Invalid for a return of several parcels, where each of them needs a return of its own."""
    if carrier.one_parcel_back and len(request.parcels) > 1 and is_return(request, carrier):
        raise Invalid("parcels", f"{carrier.name} sells a return label for one parcel; buy one for each")


def check_return_service(request: ShipmentRequest, carrier: Carrier[Any, Any]) -> None:
    """Errors: Invalid for a return by a service that brings nothing back."""
    if is_return(request, carrier) and not carrier.services.brings_back(request.service):
        raise Invalid("service", f"has no return labels at {carrier.name}; {_name_offers(carrier)}")


def check_taken_back(request: CancelRequest, carrier: Carrier[Any, Any]) -> None:
    """Errors: CarrierError for a return label that the carrier does not take back."""
    if carrier.why_returns_stay and carrier.options_of(request).flag(IS_RETURN):
        raise carrier.refuse("return_stays", carrier.why_returns_stay)


def _name_offers(carrier: Carrier[Any, Any]) -> str:
    names = carrier.services.returning
    if len(names) > MOST_NAMED:
        names = (*names[:MOST_NAMED], "others")
    return f"{join_words(names)} {'have' if len(names) > 1 else 'has'}"
