"""Print labels of the station on the printers of this machine, whichever store they are in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from shipcli.features.paper.labels import list_printed
from shipcli.features.paper.printing.print_jobs import select_jobs
from shipcli.features.paper.printing.print_requests import Paper
from shipcli.features.paper.printing.printers import LABEL, choose_printer
from shipcli.features.paper.printing.printouts import make_label_papers, print_all
from shipcli.features.paper.printing.sheet import PRINTED, REPLACED
from shipcli.features.rules.decision import read_decision
from shipcli.features.shipments.filters import SHIPMENTS
from shipcli.gateway.where import make_where
from shipcli.models import Shipment
from shipcli.store.query import one_of
from shipcli.workflows.printing import fetch_files, list_labels

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.gateway.gateway import Gateway


@dataclass(frozen=True)
class LabelPrinting:
    """Where labels come from, and where they are printed.

    Shapes: `app` is that of this machine; `printer` is the one named, which wins over those of rules;
            `label_type` is the format that it wants, if another than the usual one.
    """

    gateway: Gateway
    app: App
    printer: str | None = None
    label_type: str | None = None

    def choose(self, shipment: Shipment | None = None) -> str:
        """The name of the printer for a label.

        Errors: PrinterError if there is none.
        """
        decision = read_decision(shipment) if shipment else None
        named = self.printer or (decision.value("printer") if decision else None)
        return choose_printer(self.app, LABEL, named).name

    def print_label(self, shipment: Shipment, *, again: bool = False) -> str:
        """Print a label once, or another copy; returns the printer.

        Errors: PrinterError, and its job waits or is unknown; Conflict if it was printed before, or is void.
        """
        printer = self.choose(shipment)
        copies = [shipment.id] if again else []
        if self.gateway.url:
            label = Paper(LABEL, "", printer)
            papers = fetch_files(
                self.app, list_labels(self.gateway, self.app, [shipment], label, again=copies)
            )
        else:
            papers = make_label_papers([shipment.id], printer, None, copies)
        return [job.printer for job in print_all(self.app, papers)][-1]

    def is_printed(self, shipment: Shipment) -> bool:
        """Whether a label is known to be on paper."""
        return bool(self._list_on_paper([shipment.id]))

    def _list_on_paper(self, ids: Sequence[str]) -> set[str]:
        on_paper = [one_of("object_id", ids), one_of("state", (PRINTED, REPLACED))]
        jobs = {str(row["object_id"]) for row in select_jobs(self.app, on_paper)}
        return jobs | (set() if self.gateway.url else set(list_printed(self.app, ids)))

    def list_unprinted(self, bench: str) -> tuple[list[Shipment], int]:
        """The labels bought at a bench today and not known to be printed, oldest first; the count of all."""
        since = start_of_day(self.gateway.now())
        filters = {"status": "purchased", "metadata_value": bench, "created_after": since.isoformat()}
        rows = self.gateway.each("shipment", make_where(SHIPMENTS, filters))
        bought = [row for row in rows if (row.get("metadata") or {}).get("packed_at") == bench]
        printed = self._list_on_paper([str(row["id"]) for row in bought])
        unprinted = [Shipment.model_validate(row) for row in bought if row["id"] not in printed]
        return unprinted[::-1], len(bought)


def start_of_day(now: datetime) -> datetime:
    """The midnight before a moment, at this machine's place."""
    return now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
