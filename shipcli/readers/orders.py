"""From a row of an orders file to a line item, and from the first row of an order to the order itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shipcli.models import CommodityData, OrderData, json
from shipcli.models.basics.units import KILOGRAMS, Units
from shipcli.models.parts.articles import fit_item
from shipcli.models.parts.parcel import LONGEST_ITEM_TEXT
from shipcli.readers.addresses import PARTS, has_address, read_address, read_optional_address
from shipcli.readers.cells import (
    CellError,
    CellErrors,
    Cells,
    check_model,
    check_values,
    clean_cells,
    list_cell_errors,
    read_country,
    read_currency,
    read_day,
    read_json_object,
    read_whole_number,
    shorten_value,
)
from shipcli.readers.headers import READ
from shipcli.readers.measures import read_value, read_weight
from shipcli.readers.tables import Row

REQUIRED = ("order_id", "shipping_to_country", "weight")
SIDES: Mapping[str, str] = {
    "shipping_to": "shipping_to",
    "shipping_from": "shipping_from",
    "billing_address": "billing",
}  # field to the beginning of its columns
DEFAULT_SOURCE = "API"
KEPT_WHOLE = "pick lists and slips show it whole, carriers as much as they take"


@dataclass(frozen=True, slots=True)
class OrderRow:
    """A row as read: its items, one mostly, and with the first row of its order the order; or wrong cells.

    Shapes: `notes` say what of its cells was changed or left out.
    """

    row: Row
    key: tuple[str, str]
    order: OrderData | None = None
    items: tuple[CommodityData, ...] = ()
    wrong: tuple[CellError, ...] = ()
    notes: tuple[CellError, ...] = ()

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
        notes: CellErrors = list(row.notes)
        check_values(cells, wrong)
        clean_cells(cells, notes)
        items = self._read_items(cells, wrong, notes)
        key = self.key(row)
        order = self._order(key, cells, items, wrong, notes) if first else None
        cell_errors, cell_notes = (
            list_cell_errors(row.number, reasons, self.columns, READ["orders"]) for reasons in (wrong, notes)
        )
        if cell_errors:
            return OrderRow(row, key, None, (), cell_errors, cell_notes)
        return OrderRow(row, key, order, tuple(items), (), cell_notes)

    def _read_items(self, cells: Cells, wrong: CellErrors, notes: CellErrors) -> list[CommodityData]:
        """The item of a row, or all that are packed into one of its cells."""
        articles = _read_articles(cells, wrong)
        items = []
        for article in articles:
            clean_cells(article, notes)
            body = read_item(article, self.units, wrong, notes)
            items.append(check_model(CommodityData, body, wrong, article, find_column))
        return [item for item in items if item]

    def _order(
        self,
        key: tuple[str, str],
        cells: Cells,
        items: Sequence[CommodityData],
        wrong: CellErrors,
        notes: CellErrors,
    ) -> OrderData | None:
        if not key[0]:
            wrong.append(("order_id", "is required"))
        body = read_order(key, cells, wrong, notes)
        # The item was read already; a stand-in keeps its mistakes from being reported twice.
        body["line_items"] = [*items] or [STAND_IN]
        return check_model(OrderData, body, wrong, cells, find_column)


def _read_articles(cells: Cells, wrong: CellErrors) -> list[dict[str, str]]:
    """The cells of each article of a row: one, unless the row has them packed together."""
    text = cells.get("items")
    if not text:
        return [dict(cells)]
    if not text.startswith("["):
        wrong.append(("items", f"{shorten_value(text)} is in no known form of goods in one cell"))
        return []
    return [{**cells, "items": "", **article} for article in json.loads(text)]


STAND_IN = CommodityData.model_construct(title=None, quantity=1)


def find_column(path: str) -> str:
    """The column whose cell stands behind a field, e.g. `shipping_to.postal_code`."""
    field, _, name = path.partition(".")
    if field not in SIDES:
        return {"source": "order_source"}.get(path, path)
    return f"{SIDES[field]}_{PARTS.get(name, name)}"


def read_item(cells: Cells, units: Units, wrong: CellErrors, notes: CellErrors) -> dict[str, Any]:
    """The body of a line item; of a long title or SKU the whole is in its metadata."""
    amount, currency = read_value("value_amount", "value_currency", cells, wrong)
    weight, weight_unit = read_weight("weight", cells, units, wrong)
    metadata = read_json_object("metadata", cells, wrong)
    item = {
        "title": cells.get("title") or None,
        "description": cells.get("description") or None,
        "quantity": read_whole_number("quantity", cells, wrong),
        "sku": cells.get("sku") or None,
        "hs_code": cells.get("hs_code") or None,
        "value_amount": amount,
        "value_currency": currency,
        "weight": weight,
        "weight_unit": weight_unit,
        "origin_country": read_country("origin_country", cells, wrong),
        "metadata": {**metadata, "variant": cells["variant"]} if cells.get("variant") else metadata,
    }
    for name in ("title", "sku"):
        if len(whole := cells.get(name, "")) > LONGEST_ITEM_TEXT:
            text = f"{shorten_value(whole)} is longer than {LONGEST_ITEM_TEXT} characters: {KEPT_WHOLE}"
            notes.append((name, text))
    return fit_item(item)


def read_order(key: tuple[str, str], cells: Cells, wrong: CellErrors, notes: CellErrors) -> dict[str, Any]:
    """The body of an order without its items; an address whose cells are all empty is left out.

    Nothing is sent to the billing address, and nothing in it refuses an order.
    """
    options = read_json_object("options", cells, wrong)
    money = read_currency("order_currency", cells, wrong)
    sender = (
        read_address("shipping_from", cells, wrong, notes) if has_address("shipping_from", cells) else None
    )
    return {
        "order_id": key[0],
        "source": key[1],
        "order_date": read_day("order_date", cells, wrong),
        "options": {"currency": money, **options} if money else options,
        "metadata": read_json_object("order_metadata", cells, wrong),
        "shipping_to": read_address("shipping_to", cells, wrong, notes),
        "shipping_from": sender,
        "billing_address": read_optional_address("billing", cells, notes),
    }


def join_order_lines(lines: Iterable[OrderRow]) -> OrderData:
    """The order of its lines, the first of them with the order's own cells."""
    read = list(lines)
    order = read[0].order
    assert order is not None
    return order.model_copy(update={"line_items": [item for line in read for item in line.items]})
