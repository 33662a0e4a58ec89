"""Pickup and manifest requests that are passed straight to a carrier and not stored."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from shipcli.features.book.drafts import expand_body, fill_parcel
from shipcli.features.connections import accounts
from shipcli.features.connections.carrier_call import ask_carrier
from shipcli.features.core.shipment_lookup import find_account, find_shipments
from shipcli.features.pickups.bookings import make_booked
from shipcli.features.pickups.manifest_creation import asks_carrier, make_form_file
from shipcli.features.pickups.manifest_requests import make_manifest_request
from shipcli.models import (
    Address,
    ManifestDetails,
    ManifestRequestData,
    Message,
    PickupCancelRequest,
    PickupCancelRequestData,
    PickupRequest,
    PickupRequestData,
    PickupUpdateRequest,
    PickupUpdateRequestData,
)
from shipcli.models.answers import (
    ManifestDocument,
    ManifestResponse,
    OperationConfirmation,
    OperationResponse,
    PickupResponse,
    ProxyManifest,
    ProxyPickup,
)

if TYPE_CHECKING:
    from shipcli.features.core.app import App


def generate_manifest(app: App, data: ManifestRequestData) -> ManifestResponse:
    """Return the end-of-day form of shipments as base64; unknown identifiers go to the carrier unchanged.

    Errors: NoConnection; NotFound if a stored address does not exist; Refused; OutcomeUnknown.
    """
    able = accounts.choose(app, "shipping", carrier_name=data.carrier_name)
    shipments = find_shipments(app, data.shipment_identifiers)
    stored = list(
        {shipment.id: shipment for shipment in shipments.values() if shipment.tracking_number}.values()
    )
    others = [word for word in dict.fromkeys(data.shipment_identifiers) if word not in shipments]
    account = (find_account(stored[0], able) if stored else None) or able[0]
    body = expand_body(app, data)
    address = Address.model_validate(body["address"])
    details, messages = ManifestDetails(), list[Message]()
    if asks_carrier(account, stored, others):
        details, messages = ask_carrier(
            app, account, "manifest", make_manifest_request(stored, address, body, others)
        )
    content = make_form_file(app, account, address, stored, details, body["reference"], others)
    manifest = ProxyManifest(
        id=app.new_id("manf_"),
        carrier_name=account.slug,
        carrier_id=account.carrier_id,
        doc=ManifestDocument(manifest=base64.b64encode(content).decode()),
        meta={**details.meta, "ext": account.slug, "carrier": account.shown_name},
        test_mode=app.test_mode,
    )
    return ManifestResponse(messages=messages, manifest=manifest)


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
