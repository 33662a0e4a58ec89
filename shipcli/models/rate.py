"""Prices."""

from decimal import Decimal
from typing import Annotated, Any

from pydantic import Field

from shipcli.models.base import NO_ITEMS, NO_KEYS, ListOrNull, Model, Money, Object, OmittedIfNone, Record
from shipcli.models.parts.address import AddressInput
from shipcli.models.parts.parcel import ParcelInput
from shipcli.models.parts.payment import Charge

PRICED_ONLY = "priced_only"  # in the meta of quotes and rates


class Rate(Record):
    """The price of one service of one connection."""

    id: str = ""
    object_type: str = "rate"
    carrier_name: str
    carrier_id: str
    service: str | None = None
    total_charge: Money = Decimal(0)
    currency: OmittedIfNone[str] = None
    transit_days: int | None = None
    estimated_delivery: str | None = None
    extra_charges: ListOrNull[Charge] = NO_ITEMS
    meta: dict[str, Any] | None = None
    test_mode: bool = False

    @property
    def priced_only(self) -> str | None:
        """The reason why its carrier would refuse the purchase; None if it can be bought."""
        return (self.meta or {}).get(PRICED_ONLY)


class RateRequestData(Model):
    """Body of a price request that stores nothing."""

    shipper: AddressInput
    recipient: AddressInput
    parcels: Annotated[list[ParcelInput], Field(min_length=1)]
    services: ListOrNull[str] = NO_ITEMS
    options: Object = NO_KEYS
    reference: str | None = None
    carrier_ids: ListOrNull[str] = NO_ITEMS
