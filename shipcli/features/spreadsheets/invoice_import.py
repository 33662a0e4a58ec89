"""Carrier invoices from a file: each line is noted with the shipment it charges, once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from shipcli.features.core.row_results import (
    CheckResult,
    Outcome,
    Progress,
    Results,
    RowErrors,
    refuse,
    show_nothing,
)
from shipcli.features.parts.lookup import note_in_meta
from shipcli.imports.headers import BILLING, columns
from shipcli.imports.invoices import REQUIRED, ChargeRow, InvoiceReader
from shipcli.imports.tables import Rows

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.transaction import Transaction

CHUNK = 200
NOTES = "billing"
UNKNOWN = "No bought shipment has this tracking number"


@dataclass(frozen=True)
class InvoicePlan:
    """What to do with a file of invoice lines."""

    keep_good: bool = False


def reader_for(table: Rows) -> InvoiceReader:
    """Errors: Invalid naming missing columns."""
    return InvoiceReader(columns(table.headers, BILLING, REQUIRED, table.name, table.label))


def check_invoices(app: App, table: Rows, plan: InvoicePlan) -> CheckResult:
    """Read the whole file once and store nothing.

    Errors: Invalid when the file is not a table or lacks columns.
    """
    return check_invoice_rows(table)


def check_invoice_rows(table: Rows) -> CheckResult:
    """The same: no store is asked."""
    reader, found = reader_for(table), RowErrors(table)
    for row in table:
        charge = reader.read(row)
        found.enter(row.number, charge.tracking_number, charge.wrong)
    return found.checked()


def import_invoices(
    app: App, table: Rows, plan: InvoicePlan, *, progress: Progress = show_nothing
) -> Results[Outcome]:
    """The lines of a carrier's invoice in `meta.billing` of their shipments; nothing else of them changes.

    Errors: Invalid naming every bad cell, unless the plan keeps good rows; then nothing is stored.
    """
    checked = check_invoices(app, table, plan)
    if not plan.keep_good:
        refuse(checked)
    reader, bad = reader_for(table), checked.bad
    charges = (reader.read(row) for row in table if row.number not in bad)
    results: Results[Outcome] = Results(checked)
    while chunk := list(islice(charges, CHUNK)):
        with app.store.transaction() as tx:
            results.rows += [note(app, tx, charge) for charge in chunk]
        progress(len(results.rows), checked.good, results.rows[-1])
    return results


def note(app: App, tx: Transaction, charge: ChargeRow) -> Outcome:
    """Note a charge with its shipment; one that is noted already is left alone."""
    row, number = charge.row.number, charge.tracking_number
    shipment = find_charged(app, tx, number, charge.carrier)
    if shipment is None:
        return Outcome(row, number, "failed", message=UNKNOWN)
    lines: Sequence[Mapping[str, Any]] = (shipment.get("meta") or {}).get(NOTES) or []
    if charge.line in lines:
        return Outcome(row, number, "existing", shipment["id"])
    note_in_meta(app, tx, shipment["id"], NOTES, [*lines, charge.line])
    return Outcome(row, number, "created", shipment["id"])


def find_charged(app: App, tx: Transaction, number: str, carrier: str) -> dict[str, Any] | None:
    """The newest shipment bought under a number in this mode, of the carrier when the line names one."""
    rows = tx.select("shipments", {"tracking_number": number}, "-seq")
    for row in rows:
        document = tx.get("shipment", row["id"], app.test_mode) if row["status"] != "draft" else None
        if document and (not carrier or carrier.casefold() in _sellers(document)):
            return document
    return None


def _sellers(document: Mapping[str, Any]) -> set[str]:
    meta = document.get("meta") or {}
    names = (document["carrier_name"], document["carrier_id"], meta.get("ext"), meta.get("rate_provider"))
    return {str(name).casefold() for name in names if name}
