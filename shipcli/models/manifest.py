"""Manifests (SCAN forms): as stored, and the bodies that make them."""

from typing import Annotated, Any

from pydantic import AliasChoices, Field

from shipcli.models.base import NO_ITEMS, NO_KEYS, ListOrNull, Model, Object, Record
from shipcli.models.message import Message
from shipcli.models.parts.address import AddressInput, PostalAddress


class Manifest(Record):
    """An end-of-day form as stored; its address has no identity."""

    object_type: str = "manifest"
    carrier_name: str
    carrier_id: str
    address: PostalAddress
    shipment_identifiers: ListOrNull[str] = NO_ITEMS
    reference: str | None = None
    options: Object = NO_KEYS
    manifest_url: str | None = None
    messages: ListOrNull[Message] = NO_ITEMS
    metadata: Object = NO_KEYS
    meta: dict[str, Any] | None = None
    test_mode: bool = False


class ManifestForm(Model):
    """What both bodies share."""

    carrier_name: str
    address: AddressInput
    options: Object = NO_KEYS
    reference: str | None = None


class ManifestData(ManifestForm):
    """Body that makes a stored manifest; shipments by id or tracking number, under either name."""

    shipment_ids: Annotated[
        list[str],
        Field(min_length=1, validation_alias=AliasChoices("shipment_ids", "shipment_identifiers")),
    ]


class ManifestResolveData(Model):
    """Body that says what became of a form whose outcome is unknown."""

    made: bool


class ManifestRequestData(ManifestForm):
    """Body that makes a manifest without storing it."""

    shipment_identifiers: Annotated[
        list[str],
        Field(min_length=1, validation_alias=AliasChoices("shipment_identifiers", "shipment_ids")),
    ]
