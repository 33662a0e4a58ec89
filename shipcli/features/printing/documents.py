"""Papers that were made for the occasion, such as a pick list: kept until they are printed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from shipcli.features.printing import service as printers
from shipcli.features.printing.jobs import Paper, PrintJob
from shipcli.features.printing.labels import print_all
from shipcli.features.printing.service import DOCUMENT, INVOICE, LABEL, SLIP, Printer

if TYPE_CHECKING:
    from shipcli.features.core.app import App

# What a printer that is chosen by its kinds must take; all others are documents.
KINDS: Mapping[str, str] = {"slip": SLIP, "return": SLIP, "invoice": INVOICE, "gs1": LABEL}


def choose_document_printer(app: App, kind: str, named: str | None) -> Printer:
    """The printer of a built-in document.

    Errors: as `choose_printer`.
    """
    return printers.choose_printer(app, KINDS.get(kind, DOCUMENT), named)


def print_document(app: App, title: str, content: bytes, printer: Printer) -> PrintJob:
    """Print a PDF that is stored nowhere; while its job waits, the store keeps it.

    Errors: PrinterError, and its job waits; Invalid when it can't be made what the printer speaks.
    """
    paper_id = app.new_id("ppr_")
    with app.store.transaction() as tx:
        tx.put_file(paper_id, DOCUMENT, content, format="PDF", media_type="application/pdf")
    (job,) = print_all(app, [Paper(DOCUMENT, paper_id, printer.name, title=title)])
    return job
