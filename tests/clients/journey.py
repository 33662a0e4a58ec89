"""From an address to a webhook with the generated Python client; what it was told is printed as JSON.

Usage: journey.py URL API_KEY RECEIVER_URL
"""

from __future__ import annotations

import base64
import json
import sys
from typing import Any

import shipping
from shipping.exceptions import NotFoundException

SHIPPER = shipping.AddressData(
    person_name="Dock Two", address_line1="2600 Benjamin Franklin Pkwy", city="Philadelphia",
    state_code="PA", postal_code="19130", country_code="US", phone_number="+1 215-763-8100",
)  # fmt: skip
RECIPIENT = shipping.AddressData(
    person_name="Ana Ruiz", address_line1="1625 N Central Ave", city="Phoenix", state_code="AZ",
    postal_code="85004", country_code="US", phone_number="+1 602-262-7902",
)  # fmt: skip
PARCEL = shipping.ParcelData(
    weight=5, weight_unit="LB", width=12, height=8, length=16, dimension_unit="IN"
)  # fmt: skip


def journey(api: shipping.ApiClient, receiver: str) -> dict[str, Any]:
    """What every step answered."""
    shipments, files = shipping.ShipmentsApi(api), shipping.FilesApi(api)
    trackers, webhooks = shipping.TrackersApi(api), shipping.WebhooksApi(api)

    address = shipping.AddressesApi(api).create(RECIPIENT)
    draft = shipments.create(
        shipping.ShipmentData(
            shipper=SHIPPER, recipient=RECIPIENT, parcels=[PARCEL], carrier_ids=["ups"], reference="J-1"
        )
    )
    bought = shipments.purchase(
        draft.id, shipping.ShipmentPurchaseData(selected_rate_id=draft.rates[0].id, label_type="PDF")
    )
    label = files.download_label(bought.id, "pdf")
    tracker = trackers.retrieve(bought.tracking_number)
    found = trackers.list(tracking_number=bought.tracking_number)
    webhook = webhooks.create(
        shipping.WebhookData(url=receiver, enabled_events=["shipment_cancelled"], description="Journey")
    )
    trial = webhooks.test(webhook.id, shipping.WebhookTestRequest(payload={"order": 1042}))
    voided = shipments.cancel(bought.id)
    return {
        "address": address.to_dict(),
        "draft": draft.to_dict(),
        "bought": bought.to_dict(),
        "label": base64.b64encode(label).decode(),
        "tracker": tracker.to_dict(),
        "found": found.to_dict(),
        "webhook": webhook.to_dict(),
        "trial": trial.to_dict(),
        "voided": voided.to_dict(),
        "missing": missing(shipments),
    }


def missing(shipments: shipping.ShipmentsApi) -> dict[str, Any]:
    """How the client tells that a shipment is not there."""
    try:
        shipments.retrieve("shp_none")
    except NotFoundException as refusal:
        return {"status": refusal.status, **json.loads(refusal.body)}
    raise AssertionError("a shipment that is not there was found")


def main(url: str, key: str, receiver: str) -> None:
    configuration = shipping.Configuration(url, api_key={"Token": key}, api_key_prefix={"Token": "Token"})
    with shipping.ApiClient(configuration) as api:
        print(json.dumps(journey(api, receiver), default=str))


if __name__ == "__main__":
    main(*sys.argv[1:])
