"""Carrier invoices from a file: each line is recorded with the shipment it charges, once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from shipcli.features.core.row_results import Outcome, Results
from shipcli.features.core.shipment_lookup import list_with_number, note_in_meta
from shipcli.features.files.engine import CHUNK, ImportPlan, RowHandler, store_in_chunks
from shipcli.readers.cells import clean_tracking_number
from shipcli.readers.headers import BILLING, find_columns
from shipcli.readers.invoices import REQUIRED, ChargeRow, InvoiceReader, number_repeats
from shipcli.readers.tables import Row, Rows
from shipcli.store.query import one_of

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.queries import Reader
    from shipcli.store.transaction import Transaction

NOTES = "billing"
UNKNOWN = "No bought shipment has this tracking number"
NoteAll = Callable[[Sequence[ChargeRow]], Iterable[Outcome]]


class InvoiceRows(RowHandler[ChargeRow]):
    """The lines of a carrier's invoice; `note_all` records several of them, `chunk` at a time.

    Errors: Invalid naming missing columns.
    """

    def __init__(self, table: Rows, plan: ImportPlan, note_all: NoteAll, chunk: int | None = CHUNK) -> None:
        columns = find_columns(table.headers, BILLING, REQUIRED, table.name, table.label)
        super().__init__(table, plan, InvoiceReader(columns))
        self._note_all, self._chunk = note_all, chunk

    def read(self, rows: Iterable[Row]) -> Iterator[ChargeRow]:
        """The charges, each with how often the file has said the same before."""
        return number_repeats(super().read(rows))

    def key(self, row: Row) -> str:
        """The tracking number."""
        return clean_tracking_number(row.cells[BILLING["tracking_number"]])

    def store(self, rows: Iterator[ChargeRow], results: Results[Any]) -> Iterator[Outcome]:
        """Record each charge in `meta.billing` of its shipment; nothing else of it changes."""
        return store_in_chunks(rows, self._note_all, self._chunk)


def make_invoice_rows(app: App, table: Rows, plan: ImportPlan) -> InvoiceRows:
    """The lines of an invoice, for the shipments of this store."""
    return InvoiceRows(table, plan, partial(_note_all, app))


def _note_all(app: App, charges: Sequence[ChargeRow]) -> list[Outcome]:
    numbers = [charge.tracking_number for charge in charges]
    with app.store.transaction(locks=lambda reader: list_charged_locks(app, reader, numbers)) as tx:
        return [note(app, tx, charge) for charge in charges]


def note(app: App, tx: Transaction, charge: ChargeRow) -> Outcome:
    """Record a charge with its shipment; one that is recorded already is left alone.

    A file that is read again adds nothing; a line that stands in it twice was charged twice.
    """
    row, number = charge.row.number, charge.tracking_number
    shipment = find_charged(app, tx, number, charge.carrier)
    if shipment is None:
        return Outcome(row, number, "failed", message=_describe_unknown(app, tx, charge))
    lines: Sequence[Mapping[str, Any]] = (shipment.get("meta") or {}).get(NOTES) or []
    line = _tell_parcel(charge, shipment)
    if lines.count(line) >= charge.repeat:
        return Outcome(row, number, "existing", shipment["id"])
    note_in_meta(app, tx, shipment["id"], NOTES, [*lines, line])
    tx.remove("sales", {"shipment_id": shipment["id"]})  # made anew by the next report
    return Outcome(row, number, "created", shipment["id"])


def list_charged_locks(app: App, reader: Reader, numbers: Iterable[str]) -> list[str]:
    """What recording charges declares: the shipments that have these numbers, or a parcel that has one."""
    unique = set(numbers)
    rows = reader.columns("shipments", ["id", "tracking_number"], [one_of("tracking_number", sorted(unique))])
    further = unique.difference(number for _, number in rows)
    documents = (each for number in further for each in list_with_number(app, reader, number))
    return [f"shipment/{id}" for id in (*(id for id, _ in rows), *(each["id"] for each in documents))]


def _tell_parcel(charge: ChargeRow, shipment: Mapping[str, Any]) -> dict[str, Any]:
    """The line of a charge, with the number of its parcel unless that is the shipment's own."""
    number = charge.tracking_number
    own = {} if number == shipment["tracking_number"] else {"tracking_number": number}
    return {**(charge.line or {}), **own}


def find_charged(app: App, tx: Transaction, number: str, carrier: str) -> dict[str, Any] | None:
    """The newest shipment bought under a number in this mode, of the carrier if the line names one."""
    sold = (each for each in list_with_number(app, tx, number) if each["status"] != "draft")
    return next((each for each in sold if not carrier or carrier.casefold() in _list_sellers(each)), None)


def _describe_unknown(app: App, tx: Transaction, charge: ChargeRow) -> str:
    other = find_charged(app, tx, charge.tracking_number, "")
    return f"It was bought with {other['carrier_name']}, not with {charge.carrier!r}" if other else UNKNOWN


def _list_sellers(document: Mapping[str, Any]) -> set[str]:
    meta = document.get("meta") or {}
    names = (document["carrier_name"], document["carrier_id"], meta.get("ext"), meta.get("rate_provider"))
    return {str(name).casefold() for name in names if name}
