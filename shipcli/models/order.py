"""Orders: as stored, and the bodies that make and change them."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from shipcli.models.base import (
    NO_ITEMS,
    NO_KEYS,
    Day,
    ListOrNull,
    Model,
    NonEmptyText,
    Object,
    Record,
    Timestamp,
)
from shipcli.models.parts.address import Address, AddressInput, PostalAddress
from shipcli.models.parts.parcel import Commodity, CommodityInput
from shipcli.models.shipment import Shipment


class LineItem(Commodity):
    """An item of an order, and how many of it are still to be shipped."""

    unfulfilled_quantity: int = 0


class Order(Record):
    """An order as stored; its billing address has no identity."""

    object_type: str = "order"
    order_id: str
    order_date: str | None = None
    source: str = "API"
    status: str = "unfulfilled"
    shipping_to: Address
    shipping_from: Address | None = None
    billing_address: PostalAddress | None = None
    line_items: ListOrNull[LineItem] = NO_ITEMS
    options: Object = NO_KEYS
    metadata: Object = NO_KEYS
    meta: dict[str, Any] | None = None
    shipments: ListOrNull[Shipment] = NO_ITEMS
    test_mode: bool = False
    created_at: Timestamp = ""


class OrderData(Model):
    """Body that makes an order; an empty date counts as none."""

    order_id: NonEmptyText
    order_date: Annotated[Day | None, BeforeValidator(lambda value: value or None)] = None
    source: str = "API"
    shipping_to: AddressInput
    shipping_from: AddressInput | None = None
    billing_address: AddressInput | None = None
    line_items: Annotated[list[CommodityInput], Field(min_length=1)]
    options: Object = NO_KEYS
    metadata: Object = NO_KEYS


class OrderUpdateData(Model):
    """Body that changes an order; `given()` tells which fields."""

    options: Object = NO_KEYS
    metadata: Object = NO_KEYS
