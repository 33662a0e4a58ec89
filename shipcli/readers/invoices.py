"""A row of a carrier's invoice: one charge for one tracking number."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from shipcli.readers.cells import (
    CellError,
    CellErrors,
    Cells,
    check_values,
    clean_tracking_number,
    list_cell_errors,
    read_day,
)
from shipcli.readers.measures import read_value
from shipcli.readers.tables import Row

REQUIRED = ("tracking_number", "amount")
_CREDIT = re.compile(r"\(([^()-]+)\)|([^()-]+)-")


@dataclass(frozen=True, slots=True)
class ChargeRow:
    """A row as read: a charge, or its wrong cells."""

    row: Row
    tracking_number: str
    carrier: str = ""
    line: Mapping[str, Any] | None = None
    repeat: int = 1  # the how manieth of equal lines for this number in its file
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
        amount, currency = read_value("amount", "currency", _turn_credit(cells), wrong)
        line = {
            "invoice_number": cells.get("invoice_number") or None,
            "invoice_date": read_day("invoice_date", cells, wrong),
            "description": cells.get("description") or None,
            "amount": amount,
            "currency": currency,
        }
        cell_errors = list_cell_errors(row.number, wrong, self.columns)
        number = clean_tracking_number(cells["tracking_number"])
        return ChargeRow(row, number, cells.get("carrier", ""), line, wrong=cell_errors)


def number_repeats(charges: Iterable[ChargeRow]) -> Iterator[ChargeRow]:
    """Charges of a file with their `repeat`: what a bill charges twice stays twice."""
    seen: Counter[int] = Counter()
    for charge in charges:
        key = hash((charge.tracking_number, *(charge.line or {}).values()))
        seen[key] += 1
        yield charge if seen[key] == 1 else replace(charge, repeat=seen[key])


def _turn_credit(cells: Cells) -> Cells:
    """Cells whose amount has its minus before it, where accountants write `(5.00)` or `5.00-`."""
    amount = cells["amount"]
    match = _CREDIT.fullmatch(amount)
    return {**cells, "amount": f"-{match[1] or match[2]}"} if match else cells
