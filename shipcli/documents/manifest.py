"""The end-of-day form: what a driver takes along, for the driver to sign."""

from __future__ import annotations

from collections.abc import Sequence

from shipcli.documents.layout import MM, SMALL, TITLE, Book, TableColumn
from shipcli.drawing.elements import Page

COLUMNS = (
    TableColumn("Tracking number", 21),
    TableColumn("Service", 20),
    TableColumn("Recipient", 24),
    TableColumn("Destination", 17),
    TableColumn("Parcels", 8, "R"),
    TableColumn("Weight", 10, "R"),
)
SIGNATURE = "Received by the driver: name, date, signature"


def pages(
    title: str,
    rows: Sequence[Sequence[str]],
    *,
    address: Sequence[str] = (),
    details: Sequence[tuple[str, str]] = (),
    sample: bool = False,
) -> tuple[Page, ...]:
    """The form of shipments; a row has a cell for each of `COLUMNS`."""
    book = Book(foot=title)
    book.text(book.left, book.y, title + ("  SAMPLE" if sample else ""), TITLE, bold=True, room=book.across)
    book.y += round(TITLE * 1.6)
    gap = round(6 * MM)
    half = book.across // 2 - gap // 2
    ends = (
        book.block(book.left, book.y, half, "FROM", address),
        book.pairs(book.left + half + gap, book.y, half, details),
    )
    book.y = max(ends) + gap // 2
    book.table(COLUMNS, rows)
    book.need(round(24 * MM))
    book.y += round(16 * MM)
    book.rule(book.left, book.y, book.across // 2, 5)
    book.text(book.left, book.y + 25, SIGNATURE, SMALL)
    return book.pages()
