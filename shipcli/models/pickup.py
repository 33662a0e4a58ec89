"""Pickups: as stored, and the bodies that make and change them."""

from typing import Annotated, Any

from pydantic import Field

from shipcli.models.base import NO_ITEMS, NO_KEYS, Day, ListOrNull, Model, NonEmptyText, Object, Record, Time
from shipcli.models.parts.address import Address, AddressInput, AddressPatch, Text50
from shipcli.models.parts.parcel import Parcel, ParcelInput
from shipcli.models.parts.payment import Charge


class Pickup(Record):
    """A collection as stored."""

    object_type: str = "pickup"
    carrier_name: str
    carrier_id: str
    confirmation_number: str
    pickup_date: str | None = None
    ready_time: str | None = None
    closing_time: str | None = None
    pickup_charge: Charge | None = None
    address: Address
    parcels: ListOrNull[Parcel] = NO_ITEMS
    instruction: str | None = None
    package_location: str | None = None
    options: Object = NO_KEYS
    metadata: Object = NO_KEYS
    meta: dict[str, Any] | None = None
    test_mode: bool = False


class PickupSchedule(Model):
    """What every scheduling body shares."""

    pickup_date: Day
    ready_time: Time
    closing_time: Time
    instruction: Text50 | None = None
    package_location: Text50 | None = None
    options: Object = NO_KEYS


class PickupData(PickupSchedule):
    """Body that schedules a pickup of stored shipments."""

    tracking_numbers: Annotated[list[str], Field(min_length=1)]
    address: AddressInput | None = None
    metadata: Object = NO_KEYS


class AddressChange(AddressPatch):
    """Changes to an address, or the id of a stored one that takes its place."""

    id: str | None = None


class PickupUpdateData(Model):
    """Body that changes a pickup; `given()` tells which fields, also of the address."""

    confirmation_number: str | None = None
    pickup_date: Day | None = None
    ready_time: Time | None = None
    closing_time: Time | None = None
    address: AddressChange | None = None
    tracking_numbers: ListOrNull[str] = NO_ITEMS
    instruction: Text50 | None = None
    package_location: Text50 | None = None
    options: Object = NO_KEYS
    metadata: Object = NO_KEYS


class PickupDropData(Model):
    """Body that takes shipments out of a pickup."""

    tracking_numbers: Annotated[list[str], Field(min_length=1)]


class PickupCancelData(Model):
    """Body that cancels a stored pickup."""

    reason: str | None = None


class PickupResolveData(Model):
    """Body that says what became of a pickup whose outcome is unknown."""

    booked: bool
    confirmation_number: str | None = None


class PickupRequestData(PickupSchedule):
    """Body that schedules a pickup without storing it."""

    address: AddressInput
    parcels: Annotated[list[ParcelInput], Field(min_length=1)]


class PickupUpdateRequestData(PickupRequestData):
    """Body that changes a pickup that is not stored."""

    confirmation_number: NonEmptyText


class PickupCancelRequestData(Model):
    """Body that cancels a pickup that is not stored."""

    confirmation_number: NonEmptyText
    address: AddressInput | None = None
    pickup_date: Day | None = None
    reason: str | None = None
