"""A test page that describes the printer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shipcli.features.printing.rendering import fit_to_printer
from shipcli.features.printing.sheet import PrintSheet
from shipcli.features.printing.transports import note_closing, send

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.printing.service import Printer


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
