"""Files as the work of a batch: every row is checked before anything of the file is worked on.

A short file is checked before it is answered: its wrong rows are refused. A long one is kept until the job of
its batch has checked it (`reading`). Rows are read one after another; no list of models is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Protocol, TypeVar

from shipcli.features.batches.items import COMPLETED, Item
from shipcli.features.batches.validation import order_item, shipment_item
from shipcli.features.spreadsheets import invoice_import, order_import, shipment_import, tracker_import
from shipcli.imports.cells import Wrong
from shipcli.imports.orders import OrderRow, whole_order
from shipcli.imports.shipments import Parsed
from shipcli.imports.tables import Row, Rows
from shipcli.models import Conflict, Invalid, InvalidRows, NotFound

if TYPE_CHECKING:
    from shipcli.features.core.app import App

INVALID_ROW, UNKNOWN_HEADERS = "invalid_row", "unknown_headers"
NO_ROWS = "The file has no rows to import."
LONG = 1000  # rows that are checked before a file is answered; more would keep the caller waiting
WrongRow = Invalid | NotFound | Conflict
Read = tuple[int, "Item | WrongRow"]  # the place of a row, and what it gives; for an order its first row
T = TypeVar("T")


class Checkable(Protocol):
    """What a reader makes of a row."""

    @property
    def wrong(self) -> tuple[Wrong, ...]:
        """Its wrong cells."""


ParsedT = TypeVar("ParsedT", bound=Checkable)


def is_long(table: Rows) -> bool:
    """Whether a file has more rows than are checked while its sender waits."""
    return sum(1 for _ in islice(table.source, LONG + 1)) > LONG


def file_items(app: App, table: Rows, resource_type: str, batch_id: str) -> list[Item]:
    """The rows of a file as items; order rows of one number and source are one item.

    Errors: Invalid when the file lacks columns or has no rows; InvalidRows naming every bad cell by its row,
            counted from 0 below the header.
    """
    read = sorted(read_rows(app, table, resource_type, batch_id), key=lambda one: one[0])
    wrong = [found for _, found in read if not isinstance(found, Item)]
    if wrong:
        raise InvalidRows(wrong)
    if not read:
        raise Invalid(table.name, NO_ROWS)
    return [found for _, found in read if isinstance(found, Item)]


def read_rows(app: App, table: Rows, resource_type: str, batch_id: str) -> Iterator[Read]:
    """Every row of a file as an item or as what is wrong with it, with its place.

    Errors: Invalid when the file lacks columns (at once), or stops being a table further down.
    """
    return READERS[resource_type](app, table, batch_id)


def _orders(app: App, table: Rows, batch_id: str) -> Iterator[Read]:
    reader = _of_columns(lambda: order_import.reader_for(table))

    def rows() -> Iterator[Read]:
        last = {reader.key(row): row.number for row in table}
        waiting: dict[tuple[str, str], list[OrderRow]] = {}
        for row in table:
            key = reader.key(row)
            line = reader.read(row, first=key not in waiting)
            waiting.setdefault(key, []).append(line)
            if line.wrong:
                yield _wrong(table, row, line.wrong)
            if last[key] == row.number:
                yield from _whole(waiting.pop(key))

    def _whole(lines: list[OrderRow]) -> Iterator[Read]:
        if not any(line.wrong for line in lines):
            yield _item(lines[0].row, lambda: order_item(app, whole_order(lines), batch_id, anew=False))

    return rows()


def _shipments(app: App, table: Rows, batch_id: str) -> Iterator[Read]:
    reader = _of_columns(lambda: shipment_import.reader_for(app, table))
    number = reader.columns.get("tracking_number", "")

    def item(parsed: Parsed) -> Item:
        return _shipment(app, parsed, parsed.row.cells.get(number, ""))

    return _each(table, reader.read, item)


def _shipment(app: App, parsed: Parsed, number: str) -> Item:
    """A row that is shipped already stands for the shipment of its number, if any; it is never bought."""
    assert parsed.data is not None
    if not parsed.shipped:
        return shipment_item(app, parsed.data)
    rows = app.store.select("shipments", {"tracking_number": number}, "-seq") if number else []
    known = next((str(row["id"]) for row in rows if row["test_mode"] == app.test_mode), None)
    return Item(resource_id=known, state=COMPLETED)


def _trackers(app: App, table: Rows, batch_id: str) -> Iterator[Read]:
    reader = _of_columns(lambda: tracker_import.reader_for(app, table))
    return _each(table, reader.read, lambda parsed: Item(parsed.data.plain() if parsed.data else None))


def _billing(app: App, table: Rows, batch_id: str) -> Iterator[Read]:
    reader = _of_columns(lambda: invoice_import.reader_for(table))
    return _each(
        table,
        reader.read,
        lambda one: Item({"number": one.tracking_number, "carrier": one.carrier, "line": one.line}),
    )


READERS: Mapping[str, Callable[[App, Rows, str], Iterator[Read]]] = {
    "orders": _orders,
    "shipments": _shipments,
    "trackers": _trackers,
    "billing": _billing,
}


# -- one row ---------------------------------------------------------------------------------------


def _each(table: Rows, read: Callable[[Row], ParsedT], item: Callable[[ParsedT], Item]) -> Iterator[Read]:
    for row in table:
        parsed = read(row)
        yield _wrong(table, row, parsed.wrong) if parsed.wrong else _item(row, partial(item, parsed))


def _item(row: Row, make: Callable[[], Item]) -> Read:
    try:
        return row.place, make()
    except (Invalid, NotFound, Conflict) as error:
        error.index = row.place
        return row.place, error


def _wrong(table: Rows, row: Row, cells: Iterable[Wrong]) -> Read:
    """A row with its bad cells, under the names that the file gives their columns."""
    bad = [(table.label(cell.column), cell.reason) for cell in cells]
    return row.place, Invalid.many(bad, INVALID_ROW, index=row.place)


def _of_columns(make: Callable[[], T]) -> T:
    """A reader for the columns of a file.

    Errors: Invalid, code unknown_headers, naming the missing ones.
    """
    try:
        return make()
    except Invalid as error:
        raise Invalid.many(error.problems, UNKNOWN_HEADERS) from None
