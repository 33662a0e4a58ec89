"""Print labels of a server on a printer of this machine."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from shipcli.cli.current_run import get_run
from shipcli.cli.flows.print_flow import print_each
from shipcli.cli.gateway import ask
from shipcli.features.printing import documents
from shipcli.features.printing import labels as printing_labels
from shipcli.features.printing import papers as printing_papers
from shipcli.features.printing import service as printing_service
from shipcli.features.shipments import stored
from shipcli.workflows import printing

if TYPE_CHECKING:
    from shipcli.features.printing.papers import Paper
    from shipcli.models import Shipment


def fetch_shipments(ids: Sequence[str], sort: str | None = None) -> list[Shipment]:
    """Shipments of a server, in the order given or another one."""
    shipments = {shipment_id: ask(stored.get_shipment, shipment_id) for shipment_id in ids}
    if sort is None:
        return list(shipments.values())
    return [
        shipments[str(row["id"])]
        for row in printing_labels.sort_shipments(
            [shipment.model_dump() for shipment in shipments.values()], sort
        )
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
    shipments = fetch_shipments(documents.select_without_paper(run.local_app, ids))
    labels = printing.list_labels(
        run.gateway, run.local_app, shipments, printing_papers.Paper(printing_service.LABEL, "", printer)
    )
    return printing.fetch_files(run.local_app, labels)
