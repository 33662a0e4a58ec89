"""Papers of a server on a printer of this machine: fetched, kept while their jobs wait, printed.

To this machine they are documents with a number: it does not know the shipments that they belong to.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from shipcli.features.manifests.service import merge_forms
from shipcli.features.papers.label_files import INVOICE
from shipcli.features.papers.labels import get_label
from shipcli.features.printing.documents import keep_file
from shipcli.features.printing.jobs import Paper, list_refusals
from shipcli.features.printing.labels import print_all
from shipcli.features.printing.refusals import refuse_voided
from shipcli.features.printing.service import DOCUMENT, LABEL, MANIFEST, choose_printer
from shipcli.features.printing.states import AGAIN

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.gateway.gateway import Gateway
    from shipcli.models import Shipment

Fetched = Mapping[Paper, Callable[[], bytes]]


def list_labels(
    gateway: Gateway,
    own: App,
    shipments: Sequence[Shipment],
    label: Paper,
    *,
    again: Collection[str] = (),
    invoices: bool = False,
) -> Fetched:
    """The labels of shipments of a server as papers, each with its file.

    Shapes: `label` says how they are wanted, `again` are the ids of those of which another copy is.

    Errors: Conflict for a voided one; PrinterError when there is no printer.
    """
    printer = choose_printer(own, LABEL, label.to)
    found: dict[Paper, Callable[[], bytes]] = {}
    for one in shipments:
        refuse_voided(own.store, one.plain())
        number, language = str(one.tracking_number), label.format or printer.format or one.label_type
        manner = AGAIN if one.id in again else label.manner
        paper = Paper(DOCUMENT, one.id, printer.name, language, label.reason, manner, number)
        found[paper] = lambda one=one: gateway.ask(get_label, one).content  # type: ignore[misc]
        if invoices and one.invoice_url:
            pages = choose_printer(own, INVOICE).name
            paper = Paper(DOCUMENT, f"{one.id}/{INVOICE}", pages, "PDF", manner=manner, title=number)
            found[paper] = lambda one=one: gateway.ask(get_label, one, name=INVOICE).content  # type: ignore[misc]
    return found


def keep_files(own: App, wanted: Fetched) -> None:
    """Fetch the files of the papers that may be printed.

    Errors: NotFound for a paper that the server does not have.
    """
    refused = list_refusals(own, list(wanted))
    for paper, fetch in wanted.items():
        if paper not in refused:
            keep_file(own, paper.object_id, fetch())


def print_forms(
    gateway: Gateway,
    own: App,
    manifest_ids: Sequence[str],
    *,
    to: str | None = None,
    format: str | None = None,
) -> str:
    """Print the forms, a job each; the printer they went to. They are pages: a label's format is not theirs.

    Errors: NotFound; Invalid; PrinterError, and their jobs wait.
    """
    if gateway.url:
        papers = [Paper(DOCUMENT, one, to, format, title=one) for one in manifest_ids]
        keep_files(own, {one: lambda id=one.object_id: gateway.ask(merge_forms, [id]) for one in papers})  # type: ignore[misc]
    else:
        papers = [Paper(MANIFEST, one, to, format) for one in manifest_ids]
    jobs = list(print_all(own, papers))
    return jobs[-1].printer if jobs else ""
