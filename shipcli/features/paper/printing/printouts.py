"""Print the labels of stored shipments with their slips and invoices: which ones, in which order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shipcli.features.connections.intent_states import RESOLVED
from shipcli.features.paper.labels import list_printed
from shipcli.features.paper.printing import print_jobs as print_jobs
from shipcli.features.paper.printing import print_queue as print_queue
from shipcli.features.paper.printing.print_requests import Paper, PrintJob
from shipcli.features.paper.printing.printers import INVOICE, LABEL, SLIP
from shipcli.features.paper.printing.sheet import AGAIN, FIRST, SENDING, UNKNOWN
from shipcli.models.basics.errors import Invalid, ShipcliError

if TYPE_CHECKING:
    from shipcli.features.core.app import App

ORDERS = ("sku",)
Document = Mapping[str, Any]


def print_all(app: App, papers: Sequence[Paper]) -> Iterator[PrintJob]:
    """Print papers one after the other; all of them are on disk before the first is sent.

    Errors: that of the first paper that the printer fails at, those behind it wait; when the others are
            printed that of the first one which can't be printed, because it was or may have been.
    """
    jobs = print_jobs.enqueue(app, papers)
    for job in jobs:
        if not isinstance(job, ShipcliError):
            yield print_jobs.send(app, job)
    for error in jobs:
        if isinstance(error, ShipcliError):
            raise error


def list_papers(label: Paper, *, slip: bool, invoice: bool) -> list[Paper]:
    """Return a label and the papers printed with it, in order; only the label goes to the printer in `to`."""
    beside = [kind for kind, is_included in ((SLIP, slip), (INVOICE, invoice)) if is_included]
    return [label, *(Paper(kind, label.object_id, copy_rule=label.copy_rule) for kind in beside)]


def drop_missing_invoices(app: App, papers: Sequence[Paper]) -> list[Paper]:
    """Return the papers, without invoices for the shipments that have none: most stay inside the country."""
    return [
        paper
        for paper in papers
        if paper.kind != INVOICE
        or app.store.count_rows("files", {"owner_id": paper.object_id, "name": INVOICE})
    ]


def list_unprinted(app: App) -> tuple[list[Document], list[PrintJob]]:
    """Return bought shipments whose label was never printed, oldest first, and the jobs of doubtful ones."""
    where = {"test_mode": app.test_mode, "status": "purchased", "printed": False}
    rows = app.store.select("shipments", where, ("created_at", "seq"))
    doubted = [job for job in print_queue.list_jobs(app, states=(UNKNOWN, SENDING)) if job.kind == LABEL]
    left_out = {job.object_id for job in doubted}
    stored = (
        app.store.get("shipment", row["id"], app.test_mode) for row in rows if row["id"] not in left_out
    )
    return [shipment for shipment in stored if shipment and _has_file(shipment)], doubted


def _has_file(shipment: Document) -> bool:
    """Return whether there is a file; a purchase that a person has confirmed may have none here."""
    return bool(shipment.get("label_url")) or not (shipment.get("meta") or {}).get(RESOLVED)


def select_never_printed(app: App, shipment_ids: Sequence[str]) -> list[str]:
    """Return the shipments among these whose label was never printed."""
    printed = list_printed(app, shipment_ids)
    return [shipment_id for shipment_id in shipment_ids if shipment_id not in printed]


def make_label_papers(
    shipment_ids: Sequence[str], to: str | None, format: str | None, again: Collection[str] = ()
) -> list[Paper]:
    """Return papers for labels that were not printed before; those in `again` get another copy."""
    return [
        Paper(LABEL, shipment_id, to, format, copy_rule=AGAIN if shipment_id in again else FIRST)
        for shipment_id in shipment_ids
    ]


def sort_shipments(shipments: Sequence[Document], by: str) -> list[Document]:
    """Sort shipments by their contents, so that an article is picked once; those without SKU come last.

    Errors: Invalid for an unknown order.
    """
    if by not in ORDERS:
        raise Invalid("sort", f"{by!r} is not one of {', '.join(ORDERS)}")
    return sorted(shipments, key=lambda shipment: (not count_skus(shipment), count_skus(shipment)))


def count_skus(shipment: Document) -> list[tuple[str, int]]:
    """Return article numbers and quantities of a shipment, in the order of the numbers."""
    parcels = [item for parcel in shipment.get("parcels") or () for item in parcel.get("items") or ()]
    items = parcels or (shipment.get("customs") or {}).get("commodities") or ()
    counts = Counter[str]()
    for item in items:
        if item.get("sku"):
            counts[item["sku"]] += int(item.get("quantity") or 1)
    return sorted(counts.items())
