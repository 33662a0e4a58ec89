"""Answers that hold a result and the messages of carriers."""

from typing import Any

from shipcli.models.base import NO_ITEMS, ListOrNull, Model, OmittedIfNone, Record
from shipcli.models.message import Message
from shipcli.models.pickup import Pickup
from shipcli.models.rate import Rate
from shipcli.models.tracker import TrackerDetails


class CarrierAnswer(Model):
    """What every such answer carries."""

    messages: ListOrNull[Message] = NO_ITEMS


class RateResponse(CarrierAnswer):
    """Prices."""

    rates: ListOrNull[Rate] = NO_ITEMS


class TrackingResponse(CarrierAnswer):
    """A tracking result."""

    tracking: OmittedIfNone[TrackerDetails] = None


class ProxyPickup(Pickup):
    """A pickup that is not stored; one that was changed has no id."""

    id: str | None = None  # type: ignore[assignment]  # clients know the null of an update


class PickupResponse(CarrierAnswer):
    """A pickup that is not stored."""

    pickup: OmittedIfNone[ProxyPickup] = None


class ManifestDocument(Model):
    """The form as base64 text."""

    manifest: str | None = None


class ProxyManifest(Record):
    """A manifest that is not stored: its file comes along."""

    object_type: str = "manifest"
    carrier_name: str
    carrier_id: str
    doc: ManifestDocument | None = None
    meta: dict[str, Any] | None = None
    test_mode: bool = False


class ManifestResponse(CarrierAnswer):
    """A manifest that is not stored."""

    manifest: OmittedIfNone[ProxyManifest] = None


class OperationStatus(Model):
    """Whether something was done."""

    operation: str
    success: bool


class OperationConfirmation(OperationStatus):
    """Whether a carrier did something."""

    carrier_name: str
    carrier_id: str


class OperationResponse(CarrierAnswer):
    """What a carrier confirmed."""

    confirmation: OmittedIfNone[OperationConfirmation] = None
