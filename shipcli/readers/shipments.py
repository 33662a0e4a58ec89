"""From a row of a shipments file to the body that creates the shipment.

One row is one shipment. Every wrong cell is found, not only the first, and is named by its column.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from shipcli.models import Invalid, ShipmentData
from shipcli.models.basics.enums import PAID_BY
from shipcli.models.basics.units import KILOGRAMS, Units
from shipcli.models.parts.goods import declare_goods, parse_goods, use_product
from shipcli.readers.addresses import PARTS, has_address, read_address
from shipcli.readers.cells import (
    CellError,
    CellErrors,
    Cells,
    check_model,
    check_values,
    clean_cells,
    describe_unknown_word,
    list_cell_errors,
    read_currency,
    read_json_object,
    read_whole_number,
    shorten_value,
)
from shipcli.readers.headers import READ
from shipcli.readers.measures import read_sizes, read_weight
from shipcli.readers.tables import Row

REQUIRED = ("shipper_country", "recipient_country", "parcel_weight")
SHIPPED_FROM_HERE = REQUIRED[1:]  # where rows that name no shipper leave from a known one
MOST_PIECES = 99
OPEN_STATUSES = frozenset({"", "draft"})


@dataclass(frozen=True, slots=True)
class ShipmentRow:
    """A row as read: a body, or its wrong cells; `shipped` rows are never bought.

    Shapes: `notes` say what of its cells was changed or left out.
    """

    row: Row
    data: ShipmentData | None
    wrong: tuple[CellError, ...] = ()
    shipped: bool = False
    notes: tuple[CellError, ...] = ()

    @property
    def number(self) -> int:
        return self.row.number


@dataclass
class ShipmentReader:
    """Reads rows by a mapping of fields to headers.

    Shapes: `carriers` are the names a Carrier cell may hold (connection names and carrier slugs), each with
            the connections it stands for; `services` the services that may be named; `selected` the
            connections that the run is limited to. Empty means: any. `units` are those of numbers without
            one, `shipper` the address of rows that name none, `label_type` the format of the labels.
            `find_product` returns what is known of the article of a SKU, or None; `pack` puts parcels in the
            user's own boxes.
    """

    columns: Mapping[str, str]
    carriers: Mapping[str, Sequence[str]] = field(default_factory=dict)
    services: frozenset[str] = frozenset()
    selected: frozenset[str] = frozenset()
    units: Units = KILOGRAMS
    shipper: Mapping[str, Any] | None = None
    label_type: str = "PDF"
    find_product: Callable[[str], Mapping[str, Any] | None] = lambda sku: None
    pack: Callable[[list[dict[str, Any]]], list[Any]] = list

    def read(self, row: Row) -> ShipmentRow:
        """The body of a row, or all its wrong cells."""
        cells = row.select(self.columns)
        shipped = bool(cells.get("tracking_number")) or cells.get("status", "").lower() not in OPEN_STATUSES
        if shipped:  # it asks nothing of a carrier, whose connection may be gone by now
            cells |= {"carrier": "", "service": ""}
        wrong: CellErrors = []
        notes: CellErrors = list(row.notes)
        check_values(cells, wrong)
        clean_cells(cells, notes)
        data = check_model(ShipmentData, self._body(cells, wrong, notes), wrong, cells, find_column)
        cell_errors, cell_notes = (
            list_cell_errors(row.number, reasons, self.columns, READ["shipments"])
            for reasons in (wrong, notes)
        )
        return ShipmentRow(row, None if cell_errors else data, cell_errors, shipped, cell_notes)

    def _body(self, cells: Cells, wrong: CellErrors, notes: CellErrors) -> dict[str, Any]:
        options = self._options(cells, wrong)
        parcel = self._parcel(cells, wrong)
        body = {
            "shipper": self._shipper(cells, wrong, notes),
            "recipient": read_address("recipient", cells, wrong, notes),
            "parcels": [parcel] * self._pieces(cells, wrong),
            "options": options,
            "payment": self._payment(cells, options, wrong),
            "reference": cells.get("reference") or None,
            "carrier_ids": self._carriers(cells, wrong),
            "label_type": self.label_type,
        }
        return self._in_boxes(self._with_goods(body, cells, wrong), wrong)

    def _in_boxes(self, body: dict[str, Any], wrong: CellErrors) -> dict[str, Any]:
        """The body with its parcels in the user's own boxes, where it names them or has them chosen."""
        try:
            return {**body, "parcels": self.pack(body["parcels"])}
        except Invalid as error:
            wrong.append((f"parcel_{error.problems[0].field}", error.problems[0].reason))
            return body

    def _with_goods(self, body: dict[str, Any], cells: Cells, wrong: CellErrors) -> dict[str, Any]:
        """The body with the goods of its cell, written as on the command line with semicolons between."""
        texts = [text for text in cells.get("goods", "").split(";") if text.strip()]
        if not texts:
            return body
        try:
            typed = [parse_goods(text, self.units.weight) for text in texts]
            goods = [use_product(article, self.find_product(article["title"])) for article in typed]
            return declare_goods(body, goods, body["shipper"], body["recipient"])
        except Invalid as error:
            wrong.append(("goods", error.problems[0].reason))
            return body

    def _shipper(self, cells: Cells, wrong: CellErrors, notes: CellErrors) -> Mapping[str, Any]:
        if self.shipper and not has_address("shipper", cells):
            return self.shipper
        return read_address("shipper", cells, wrong, notes)

    def _parcel(self, cells: Cells, wrong: CellErrors) -> dict[str, Any]:
        sizes, unit = read_sizes("parcel_", cells, self.units, wrong)
        preset = cells.get("parcel_package_preset") or None
        measured = any(value is not None for value in sizes.values())
        if preset and not measured and not cells.get("parcel_dimension_unit"):
            unit = None  # a box alone keeps its own
        weight, weight_unit = read_weight("parcel_weight", cells, self.units, wrong, positive=True)
        return {
            "weight": weight,
            "weight_unit": weight_unit,
            **sizes,
            "dimension_unit": unit,
            "package_preset": preset,
        }

    def _pieces(self, cells: Cells, wrong: CellErrors) -> int:
        count = read_whole_number("pieces", cells, wrong)
        if not 1 <= count <= MOST_PIECES:
            reason = f"{shorten_value(cells['pieces'])} is not a number of pieces from 1 to {MOST_PIECES}"
            wrong.append(("pieces", reason))
            return 1
        return count

    def _options(self, cells: Cells, wrong: CellErrors) -> dict[str, Any]:
        options = read_json_object("options", cells, wrong)
        column = "service" if cells.get("service") else "options"
        if service := cells.get("service") or options.get("preferred_service"):
            if self.services and service not in self.services:
                wrong.append((column, describe_unknown_word("service", str(service), self.services)))
            options = {**options, "preferred_service": service}
        money = read_currency("currency", cells, wrong)
        return {**options, "currency": money} if money else options

    def _payment(self, cells: Cells, options: Mapping[str, Any], wrong: CellErrors) -> dict[str, Any]:
        payor = (cells.get("paid_by") or "sender").lower()
        if payor not in PAID_BY:
            wrong.append(("paid_by", describe_unknown_word("payor", payor, PAID_BY)))
            payor = "sender"
        return {"paid_by": payor, "currency": options.get("currency")}

    def _carriers(self, cells: Cells, wrong: CellErrors) -> list[str]:
        name = cells.get("carrier")
        if not name:
            return []
        if self.carriers and name not in self.carriers:
            wrong.append(("carrier", describe_unknown_word("carrier or connection", name, self.carriers)))
            return []
        connections = list(self.carriers.get(name, [name]))
        if self.selected and self.selected.isdisjoint(connections):
            only = ", ".join(sorted(self.selected))
            wrong.append(("carrier", f"{shorten_value(name)} is not asked: only {only}"))
        return connections


def find_column(path: str) -> str:
    """The column whose cell stands behind a field, e.g. `recipient.postal_code`, `parcels[0].weight`."""
    side, _, name = path.partition(".")
    if side in ("shipper", "recipient"):
        return f"{side}_{PARTS.get(name, name)}"
    if side.startswith("customs") or name.startswith("items"):
        return "goods"
    if side.startswith("parcels"):
        return {"dimensions": "parcel_length"}.get(name, f"parcel_{name}")
    return {"payment": "paid_by"}.get(side, side)
