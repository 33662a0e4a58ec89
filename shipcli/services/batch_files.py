"""Files as the work of a batch: read once, checked whole; their rows are kept until done, the file is not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeVar

from shipcli.imports.orders import Line, whole_order
from shipcli.imports.shipments import Parsed
from shipcli.imports.tables import Rows, Table
from shipcli.models import ImportData, Invalid, InvalidRows
from shipcli.services import importing, invoice_import, order_import, tracker_import
from shipcli.services.batch_intake import checked, order_item, shipment_item
from shipcli.services.batch_rows import COMPLETED, Item
from shipcli.services.checking import Findings
from shipcli.services.data_templates import mapped

if TYPE_CHECKING:
    from shipcli.services.app import App

INVALID_ROW, UNKNOWN_HEADERS = "invalid_row", "unknown_headers"
T = TypeVar("T")


def file_items(app: App, data: ImportData, name: str, content: bytes, batch_id: str) -> list[Item]:
    """The rows of a file as items; order rows of one number and source are one item.

    Errors: Invalid when the file is no table, lacks columns or has no rows, or for a wrong template;
            InvalidRows naming every bad cell by its row, counted from 0 below the header.
    """
    source = Table(name, content)
    if not any(source.headers):
        raise Invalid(name, "The file names no columns.")
    table = mapped(app, source, data.resource_type, template=data.data_template)
    items = READERS[data.resource_type](app, table, batch_id)
    if not items:
        raise Invalid(name, "The file has no rows to import.")
    return items


def _orders(app: App, table: Rows, batch_id: str) -> list[Item]:
    reader, found = _of_columns(lambda: order_import.reader_for(table)), Findings(table)
    orders: dict[tuple[str, str], list[Line]] = {}
    for row in table:
        key = reader.key(row)
        line = reader.read(row, first=key not in orders)
        orders.setdefault(key, []).append(line)
        found.enter(row.number, line.key[0], line.wrong)
    refuse(found)
    rows = _placed(table, ((lines[0].number, lines) for lines in orders.values()))
    return list(checked(rows, lambda lines: order_item(app, whole_order(lines), batch_id, anew=False)))


def _shipments(app: App, table: Rows, batch_id: str) -> list[Item]:
    reader, found = _of_columns(lambda: importing.reader_for(app, table)), Findings(table)
    read = [reader.read(row) for row in table]
    for parsed in read:
        found.enter(parsed.number, "", parsed.wrong)
    refuse(found)
    number = reader.columns.get("tracking_number", "")
    rows = _placed(table, ((parsed.number, parsed) for parsed in read))
    return list(checked(rows, lambda parsed: _shipment(app, parsed, parsed.row.cells.get(number, ""))))


def _shipment(app: App, parsed: Parsed, number: str) -> Item:
    """A row that is shipped already stands for the shipment of its number, if any; it is never bought."""
    assert parsed.data is not None
    if not parsed.shipped:
        return shipment_item(app, parsed.data)
    rows = app.store.select("shipments", {"tracking_number": number}, "-seq") if number else []
    known = next((str(row["id"]) for row in rows if row["test_mode"] == app.test_mode), None)
    return Item(resource_id=known, state=COMPLETED)


def _trackers(app: App, table: Rows, batch_id: str) -> list[Item]:
    reader, found = _of_columns(lambda: tracker_import.reader_for(app, table)), Findings(table)
    read = [reader.read(row) for row in table]
    for parsed in read:
        found.enter(parsed.row.number, parsed.key, parsed.wrong)
    refuse(found)
    return [Item(parsed.data.plain()) for parsed in read if parsed.data]


def _billing(app: App, table: Rows, batch_id: str) -> list[Item]:
    reader, found = _of_columns(lambda: invoice_import.reader_for(table)), Findings(table)
    read = [reader.read(row) for row in table]
    for charge in read:
        found.enter(charge.row.number, charge.tracking_number, charge.wrong)
    refuse(found)
    return [Item({"number": one.tracking_number, "carrier": one.carrier, "line": one.line}) for one in read]


READERS: Mapping[str, Callable[[App, Rows, str], list[Item]]] = {
    "orders": _orders,
    "shipments": _shipments,
    "trackers": _trackers,
    "billing": _billing,
}


# -- what is wrong ---------------------------------------------------------------------------------


def _of_columns(make: Callable[[], T]) -> T:
    """A reader for the columns of a file.

    Errors: Invalid, code unknown_headers, naming the missing ones.
    """
    try:
        return make()
    except Invalid as error:
        raise Invalid.many(error.problems, UNKNOWN_HEADERS) from None


def refuse(found: Findings) -> None:
    """Errors: InvalidRows naming every bad cell by its column."""
    wrong = found.checked().wrong
    if not wrong:
        return
    places, cells = _places(found.table), dict[int, list[tuple[str, str]]]()
    for one in wrong:
        cells.setdefault(one.row, []).append((one.column, one.reason))
    rows = sorted(cells.items())
    raise InvalidRows(Invalid.many(bad, INVALID_ROW, index=places[number]) for number, bad in rows)


def _placed(table: Rows, rows: Iterable[tuple[int, T]]) -> Iterator[tuple[int, T]]:
    """What was read of rows, each with its place instead of its number in the file."""
    places = _places(table)
    return ((places[number], row) for number, row in rows)


def _places(table: Rows) -> dict[int, int]:
    """The place of every row below the header, counted from 0, by its number in the file."""
    return {row.number: place for place, row in enumerate(table.source)}
