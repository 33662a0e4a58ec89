"""From a row of a list of products to the body that stores the product."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shipcli.models.basics.plain_text import cut_at_word
from shipcli.models.basics.units import KILOGRAMS, Units
from shipcli.models.parts.parcel import LONGEST_ITEM_TEXT
from shipcli.models.parts.product import ProductData
from shipcli.readers.cells import (
    CellError,
    CellErrors,
    check_model,
    check_values,
    clean_cells,
    list_cell_errors,
    read_country,
    shorten_value,
)
from shipcli.readers.headers import PRODUCTS
from shipcli.readers.measures import read_sizes, read_value, read_weight
from shipcli.readers.tables import Row

REQUIRED = ("sku",)


@dataclass(frozen=True, slots=True)
class ProductRow:
    """A row as read: a body, or its wrong cells."""

    row: Row
    data: ProductData | None
    wrong: tuple[CellError, ...] = ()
    notes: tuple[CellError, ...] = ()


@dataclass
class ProductReader:
    """Reads rows by a mapping of fields to headers; weights without a unit are of `units`, or refused."""

    columns: Mapping[str, str]
    units: Units = KILOGRAMS

    def read(self, row: Row) -> ProductRow:
        """The body of a row, or all its wrong cells."""
        cells = row.select(self.columns)
        wrong: CellErrors = []
        notes: CellErrors = list(row.notes)
        check_values(cells, wrong)
        clean_cells(cells, notes)
        weight, weight_unit = read_weight("weight", cells, self.units, wrong)
        amount, currency = read_value("value_amount", "value_currency", cells, wrong, negative=False)
        sizes, dimension_unit = read_sizes("", cells, self.units, wrong)
        is_measured = any(size is not None for size in sizes.values())
        if is_measured and None in sizes.values():
            missing = next(name for name, size in sizes.items() if size is None)
            wrong.append((missing, "length, width and height are required together"))
        title, left = cut_at_word(cells.get("title", ""), LONGEST_ITEM_TEXT)
        if left:
            notes.append(("title", f"{shorten_value(cells['title'])} is kept without {left!r}"))
        body = {
            "sku": cells.get("sku"),
            "title": title or None,
            "weight": weight,
            "weight_unit": weight_unit if weight is not None else None,
            "value_amount": amount,
            "value_currency": currency if amount is not None else None,
            **sizes,
            "dimension_unit": dimension_unit if is_measured else None,
            "hs_code": cells.get("hs_code") or None,
            "origin_country": read_country("origin_country", cells, wrong),
            "barcode": cells.get("barcode", "").removeprefix("'") or None,  # Shopify keeps its zeros so
        }
        data = check_model(ProductData, body, wrong, cells)
        cell_errors, cell_notes = (
            list_cell_errors(row.number, reasons, self.columns, PRODUCTS) for reasons in (wrong, notes)
        )
        return ProductRow(row, None if cell_errors else data, cell_errors, cell_notes)
