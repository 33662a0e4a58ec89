"""Manifest requests that are passed straight to a carrier and not stored."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from shipcli.features.book.drafts import expand_body
from shipcli.features.connections import accounts
from shipcli.features.connections.carrier_call import ask_carrier
from shipcli.features.core.shipment_lookup import find_account, find_shipments
from shipcli.features.pickups.manifest_creation import asks_carrier, make_form_file
from shipcli.features.pickups.manifest_requests import make_manifest_request
from shipcli.models import Address, ManifestDetails, ManifestRequestData, Message
from shipcli.models.answers import ManifestDocument, ManifestResponse, ProxyManifest

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
