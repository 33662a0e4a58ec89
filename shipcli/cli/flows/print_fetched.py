"""Print labels of a server on a printer of this machine."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from shipcli.cli.current_run import get_run
from shipcli.cli.flows.print_flow import print_each
from shipcli.cli.gateway import ask
from shipcli.features.paper.printing import print_requests, printers, printouts, spooled_documents
from shipcli.features.shipments import stored
from shipcli.workflows import printing

if TYPE_CHECKING:
    from shipcli.features.paper.printing.print_requests import Paper
    from shipcli.models import Shipment


def fetch_shipments(ids: Sequence[str], sort: str | None = None) -> list[Shipment]:
    """Shipments of a server, in the order given or another one."""
    shipments = {shipment_id: ask(stored.get_shipment, shipment_id) for shipment_id in ids}
    if sort is None:
        return list(shipments.values())
    return [
        shipments[str(row["id"])]
        for row in printouts.sort_shipments([shipment.model_dump() for shipment in shipments.values()], sort)
    ]


def print_fetched(
    shipments: Sequence[Shipment],
    label: Paper,
    *,
    again: Collection[str] = (),
    beside: Sequence[str] = (),
    asks: bool = False,
) -> None:
    """Print the labels of a server's shipments; their files are stored here until they are printed.

    Shapes: `label` says how they are wanted, `again` are the ids of those of which another copy is, `beside`
            the kinds of papers that lie with each.
    """
    run = get_run()
    labels = printing.list_labels(run.gateway, run.local_app, shipments, label, again=again, beside=beside)
    print_each(list(labels), asks=asks, fetch=lambda: printing.fetch_files(run.local_app, labels))


def fetch_unprinted(ids: Sequence[str], printer: str) -> list[Paper]:
    """The labels among these that this machine has not printed."""
    run = get_run()
    shipments = fetch_shipments(spooled_documents.select_without_paper(run.local_app, ids))
    labels = printing.list_labels(
        run.gateway, run.local_app, shipments, print_requests.Paper(printers.LABEL, "", printer)
    )
    return printing.fetch_files(run.local_app, labels)
