"""From a row of a list of products to the body that stores the product."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shipcli.models.basics.units import KILOGRAMS, Units
from shipcli.models.parts.product import ProductData
from shipcli.readers.cells import (
    CellError,
    CellErrors,
    check_model,
    check_values,
    list_cell_errors,
    read_country,
    read_currency,
    read_number,
    read_weight_unit,
)
from shipcli.readers.tables import Row

REQUIRED = ("sku",)


@dataclass(frozen=True, slots=True)
class ProductRow:
    """A row as read: a body, or its wrong cells."""

    row: Row
    data: ProductData | None
    wrong: tuple[CellError, ...] = ()


@dataclass
class ProductReader:
    """Reads rows by a mapping of fields to headers; weights without a unit are of `units`, or refused."""

    columns: Mapping[str, str]
    units: Units = KILOGRAMS

    def read(self, row: Row) -> ProductRow:
        """The body of a row, or all its wrong cells."""
        cells = row.select(self.columns)
        wrong: CellErrors = []
        check_values(cells, wrong)
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
            "origin_country": read_country("origin_country", cells, wrong),
        }
        data = check_model(ProductData, body, wrong, cells)
        cell_errors = list_cell_errors(row.number, wrong, self.columns)
        return ProductRow(row, None if cell_errors else data, cell_errors)
