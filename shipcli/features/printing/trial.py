"""A test page that describes the printer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shipcli.features.printing.closing import note_closing
from shipcli.features.printing.rendering import fit_to_printer
from shipcli.features.printing.sheet import PrintSheet
from shipcli.features.printing.transports import send

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.printing.service import Printer


def print_trial_page(app: App, found: Printer) -> None:
    """Print a test page on a printer, which may not be stored yet; no job is kept of it.

    Errors: PrinterError.
    """
    from shipcli.drawing.media import draw_trial_page

    paper = found.size_in or (4.0, 6.0)
    said = f"{found.format or 'PDF'}  {found.dpi} dpi  {paper[0]:g} x {paper[1]:g} in"
    page = draw_trial_page((found.name, found.target, said), paper, found.dpi)
    format = found.format or "PDF"
    content = fit_to_printer(page, "PDF", format, found)
    wait_s = app.config["printer_wait"]
    closed = send(found.target, PrintSheet(content, format, "trial", media=found.size_in, wait_s=wait_s))
    note_closing(app, found.target, closed)
