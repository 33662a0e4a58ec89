"""Products: what a warehouse knows of an article, by its SKU."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from shipcli.models.base import Model, Money, Record, Size, Timestamp, make_field_error
from shipcli.models.basics.enums import DimensionUnit, WeightUnit
from shipcli.models.parts.address import CountryCode
from shipcli.models.parts.parcel import Currency, Text35


class ProductFacts(Model):
    """What is known of one piece of an article; a weight and a value say their unit and currency.

    Shapes: the `barcode` is what is printed on it, such as its EAN or UPC.
    """

    title: Text35 | None = None
    weight: Size | None = None
    weight_unit: WeightUnit | None = None
    value_amount: Money | None = None
    value_currency: Currency | None = None
    hs_code: Text35 | None = None
    origin_country: CountryCode | None = None
    length: Size | None = None
    width: Size | None = None
    height: Size | None = None
    dimension_unit: DimensionUnit | None = None
    barcode: Text35 | None = None

    @model_validator(mode="after")
    def _require_units(self) -> Self:
        for amount, unit in (
            ("weight", "weight_unit"),
            ("value_amount", "value_currency"),
            ("length", "dimension_unit"),
        ):
            if getattr(self, amount) is not None and getattr(self, unit) is None:
                raise make_field_error(unit, f"is required with {amount}")
        return self


class ProductData(ProductFacts):
    """A product as it is written down."""

    sku: Annotated[Text35, Field(min_length=1)]


class Product(Record):
    """A product as stored."""

    object_type: str = "product"
    sku: str
    title: str | None = None
    weight: Size | None = None
    weight_unit: str | None = None
    value_amount: Money | None = None
    value_currency: str | None = None
    hs_code: str | None = None
    origin_country: str | None = None
    length: Size | None = None
    width: Size | None = None
    height: Size | None = None
    dimension_unit: str | None = None
    barcode: str | None = None
    created_at: Timestamp = ""
