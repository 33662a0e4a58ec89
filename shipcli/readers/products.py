"""A row of a list of products to the body that is written down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shipcli.models.basics.units import KILOGRAMS, Units
from shipcli.models.parts.product import ProductData
from shipcli.readers.cells import (
    Found,
    Wrong,
    check_model,
    check_values,
    read_country,
    read_currency,
    read_number,
    read_weight_unit,
)
from shipcli.readers.tables import Row

REQUIRED = ("sku",)


@dataclass(frozen=True, slots=True)
class ProductRow:
    """What became of a row: a body, or wrong cells."""

    row: Row
    data: ProductData | None
    wrong: tuple[Wrong, ...] = ()


@dataclass
class ProductReader:
    """Reads rows by a mapping of fields to headers; weights without a unit are of `units`, or refused."""

    columns: Mapping[str, str]
    units: Units = KILOGRAMS

    def read(self, row: Row) -> ProductRow:
        """The body of a row, or all its wrong cells."""
        cells = {name: row.cells.get(header, "") for name, header in self.columns.items()}
        wrong: Found = []
        check_values(cells, wrong)
        origin = cells.get("origin_country")
        body = {
            "sku": cells.get("sku"),
            "title": cells.get("title") or None,
            "weight": read_number("weight", cells, wrong),
            "weight_unit": read_weight_unit("weight", cells, self.units, wrong)
            if cells.get("weight")
            else None,
            "value_amount": read_number("value_amount", cells, wrong),
            "value_currency": read_currency("value_currency", cells, wrong),
            "hs_code": cells.get("hs_code") or None,
            "origin_country": read_country("origin_country", origin, wrong) if origin else None,
        }
        data = check_model(ProductData, body, wrong, cells)
        found = tuple(Wrong(row.number, self.columns.get(name, name), reason) for name, reason in wrong)
        return ProductRow(row, None if found else data, found)
