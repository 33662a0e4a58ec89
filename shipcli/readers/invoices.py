"""A row of a carrier's invoice: one charge for one tracking number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shipcli.readers.cells import (
    CellError,
    CellErrors,
    check_values,
    clean_tracking_number,
    list_cell_errors,
    read_amount,
    read_currency,
    read_day,
)
from shipcli.readers.tables import Row

REQUIRED = ("tracking_number", "amount")


@dataclass(frozen=True, slots=True)
class ChargeRow:
    """A row as read: a charge, or its wrong cells."""

    row: Row
    tracking_number: str
    carrier: str = ""
    line: Mapping[str, Any] | None = None
    wrong: tuple[CellError, ...] = ()


@dataclass
class InvoiceReader:
    """Reads rows by a mapping of fields to headers."""

    columns: Mapping[str, str]

    def read(self, row: Row) -> ChargeRow:
        """The charge of a row, or all its wrong cells."""
        cells = row.select(self.columns)
        wrong: CellErrors = []
        check_values(cells, wrong)
        wrong += [(name, "is required") for name in REQUIRED if not cells[name]]
        line = {
            "invoice_number": cells.get("invoice_number") or None,
            "invoice_date": read_day("invoice_date", cells, wrong),
            "description": cells.get("description") or None,
            "amount": read_amount("amount", cells, wrong),
            "currency": read_currency("currency", cells, wrong),
        }
        cell_errors = list_cell_errors(row.number, wrong, self.columns)
        return ChargeRow(
            row, clean_tracking_number(cells["tracking_number"]), cells.get("carrier", ""), line, cell_errors
        )
