"""The columns that a terminal shows of a list: the few that people look for, in their order.

Pipes and files get the columns that scripts know; `--columns` shows any others on a terminal too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from shipcli.cli.console.cells import format_cell, show_cell
from shipcli.cli.console.paths import look_up
from shipcli.clocks import real_clock
from shipcli.features.orders import filters as order_filters

Row = Mapping[str, Any]
# Columns with sentences that a person must read to the end.
SENTENCES = ("reason", "message", "problem", "error", "value", "fix", "hint", "what", "detail", "description",
             "meaning", "where")  # fmt: skip
# What carriers call the number of their end-of-day form.
FORM_NUMBERS = ("manifestNumber", "ManifestNumber", "manifest_id", "order_id")
OTHER_WIDTH = 25  # characters beside our word: a type, and enough of the carrier's word
RETURN_OF, IS_RETURN = "return_of", "is_return"  # in the metadata and the options of a return
WHOLE = ("id", "tracking_number", "reference", "confirmation_number")  # copied from the screen: never cut


@dataclass(frozen=True)
class ListColumn:
    """A column of a table: its heading and its content.

    Shapes: columns of a higher `rank` are left out first when the terminal is narrow; of the rest, texts are
            cut down to `least` characters, 0 for those that are never cut. An `open` one is a sentence: as
            the last column it goes on below instead of being cut.
    """

    title: str
    read: Callable[[Row], str]
    rank: int = 1
    least: int = 0
    right: bool = False
    open: bool = False


def make_path_columns(paths: Sequence[str]) -> list[ListColumn]:
    """Make columns from the fields they show; the last ones are left out first."""
    return [_make_path_column(path, rank) for rank, path in enumerate(paths, 1)]


def _make_path_column(path: str, rank: int) -> ListColumn:
    title = path.replace("_", " ").replace(".", " ").upper()
    least = 0 if rank == 1 or path.split(".")[-1] in WHOLE else 12  # the first one names the row

    def read(row: Row) -> str:
        return show_cell(look_up(row, path), path)

    is_sentence = path.split(".")[-1] in SENTENCES
    return ListColumn(title, read, rank, max(least, 30) if is_sentence and least else least, open=is_sentence)


# -- how values are shown --------------------------------------------------------------------------


def format_money(amount: Any, currency: Any) -> str:
    """12.4 and USD as 12.40 USD."""
    return f"{Decimal(str(amount)):,.2f} {currency or ''}".strip() if amount not in (None, "") else ""


def format_total(row: Row) -> str:
    """The price of a rate."""
    return format_money(row.get("total_charge"), row.get("currency"))


def format_price(row: Row) -> str:
    """The price of a shipment's rate."""
    return format_total(row.get("selected_rate") or {})


def format_person(address: Row | None) -> str:
    """Ada Brooks, Boston MA."""
    if not address:
        return ""
    town = " ".join(part for part in (address.get("city"), address.get("state_code")) if part)
    name = address.get("person_name") or address.get("company_name")
    return ", ".join(part for part in (name, town or address.get("country_code")) if part)


def format_age(text: Any) -> str:
    """How long ago an instant was: 5 min, 3 h, 12 d."""
    try:
        return _format_duration(real_clock() - datetime.fromisoformat(str(text)).astimezone(UTC))
    except ValueError:
        return ""


def _format_duration(since: timedelta) -> str:
    steps = ((timedelta(hours=1), 60, "min"), (timedelta(days=1), 3600, "h"), (timedelta.max, 86400, "d"))
    seconds, unit = next((size, unit) for most, size, unit in steps if since < most)
    return f"{max(int(since.total_seconds() // seconds), 0)} {unit}"


def format_size(row: Row) -> str:
    """12 x 8 x 4 IN."""
    sides = [format_cell(row.get(name)) for name in ("length", "width", "height")]
    return f"{' x '.join(sides)} {row.get('dimension_unit') or ''}".strip() if all(sides) else ""


def format_weight(row: Row) -> str:
    """2.5 LB."""
    return f"{format_cell(row['weight'])} {row.get('weight_unit') or ''}".strip() if row.get("weight") else ""


def format_address(row: Row) -> str:
    """12 Harbor St, Boston MA 02210, US."""
    town = " ".join(str(row[name]) for name in ("city", "state_code", "postal_code") if row.get(name))
    parts = (row.get("address_line1"), town, row.get("country_code"))
    return ", ".join(str(part) for part in parts if part)


def describe_last_event(row: Row) -> str:
    """The last event that a carrier reported."""
    events = row.get("events") or [{}]
    parts = (events[0].get("description"), events[0].get("location"))
    return ", ".join(str(part) for part in parts if part)


def format_hours(row: Row) -> str:
    """13:00-17:00."""
    return "-".join(str(row[name]) for name in ("ready_time", "closing_time") if row.get(name))


def find_pickup_state(row: Row) -> str:
    """The state of a pickup: `booked` unless the carrier or a person said otherwise."""
    return str((row.get("meta") or {}).get("status") or "booked")


def find_form_number(row: Row) -> str:
    """The carrier's number of a form; empty for a form that was drawn here."""
    meta = row.get("meta") or {}
    return next((str(meta[name]) for name in FORM_NUMBERS if meta.get(name)), "")


def describe_finding(row: Row) -> str:
    """A finding of doctor, and the command that helps."""
    return f"{row['detail']}. Type: {row['hint']}" if row.get("hint") else str(row["detail"])


def count_left(row: Row) -> str:
    """How many pieces of an order are still to be shipped, out of how many."""
    lines = row.get("line_items") or []
    total = sum(line.get("quantity") or 0 for line in lines)
    return f"{sum(line.get('unfulfilled_quantity') or 0 for line in lines)} of {total}"


def format_order_age(row: Row) -> str:
    """How long ago an order was placed: 3 h, 2 d; what `--age` goes by."""
    return _format_duration(order_filters.measure_age(row)) if row.get("created_at") else ""


def format_order_weight(row: Row) -> str:
    """The weight of an order's lines together, where all are of one unit."""
    return _add_up(row, "weight", "weight_unit")


def format_order_value(row: Row) -> str:
    """The value of an order's lines together, where all are of one currency."""
    total = _add_up(row, "value_amount", "value_currency").partition(" ")
    return format_money(total[0], total[2]) if total[0] else ""


def _add_up(row: Row, amount: str, unit: str) -> str:
    lines = row.get("line_items") or []
    units = {line.get(unit) for line in lines}
    if len(units) != 1 or any(line.get(amount) in (None, "") for line in lines):
        return ""
    total = sum(Decimal(str(line[amount])) * (line.get("quantity") or 0) for line in lines)
    return f"{format_cell(total)} {units.pop() or ''}".strip()


def count(name: str) -> Callable[[Row], str]:
    """The number of items in a list."""
    return lambda row: str(len(row.get(name) or []))


def field(name: str) -> Callable[[Row], str]:
    """The value of a field."""
    return lambda row: show_cell(look_up(row, name), name)


def either(*paths: str) -> Callable[[Row], str]:
    """The first of some fields that has a value."""
    readers = [field(path) for path in paths]
    return lambda row: next((shown for read in readers if (shown := read(row))), "")


def tick(name: str) -> Callable[[Row], str]:
    """Yes if a field is true, else empty."""
    return lambda row: "yes" if row.get(name) else ""


def name_box_owner(row: Row) -> str:
    """The carrier of a box; empty if a single carrier was named."""
    name = row.get("carrier_name", "")
    return "yours" if name is None else str(name)


def make_words_view(title: str, longest: int, width: int) -> Sequence[ListColumn]:
    """Our words and the carrier's: neither is cut, and the one that goes on below is ours where it is long.

    `longest` is the longest of our words, `width` that of the terminal.
    """
    ours, kind, theirs = (field(name) for name in (title, "type", "code"))
    if longest + OTHER_WIDTH <= width:
        return (
            ListColumn(title.upper(), ours),
            ListColumn("TYPE", kind),
            ListColumn("CODE", theirs, least=14, open=True),
        )
    return (
        ListColumn("TYPE", kind),
        ListColumn("CODE", theirs, least=12),
        ListColumn(title.upper(), ours, least=40, open=True),
    )


def format_shipment_status(shipment: Row) -> str:
    """The status; what a customer sends back is a `return`."""
    is_return = (shipment.get("metadata") or {}).get(RETURN_OF) or (shipment.get("options") or {}).get(
        IS_RETURN
    )
    return f"return, {shipment['status']}" if is_return else str(shipment["status"])


AGE = ListColumn("AGE", lambda row: format_age(row.get("created_at")), rank=6, right=True)

VIEWS: Mapping[str, Sequence[ListColumn]] = {
    "shipment": (
        ListColumn("REFERENCE", field("reference")),
        ListColumn("STATUS", format_shipment_status),
        ListColumn("SERVICE", field("service"), rank=3, least=12),
        ListColumn("PRICE", format_price, rank=2, right=True),
        ListColumn("TRACKING", field("tracking_number")),
        ListColumn("RECIPIENT", lambda row: format_person(row.get("recipient")), rank=4, least=14),
        AGE,
    ),
    "paper": (
        ListColumn("REFERENCE", field("reference")),
        ListColumn("TRACKING", field("tracking_number")),
        ListColumn("SERVICE", field("service"), rank=3, least=12),
        ListColumn("RECIPIENT", field("recipient"), rank=2, least=14),
        ListColumn("PAPER", field("kind"), rank=4),
        ListColumn("PRINTER", field("printer"), rank=5),
    ),
    "purchase": (
        ListColumn("REFERENCE", either("reference", "id")),
        ListColumn("STATUS", field("status")),
        ListColumn("CARRIER", field("carrier_id"), rank=4),
        ListColumn("SERVICE", field("service"), rank=3, least=12),
        ListColumn("PRICE", format_price, rank=2, right=True),
        ListColumn("TRACKING", field("tracking_number")),
        ListColumn("RECIPIENT", lambda row: format_person(row.get("recipient")), rank=5, least=14),
    ),
    "fulfilment": (
        ListColumn("ORDER", field("order_number")),
        ListColumn("STATUS", field("status")),
        ListColumn("CARRIER", field("carrier"), rank=4),
        ListColumn("SERVICE", field("service"), rank=3, least=12),
        ListColumn("PRICE", format_total, rank=2, right=True),
        ListColumn("TRACKING", field("tracking_number"), rank=2),
        ListColumn("MESSAGE", field("message"), rank=5, least=20, open=True),
    ),
    "print job": (
        ListColumn("NUMBER", field("number"), right=True),
        ListColumn("STATE", field("state")),
        ListColumn("KIND", field("kind"), rank=3),
        ListColumn("PAPER", field("title")),
        ListColumn("PRINTER", field("printer"), rank=2),
        ListColumn("FORMAT", field("format"), rank=5),
        ListColumn("COPY", field("copy"), rank=6, right=True),
        ListColumn("REASON", field("reason"), rank=4, least=20, open=True),
    ),
    "order": (
        ListColumn("ORDER", field("order_id")),
        ListColumn("STATUS", field("status")),
        ListColumn("TO SHIP", count_left, rank=2, right=True),
        ListColumn("RECIPIENT", lambda row: format_person(row.get("shipping_to")), rank=3, least=14),
        ListColumn("METHOD", field("metadata.shipping_method"), rank=5, least=8),
        ListColumn("SOURCE", field("source"), rank=6, least=8),
        ListColumn("DATE", field("order_date"), rank=4),
        ListColumn("WEIGHT", format_order_weight, rank=8, right=True),
        ListColumn("VALUE", format_order_value, rank=9, right=True),
        ListColumn("NOTE", field("metadata.note"), rank=10, least=12),
        ListColumn("AGE", format_order_age, rank=7, right=True),
    ),
    "tracker": (
        ListColumn("TRACKING", field("tracking_number")),
        ListColumn("CARRIER", field("carrier_name"), rank=2),
        ListColumn("STATUS", field("status")),
        ListColumn("ESTIMATED", field("estimated_delivery"), rank=4),
        ListColumn("LAST NEWS", describe_last_event, rank=3, least=16),
        ListColumn("RECIPIENT", field("info.customer_name"), rank=5, least=12),
    ),
    "pickup": (
        ListColumn("NUMBER", field("confirmation_number")),
        ListColumn("CARRIER", field("carrier_id"), rank=2),
        ListColumn("DATE", field("pickup_date")),
        ListColumn("HOURS", format_hours, rank=2),
        ListColumn("STATE", find_pickup_state),
        ListColumn("PARCELS", count("parcels"), rank=3, right=True),
        ListColumn(
            "PLACE", lambda row: field("package_location")(row) or format_person(row.get("address")), 4, 12
        ),
    ),
    "rate": (
        ListColumn("CARRIER", field("carrier_id")),
        ListColumn("SERVICE", field("service"), least=14),
        ListColumn("PRICE", format_total, right=True),
        ListColumn("DAYS", field("transit_days"), rank=2, right=True),
        ListColumn("ARRIVES", field("estimated_delivery"), rank=3),
        ListColumn("ID", field("id"), rank=4),
    ),
    "carrier": (
        ListColumn("CARRIER", field("carrier_name")),
        ListColumn("NAME", field("display_name"), rank=3, least=8),
        ListColumn("API", field("api"), rank=2),
        ListColumn("SERVICES", field("services"), rank=2, right=True),
        ListColumn("HELD ON", field("held_on"), rank=4),
        ListColumn("HELD AGAINST", field("held_against"), rank=5, least=20),
        ListColumn("OPERATIONS", field("operations"), least=20, open=True),
    ),
    "preset": (
        ListColumn("CARRIER", name_box_owner),
        ListColumn("PRESET", field("preset")),
        ListColumn("SIZE", format_size),
        ListColumn("WEIGHT", format_weight, rank=2, right=True),
    ),
    "finding": (
        ListColumn("CHECK", field("check")),
        ListColumn("STATE", field("state")),
        ListColumn("WHAT", describe_finding, least=30, open=True),
    ),
    "connection field": (
        ListColumn("NAME", field("name")),
        ListColumn("OF", field("of"), rank=3),
        ListColumn("TYPE", field("type")),
        ListColumn("REQUIRED", tick("required")),
        ListColumn("SECRET", tick("secret")),
        ListColumn("DEFAULT", field("default"), rank=2),
        ListColumn("WHERE OR WHICH", either("where", "enum"), least=20, open=True),
    ),
    "manifest": (
        ListColumn("CARRIER", field("carrier_id")),
        ListColumn("DATE", field("meta.manifest_date")),
        ListColumn("NUMBER", find_form_number, rank=2),
        ListColumn("SHIPMENTS", count("shipment_identifiers"), right=True),
        ListColumn("PLACE", lambda row: format_address(row.get("address") or {}), rank=3, least=16),
        ListColumn("REFERENCE", field("reference"), rank=3),
        ListColumn("ID", field("id"), rank=4),
    ),
    "found": (
        ListColumn("KIND", field("kind")),
        ListColumn("NUMBER", field("number")),
        ListColumn("REFERENCE", field("reference"), rank=3),
        ListColumn("NAME", field("name"), rank=2, least=14),
        ListColumn("STATUS", field("status"), rank=4),
        ListColumn("ID", field("id"), rank=5),
    ),
    "day line": (
        ListColumn("STATE", field("state")),
        ListColumn("CARRIER", field("carrier_id"), least=8),
        ListColumn("COUNT", field("count"), right=True),
        ListColumn("PLACE", field("origin"), rank=3, least=16),
        ListColumn("MANIFEST", field("manifest_id"), rank=4),
        ListColumn("PICKUP", field("pickup_id"), rank=5),
        ListColumn("DETAIL", field("detail"), least=52, open=True),
    ),
    "address": (
        ListColumn("NAME", either("person_name", "company_name"), least=12),
        ListColumn("ADDRESS", format_address, least=24),
        ListColumn("ID", field("id"), rank=3),
    ),
    "parcel": (
        ListColumn("WEIGHT", format_weight, right=True),
        ListColumn("SIZE", format_size),
        ListColumn("BOX", field("package_preset"), rank=2, least=10),
        ListColumn("CONTENT", field("content"), rank=3, least=10),
        ListColumn("ID", field("id"), rank=2),
    ),
}
