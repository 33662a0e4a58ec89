"""Products from a file: checked as a whole, then stored in place of those with their SKUs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from shipcli.features.book.products import save_products
from shipcli.features.core.row_results import Outcome, Results, RowErrors
from shipcli.features.files.engine import CHUNK, ImportPlan, RowHandler, store_in_chunks
from shipcli.readers.cells import CellError
from shipcli.readers.headers import PRODUCTS, find_columns
from shipcli.readers.products import REQUIRED, ProductReader, ProductRow
from shipcli.readers.tables import Row, Rows

if TYPE_CHECKING:
    from shipcli.features.core.app import App


class ProductRows(RowHandler[ProductRow]):
    """The products of a file.

    Errors: Invalid naming missing columns.
    """

    def __init__(self, app: App, table: Rows, plan: ImportPlan) -> None:
        columns = find_columns(table.headers, PRODUCTS, REQUIRED, table.name, table.label)
        super().__init__(table, plan, ProductReader(columns, plan.units))
        self._app = app

    def key(self, row: Row) -> str:
        """The SKU."""
        return row.cells[PRODUCTS["sku"]]

    def list_notes(self, read: ProductRow) -> Iterable[CellError]:
        """What the reader changed or left out."""
        return read.notes

    def compare(self, errors: RowErrors) -> None:
        """Check that every SKU occurs once."""
        for numbers in errors.rows.values():
            for number in numbers[1:]:
                errors.blame(number, PRODUCTS["sku"], f"the same SKU as row {numbers[0]}")

    def store(self, rows: Iterator[ProductRow], results: Results[Any]) -> Iterator[Outcome]:
        """Store products in chunks."""
        return store_in_chunks(rows, partial(_save, self._app), CHUNK)


def _save(app: App, rows: Sequence[ProductRow]) -> Iterator[Outcome]:
    made = save_products(app, [row.data for row in rows if row.data])
    return (
        Outcome(row.row.number, product.sku, "stored", product.id)
        for row, product in zip(rows, made, strict=True)
    )


def make_product_rows(app: App, table: Rows, plan: ImportPlan) -> ProductRows:
    """Make the rows of a file of products, for this store."""
    return ProductRows(app, table, plan)
