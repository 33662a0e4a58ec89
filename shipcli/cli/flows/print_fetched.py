"""Print labels of a server on a printer of this machine."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from shipcli.cli.current_run import get_run
from shipcli.cli.flows.print_flow import print_each
from shipcli.cli.gateway import ask

if TYPE_CHECKING:
    from shipcli.features.printing.jobs import Paper
    from shipcli.models import Shipment


def fetch_shipments(ids: Sequence[str], sort: str | None = None) -> list[Shipment]:
    """Shipments of a server, in the order given or another one."""
    from shipcli.features.printing.labels import sort_shipments
    from shipcli.features.shipments.service import get_shipment

    shipments = {shipment_id: ask(get_shipment, shipment_id) for shipment_id in ids}
    if sort is None:
        return list(shipments.values())
    return [
        shipments[str(row["id"])]
        for row in sort_shipments([shipment.plain() for shipment in shipments.values()], sort)
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
    from shipcli.workflows.printing import fetch_files, list_labels

    run = get_run()
    labels = list_labels(run.gateway, run.local_app, shipments, label, again=again, beside=beside)
    print_each(list(labels), asks=asks, fetch=lambda: fetch_files(run.local_app, labels))


def fetch_unprinted(ids: Sequence[str], printer: str) -> list[Paper]:
    """The labels among these that this machine has not printed."""
    from shipcli.features.printing.documents import select_without_paper
    from shipcli.features.printing.jobs import Paper
    from shipcli.features.printing.service import LABEL
    from shipcli.workflows.printing import fetch_files, list_labels

    run = get_run()
    shipments = fetch_shipments(select_without_paper(run.local_app, ids))
    labels = list_labels(run.gateway, run.local_app, shipments, Paper(LABEL, "", printer))
    return fetch_files(run.local_app, labels)
