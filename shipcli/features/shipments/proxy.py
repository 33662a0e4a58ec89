"""Operations that are passed straight to carriers; only traces are stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shipcli.carrier.duties import check_terms
from shipcli.features.book.drafts import (
    expand_body,
    fill_dates,
    fill_parcels,
    fill_payment,
    give_customs_ids,
)
from shipcli.features.connections import accounts
from shipcli.features.connections.carrier_call import ask_carrier
from shipcli.features.connections.option_names import check_customs_names
from shipcli.features.core.scenarios import check_expired, find_scenario, read_scenario
from shipcli.features.shipments import proxy_sales
from shipcli.features.shipments.rating import quote, quote_again
from shipcli.features.shipments.requirements import check_persons
from shipcli.features.trackers import service as trackers
from shipcli.features.trackers.carrier_answers import ask_about_number, explain_not_found, find_tracking
from shipcli.models import (
    CancelRequest,
    NotFound,
    RateRequest,
    RateRequestData,
    RateResponse,
    Shipment,
    ShipmentCancelData,
    ShippingRequestData,
    TrackingData,
    TrackingInfo,
)
from shipcli.models.answers import OperationConfirmation, OperationResponse, TrackingResponse
from shipcli.models.shipment import ShippingResponse
from shipcli.models.tracker import Images, TrackerDetails

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.core.idempotency_key import IdempotencyKey


def fetch_rates(app: App, data: RateRequestData) -> RateResponse:
    """Fetch rates from all matching connections, cheapest first, with the messages of the others.

    Errors: NoConnection; Refused if no carrier has a rate.
    """
    body = expand_body(app, data)
    body["parcels"] = fill_parcels(body["parcels"])
    body["options"] = fill_dates(app.now(), body["options"], body["shipper"])
    request = RateRequest.model_validate(body)
    rates, messages = quote(app, request, carrier_ids=data.carrier_ids, strict=True)
    return RateResponse(messages=messages, rates=rates)


def buy_label(app: App, data: ShippingRequestData, *, once: IdempotencyKey | None = None) -> ShippingResponse:
    """Buy a label at one of the given rates and return it with its files, without storing a shipment.

    The price in the given rate is not trusted: the response has the carrier's own price, else the account's
    current quote.
    Errors: NotFound if the rate is unknown or of the other mode; Invalid; NoConnection; those of `sell`.
    """
    rate = next((rate for rate in data.rates if rate.id == data.selected_rate_id), None)
    if rate is None:
        raise NotFound("rate", message=accounts.INVALID_RATE)
    shipment = build_unstored_shipment(app, data)
    check_persons(shipment)
    check_terms(shipment.customs)
    check_customs_names(shipment.customs)
    if find_scenario(app, shipment, rate) == "expired_rate":
        check_expired(app, shipment, rate)
    account = accounts.find_account_of_rate(app, rate, "shipping")
    return proxy_sales.sell(app, shipment, quote_again(app, account, shipment, rate), account, once)


def build_unstored_shipment(app: App, data: ShippingRequestData) -> Shipment:
    body = expand_body(app, data)
    read_scenario(app, options=body["options"], metadata=body.get("metadata"))
    return Shipment.model_validate(
        body
        | {
            "id": app.new_id("shp_"),
            "parcels": fill_parcels(body["parcels"]),
            "customs": give_customs_ids(app, body["customs"]),
            "options": fill_dates(app.now(), body["options"], body["shipper"]),
            "payment": fill_payment(data, body),
            "test_mode": app.test_mode,
            "created_at": app.stamp(),
        }
    )


def void_label(app: App, slug: str, data: ShipmentCancelData) -> OperationResponse:
    """Void a label with its carrier.

    Errors: NoConnection; Refused.
    """
    carrier_ids = [data.carrier_id] if data.carrier_id else []
    account = accounts.choose(app, "shipping", carrier_name=slug, carrier_ids=carrier_ids)[0]
    request = CancelRequest(
        shipment_identifier=data.shipment_identifier,
        service=data.service,
        carrier_id=data.carrier_id,
        options=data.options,
    )
    done, messages = ask_carrier(app, account, "void", request)
    return OperationResponse(
        messages=messages,
        confirmation=OperationConfirmation(
            operation=done.operation,
            success=done.success,
            carrier_name=account.slug,
            carrier_id=account.carrier_id,
        ),
    )


def get_tracking(app: App, data: TrackingData, *, hub: str | None = None) -> TrackingResponse:
    """Return what a carrier knows about a tracking number.

    Errors: Invalid if the carrier does not track; NoConnection; Refused (404) if it does not know the number.
    """
    trackers.check_trackable(data)
    account = accounts.choose(app, "tracking", carrier_name=hub or data.carrier_name)[0]
    outcome = ask_about_number(app, account, data, hub)
    tracking = find_tracking(data.tracking_number, outcome)
    if tracking is None:
        raise explain_not_found(app, data.tracking_number, outcome)
    tracker = trackers.make_tracker(app, data, account, tracking, [])
    plain: dict[str, Any] = {**tracker.model_dump(), "info": (tracker.info or TrackingInfo()).model_dump()}
    plain["images"] = Images.model_validate(tracking.images).model_dump() if tracking.images else None
    plain["meta"] = {"carrier": account.shown_name, "ext": account.slug, **tracking.meta}
    return TrackingResponse(messages=outcome.messages, tracking=TrackerDetails.model_validate(plain))
