"""Orders, shipments and trackers as rows under the default headers, which imports can read back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from shipcli.features.core import filters as lists
from shipcli.features.core.checkpoints import read_cursor, write_cursor
from shipcli.features.core.dates import parse_instant
from shipcli.features.core.filters import Rules, split_words
from shipcli.features.orders import filters as order_filters
from shipcli.features.shipments import filters as shipment_filters
from shipcli.features.trackers import filters as tracker_filters
from shipcli.models import Invalid, NotFound, find_nearest, json
from shipcli.models.basics import enums
from shipcli.readers.addresses import ADDRESS
from shipcli.readers.headers import ORDERS, SHIPMENTS, TRACKERS
from shipcli.store.query import Filter, at_least, below, one_of

if TYPE_CHECKING:
    from shipcli.features.core.app import App

Document = Mapping[str, Any]
Rows = Iterator[dict[str, Any]]
ALL, STATUS, EXCLUDE = "all", "status", "exclude"


@dataclass(frozen=True)
class Export:
    """What can be exported: its kind, its columns, how a document becomes rows, the filters of its list,
    which statuses by default.
    """

    kind: str
    headers: Mapping[str, str]
    rows: Callable[[Document], Rows]
    filters: Rules
    known: Sequence[str]
    statuses: Sequence[str] = ()


@dataclass(frozen=True)
class ExportRequest:
    """Which objects and columns; `since` is an instant, or `@name`: since the last export of that name.

    `filters` are further conditions, as for lists.
    """

    statuses: Sequence[str] = ()
    exclude: Sequence[str] = ()
    since: str | None = None
    filters: Sequence[Filter] = ()


@dataclass(frozen=True)
class ExportSheet:
    """An export ready to be written; call `finish` afterwards."""

    headers: list[str]
    rows: Rows
    finish: Callable[[], None]


def export(app: App, what: str, request: ExportRequest) -> ExportSheet:
    """The rows of an export, newest object first.

    Errors: Invalid for an unknown status, column or instant.
    """
    row = EXPORTS[what]
    columns = select_columns(row, request.exclude)
    until = _read_now(app)
    filters = [
        *_filter_by_status(row, request.statuses),
        *request.filters,
        *_filter_since(app, what, request.since, until),
    ]
    headers = list(columns.values())

    def finish() -> None:
        if request.since and request.since.startswith("@"):
            write_cursor(app, what, request.since[1:], until.isoformat())

    return ExportSheet(
        headers, write_rows(row, columns, app.store.each(row.kind, filters, app.test_mode)), finish
    )


def export_rows(
    app: App, what: str, *, status: str = "", exclude: str = "", since: str | None = None
) -> dict[str, Any]:
    """The headers and rows of an export as data, and the instant `until` which it has all changes.

    Shapes: `status` and `exclude` list words; without `since` everything is exported.
    Errors: NotFound for something that can't be exported; as `export`.
    """
    if what not in EXPORTS:
        raise NotFound("export", what)
    until = _read_now(app)
    changed = [below("updated_at", until), *([at_least("updated_at", _read_instant(since))] if since else [])]
    sheet = export(app, what, ExportRequest(split_words(status), split_words(exclude), filters=changed))
    return {"until": until.isoformat(), "headers": sheet.headers, "rows": list(sheet.rows)}


def read_query(what: str, query: Mapping[str, Sequence[str]]) -> ExportRequest:
    """What a query asks for: the filters of the list, `status` (a word more: all), `exclude` with field
    names. Anything else in it is ignored.

    Errors: Invalid naming the filter that can't be read.
    """
    rules = {name: rule for name, rule in EXPORTS[what].filters.items() if name != STATUS}
    statuses, exclude = (split_words(query.get(name, ())) for name in (STATUS, EXCLUDE))
    return ExportRequest(statuses, exclude, filters=lists.read_filters(rules, query))


def select_columns(row: Export, exclude: Sequence[str]) -> dict[str, str]:
    """Field to header, without what is left out.

    Errors: Invalid on `exclude` for an unknown field.
    """
    for name in exclude:
        if name not in row.headers:
            near = find_nearest(name, row.headers)
            hint = f"did you mean {near}?" if near else f"known: {', '.join(row.headers)}"
            raise Invalid("exclude", f"There is no field {name!r}; {hint}")
    return {name: header for name, header in row.headers.items() if name not in exclude}


def write_rows(row: Export, columns: Mapping[str, str], documents: Iterable[Document]) -> Rows:
    """The rows of documents, with these columns."""
    for document in documents:
        for cells in row.rows(document):
            yield {header: cells.get(name) for name, header in columns.items()}


def _filter_by_status(row: Export, requested: Sequence[str]) -> list[Filter]:
    statuses = choose_statuses(row, requested)
    return [one_of("status", statuses)] if statuses else []


def choose_statuses(row: Export, requested: Sequence[str]) -> Sequence[str]:
    """The statuses to export; an empty list means all.

    Errors: Invalid on `status`.
    """
    statuses = requested or row.statuses
    if not statuses or ALL in statuses:
        return ()
    for status in statuses:
        if status not in row.known:
            raise Invalid("status", f"{status!r} is not one of {', '.join((*row.known, ALL))}")
    return statuses


def _filter_since(app: App, what: str, since: str | None, until: datetime) -> list[Filter]:
    """Conditions for what changed since then. Changes during a named export are left for the next one."""
    if not since:
        return []
    if not since.startswith("@"):
        return [at_least("updated_at", _read_instant(since))]
    cursor = read_cursor(app, what, since[1:])
    return [below("updated_at", until), *([at_least("updated_at", cursor)] if cursor else [])]


def _read_instant(text: str) -> datetime:
    try:
        return parse_instant(text)
    except ValueError:
        raise Invalid(
            "since", f"{text!r} is not a date such as 2024-12-31, nor a name such as @nightly"
        ) from None


def _read_now(app: App) -> datetime:
    """The present instant, after all open writes have finished."""
    with app.store.transaction():
        return app.now()


# -- rows ------------------------------------------------------------------------------------------


def write_order_rows(order: Document) -> Rows:
    """Write a row per line item."""
    options = order.get("options") or {}
    shared = {
        "id": order["id"],
        "order_id": order["order_id"],
        "order_date": order["order_date"],
        "order_source": order["source"],
        "order_status": order["status"],
        "order_total": sum_total(order),
        "order_currency": options.get("currency"),
        "order_created_at": order["created_at"],
        "options": format_json_cell(options),
        **write_address_cells("shipping_to", order["shipping_to"]),
        **write_address_cells("shipping_from", order["shipping_from"]),
        **write_address_cells("billing", order["billing_address"]),
    }
    for line in order["line_items"]:
        yield {**line, **shared, "metadata": format_json_cell(line["metadata"])}


def sum_total(order: Document) -> Decimal | None:
    """The value of all lines; None if one has no value, or they have several currencies."""
    lines = order["line_items"]
    if (
        any(line["value_amount"] is None for line in lines)
        or len({line["value_currency"] for line in lines}) > 1
    ):
        return None
    return sum((line["value_amount"] * line["quantity"] for line in lines), Decimal(0))


def write_shipment_rows(shipment: Document) -> Rows:
    """Write one row; of several parcels it has the first one and their number."""
    options, rate = shipment["options"] or {}, shipment["selected_rate"] or {}
    parcel, names = shipment["parcels"][0], shipment["carrier_ids"] or []
    yield {
        "id": shipment["id"],
        "created_at": shipment["created_at"],
        "tracking_number": shipment["tracking_number"],
        "status": shipment["status"],
        **_write_person_cells("shipper", shipment["shipper"]),
        **_write_person_cells("recipient", shipment["recipient"]),
        **{f"parcel_{name}": parcel[name] for name in PARCEL},
        "pieces": len(shipment["parcels"]),
        "service": rate.get("service") or options.get("preferred_service"),
        "carrier": shipment["carrier_name"] or (names[0] if len(names) == 1 else None),
        "rate": rate.get("total_charge"),
        "currency": rate.get("currency") or options.get("currency"),
        "paid_by": (shipment["payment"] or {}).get("paid_by"),
        "reference": shipment["reference"],
        "options": format_json_cell(options),
    }


PARCEL = ("width", "height", "length", "dimension_unit", "weight", "weight_unit", "package_preset")


def _write_person_cells(side: str, address: Document) -> dict[str, Any]:
    return {f"{side}_id": address["id"], **write_address_cells(side, address)}


def write_tracker_rows(tracker: Document) -> Rows:
    """Write one row."""
    meta = tracker["meta"] or {}
    options = {name: meta[name] for name in ("account_number", "reference") if meta.get(name)}
    yield {
        "id": tracker["id"],
        "tracking_number": tracker["tracking_number"],
        "status": tracker["status"],
        "tracking_carrier": tracker["carrier_name"],
        "options": format_json_cell(options),
    }


def write_address_cells(side: str, address: Document | None) -> dict[str, Any]:
    """The cells of an address; all empty if there is none."""
    if not address:
        return {}
    cells = {f"{side}_{part}": address.get(name) for part, name in ADDRESS.items()}
    return {**cells, f"{side}_residential": "yes" if address.get("residential") else "no"}


def format_json_cell(value: Mapping[str, Any] | None) -> str | None:
    """An object as JSON for a cell; None for an empty one."""
    return json.dumps(value) if value else None


EXPORTS: Mapping[str, Export] = {
    "orders": Export(
        "order", ORDERS, write_order_rows, order_filters.ORDERS, enums.ORDER_STATUSES,
        ("fulfilled", "delivered"),
    ),
    "shipments": Export(
        "shipment", SHIPMENTS, write_shipment_rows, shipment_filters.SHIPMENTS, enums.SHIPMENT_STATUSES,
        ("purchased", "delivered", "shipped", "in_transit"),
    ),
    "trackers": Export(
        "tracker", TRACKERS, write_tracker_rows, tracker_filters.TRACKERS, enums.CARRIER_TRACKING_STATUSES
    ),
}  # fmt: skip
