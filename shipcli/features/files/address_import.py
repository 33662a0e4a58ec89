"""An address book from a file: checked as a whole, then stored; what is there already is left alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from shipcli.features.book.addresses import create_addresses, list_problems
from shipcli.features.book.duplicates import list_differences
from shipcli.features.book.same_place import PlaceKey, make_place_key
from shipcli.features.core.row_results import Outcome, Results
from shipcli.features.files.engine import CHUNK, ImportPlan, RowHandler, store_in_chunks
from shipcli.models import Address, AddressData
from shipcli.readers.address_rows import NAMES, REQUIRED, AddressReader, AddressRow, name_column
from shipcli.readers.cells import CellError
from shipcli.readers.headers import BOOK, find_columns
from shipcli.readers.tables import Row, Rows
from shipcli.store.query import flag

if TYPE_CHECKING:
    from shipcli.features.core.app import App


@dataclass(frozen=True)
class AddressBook:
    """Where addresses are stored: lists those that are there, newest first, and adds some together."""

    list: Callable[[], Iterable[Mapping[str, Any]]]
    add: Callable[[Sequence[AddressData]], Sequence[Address]]


class AddressRows(RowHandler[AddressRow]):
    """The addresses of a file.

    Errors: Invalid naming missing columns.
    """

    def __init__(self, table: Rows, plan: ImportPlan, book: AddressBook) -> None:
        has_name = any(BOOK[name] in table.headers for name in NAMES)
        required = REQUIRED if has_name else (NAMES[0], *REQUIRED)
        columns = find_columns(table.headers, BOOK, required, table.name, table.label)
        super().__init__(table, plan, AddressReader(columns))
        self._book = book

    def key(self, row: Row) -> str:
        """The name, or the company."""
        return row.cells.get(BOOK["address_name"]) or row.cells.get(BOOK["address_company"]) or ""

    def list_notes(self, read: AddressRow) -> Iterable[CellError]:
        """What the reader changed or left out."""
        return read.notes

    def list_warnings(self, read: AddressRow) -> Iterator[CellError]:
        """What of an address breaks the postal rules of its country."""
        for problem in list_problems(read.data) if read.data else ():
            header = BOOK.get(name_column(problem.field), problem.field)
            yield CellError(read.row.number, header, problem.reason)

    def store(self, rows: Iterator[AddressRow], results: Results[Any]) -> Iterator[Outcome]:
        """Store addresses in chunks."""
        existing = {make_place_key(address): address for address in self._book.list()}
        return store_in_chunks(rows, partial(self._save, existing), CHUNK)

    def _save(
        self, existing: dict[PlaceKey, Mapping[str, Any]], rows: Sequence[AddressRow]
    ) -> Iterator[Outcome]:
        keyed = [(row, row.data, make_place_key(row.data.model_dump())) for row in rows if row.data]
        new: dict[PlaceKey, AddressData] = {}
        for _, data, key in keyed:
            if key not in existing:
                new.setdefault(key, data)
        made = dict(zip(new, self._book.add(list(new.values())), strict=True))
        existing |= {key: address.model_dump() for key, address in made.items()}
        for row, data, key in keyed:
            created = key in made and new[key] is data
            yield _tell(row, data, existing[key], "created" if created else "existing")


def _tell(row: AddressRow, data: AddressData, stored: Mapping[str, Any], status: str) -> Outcome:
    name = data.person_name or data.company_name or ""
    differences = list_differences(stored, data.model_dump())
    message = f"it is stored with another {' and '.join(differences)}" if differences else None
    return Outcome(row.row.number, name, status, str(stored["id"]), message)


def make_address_rows(app: App, table: Rows, plan: ImportPlan) -> AddressRows:
    """Make the rows of an address book, for this store."""
    book = AddressBook(
        lambda: app.store.each("address", [flag("attached", False)]), partial(create_addresses, app)
    )
    return AddressRows(table, plan, book)
