"""What carriers are asked, and what they give back: frozen values with lenient parts."""

from decimal import Decimal
from typing import Any

from shipcli.models.base import NO_ITEMS, NO_KEYS, Listed, Model, Money, Object
from shipcli.models.document import UploadedDocument
from shipcli.models.parts.address import Address
from shipcli.models.parts.customs import Customs
from shipcli.models.parts.parcel import Parcel
from shipcli.models.parts.payment import Charge, Payment
from shipcli.models.tracker import TrackingEvent, TrackingInfo


class RateRequest(Model):
    """Prices for these parcels, please."""

    shipper: Address
    recipient: Address
    parcels: Listed[Parcel] = NO_ITEMS
    services: Listed[str] = NO_ITEMS
    options: Object = NO_KEYS
    reference: str | None = None
    payment: Payment | None = None
    customs: Customs | None = None
    return_address: Address | None = None
    billing_address: Address | None = None


class ShipmentRequest(Model):
    """A label, please. `label_type` is None when the caller named none."""

    shipper: Address
    recipient: Address
    parcels: Listed[Parcel] = NO_ITEMS
    service: str
    options: Object = NO_KEYS
    payment: Payment | None = None
    customs: Customs | None = None
    return_address: Address | None = None
    billing_address: Address | None = None
    reference: str | None = None
    label_type: str | None = None
    metadata: Object = NO_KEYS


class CancelRequest(Model):
    """Void this label, please."""

    shipment_identifier: str
    service: str | None = None
    carrier_id: str | None = None
    options: Object = NO_KEYS


class TrackingRequest(Model):
    """Where are these, please. `options` may hold an object for each number."""

    tracking_numbers: Listed[str] = NO_ITEMS
    account_number: str | None = None
    reference: str | None = None
    options: Object = NO_KEYS
    language_code: str = "en"

    def known_of_all(self, name: str) -> Any:
        """What `options` hold under a name, for all numbers alike; None for nothing."""
        return self.options.get(name)

    def known_of(self, number: str) -> dict[str, Any]:
        """What `options` hold under a number of a parcel; empty when they hold nothing, or no object."""
        return known if isinstance(known := self.options.get(number), dict) else {}


class PickupRequest(Model):
    """Come and collect, please."""

    pickup_date: str
    ready_time: str
    closing_time: str
    address: Address
    parcels: Listed[Parcel] = NO_ITEMS
    instruction: str | None = None
    package_location: str | None = None
    shipment_identifiers: Listed[str] = NO_ITEMS
    options: Object = NO_KEYS
    metadata: Object = NO_KEYS


class PickupUpdateRequest(PickupRequest):
    """Collect otherwise, please."""

    confirmation_number: str


class PickupCancelRequest(Model):
    """Do not collect, please. `meta` is what the carrier told when it was booked."""

    confirmation_number: str
    address: Address | None = None
    pickup_date: str | None = None
    reason: str | None = None
    options: Object = NO_KEYS
    meta: Object = NO_KEYS


class ManifestRequest(Model):
    """The end-of-day form of these shipments, please."""

    shipment_identifiers: Listed[str] = NO_ITEMS
    address: Address
    reference: str | None = None
    metadata: Object = NO_KEYS
    options: Object = NO_KEYS


class DocumentFile(Model):
    """A file as base64 text."""

    doc_file: str
    doc_name: str
    doc_type: str | None = None
    doc_format: str | None = None


class DocumentUploadRequest(Model):
    """Keep these files with the shipment, please."""

    document_files: Listed[DocumentFile] = NO_ITEMS
    tracking_number: str | None = None
    shipment_date: str | None = None
    reference: str | None = None
    options: Object = NO_KEYS


class AddressValidationRequest(Model):
    """Is there such an address?"""

    address: Address
    options: Object = NO_KEYS


class Quote(Model):
    """The price of one service: a rate before it is stored."""

    carrier_name: str
    carrier_id: str | None = None
    service: str | None = None
    total_charge: Money = Decimal(0)
    currency: str | None = None
    transit_days: int | None = None
    estimated_delivery: str | None = None
    extra_charges: Listed[Charge] = NO_ITEMS
    meta: dict[str, Any] | None = None


class Label(Model):
    """A bought label. `docs` holds base64 texts under `label` and `invoice`."""

    tracking_number: str
    shipment_identifier: str | None = None
    label_type: str | None = None
    docs: dict[str, str] = NO_KEYS
    selected_rate: Quote | None = None
    meta: Object = NO_KEYS


class Tracking(Model):
    """What a carrier knows about one number. `images` holds base64 texts."""

    tracking_number: str
    events: Listed[TrackingEvent] = NO_ITEMS
    delivered: bool | None = None
    status: str | None = None
    estimated_delivery: str | None = None
    info: TrackingInfo = TrackingInfo()
    meta: Object = NO_KEYS
    images: dict[str, str] | None = None


class PickupDetails(Model):
    """A collection the carrier agreed to."""

    confirmation_number: str
    pickup_date: str | None = None
    pickup_charge: Charge | None = None
    ready_time: str | None = None
    closing_time: str | None = None
    meta: Object = NO_KEYS


class Confirmation(Model):
    """Whether the carrier did it."""

    success: bool
    operation: str


class ManifestDetails(Model):
    """An end-of-day form. `doc` holds base64 text under `manifest`."""

    doc: dict[str, str] = NO_KEYS
    meta: Object = NO_KEYS


class UploadDetails(Model):
    """The files a carrier took."""

    documents: Listed[UploadedDocument] = NO_ITEMS
    meta: Object = NO_KEYS


class AddressValidationDetails(Model):
    """Whether the address exists, and how the carrier writes it."""

    success: bool
    complete_address: Address | None = None
    meta: Object = NO_KEYS
