"""The flows of a carrier for requests as they were stated: prepared, checked, and the answers made whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from shipcli.carrier.address_form import restore_place
from shipcli.carrier.base import CarrierError
from shipcli.carrier.currencies import list_exchange_rates, settle_money
from shipcli.carrier.duties import check_terms
from shipcli.carrier.exports import check_export
from shipcli.carrier.own_labels import check_printable, draw_own_label
from shipcli.carrier.preparation.limit_checks import ask_rates_within_limits, check_limits, find_broken_limits
from shipcli.carrier.preparation.refusals import check_payer
from shipcli.carrier.preparation.requests import is_declared, prepare
from shipcli.carrier.preparation.required_fields import require_fields
from shipcli.carrier.preparation.returns import (
    check_return_service,
    check_taken_back,
    is_return,
    keep_direction,
)
from shipcli.carrier.text_widths import fit_addresses
from shipcli.carrier.wire.calls import Bought, Flow, Pause
from shipcli.models import (
    AddressValidationDetails,
    Label,
    Message,
    Quote,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingInfo,
)

if TYPE_CHECKING:
    from shipcli.carrier.base import Carrier

T = TypeVar("T")
LINK = "carrier_tracking_link"
BETWEEN_LOOKUPS_S = 10.0


def start_checked_flow(carrier: Carrier[Any, Any], verb: str, request: Any) -> Flow[Any]:
    """Run the flow of a verb for a request that is whole and does not contradict itself, as some recorded
    ones are not.
    """
    if verb in ("rate", "ship") and is_declared(request):
        check_terms(request.customs)
    prepared = fit_addresses(require_fields(prepare(request, carrier), carrier), carrier)
    return (yield from start_prepared_flow(carrier, verb, request, prepared))


def start_flow(carrier: Carrier[Any, Any], verb: str, request: Any) -> Flow[Any]:
    """Run the flow of a verb on the prepared request."""
    return (yield from start_prepared_flow(carrier, verb, request, prepare(request, carrier)))


def start_prepared_flow(carrier: Carrier[Any, Any], verb: str, original: Any, request: Any) -> Flow[Any]:
    """Run the flow of a verb, with a label of ours where the carrier gives none.

    A purchase that comes back without the carrier's own label is bought, and its label missing.
    """
    if verb == "rate":
        return (yield from start_rate_flow(carrier, original, request))
    if verb == "void":
        check_taken_back(request, carrier)
    if verb == "ship":
        check_return_service(request, carrier)
        check_export(request, list_exchange_rates(request, carrier))
        request = settle_money(request, carrier)
        check_payer(request, carrier)
        check_limits(request, carrier, find_broken_limits(original, request, carrier))
        if carrier.labels == "ours":
            check_printable(request)
    flow = look_up(carrier, request) if verb == "recover" else find_method(carrier, verb, request)(request)
    result = add_links(carrier, (yield from flow))
    if isinstance(result, AddressValidationDetails) and result.complete_address:
        address = restore_place(original.address, result.complete_address, carrier.addresses)
        return result.model_copy(update={"complete_address": address})
    if verb not in ("ship", "recover") or result is None or not lacks_label(carrier, result):
        return result
    if carrier.labels == "theirs" and verb == "recover":
        return result  # the purchase is found; its label is fetched later
    yield Bought(
        result.tracking_number,
        result.shipment_identifier,
        selected_rate=result.selected_rate,
        meta=result.meta,
    )
    if carrier.labels == "theirs":
        text = f"{carrier.name} sold {result.tracking_number} and gave no label"
        raise CarrierError(Message(code="no_label", message=text))
    return draw_own_label(carrier, request, result)


def start_rate_flow(carrier: Carrier[Any, Any], original: Any, request: RateRequest) -> Flow[list[Quote]]:
    """Run the flow of a price, of services that take the shipment, and say what can't be bought."""
    request = settle_money(request, carrier)
    broken = find_broken_limits(original, request, carrier)
    quotes = yield from ask_rates_within_limits(request, carrier, broken)
    return list(keep_direction(quotes, request, carrier))


def look_up(carrier: Carrier[Any, Any], request: ShipmentRequest) -> Flow[Label | None]:
    """Run the flow that finds a purchase, again while the carrier may not know of it yet (`lookup_lag_s`)."""
    context = carrier.context
    age_s = (context.now - context.sent_at).total_seconds() if context.sent_at else 0.0
    label: Label | None = yield from carrier.recover(request)
    while label is None and age_s < carrier.lookup_lag_s:
        yield Pause(BETWEEN_LOOKUPS_S)
        age_s += BETWEEN_LOOKUPS_S
        label = yield from carrier.recover(request)
    return label


def find_method(carrier: Carrier[Any, Any], verb: str, request: Any) -> Callable[[Any], Flow[Any]]:
    """Return what a carrier does for a verb: a return is bought in a way of its own."""
    comes_back = verb == "ship" and is_return(request, carrier)
    method: Callable[[Any], Flow[Any]] = getattr(carrier, "ship_return" if comes_back else verb)
    return method


def fetch_flow(carrier: Carrier[Any, Any], bought: Bought, request: ShipmentRequest) -> Flow[Label]:
    """Run the flow that fetches the label of a bought shipment, or draws it."""
    request = prepare(request, carrier)
    if carrier.labels == "theirs":
        return add_links(carrier, (yield from carrier.fetch_label(bought, request)))
    label = Label(
        tracking_number=bought.name,
        shipment_identifier=bought.shipment_identifier,
        meta=dict(bought.meta),
    )
    return draw_own_label(carrier, request, label)


def add_links(carrier: Carrier[Any, Any], result: T) -> T:
    """Return a label or trackings with the carrier's public tracking page, where they name no other."""
    if isinstance(result, list):
        return [add_links(carrier, item) for item in result]  # type: ignore[return-value]
    if not isinstance(result, Label | Tracking) or not (link := carrier.link(result.tracking_number)):
        return result
    if isinstance(result, Label):
        return result.model_copy(update={"meta": {**result.meta, LINK: result.meta.get(LINK) or link}})
    info = result.info or TrackingInfo()
    page = info.carrier_tracking_link or link
    return result.model_copy(update={"info": info.model_copy(update={"carrier_tracking_link": page})})


def lacks_label(carrier: Carrier[Any, Any], label: Label) -> bool:
    return not label.docs.get("label") and label.label_type not in carrier.no_file
