"""Requests to carriers and their results: frozen values with lenient parts."""

from decimal import Decimal
from typing import Any

from shipcli.models.base import NO_ITEMS, NO_KEYS, ListOrNull, Model, Money, Object
from shipcli.models.document import UploadedDocument
from shipcli.models.parts.address import Address
from shipcli.models.parts.customs import Customs
from shipcli.models.parts.parcel import Parcel
from shipcli.models.parts.payment import Charge, Payment
from shipcli.models.tracker import TrackingEvent, TrackingInfo


class RateRequest(Model):
    """A request for the rates of parcels."""

    shipper: Address
    recipient: Address
    parcels: ListOrNull[Parcel] = NO_ITEMS
    services: ListOrNull[str] = NO_ITEMS
    options: Object = NO_KEYS
    reference: str | None = None
    payment: Payment | None = None
    customs: Customs | None = None
    return_address: Address | None = None
    billing_address: Address | None = None


class ShipmentRequest(Model):
    """A request for a label.

    Shapes: `label_type` is None if the caller named none; `rate_meta` is the meta of the chosen rate, empty
            if none was chosen.
    """

    shipper: Address
    recipient: Address
    parcels: ListOrNull[Parcel] = NO_ITEMS
    service: str
    options: Object = NO_KEYS
    payment: Payment | None = None
    customs: Customs | None = None
    return_address: Address | None = None
    billing_address: Address | None = None
    reference: str | None = None
    label_type: str | None = None
    metadata: Object = NO_KEYS
    rate_meta: Object = NO_KEYS


class CancelRequest(Model):
    """A request to void a label."""

    shipment_identifier: str
    service: str | None = None
    carrier_id: str | None = None
    options: Object = NO_KEYS


class TrackingRequest(Model):
    """A request for tracking events. `options` may hold an object for each number."""

    tracking_numbers: ListOrNull[str] = NO_ITEMS
    account_number: str | None = None
    reference: str | None = None
    options: Object = NO_KEYS
    language_code: str = "en"

    def options_of(self, number: str) -> dict[str, Any]:
        """The options of one number; empty if there are none."""
        return options if isinstance(options := self.options.get(number), dict) else {}


class PickupRequest(Model):
    """A request for a pickup."""

    pickup_date: str
    ready_time: str
    closing_time: str
    address: Address
    parcels: ListOrNull[Parcel] = NO_ITEMS
    instruction: str | None = None
    package_location: str | None = None
    shipment_identifiers: ListOrNull[str] = NO_ITEMS
    options: Object = NO_KEYS
    metadata: Object = NO_KEYS


class PickupUpdateRequest(PickupRequest):
    """A request to change a pickup."""

    confirmation_number: str


class PickupCancelRequest(Model):
    """A request to cancel a pickup. `meta` is what the carrier returned when it was booked."""

    confirmation_number: str
    address: Address | None = None
    pickup_date: str | None = None
    reason: str | None = None
    options: Object = NO_KEYS
    meta: Object = NO_KEYS


class ManifestRequest(Model):
    """A request for the end-of-day form of shipments."""

    shipment_identifiers: ListOrNull[str] = NO_ITEMS
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
    """A request to attach files to a shipment."""

    document_files: ListOrNull[DocumentFile] = NO_ITEMS
    tracking_number: str | None = None
    shipment_date: str | None = None
    reference: str | None = None
    options: Object = NO_KEYS


class AddressValidationRequest(Model):
    """A request to validate an address."""

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
    extra_charges: ListOrNull[Charge] = NO_ITEMS
    meta: dict[str, Any] | None = None


class TransitTime(Model):
    """How long a service takes, in working days, and the day on which it delivers; either may be unknown."""

    service: str
    transit_days: int | None = None
    estimated_delivery: str | None = None


class Label(Model):
    """A bought label. `docs` holds base64 texts under `label` and `invoice`."""

    tracking_number: str
    shipment_identifier: str | None = None
    label_type: str | None = None
    docs: dict[str, str] = NO_KEYS
    selected_rate: Quote | None = None
    meta: Object = NO_KEYS


class Tracking(Model):
    """What a carrier knows about one number. `images` holds base64 texts.

    With `as_sent` the events are to be shown as they are: in their order, repeated, without earlier ones.
    """

    tracking_number: str
    events: ListOrNull[TrackingEvent] = NO_ITEMS
    delivered: bool | None = None
    status: str | None = None
    estimated_delivery: str | None = None
    info: TrackingInfo = TrackingInfo()
    meta: Object = NO_KEYS
    images: dict[str, str] | None = None
    as_sent: bool = False


class PickupDetails(Model):
    """A pickup the carrier agreed to."""

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
    """The files a carrier accepted."""

    documents: ListOrNull[UploadedDocument] = NO_ITEMS
    meta: Object = NO_KEYS


class AddressValidationDetails(Model):
    """Whether the address exists, and how the carrier writes it."""

    success: bool
    complete_address: Address | None = None
    meta: Object = NO_KEYS
