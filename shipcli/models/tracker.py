"""Trackers: our watch on a number, and what carriers reported."""

from typing import Annotated, Any

from pydantic import AfterValidator

from shipcli.models.base import NO_ITEMS, NO_KEYS, ListOrNull, Model, Number, Object, OmittedIfNone, Record
from shipcli.models.basics.barcodes import read_barcode
from shipcli.models.message import Message


class TrackingEvent(Model):
    """One scan; code and description are the carrier's own."""

    date: OmittedIfNone[str] = None
    time: str | None = None
    code: str | None = None
    description: OmittedIfNone[str] = None
    location: OmittedIfNone[str] = None
    latitude: Number | None = None
    longitude: Number | None = None


class TrackingInfo(Model):
    """What is known about the shipment behind a number; every key is always shown."""

    carrier_tracking_link: str | None = None
    customer_name: str | None = None
    expected_delivery: str | None = None
    note: str | None = None
    order_date: str | None = None
    order_id: str | None = None
    package_weight: str | None = None
    package_weight_unit: str | None = None
    shipment_package_count: str | None = None
    shipment_pickup_date: str | None = None
    shipment_delivery_date: str | None = None
    shipment_service: str | None = None
    shipment_origin_country: str | None = None
    shipment_origin_postal_code: str | None = None
    shipment_destination_country: str | None = None
    shipment_destination_postal_code: str | None = None
    shipping_date: str | None = None
    signed_by: str | None = None
    source: str | None = None


class TrackerFields(Record):
    """What every form of a tracker shows."""

    object_type: str = "tracker"
    carrier_name: str
    carrier_id: str
    tracking_number: str
    status: str = "pending"
    delivered: bool = False
    estimated_delivery: str | None = None
    info: TrackingInfo | None = TrackingInfo()
    events: ListOrNull[TrackingEvent] = NO_ITEMS
    messages: ListOrNull[Message] = NO_ITEMS
    metadata: Object = NO_KEYS
    meta: dict[str, Any] | None = None
    test_mode: bool = False


class Tracker(TrackerFields):
    """A tracker as stored."""

    delivery_image_url: str | None = None
    signature_image_url: str | None = None


class Images(Model):
    """Proofs of delivery as base64 text."""

    delivery_image: str | None = None
    signature_image: str | None = None


class TrackerDetails(TrackerFields):
    """A tracking answer that is not stored: its images come along."""

    images: Images | None = None


class TrackingData(Model):
    """Body that adds a tracker, or tracks without storing."""

    tracking_number: Annotated[str, AfterValidator(read_barcode)]
    carrier_name: str
    account_number: str | None = None
    reference: str | None = None
    info: TrackingInfo | None = None
    metadata: Object = NO_KEYS


class TrackerUpdateData(Model):
    """Body that changes a tracker; `given()` tells which fields."""

    info: TrackingInfo | None = None
    metadata: Object = NO_KEYS
