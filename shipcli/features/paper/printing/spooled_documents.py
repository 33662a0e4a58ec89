"""Documents that are stored only until they are printed, such as a pick list, and the test page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from shipcli.features.paper.printing import printers
from shipcli.features.paper.printing.print_jobs import select_jobs
from shipcli.features.paper.printing.print_requests import Paper, PrintJob
from shipcli.features.paper.printing.printers import DOCUMENT, INVOICE, LABEL, SLIP, Printer
from shipcli.features.paper.printing.printouts import print_all
from shipcli.features.paper.printing.rendering import fit_to_printer
from shipcli.features.paper.printing.sheet import CANCELLED, PRINTED, PrintSheet
from shipcli.features.paper.printing.transports import note_closing, send
from shipcli.store.query import one_of

if TYPE_CHECKING:
    from shipcli.features.core.app import App

# What a printer that is chosen by its kinds must take; all others are documents.
KINDS: Mapping[str, str] = {"slip": SLIP, "return": SLIP, "invoice": INVOICE, "gs1": LABEL}


def choose_document_printer(app: App, kind: str, named: str | None) -> Printer:
    """Return the printer of a built-in document.

    Errors: as `choose_printer`.
    """
    return printers.choose_printer(app, KINDS.get(kind, DOCUMENT), named)


def print_document(app: App, title: str, content: bytes, printer: Printer) -> PrintJob:
    """Print a PDF that is not stored elsewhere; the store keeps it while its job waits.

    Errors: PrinterError, in which case its job waits; Invalid if it can't be converted for the printer.
    """
    paper = Paper(DOCUMENT, app.new_id("ppr_"), printer.name, title=title, content=content)
    (job,) = print_all(app, [paper])
    return job


def select_without_paper(app: App, paper_ids: Sequence[str]) -> list[str]:
    """Return the documents that this machine has neither printed nor cancelled."""
    settled = [one_of("object_id", paper_ids), one_of("state", (PRINTED, CANCELLED))]
    rows = select_jobs(app, settled)
    there = {row["object_id"] for row in rows}
    return [paper_id for paper_id in paper_ids if paper_id not in there]


def print_trial_page(app: App, printer: Printer) -> None:
    """Print a test page on a printer, which may not be stored yet; no job is stored for it.

    Errors: PrinterError.
    """
    from shipcli.drawing.media import draw_trial_page

    paper = printer.size_in or (4.0, 6.0)
    description = f"{printer.format or 'PDF'}  {printer.dpi} dpi  {paper[0]:g} x {paper[1]:g} in"
    page = draw_trial_page((printer.name, printer.target, description), paper, printer.dpi)
    format = printer.format or "PDF"
    content = fit_to_printer(page, "PDF", format, printer)
    wait_s = app.config["printer_wait"]
    closed = send(printer.target, PrintSheet(content, format, "trial", media=printer.size_in, wait_s=wait_s))
    note_closing(app, printer.target, closed)
