"""The limits of services, asked about a request: before a price and before a purchase."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from shipcli.carrier.base import DESTINATION_NOT_SERVICED, FIELD_ERROR, CarrierError
from shipcli.carrier.contents import holds_only_documents, list_goods, list_goods_by_parcel
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
from shipcli.models.basics.areas import Place, crosses_customs
from shipcli.models.rate import PRICED_ONLY

if TYPE_CHECKING:
    from shipcli.carrier.base import Carrier
    from shipcli.carrier.catalogue_rows import Option

INSURANCE, LANE, REFUSED = "insurance", "lane", "refused"
AnyRequest = RateRequest | ShipmentRequest


def find_broken_limits(
    stated: AnyRequest, request: AnyRequest, carrier: Carrier[Any, Any]
) -> list[BrokenLimit]:
    """Return the limits of a carrier that a request breaks.

    `stated` has the addresses as the caller wrote them, `request` parcels and amounts as they are prepared.
    """
    if not carrier.limits.rows:
        return []
    chosen = [carrier.options_of(request), *carrier.options_of_each(request)]
    names = (name for name in carrier.limits.option_names if any(options.flag(name) for options in chosen))
    parcels = request.parcels
    consignment = Consignment(
        origin=stated.shipper.country_code,
        destination=Place.of(stated.recipient),
        lines=list_address_lines(stated.recipient),
        parcels=[MeasuredParcel.of(parcel) for parcel in parcels],
        insured=find_insured(request, carrier),
        options=frozenset(names),
        goods=tuple(list_goods(request)) if crosses_border(stated) else None,
        declared=list_goods(request) if request.customs else (),
        parcel_goods=list_goods_by_parcel(request) if request.customs else (),
        is_document=holds_only_documents(parcels),
    )
    return carrier.limits.find_broken(consignment)


def crosses_border(request: AnyRequest) -> bool:
    """Whether goods pass customs; not where nobody says where they go."""
    is_located = bool(request.shipper.country_code and request.recipient.country_code)
    return is_located and crosses_customs(request.shipper, request.recipient)


def find_insured(request: AnyRequest, carrier: Carrier[Any, Any]) -> tuple[Decimal, str] | None:
    """Return the highest amount for which a parcel is insured, and its currency, "" where nobody says it."""
    if not any(row.insured for row in carrier.limits.rows):
        return None
    names = [INSURANCE, *(row.slug for row in carrier.options if is_insurance(row))]
    values = [options.value(name) for options in carrier.options_of_each(request) for name in names]
    amounts = [amount for value in values if not isinstance(value, bool) and (amount := read_amount(value))]
    currency = carrier.name_option_currency(request) or str(request.options.get("currency") or "")
    return (max(amounts), currency.upper()) if amounts else None


def is_insurance(row: Option) -> bool:
    """Whether the value of an option is an amount to insure."""
    return row.type is Decimal and (INSURANCE in row.aliases or INSURANCE in row.slug)


def check_limits(request: ShipmentRequest, carrier: Carrier[Any, Any], broken: Sequence[BrokenLimit]) -> None:
    """Errors: CarrierError naming the service and the limit that a purchase breaks."""
    if relevant := carrier.limits.select_broken(broken, request.service):
        raise CarrierError(*[explain_broken(problem, request.service) for problem in relevant])


def ask_rates_within_limits(
    request: RateRequest, carrier: Carrier[Any, Any], broken: Sequence[BrokenLimit]
) -> Flow[list[Quote]]:
    """Run the flow of a price, without the services that do not take the shipment.

    A message names those that were asked for; others go without saying, unless nothing is offered. Quotes
    of what is priced and can't be bought say so.
    Errors: CarrierError that says so when no other service takes it.
    """
    if not broken:
        return (yield from carrier.rate(request))
    refused = [problem for problem in broken if not problem.limit.priced]
    request, messages = keep_services(request, carrier, refused)
    quotes = yield from carrier.rate(request)
    allowed = [quote for quote in quotes if not carrier.limits.select_broken(refused, str(quote.service))]
    if messages and not allowed:
        raise CarrierError(*messages)
    for message in messages if request.services else ():
        if message.code != DESTINATION_NOT_SERVICED:
            note_message(message)
    return [mark_unsold(quote, carrier.limits.select_broken(broken, str(quote.service))) for quote in allowed]


def mark_unsold(quote: Quote, broken: Sequence[BrokenLimit]) -> Quote:
    """Return a quote that says in its `meta` why its service can't be bought, if it breaks limits."""
    if not broken:
        return quote
    field, _, text = broken[0].problem
    return quote.model_copy(update={"meta": {**(quote.meta or {}), PRICED_ONLY: f"{field}: {text}"}})


def keep_services(
    request: RateRequest, carrier: Carrier[Any, Any], broken: Sequence[BrokenLimit]
) -> tuple[RateRequest, list[Message]]:
    """Return the request without the services that do not take the shipment, and messages about those.

    Errors: CarrierError when none is left.
    """
    services = list(request.services) or carrier.list_offered()
    allowed = [name for name in services if not carrier.limits.select_broken(broken, name)]
    names = [(problem, name_limited(problem, request, carrier)) for problem in broken]
    messages = [explain_broken(problem, limited) for problem, limited in names if limited]
    if messages and not allowed:
        raise CarrierError(*messages)
    return (request.model_copy(update={"services": allowed}) if request.services else request), messages


def name_limited(broken: BrokenLimit, request: RateRequest, carrier: Carrier[Any, Any]) -> str:
    """Return whom a message is about: the services asked for, else the carrier or some of its services."""
    if not request.services and not broken.limit.services:
        return carrier.slug
    services = request.services or carrier.list_offered()
    return name_services([service for service in services if carrier.limits.covers(broken.limit, service)])


def explain_broken(broken: BrokenLimit, names: str) -> Message:
    """Return the message about a limit; one of a lane has the code of a carrier that does not go there."""
    field, kind, text = broken.problem
    code = DESTINATION_NOT_SERVICED if kind == LANE else FIELD_ERROR
    reason = f"{field}: {text}" if kind == REFUSED else text  # who chose several options sees which
    return Message(code=code, message=f"{names}: {reason}", details={field: {"code": kind, "message": text}})
