"""Shipments: as stored, and the bodies that make and change them."""

from typing import Annotated, Any

from pydantic import Field

from shipcli.models.base import NO_ITEMS, NO_KEYS, ListOrNull, Model, NonEmptyText, Object, Record, Timestamp
from shipcli.models.basics.enums import LabelType
from shipcli.models.basics.text import name_object, name_uniquely
from shipcli.models.message import Message
from shipcli.models.parts.address import Address, AddressInput, PostalAddress
from shipcli.models.parts.customs import Customs, CustomsInput
from shipcli.models.parts.parcel import Parcel, ParcelInput, Text35
from shipcli.models.parts.payment import Payment, PaymentData
from shipcli.models.rate import Rate


class ShipmentFields(Record):
    """What every form of a shipment shows."""

    object_type: str = "shipment"
    status: str = "draft"
    carrier_name: str | None = None
    carrier_id: str | None = None
    service: str | None = None
    tracking_number: str | None = None
    shipment_identifier: str | None = None
    tracking_url: str | None = None
    tracker_id: str | None = None
    shipper: Address
    recipient: Address
    return_address: PostalAddress | None = None
    billing_address: PostalAddress | None = None
    parcels: ListOrNull[Parcel] = NO_ITEMS
    services: ListOrNull[str] = NO_ITEMS
    carrier_ids: ListOrNull[str] = NO_ITEMS
    options: Object = NO_KEYS
    payment: Payment = Payment()
    customs: Customs | None = None
    reference: str | None = None
    label_type: str | None = None
    rates: ListOrNull[Rate] = NO_ITEMS
    selected_rate: Rate | None = None
    selected_rate_id: str | None = None
    messages: ListOrNull[Message] = NO_ITEMS
    metadata: Object = NO_KEYS
    meta: dict[str, Any] | None = None
    test_mode: bool = False
    created_at: Timestamp = ""


class Shipment(ShipmentFields):
    """A shipment as stored."""

    label_url: str | None = None
    invoice_url: str | None = None

    @property
    def display_name(self) -> str:
        """What people call it: its reference or tracking number, and its id when it has neither."""
        return name_object(vars(self))

    @property
    def order_line_ids(self) -> set[str]:
        """The ids of the order lines whose items are in its parcels."""
        return {item.parent_id for parcel in self.parcels for item in parcel.items if item.parent_id}

    @property
    def word(self) -> str:
        """What names it in a command."""
        return name_uniquely(vars(self))


class Documents(Model):
    """Files as base64 text."""

    label: str | None = None
    invoice: str | None = None


class ShippingResponse(ShipmentFields):
    """A shipment bought without being stored: its files come along."""

    docs: Documents | None = None


class ShippingData(Model):
    """What every purchase body shares."""

    shipper: AddressInput
    recipient: AddressInput
    return_address: AddressInput | None = None
    billing_address: AddressInput | None = None
    parcels: Annotated[list[ParcelInput], Field(min_length=1)]
    options: Object = NO_KEYS
    payment: PaymentData = PaymentData()
    customs: CustomsInput | None = None
    reference: Text35 | None = None
    label_type: LabelType = "PDF"


class ShipmentData(ShippingData):
    """Body that creates a shipment; with `service` its label is bought at once."""

    service: str | None = None
    services: ListOrNull[str] = NO_ITEMS
    carrier_ids: ListOrNull[str] = NO_ITEMS
    metadata: Object = NO_KEYS


class ShipmentDataReference(ShipmentData):
    """Element of a batch: with an `id` it changes that draft."""

    id: str | None = None


class ShippingRequestData(ShippingData):
    """Body that buys a label without storing it."""

    selected_rate_id: str
    rates: Annotated[list[Rate], Field(min_length=1)]


class ReturnData(Model):
    """Body that makes the return of a shipment; without `skus` all its goods come back."""

    skus: ListOrNull[str] = NO_ITEMS
    carrier_ids: ListOrNull[str] = NO_ITEMS


class ShipmentUpdateData(Model):
    """Body that changes a draft; `given()` tells which fields."""

    label_type: LabelType = "PDF"
    payment: PaymentData | None = None
    options: Object = NO_KEYS
    reference: Text35 | None = None
    metadata: Object = NO_KEYS


class ShipmentRateData(Model):
    """Body that fetches rates again; `given()` tells which fields."""

    services: ListOrNull[str] = NO_ITEMS
    carrier_ids: ListOrNull[str] = NO_ITEMS
    options: Object = NO_KEYS
    reference: Text35 | None = None
    metadata: Object = NO_KEYS


class ShipmentPurchaseData(Model):
    """Body that buys the label of a draft; `given()` tells which fields."""

    selected_rate_id: str
    label_type: LabelType = "PDF"
    payment: PaymentData | None = None
    reference: Text35 | None = None
    metadata: Object = NO_KEYS


class ShipmentResolveData(Model):
    """Body that says what became of a purchase, or of a void, whose outcome is unknown.

    The label is base64 text.
    """

    bought: bool | None = None
    voided: bool | None = None
    tracking_number: str | None = None
    label: str | None = None


class ShipmentCancelData(Model):
    """Body that voids a label without a stored shipment."""

    shipment_identifier: NonEmptyText
    service: str | None = None
    carrier_id: str | None = None
    options: Object = NO_KEYS
