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
    Number,
    Object,
    Record,
    Timestamp,
)
from shipcli.models.basics.enums import COMBINED
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

    @property
    def host(self) -> str | None:
        """The number of the order that has its lines now, if it was combined with another."""
        return (self.meta or {}).get(COMBINED)

    def describe_cancelled(self) -> str:
        """What to say of a cancelled order: to which one its goods belong, if somebody ships them."""
        also = f": it was combined with {self.host}" if self.host else ""
        return f"The order {self.order_id} is cancelled{also}"


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


class OrderLinePatch(Model):
    """Changes of a line of an order, named by its id."""

    id: NonEmptyText
    title: str | None = None
    description: str | None = None
    sku: str | None = None
    quantity: int | None = None
    weight: Number | None = None
    weight_unit: str | None = None
    value_amount: Number | None = None
    value_currency: str | None = None
    hs_code: str | None = None
    origin_country: str | None = None


class OrderEditData(Model):
    """Body that corrects an order: parts of the address it goes to, and fields of its lines."""

    shipping_to: Object = NO_KEYS
    line_items: ListOrNull[OrderLinePatch] = NO_ITEMS


class OrderPart(Model):
    """A line of an order, by its id, and how many pieces of it; all that are unshipped by default."""

    id: NonEmptyText
    quantity: Annotated[int, Field(ge=1)] | None = None


class OrderSplitData(Model):
    """Body that moves lines of an order to an order of their own; its number is made where none is said."""

    order_id: NonEmptyText | None = None
    line_items: Annotated[list[OrderPart], Field(min_length=1)]


class OrderCombineData(Model):
    """Body that moves all that other orders hold into one."""

    orders: Annotated[list[NonEmptyText], Field(min_length=1)]
