"""The end-of-day form: the list of what a driver collects, which the driver signs."""

from __future__ import annotations

from collections.abc import Sequence

from shipcli.documents.layout import PageLayout
from shipcli.documents.paper import MM, PLAIN, Letterhead
from shipcli.documents.table import TableColumn, draw_table
from shipcli.drawing.elements import Page

COLUMNS = (
    TableColumn("Tracking number", 21, narrow=52),
    TableColumn("Service", 20, narrow=0, is_clear=True),
    TableColumn("Recipient", 24, narrow=0, is_clear=True),
    TableColumn("Destination", 17, narrow=0, is_clear=True),
    TableColumn("Parcels", 8, "R", narrow=15),
    TableColumn("Weight", 10, "R", narrow=23),
)
SIGNATURE = "Received by the driver: name, date, signature"


def draw_manifest_form(
    title: str,
    rows: Sequence[Sequence[str]],
    *,
    address: Sequence[str] = (),
    details: Sequence[tuple[str, str]] = (),
    stationery: Letterhead = PLAIN,
) -> tuple[Page, ...]:
    """The form of shipments; a row has a cell for each of `COLUMNS`."""
    book = PageLayout(stationery, footer=title)
    book.heading(title)
    book.parties([("From", address)], details)
    draw_table(book, COLUMNS, rows)
    book.make_room(round(20 * MM))
    book.signature_lines(book.y + round(15 * MM), [("", SIGNATURE)])
    return book.pages()
