"""Parcels and the goods in them: as stored, and as callers send them."""

from decimal import Decimal
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from shipcli.models.base import (
    NO_ITEMS,
    NO_KEYS,
    PLAIN_TEXT,
    Count,
    ListOrNull,
    Model,
    Money,
    Number,
    Object,
    OneOf,
    Size,
    Stored,
    make_field_error,
)
from shipcli.models.basics.enums import DimensionUnit, WeightUnit
from shipcli.models.basics.errors import Invalid
from shipcli.models.basics.problems import Problem
from shipcli.models.basics.reference import list_currencies
from shipcli.models.basics.units import choose_dimension_unit, convert_length, convert_weight
from shipcli.models.parts.address import CountryCode, Text50
from shipcli.models.parts.stored import OrStoredReference, StoredReference

Currency = Annotated[str, OneOf(list_currencies)]
Text6 = Annotated[str, Field(max_length=6), PLAIN_TEXT]
LONGEST_ITEM_TEXT = 35
Text35 = Annotated[str, Field(max_length=LONGEST_ITEM_TEXT), PLAIN_TEXT]
Text100 = Annotated[str, Field(max_length=100), PLAIN_TEXT]
Text250 = Annotated[str, Field(max_length=250), PLAIN_TEXT]
# Recorded requests without a unit mean pounds.
_UNIT_WHEN_NONE = "LB"


class Goods(Model):
    """An item of a parcel, an order or a customs declaration, without identity: nothing is checked."""

    title: str | None = None
    description: str | None = None
    quantity: int = 1
    sku: str | None = None
    hs_code: str | None = None
    weight: Number | None = None
    weight_unit: str | None = None
    value_amount: Money | None = None
    value_currency: str | None = None
    origin_country: str | None = None
    parent_id: str | None = None
    metadata: Object = NO_KEYS

    def weight_in(self, unit: str) -> Decimal | None:
        """The weight of one piece, not rounded; None when it is not known."""
        if self.weight is None:
            return None
        return convert_weight(self.weight, self.weight_unit or _UNIT_WHEN_NONE, unit)


class Commodity(Goods, Stored):
    """An item as stored."""

    object_type: str = "commodity"


class CommodityData(Goods):
    """An item as a caller sends it."""

    title: Text35 | None = None
    description: Text100 | None = None
    quantity: Count = 1
    sku: Text35 | None = None
    hs_code: Text35 | None = None
    weight: Size
    weight_unit: WeightUnit
    value_currency: Currency | None = None
    origin_country: CountryCode | None = None


CommodityInput = Annotated[CommodityData | StoredReference, OrStoredReference("commodity", CommodityData)]


class Box(Model):
    """A parcel without identity or contents: nothing is checked."""

    weight: Number | None = None
    weight_unit: str | None = None
    length: Number | None = None
    width: Number | None = None
    height: Number | None = None
    dimension_unit: str | None = None
    packaging_type: str | None = None
    package_preset: str | None = None
    description: str | None = None
    content: str | None = None
    is_document: bool | None = False
    reference_number: str | None = None
    freight_class: str | None = None
    options: Object = NO_KEYS

    @property
    def size_unit(self) -> str:
        """The unit of the sizes, the weight unit's companion when none was given."""
        return self.dimension_unit or choose_dimension_unit(self.weight_unit or _UNIT_WHEN_NONE)

    def weight_in(self, unit: str) -> Decimal:
        """The weight, not rounded.

        Errors: Invalid on `weight` when the parcel has none.
        """
        if self.weight is None:
            raise Invalid("weight", "is required")
        return convert_weight(self.weight, self.weight_unit or _UNIT_WHEN_NONE, unit)

    def length_in(self, unit: str) -> Decimal | None:
        """The length, not rounded; None when it is not known."""
        return self._in(self.length, unit)

    def width_in(self, unit: str) -> Decimal | None:
        """The width, not rounded; None when it is not known."""
        return self._in(self.width, unit)

    def height_in(self, unit: str) -> Decimal | None:
        """The height, not rounded; None when it is not known."""
        return self._in(self.height, unit)

    def sides_in(self, unit: str) -> tuple[Decimal, Decimal, Decimal] | None:
        """Length, width and height, not rounded; None unless all three are known and more than nothing."""
        length, width, height = self.length_in(unit), self.width_in(unit), self.height_in(unit)
        return (length, width, height) if length and width and height else None

    def known_sides_in(self, unit: str) -> dict[str, Decimal]:
        """Length, width and height, not rounded; those that are not known, or 0, are left out."""
        sides = {"length": self.length_in(unit), "width": self.width_in(unit), "height": self.height_in(unit)}
        return {name: side for name, side in sides.items() if side}

    def volume_in(self, unit: str) -> Decimal | None:
        """Length times width times height in the cube of the unit; None when a side is not known."""
        sides = self.sides_in(unit)
        return sides[0] * sides[1] * sides[2] if sides else None

    def _in(self, value: Decimal | None, unit: str) -> Decimal | None:
        return None if value is None else convert_length(value, self.size_unit, unit)


class Parcel(Box, Stored):
    """A parcel of the store, or inside another object."""

    object_type: str = "parcel"
    items: ListOrNull[Commodity] = NO_ITEMS


class ParcelPatch(Box):
    """Changes to a parcel; completeness of the sizes is checked on the merged parcel."""

    weight: Size = Decimal(0)
    weight_unit: WeightUnit = "KG"
    length: Size | None = None
    width: Size | None = None
    height: Size | None = None
    dimension_unit: DimensionUnit | None = None
    packaging_type: Text50 | None = None
    package_preset: Text50 | None = None
    description: Text250 | None = None
    content: Text100 | None = None
    reference_number: Text100 | None = None
    freight_class: Text6 | None = None
    items: ListOrNull[CommodityInput] = NO_ITEMS


class ParcelData(ParcelPatch):
    """A parcel as a caller sends it.

    With a `package_preset` the sizes may be incomplete: it fills them in before they are checked.
    """

    weight: Size
    weight_unit: WeightUnit

    @model_validator(mode="after")
    def _require_complete_sizes(self) -> Self:
        for problem in () if self.package_preset else list_dimension_problems(self):
            raise make_field_error(*problem)
        return self


def list_dimension_problems(parcel: Box) -> list[Problem]:
    """What is missing when a parcel has some of its sizes: all three and their unit belong together."""
    sides: list[Any] = [parcel.length, parcel.width, parcel.height]
    if all(side is None for side in sides):
        return []
    if any(side is None for side in sides):
        return [Problem("dimensions", "length, width and height are required together")]
    if not parcel.dimension_unit:
        return [Problem("dimension_unit", "is required with length, width and height")]
    return []


ParcelInput = Annotated[ParcelData | StoredReference, OrStoredReference("parcel", ParcelData)]
