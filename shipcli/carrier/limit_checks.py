"""The limits of services, asked about a request: before a price and before a purchase."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from shipcli.carrier.base import DESTINATION_NOT_SERVICED, FIELD_ERROR, CarrierError
from shipcli.carrier.limits import (
    BrokenLimit,
    Consignment,
    MeasuredParcel,
    list_address_lines,
    name_services,
)
from shipcli.carrier.wire.calls import Flow
from shipcli.carrier.wire.rounding import read_amount
from shipcli.carrier.wire.rows import note_message
from shipcli.models import Message, Quote, RateRequest, ShipmentRequest
from shipcli.models.basics.areas import Place

if TYPE_CHECKING:
    from shipcli.carrier.base import Carrier

INSURANCE, LANE = "insurance", "lane"
AnyRequest = RateRequest | ShipmentRequest


def find_broken_limits(
    stated: AnyRequest, request: AnyRequest, carrier: Carrier[Any, Any]
) -> list[BrokenLimit]:
    """Return the limits of a carrier that a request breaks.

    `stated` has the addresses as the caller wrote them, `request` parcels and amounts as they are prepared.
    """
    if not carrier.limits.rows:
        return []
    options = carrier.options_of(request)
    consignment = Consignment(
        origin=stated.shipper.country_code,
        destination=Place.of(stated.recipient),
        lines=list_address_lines(stated.recipient),
        parcels=[MeasuredParcel.of(parcel) for parcel in request.parcels],
        insured=find_insured(request, carrier),
        options=frozenset(name for name in carrier.limits.option_names if options.flag(name)),
    )
    return carrier.limits.find_broken(consignment)


def find_insured(request: AnyRequest, carrier: Carrier[Any, Any]) -> tuple[Decimal, str] | None:
    """Return the highest amount for which a parcel is insured, and its currency, "" where nobody says it."""
    if not any(row.insured for row in carrier.limits.rows):
        return None
    values = [options.value(INSURANCE) for options in carrier.options_of_each(request)]
    amounts = [amount for value in values if not isinstance(value, bool) and (amount := read_amount(value))]
    currency = carrier.name_option_currency(request) or str(request.options.get("currency") or "")
    return (max(amounts), currency.upper()) if amounts else None


def check_limits(request: ShipmentRequest, carrier: Carrier[Any, Any], broken: Sequence[BrokenLimit]) -> None:
    """Errors: CarrierError naming the service and the limit that a purchase breaks."""
    if own := carrier.limits.select_broken(broken, request.service):
        raise CarrierError(*[explain_broken(one, request.service) for one in own])


def ask_rates_within_limits(
    request: RateRequest, carrier: Carrier[Any, Any], broken: Sequence[BrokenLimit]
) -> Flow[list[Quote]]:
    """Run the flow of a price, without the services that do not take the shipment.

    A message names those that were asked for; others go without saying, unless nothing is offered.
    Errors: CarrierError that says so when no other service takes it.
    """
    if not broken:
        return (yield from carrier.rate(request))
    request, messages = keep_services(request, carrier, broken)
    quotes = yield from carrier.rate(request)
    kept = [one for one in quotes if not carrier.limits.select_broken(broken, str(one.service))]
    if messages and not kept:
        raise CarrierError(*messages)
    for message in messages if request.services else ():
        if message.code != DESTINATION_NOT_SERVICED:
            note_message(message)
    return kept


def keep_services(
    request: RateRequest, carrier: Carrier[Any, Any], broken: Sequence[BrokenLimit]
) -> tuple[RateRequest, list[Message]]:
    """Return the request without the services that do not take the shipment, and messages about those.

    Errors: CarrierError when none is left.
    """
    asked = list(request.services) or carrier.list_offered()
    kept = [name for name in asked if not carrier.limits.select_broken(broken, name)]
    names = [(one, name_limited(one, request, carrier)) for one in broken]
    messages = [explain_broken(one, limited) for one, limited in names if limited]
    if messages and not kept:
        raise CarrierError(*messages)
    return (request.changed(services=kept) if request.services else request), messages


def name_limited(broken: BrokenLimit, request: RateRequest, carrier: Carrier[Any, Any]) -> str:
    """Return whom a message is about: the services asked for, else the carrier or some of its services."""
    if not request.services and not broken.limit.services:
        return carrier.slug
    asked = request.services or carrier.list_offered()
    return name_services([one for one in asked if carrier.limits.covers(broken.limit, one)])


def explain_broken(broken: BrokenLimit, names: str) -> Message:
    """Return the message about a limit; one of a lane has the code of a carrier that does not go there."""
    field, kind, text = broken.problem
    code = DESTINATION_NOT_SERVICED if kind == LANE else FIELD_ERROR
    return Message(code=code, message=f"{names}: {text}", details={field: {"code": kind, "message": text}})
