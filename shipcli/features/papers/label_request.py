"""The request to buy a label, also used for a label that is fetched later."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shipcli.features.papers import purchase_invoice as invoices
from shipcli.features.parts.drafts import is_own_number
from shipcli.models import Address, ShipmentRequest

if TYPE_CHECKING:
    from shipcli.features.connections.accounts import Account
    from shipcli.features.core.app import App
    from shipcli.features.intents.service import Intent


def build_label_request(app: App, intent: Intent, account: Account) -> ShipmentRequest:
    """Return the request to buy a label for a shipment.

    The numbers we assign to parcels serve carriers without a network; others print the caller's own.
    """
    shipment = intent.shipment
    parcels = [
        parcel.changed(reference_number=None)
        if account.kind.hosts and is_own_number(app, parcel.reference_number)
        else parcel
        for parcel in shipment.parcels
    ]
    return ShipmentRequest.model_construct(
        shipper=shipment.shipper,
        recipient=shipment.recipient,
        parcels=parcels,
        service=str(intent.rate.service),
        options={**shipment.options, **invoices.make_files_option(intent.invoice)},
        payment=shipment.payment,
        customs=shipment.customs,
        return_address=make_address(shipment.return_address),
        billing_address=make_address(shipment.billing_address),
        reference=shipment.reference,
        label_type=shipment.label_type,
        metadata=shipment.metadata,
    )


def make_address(value: Any) -> Address | None:
    return Address.model_construct(**dict(value)) if value is not None else None
