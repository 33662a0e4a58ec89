"""A plain form with a table, such as an end-of-day manifest: carriers' in sandboxes, and our own."""

from __future__ import annotations

from collections.abc import Sequence

from .elements import Page
from .formats.pdf import write_pdf
from .layout import Block
from .page_layout import PageLayout, Party
from .paper import A4, MM, Letterhead, PaperSize
from .table import TableColumn, draw_table

SHORTEST, LONGEST = 4, 40  # characters that a column gets room for


def draw_form(
    title: str,
    rows: Sequence[Sequence[str]],
    *,
    columns: Sequence[str],
    address: Block | None = None,
    details: Sequence[tuple[str, str]] = (),
    signature: str | None = "Signature",
    barcode: str = "",
    sample: bool = False,
    sheet: PaperSize = A4,
) -> bytes:
    """PDF of sheets: title, address block, details (name and value), table of rows, signature, page numbers.

    The number of the form is a barcode beside its title, if it is one that is scanned.

    Shapes: every row has as many cells as there are `columns`; an empty table is printed as such.
    Errors: ValueError when a row has another number of cells.
    """
    if any(len(row) != len(columns) for row in rows):
        raise ValueError(f"Every row needs {len(columns)} cells.")
    parties = [(address.title, address.lines)] if address else []
    pages = lay_out_form(
        title, rows, choose_columns(columns, rows), Letterhead(sheet, sample=sample),
        parties=parties, details=details, signature=signature, barcode=barcode,
    )  # fmt: skip
    return write_pdf(pages)


def lay_out_form(
    title: str,
    rows: Sequence[Sequence[str]],
    columns: Sequence[TableColumn],
    stationery: Letterhead,
    *,
    parties: Sequence[Party] = (),
    details: Sequence[tuple[str, str]] = (),
    signature: str | None = None,
    barcode: str = "",
) -> tuple[Page, ...]:
    """The pages of a form; a character missing from the fonts becomes a question mark."""
    book = PageLayout(stationery, footer=title)
    book.heading(title, barcode)
    book.parties(parties, details)
    draw_table(book, columns, rows)
    if signature:
        book.make_room(round(20 * MM))
        book.signature_lines(book.y + round(15 * MM), [("", signature)])
    return book.pages()


def choose_columns(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> list[TableColumn]:
    """Columns with these headings: each takes room by its longest cell."""
    longest = [max(len(title), *(len(row[at]) for row in rows), 0) for at, title in enumerate(titles)]
    return [
        TableColumn(title, min(max(SHORTEST, count), LONGEST))
        for title, count in zip(titles, longest, strict=True)
    ]
