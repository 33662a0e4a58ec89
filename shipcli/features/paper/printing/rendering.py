"""A paper in its printer's language: made from what is stored, at the moment it is printed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from shipcli.features.paper.labels import find_file
from shipcli.features.paper.printing import printers
from shipcli.features.paper.printing.printers import DPI, RESOLUTIONS, Printer
from shipcli.features.paper.printing.sheet import PrinterError, PrintSheet
from shipcli.features.paper.printing.transports import is_closing
from shipcli.models.basics.errors import Invalid, NotFound

if TYPE_CHECKING:
    from shipcli.drawing.paper import PaperSize
    from shipcli.features.core.app import App
    from shipcli.features.paper.printing.print_requests import PrintJob

PDF, ZPL = "PDF", "ZPL"
_PRINT_WIDTH = re.compile(rb"\^PW(\d{3,5})")
USUAL_SIZE = (4.0, 6.0)  # of labels, and of whatever goes to a label printer
File = tuple[bytes, str]


def make_sheet(app: App, job: PrintJob, printer: Printer) -> PrintSheet:
    """Return the data to send for a job.

    Errors: NotFound if there is no such paper; Invalid if it can't be converted to the printer's format.
    """
    content, format = SOURCES[job.kind](app, job.object_id, printer)
    target = job.format or _choose_format(app, job, printer, format)
    try:
        data = fit_to_printer(content, format, target, printer, is_label=job.kind == printers.LABEL)
    except ValueError as error:
        reason = f"The {job.paper} can't be printed as {target} on {printer.name}: {error}"
        raise Invalid("format", reason) from None
    title, wait_s = f"{job.kind} {job.title}".strip(), app.config["printer_wait"]
    closes = is_closing(app, printer.target)
    return PrintSheet(data, target, title, printer.copies, printer.size_in, wait_s, closes)


def _choose_format(app: App, job: PrintJob, printer: Printer, format: str) -> str:
    """Return the format a printer takes; unregistered targets get labels as they are, and pages as PDF."""
    named = printer.name != printer.target
    if named or (printer.format and job.kind == printers.LABEL):
        return printer.format
    if job.kind != printers.LABEL:
        return PDF
    shipment = app.store.get("shipment", job.object_id, app.test_mode) or {}
    return str(shipment.get("label_type") or format)


def fit_to_printer(
    content: bytes, format: str, target: str, printer: Printer, *, is_label: bool = False
) -> bytes:
    """Return a file converted to a format, resolution and paper; unchanged if it fits already.

    Pages are turned as they fit, and a label on a sheet of office paper is cut out of it.
    Errors: ValueError if it can't be converted.
    """
    size = printer.size_in
    dpi = read_zpl_dpi(content) if format == ZPL else DPI
    if format == target and _fits(target, printer, dpi):
        return content
    from shipcli.drawing import convert
    from shipcli.drawing.media import fit_pdf
    from shipcli.drawing.resolutions import scale_zpl
    from shipcli.drawing.sheets import cut_label, refuse_lost_codes

    if format == target == ZPL and size in (None, USUAL_SIZE):
        return scale_zpl(content, dpi, printer.dpi)
    if format in (ZPL, target):  # the same language for another resolution or paper: by way of a page
        content, format = convert(content, PDF, dpi=dpi, size_in=None), PDF
    paper = size or USUAL_SIZE
    pages = convert(content, PDF, dpi=DPI, size_in=paper) if target == PDF else content
    if format == PDF and (size or target != PDF):
        original = cut_label(pages, paper) if is_label else pages
        pages = fit_pdf(original, paper)
        if is_label and pages is not original:
            refuse_lost_codes(original, pages, printer.dpi)
    return pages if target == PDF else convert(pages, target, dpi=printer.dpi, size_in=paper)


def choose_label_type(app: App, named: str | None = None) -> str:
    """Return the format in which labels are bought: that of the settings, else that of the printer.

    A printer that takes ZPL for 4x6 inches at 203 dpi, as carriers sell it, gets labels as they are; what
    carriers sell as ZPL can't be drawn anew for another printer, hence PDF for all others.
    """
    configured: str = app.config["label_type"]
    if configured:
        return configured
    try:
        printer = printers.choose_printer(app, printers.LABEL, named)
    except PrinterError:
        return PDF
    return ZPL if printer.format == ZPL and _fits(ZPL, printer) else PDF


def read_zpl_dpi(content: bytes) -> int:
    """Return the resolution of a ZPL label of 4 inches, by its print width; 203 dpi if it does not say."""
    match = _PRINT_WIDTH.search(content)
    width = int(match[1]) if match else 0
    return next((dpi for dpi in RESOLUTIONS if abs(width - dpi * USUAL_SIZE[0]) <= dpi / 20), DPI)


def _fits(format: str, printer: Printer, dpi: int = DPI) -> bool:
    """Return whether a file in its own format can go as it is: labels of 4x6 inches, of the printer's dpi."""
    if format == PDF:
        return not printer.size
    return printer.dpi == dpi and printer.size_in in (None, USUAL_SIZE)


def find_printer_paper(printer: Printer) -> PaperSize | None:
    """Return the paper of a printer, on which documents are drawn, or None if pages keep their own."""
    from shipcli.drawing.paper import find_paper

    size = printer.size_in or (USUAL_SIZE if printer.format not in ("", PDF) else None)
    return find_paper(size) if size else None


# -- sources -------------------------------------------------------------------------------------


def _read_stored(name: str) -> Callable[[App, str, Printer], File]:
    def read(app: App, object_id: str, _: Printer) -> File:
        file = find_file(app, object_id, name)
        if file is None:
            raise NotFound(name, message=f"{object_id} has no {name}")
        return file["content"], file["format"]

    return read


def _read_for_paper(
    name: str, redraw: Callable[[App, str, bytes, PaperSize], bytes]
) -> Callable[[App, str, Printer], File]:
    """Return the stored file; a document that was drawn here is drawn again for the printer's paper."""
    stored = _read_stored(name)

    def read(app: App, object_id: str, printer: Printer) -> File:
        content, format = stored(app, object_id, printer)
        paper = find_printer_paper(printer)
        return (redraw(app, object_id, content, paper) if paper else content), format

    return read


def _redraw_invoice(app: App, object_id: str, stored: bytes, paper: PaperSize) -> bytes:
    from shipcli.drawing.formats.pdf_file import is_own_document

    return _draw(app, printers.INVOICE, object_id, paper) if is_own_document(stored) else stored


def _redraw_form(app: App, object_id: str, stored: bytes, paper: PaperSize) -> bytes:
    from shipcli.features.paper.manifest_form import redraw_form

    return redraw_form(app, object_id, stored, paper)


def _draw_slip(app: App, object_id: str, printer: Printer) -> File:
    """Draw the packing slip anew: no carrier made it."""
    return _draw(app, printers.SLIP, object_id, find_printer_paper(printer)), PDF


def _draw(app: App, kind: str, object_id: str, paper: PaperSize | None) -> bytes:
    """Draw a document of a stored shipment.

    Errors: NotFound.
    """
    from shipcli.features.paper.builtin import make_documents
    from shipcli.models import Shipment

    document: dict[str, Any] | None = app.store.get("shipment", object_id, app.test_mode)
    if document is None:
        raise NotFound("shipment", object_id)
    return make_documents(app, kind, [Shipment.model_validate(document)], paper=paper)


SOURCES: Mapping[str, Callable[[App, str, Printer], File]] = {
    printers.LABEL: _read_stored("label"),
    printers.INVOICE: _read_for_paper("invoice", _redraw_invoice),
    printers.MANIFEST: _read_for_paper("manifest", _redraw_form),
    printers.SLIP: _draw_slip,
    printers.DOCUMENT: _read_stored("document"),
}
