"""Pickup requests that are passed straight to a carrier and not stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shipcli.features.book.drafts import expand_body, fill_parcel
from shipcli.features.connections import accounts
from shipcli.features.connections.carrier_call import ask_carrier
from shipcli.features.pickups.bookings import make_booked
from shipcli.models import (
    PickupCancelRequest,
    PickupCancelRequestData,
    PickupRequest,
    PickupRequestData,
    PickupUpdateRequest,
    PickupUpdateRequestData,
)
from shipcli.models.answers import (
    OperationConfirmation,
    OperationResponse,
    PickupResponse,
    ProxyPickup,
)

if TYPE_CHECKING:
    from shipcli.features.core.app import App


def schedule_pickup(app: App, carrier_name: str, data: PickupRequestData) -> PickupResponse:
    """Book a pickup with a carrier.

    Errors: NoConnection; NotFound if a stored object does not exist; Refused; OutcomeUnknown.
    """
    return _ask(app, carrier_name, data, "schedule_pickup", app.new_id("pck_"))


def update_pickup(app: App, carrier_name: str, data: PickupUpdateRequestData) -> PickupResponse:
    """Change a booked pickup with its carrier; the pickup in the response has no id.

    Errors: NoConnection; NotFound if a stored object does not exist; Refused; OutcomeUnknown.
    """
    return _ask(app, carrier_name, data, "update_pickup", None)


def _ask(
    app: App, carrier_name: str, data: PickupRequestData, verb: str, pickup_id: str | None
) -> PickupResponse:
    account = accounts.choose(app, "pickup", carrier_name=carrier_name)[0]
    body = expand_body(app, data)
    body["parcels"] = [fill_parcel(parcel) for parcel in body["parcels"]]
    model = PickupUpdateRequest if verb == "update_pickup" else PickupRequest
    details, messages = ask_carrier(app, account, verb, model.model_validate(body))
    pickup = ProxyPickup.model_validate(make_booked(app, account, {**body, "id": pickup_id}, details))
    return PickupResponse(messages=messages, pickup=pickup)


def cancel_pickup(app: App, carrier_name: str, data: PickupCancelRequestData) -> OperationResponse:
    """Cancel a booked pickup with its carrier.

    Errors: NoConnection; NotFound if a stored address does not exist; Refused; OutcomeUnknown.
    """
    account = accounts.choose(app, "pickup", carrier_name=carrier_name)[0]
    request = PickupCancelRequest.model_validate(expand_body(app, data))
    done, messages = ask_carrier(app, account, "cancel_pickup", request)
    confirmation = OperationConfirmation(
        operation=done.operation,
        success=done.success,
        carrier_name=account.slug,
        carrier_id=account.carrier_id,
    )
    return OperationResponse(messages=messages, confirmation=confirmation)
