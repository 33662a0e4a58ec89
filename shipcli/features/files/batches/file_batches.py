"""Files as batches: every row is checked before any of them is processed.

A short file is checked before it is answered: its wrong rows are refused. A long one is kept until the job of
its batch has checked it (`reading`). Rows are read one after another; no list of models is made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from shipcli.features.files.batches.items import COMPLETED, Item
from shipcli.features.files.batches.validation import make_order_item, make_row_item, make_shipment_item
from shipcli.features.files.engine import NO_PLAN, ReadRow, RowHandler
from shipcli.features.files.row_handlers import open_rows
from shipcli.features.files.shipment_store import FileRow
from shipcli.models import Conflict, Invalid, InvalidRows, NotFound
from shipcli.readers.cells import CellError, clean_tracking_number
from shipcli.readers.headers import SHIPMENTS
from shipcli.readers.invoices import ChargeRow
from shipcli.readers.orders import OrderRow, join_order_lines
from shipcli.readers.shipments import ShipmentRow
from shipcli.readers.tables import Rows
from shipcli.readers.trackers import TrackerRow

if TYPE_CHECKING:
    from shipcli.features.core.app import App

INVALID_ROW, UNKNOWN_HEADERS = "invalid_row", "unknown_headers"
NO_ROWS = "The file has no rows to import."
LONG = 1000  # rows that are checked before a file is answered; more would keep the caller waiting
WrongRow = Invalid | NotFound | Conflict
Read = tuple[int, "Item | WrongRow"]  # the place of a row, and what it gives; for an order its first row


def is_long(table: Rows) -> bool:
    """Whether a file has more rows than are checked while its sender waits."""
    return sum(1 for _ in islice(table.source, LONG + 1)) > LONG


def read_file_items(app: App, table: Rows, resource_type: str, batch_id: str) -> list[Item]:
    """The rows of a file as items; order rows with the same number and source are one item.

    Errors: Invalid if the file lacks columns or has no rows; InvalidRows naming every bad cell by its row,
            counted from 0 below the header.
    """
    read = sorted(read_rows(app, table, resource_type, batch_id), key=lambda pair: pair[0])
    wrong = [item for _, item in read if not isinstance(item, Item)]
    if wrong:
        raise InvalidRows(wrong)
    if not read:
        raise Invalid(table.name, NO_ROWS)
    return [item for _, item in read if isinstance(item, Item)]


def read_rows(app: App, table: Rows, resource_type: str, batch_id: str) -> Iterator[Read]:
    """Every row of a file with its place: an item, or what is wrong with the row.

    Errors: Invalid when the file lacks columns (at once, code unknown_headers), or stops being a table
            further down.
    """
    try:
        handler = open_rows(app, resource_type, table, NO_PLAN)
    except Invalid as error:
        raise Invalid.many(error.problems, UNKNOWN_HEADERS) from None
    return _read_items(FileReading(app, handler, batch_id), ITEMS[resource_type])


@dataclass(frozen=True)
class FileReading:
    """A file that is read for a batch; `seen` counts the rows of each key so far."""

    app: App
    handler: RowHandler[Any]
    batch_id: str
    seen: Counter[str] = field(default_factory=Counter)


MakeItem = Callable[[FileReading, Sequence[Any]], Item]  # of the rows of one object


def _read_items(reading: FileReading, make: MakeItem) -> Iterator[Read]:
    handler = reading.handler
    for rows in handler.group(handler.read(handler.table)):
        wrong = [_describe_wrong_row(handler.table, row) for row in rows if row.wrong]
        yield from wrong or [_read_item(reading, rows, make)]


def _convert_order(reading: FileReading, lines: Sequence[OrderRow]) -> Item:
    return make_order_item(reading.app, join_order_lines(lines), reading.batch_id, anew=False)


def _convert_shipment(reading: FileReading, rows: Sequence[ShipmentRow]) -> Item:
    """A row that is shipped already stands for the shipment with its number, if any; it is never bought.

    Another bears the key by which the same row of a later file is found. Rows of a file that share a
    reference are shipments of their own, told apart by their order.
    """
    (parsed,), app = rows, reading.app
    assert parsed.data is not None
    key = reading.handler.key(parsed.row)
    reading.seen[key] += 1
    if not parsed.shipped:
        row_key = key if reading.seen[key] == 1 else f"{key}\x1f{reading.seen[key]}"
        row = FileRow(row_key, reading.handler.table.digest, parsed.number)
        return make_row_item(make_shipment_item(app, parsed.data), row, parsed.data)
    number = clean_tracking_number(parsed.row.cells.get(SHIPMENTS["tracking_number"], ""))
    matches = app.store.select("shipments", {"tracking_number": number}, "-seq") if number else []
    shipment_id = next((str(row["id"]) for row in matches if row["test_mode"] == app.test_mode), None)
    return Item(resource_id=shipment_id, state=COMPLETED)


def _convert_tracker(reading: FileReading, rows: Sequence[TrackerRow]) -> Item:
    return Item(rows[0].data.model_dump() if rows[0].data else None)


def _convert_charge(reading: FileReading, rows: Sequence[ChargeRow]) -> Item:
    (charge,) = rows
    body = {"number": charge.tracking_number, "carrier": charge.carrier, "line": charge.line}
    return Item({**body, "repeat": charge.repeat})


ITEMS: Mapping[str, MakeItem] = {
    "orders": _convert_order,
    "shipments": _convert_shipment,
    "trackers": _convert_tracker,
    "billing": _convert_charge,
}


# -- one row ---------------------------------------------------------------------------------------


def _read_item(reading: FileReading, rows: Sequence[Any], make: MakeItem) -> Read:
    place = rows[0].row.place
    try:
        return place, replace(make(reading, rows), notes=_list_notes(reading.handler, rows))
    except (Invalid, NotFound, Conflict) as error:
        error.index = place
        return place, error


def _list_notes(handler: RowHandler[Any], rows: Sequence[Any]) -> tuple[CellError, ...]:
    """What of the cells of an item's rows was changed or left out, by the file's own columns."""
    cells = (cell for read in rows for cell in handler.list_notes(read))
    return tuple(replace(cell, column=handler.table.label(cell.column)) for cell in cells)


def _describe_wrong_row(table: Rows, read: ReadRow) -> Read:
    """A row with its bad cells, under the names that the file gives their columns."""
    bad = [(table.label(cell.column), cell.reason) for cell in read.wrong]
    return read.row.place, Invalid.many(bad, INVALID_ROW, index=read.row.place)
