"""Print papers of a server on a printer of this machine: they are fetched, and kept while their jobs wait.

This machine only knows them as documents with a number, not the shipments they belong to.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from shipcli.features.paper.builtin import make_documents
from shipcli.features.paper.labels import get_label
from shipcli.features.paper.printing.print_jobs import list_refusals
from shipcli.features.paper.printing.print_requests import Paper
from shipcli.features.paper.printing.printers import DOCUMENT, INVOICE, LABEL, MANIFEST, SLIP, choose_printer
from shipcli.features.paper.printing.printouts import print_all
from shipcli.features.paper.printing.refusals import refuse_voided
from shipcli.features.paper.printing.rendering import PDF, find_printer_paper
from shipcli.features.paper.printing.sheet import AGAIN
from shipcli.features.pickups.manifests import merge_forms

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.paper.printing.printers import Printer
    from shipcli.gateway.gateway import Gateway
    from shipcli.models import Shipment

Fetched = Mapping[Paper, Callable[[], bytes]]


def list_labels(
    gateway: Gateway,
    app: App,
    shipments: Sequence[Shipment],
    label: Paper,
    *,
    again: Collection[str] = (),
    beside: Sequence[str] = (),
) -> Fetched:
    """The labels of a server's shipments as papers, each with its file.

    Shapes: `label` says how they are wanted, `again` are the ids of those of which another copy is; `beside`
            are the kinds of papers that lie with each label: slips, and invoices where there are any.
    Errors: Conflict for a voided one; PrinterError when there is no printer.
    """
    places = {LABEL: choose_printer(app, LABEL, label.to)}
    places |= {kind: choose_printer(app, kind) for kind in beside}
    papers: dict[Paper, Callable[[], bytes]] = {}
    for shipment in shipments:
        refuse_voided(app.store, shipment.model_dump())
        copy_rule = AGAIN if shipment.id in again else label.copy_rule
        for kind, printer in places.items():
            if kind == INVOICE and not shipment.invoice_url:
                continue
            id, format = f"{shipment.id}/{kind}", PDF
            if kind == LABEL:
                id, format = shipment.id, label.format or printer.format or str(shipment.label_type)
            number = str(shipment.tracking_number)
            paper = Paper(DOCUMENT, id, printer.name, format, label.reason, copy_rule, number)
            papers[paper] = partial(_read_file, gateway, app, shipment, kind, printer)
    return papers


def _read_file(gateway: Gateway, app: App, shipment: Shipment, kind: str, printer: Printer) -> bytes:
    """A label or an invoice of the server, or a slip, which no carrier made."""
    if kind == SLIP:
        return make_documents(app, SLIP, [shipment], paper=find_printer_paper(printer))
    return gateway.ask(get_label, shipment, name=kind).content


def fetch_files(app: App, papers: Fetched) -> list[Paper]:
    """The papers; those that may be printed come with their files.

    Errors: NotFound for a paper that the server does not have.
    """
    refused = list_refusals(app, list(papers))
    return [paper if paper in refused else replace(paper, content=fetch()) for paper, fetch in papers.items()]


def print_forms(
    gateway: Gateway,
    app: App,
    manifest_ids: Sequence[str],
    *,
    to: str | None = None,
    format: str | None = None,
) -> str:
    """Print the forms, one job each, and return the printer. They are pages: no label format applies to them.

    Errors: NotFound; Invalid; PrinterError, in which case their jobs wait.
    """
    if gateway.url:
        forms = [Paper(DOCUMENT, manifest_id, to, format, title=manifest_id) for manifest_id in manifest_ids]
        papers = fetch_files(
            app, {form: partial(gateway.ask, merge_forms, [form.object_id]) for form in forms}
        )
    else:
        papers = [Paper(MANIFEST, manifest_id, to, format) for manifest_id in manifest_ids]
    jobs = list(print_all(app, papers))
    return jobs[-1].printer if jobs else ""
