"""Labels of a server on a printer of this machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shipcli.cli.current_run import current
from shipcli.cli.flows.print_flow import print_each
from shipcli.cli.gateway import ask

if TYPE_CHECKING:
    from shipcli.features.printing.jobs import Paper


def print_fetched(
    ids: Sequence[str], label: Paper, *, sort: str | None = None, invoices: bool = False
) -> None:
    """Print the labels of these shipments; `label` says how they are wanted."""
    print_each(fetch_labels(ids, label, sort=sort, invoices=invoices), asks=False)


def fetch_labels(
    ids: Sequence[str], label: Paper, *, sort: str | None = None, invoices: bool = False
) -> list[Paper]:
    """The papers of these shipments, their files kept here unless nothing is to be done."""
    from shipcli.features.printing.labels import in_order
    from shipcli.features.shipments.service import get_shipment
    from shipcli.workflows.printing import keep_files, list_labels

    run = current()
    shipments = {one: ask(get_shipment, one) for one in ids}
    order = in_order([one.plain() for one in shipments.values()], sort) if sort else ()
    chosen = [shipments[one] for one in [str(one["id"]) for one in order] or ids]
    found = list_labels(run.gateway, run.own, chosen, label, invoices=invoices)
    if not run.options.dry_run:
        keep_files(run.own, found)
    return list(found)


def fetch_unprinted(ids: Sequence[str], printer: str) -> list[Paper]:
    """The labels of those that this machine has not printed."""
    from shipcli.features.printing.documents import select_without_paper
    from shipcli.features.printing.jobs import Paper
    from shipcli.features.printing.service import LABEL

    return fetch_labels(select_without_paper(current().own, ids), Paper(LABEL, "", printer))
