"""From a row of an orders file to a line item, and from the first row of an order to the order itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from shipcli.models import CommodityData, OrderData
from shipcli.models.basics.units import KILOGRAMS, Units
from shipcli.readers.cells import (
    ADDRESS,
    CellError,
    CellErrors,
    Cells,
    check_model,
    check_values,
    has_address,
    list_cell_errors,
    read_address,
    read_amount,
    read_country,
    read_currency,
    read_day,
    read_json_object,
    read_number,
    read_weight_unit,
    read_whole_number,
)
from shipcli.readers.headers import READ
from shipcli.readers.tables import Row

REQUIRED = ("order_id", "shipping_to_country", "weight")
SIDES: Mapping[str, str] = {
    "shipping_to": "shipping_to",
    "shipping_from": "shipping_from",
    "billing_address": "billing",
}  # field to the beginning of its columns
DEFAULT_SOURCE = "API"


@dataclass(frozen=True, slots=True)
class OrderRow:
    """A row as read: an item and, with the first row of its order, the order; or its wrong cells."""

    row: Row
    key: tuple[str, str]
    order: OrderData | None = None
    item: CommodityData | None = None
    wrong: tuple[CellError, ...] = ()

    @property
    def number(self) -> int:
        return self.row.number


@dataclass
class OrderReader:
    """Reads rows by a mapping of fields to headers; a weight without a unit is refused, or is of `units`."""

    columns: Mapping[str, str]
    units: Units = KILOGRAMS

    def key(self, row: Row) -> tuple[str, str]:
        """Order number and source: rows that share both are one order."""
        cell = row.cells.get
        source = cell(self.columns.get("order_source", ""), "")
        return cell(self.columns.get("order_id", ""), ""), source or DEFAULT_SOURCE

    def read(self, row: Row, *, first: bool = True) -> OrderRow:
        """The item of a row, with the order when it is the order's first row; or all wrong cells."""
        cells = row.select(self.columns)
        wrong: CellErrors = []
        check_values(cells, wrong)
        item = check_model(CommodityData, read_item(cells, self.units, wrong), wrong, cells, find_column)
        key = self.key(row)
        order = self._order(key, cells, item, wrong) if first else None
        cell_errors = list_cell_errors(row.number, wrong, self.columns, READ["orders"])
        return OrderRow(row, key, None if cell_errors else order, None if cell_errors else item, cell_errors)

    def _order(
        self, key: tuple[str, str], cells: Cells, item: CommodityData | None, wrong: CellErrors
    ) -> OrderData | None:
        if not key[0]:
            wrong.append(("order_id", "is required"))
        body = read_order(key, cells, wrong)
        # The item was read already; a stand-in keeps its mistakes from being reported twice.
        body["line_items"] = [item or STAND_IN]
        return check_model(OrderData, body, wrong, cells, find_column)


STAND_IN = CommodityData.model_construct(title=None, quantity=1)


def find_column(path: str) -> str:
    """The column whose cell stands behind a field, e.g. `shipping_to.postal_code`."""
    field, _, name = path.partition(".")
    if field not in SIDES:
        return {"source": "order_source"}.get(path, path)
    return f"{SIDES[field]}_{PARTS.get(name, name)}"


PARTS = {name: part for part, name in ADDRESS.items()}


def read_item(cells: Cells, units: Units, wrong: CellErrors) -> dict[str, Any]:
    """The body of a line item."""
    return {
        "title": cells.get("title") or None,
        "description": cells.get("description") or None,
        "quantity": read_whole_number("quantity", cells, wrong),
        "sku": cells.get("sku") or None,
        "hs_code": cells.get("hs_code") or None,
        "value_amount": read_amount("value_amount", cells, wrong),
        "value_currency": read_currency("value_currency", cells, wrong),
        "weight": read_number("weight", cells, wrong),
        "weight_unit": read_weight_unit("weight", cells, units, wrong),
        "origin_country": read_country("origin_country", cells, wrong),
        "metadata": read_json_object("metadata", cells, wrong),
    }


def read_order(key: tuple[str, str], cells: Cells, wrong: CellErrors) -> dict[str, Any]:
    """The body of an order without its items; an address whose cells are all empty is left out."""
    options = read_json_object("options", cells, wrong)
    money = read_currency("order_currency", cells, wrong)
    sides = {
        field: read_address(side, cells, wrong)
        if field == "shipping_to" or has_address(side, cells)
        else None
        for field, side in SIDES.items()
    }
    return {
        "order_id": key[0],
        "source": key[1],
        "order_date": read_day("order_date", cells, wrong),
        "options": {"currency": money, **options} if money else options,
        "metadata": read_json_object("order_metadata", cells, wrong),
        **sides,
    }


def join_order_lines(lines: Iterable[OrderRow]) -> OrderData:
    """The order of its lines, the first of them with the order's own cells."""
    read = list(lines)
    order = read[0].order
    assert order is not None
    return order.changed(line_items=[line.item for line in read])
