"""Operations that go straight through to carriers and store nothing but traces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shipcli.carrier.flow_runner import CarrierJob
from shipcli.models import (
    CancelRequest,
    Label,
    Message,
    NotFound,
    OutcomeUnknown,
    RateRequest,
    RateRequestData,
    RateResponse,
    Refused,
    Shipment,
    ShipmentCancelData,
    ShippingRequestData,
    TrackingData,
    TrackingInfo,
)
from shipcli.models.answers import OperationConfirmation, OperationResponse, TrackingResponse
from shipcli.models.shipment import Documents, ShippingResponse
from shipcli.models.tracker import Images, TrackerDetails
from shipcli.services import accounts, trackers
from shipcli.services.asking import asked
from shipcli.services.drafts import customs_of, filled_parcels, plain_body, with_dates
from shipcli.services.intents import Intent
from shipcli.services.purchase import purchased, request_of, tracking_url, without_paper
from shipcli.services.rates import quote, quoted_now
from shipcli.services.requirements import check_persons
from shipcli.services.scenarios import read_scenario, scenario_of

if TYPE_CHECKING:
    from shipcli.services.app import App
    from shipcli.services.idempotency import Once

UNKNOWN = "The purchase was sent and its outcome is unknown: look it up with the carrier before buying again"


def fetch_rates(app: App, data: RateRequestData) -> RateResponse:
    """Rates of all fitting connections, cheapest first, beside what the others said.

    Errors: NoConnection; Refused when no carrier has a rate.
    """
    body = plain_body(app, data)
    body["parcels"] = filled_parcels(body["parcels"])
    body["options"] = with_dates(app, body["options"], body["shipper"])
    request = RateRequest.model_validate(body)
    rates, messages = quote(app, request, carrier_ids=data.carrier_ids, strict=True)
    return RateResponse(messages=messages, rates=rates)


def buy_label(app: App, data: ShippingRequestData, *, once: Once | None = None) -> ShippingResponse:
    """A label bought at one of the given rates; its files come along, nothing is stored.

    What the caller says a rate costs is not taken for its price: the answer has the carrier's own, else what
    its account quotes.
    Errors: NotFound for an unknown rate, or one of the other mode; Invalid; NoConnection; Refused;
            OutcomeUnknown when the answer was lost and the carrier can't say what became of it.
    """
    rate = next((one for one in data.rates if one.id == data.selected_rate_id), None)
    if rate is None:
        raise NotFound("rate", message=accounts.INVALID_RATE)
    shipment = unstored(app, data)
    check_persons(shipment)
    account = accounts.of_rate(app, rate, "shipping")
    intent = Intent(app.new_id(""), shipment, quoted_now(app, account, shipment, rate))
    if once:
        with app.store.transaction(durable=True) as tx:
            once.mark_sent(tx)
    label, messages = bought(app, intent, account)
    answer = answer_of(app, intent, account, label, messages)
    if once:
        with app.store.transaction(durable=True) as tx:
            once.remember(tx, answer.plain())
    return answer


def bought(app: App, intent: Intent, account: accounts.Account) -> tuple[Label, list[Message]]:
    """The label of a purchase, and what the carrier said; a lost answer is looked up where the carrier can.

    Errors: Refused when nothing was bought; OutcomeUnknown.
    """
    shipment, request = intent.shipment, request_of(app, intent, account)
    carrier = account.open(app, key=intent.key, scenario=scenario_of(app, shipment))
    outcome = app.driver.run(CarrierJob.of(carrier, "ship", request, shipment.id))
    if outcome.result is not None:
        return outcome.result, outcome.messages
    if outcome.paid:
        return without_paper(outcome.paid), outcome.messages
    if not outcome.unknown:
        raise Refused(outcome.messages)
    who = {"carrier_name": account.slug, "carrier_id": account.carrier_id}
    note = Message.model_validate({"code": OutcomeUnknown.code, "message": UNKNOWN, **who})
    if not account.kind.can("recover"):
        raise OutcomeUnknown([*outcome.messages, note])
    carrier = account.open(app, key=intent.key)
    looked = app.driver.run(CarrierJob.of(carrier, "recover", request, shipment.id))
    if looked.failed:
        raise OutcomeUnknown([*outcome.messages, *looked.messages, note])
    if looked.result is None:
        raise Refused(outcome.messages)
    return looked.result, [*outcome.messages, *looked.messages]


def unstored(app: App, data: ShippingRequestData) -> Shipment:
    body = plain_body(app, data)
    read_scenario(app, options=body["options"], metadata=body.get("metadata"))
    payment = dict(body["payment"])
    if "payment" not in data.model_fields_set and body["options"].get("currency"):
        payment["currency"] = body["options"]["currency"]
    return Shipment.model_validate(
        body
        | {
            "id": app.new_id("shp_"),
            "parcels": filled_parcels(body["parcels"]),
            "customs": customs_of(app, body["customs"]),
            "options": with_dates(app, body["options"], body["shipper"]),
            "payment": payment,
            "test_mode": app.test_mode,
            "created_at": app.stamp(),
        }
    )


def answer_of(
    app: App, intent: Intent, account: accounts.Account, label: Label, messages: list[Message]
) -> ShippingResponse:
    shipment = purchased(app, intent, account, label, messages)
    plain = {**shipment.plain(), "docs": Documents.model_validate(label.docs).plain()}
    plain["rates"] = [plain["selected_rate"]]
    plain["tracking_url"] = tracking_url(account, label.tracking_number, intent.rate, "/v1/proxy/tracking")
    return ShippingResponse.model_validate(plain)


def void_label(app: App, slug: str, data: ShipmentCancelData) -> OperationResponse:
    """Have a carrier take a label back.

    Errors: NoConnection; Refused.
    """
    wanted = [data.carrier_id] if data.carrier_id else []
    account = accounts.choose(app, "shipping", carrier_name=slug, carrier_ids=wanted)[0]
    request = CancelRequest(
        shipment_identifier=data.shipment_identifier,
        service=data.service,
        carrier_id=data.carrier_id,
        options=data.options,
    )
    done, messages = asked(app, account, "void", request)
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
    """What a carrier knows of a number.

    Errors: Invalid for a carrier that does not track; NoConnection; Refused (404) when it knows nothing.
    """
    trackers.check_trackable(data.carrier_name)
    account = accounts.choose(app, "tracking", carrier_name=hub or data.carrier_name)[0]
    outcome = trackers.ask(app, account, {data.tracking_number: trackers.options_of(data, hub)})
    found = trackers.found_in(data.tracking_number, outcome)
    if found is None:
        raise trackers.not_found(data.tracking_number, outcome)
    tracker = trackers.new_tracker(app, data, account, found, [])
    plain: dict[str, Any] = {**tracker.plain(), "info": (tracker.info or TrackingInfo()).plain()}
    plain["images"] = Images.model_validate(found.images).plain() if found.images else None
    plain["meta"] = {"carrier": account.shown_name, "ext": account.slug, **found.meta}
    return TrackingResponse(messages=outcome.messages, tracking=TrackerDetails.model_validate(plain))
