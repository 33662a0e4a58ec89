"""From a row of an address book to the body that stores the address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shipcli.models.parts.address import AddressData
from shipcli.readers.addresses import PARTS, read_address
from shipcli.readers.cells import (
    CellError,
    CellErrors,
    check_model,
    check_values,
    clean_cells,
    list_cell_errors,
)
from shipcli.readers.headers import BOOK
from shipcli.readers.tables import Row

SIDE = "address"
REQUIRED = ("address_country",)
NAMES = ("address_name", "address_company")  # one of them


@dataclass(frozen=True, slots=True)
class AddressRow:
    """A row as read: a body, or its wrong cells."""

    row: Row
    data: AddressData | None
    wrong: tuple[CellError, ...] = ()
    notes: tuple[CellError, ...] = ()


@dataclass
class AddressReader:
    """Reads rows by a mapping of fields to headers."""

    columns: Mapping[str, str]

    def read(self, row: Row) -> AddressRow:
        """The body of a row, or all its wrong cells."""
        cells = row.select(self.columns)
        wrong: CellErrors = []
        notes: CellErrors = list(row.notes)
        check_values(cells, wrong)
        clean_cells(cells, notes)
        if not any(cells.get(name) for name in NAMES):
            wrong.append(("address_name", "a name or a company is required"))
        if not cells.get("address_country"):
            wrong.append(("address_country", "is required"))
        body = read_address(SIDE, cells, wrong, notes)
        data = check_model(AddressData, body, wrong, cells, name_column)
        cell_errors, cell_notes = (
            list_cell_errors(row.number, reasons, self.columns, BOOK) for reasons in (wrong, notes)
        )
        return AddressRow(row, None if cell_errors else data, cell_errors, cell_notes)


def name_column(field: str) -> str:
    """The column of a field of the address."""
    return f"{SIDE}_{PARTS.get(field, field)}"
