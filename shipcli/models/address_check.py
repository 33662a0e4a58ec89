"""Whether an address is right: by the postal rules of its country, then by a carrier."""

from typing import Any

from shipcli.models.base import NO_ITEMS, ListOrNull, Model
from shipcli.models.parts.address import AddressInput


class AddressCheckData(Model):
    """An address to check, and the carrier to ask about it."""

    address: AddressInput
    carrier_name: str | None = None
    carrier_id: str | None = None


class AddressFinding(Model):
    """What is wrong with a field of an address."""

    field: str
    reason: str


class AddressCheck(Model):
    """What was found."""

    valid: bool
    problems: ListOrNull[AddressFinding] = NO_ITEMS
    corrected: dict[str, Any] | None = None
    candidates: ListOrNull[dict[str, Any]] = NO_ITEMS
    residential: bool | None = None
    carrier_name: str | None = None
    carrier_id: str | None = None
