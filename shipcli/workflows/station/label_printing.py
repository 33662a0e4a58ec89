"""Print labels of the station on the printers of this machine, whichever store they are in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from shipcli.features.core.dates import find_first_instant
from shipcli.features.paper.labels import list_printed
from shipcli.features.paper.printing.print_jobs import select_jobs
from shipcli.features.paper.printing.print_requests import Paper
from shipcli.features.paper.printing.printers import LABEL, choose_printer
from shipcli.features.paper.printing.printouts import make_label_papers, print_all
from shipcli.features.paper.printing.sheet import OPEN, PRINTED, REPLACED
from shipcli.features.rules.decision import read_decision
from shipcli.features.shipments.filters import SHIPMENTS
from shipcli.gateway.where import make_where
from shipcli.models import Shipment
from shipcli.store.query import one_of
from shipcli.workflows.printing import fetch_files, list_labels

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.gateway.gateway import Gateway


LOOK_BACK = timedelta(days=7)  # over a week-end and a holiday
MOST_BEFORE = 50  # labels before today


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
        jobs = self._list_jobs(ids, PRINTED) | (self._list_jobs(ids, REPLACED) - self._list_jobs(ids, *OPEN))
        return jobs | (set() if self.gateway.url else set(list_printed(self.app, ids)))

    def _list_jobs(self, ids: Sequence[str], *states: str) -> set[str]:
        """Which of the labels have a job in one of these states."""
        where = [one_of("object_id", ids), one_of("state", states)]
        return {str(row["object_id"]) for row in select_jobs(self.app, where)}

    def list_unprinted(self, bench: str) -> tuple[list[Shipment], int]:
        """The labels bought at a bench and not known to be printed, oldest first: of today, and of the last
        ones before it; the count of those of today.
        """
        bought = list(self._list_bought(bench))
        printed = self._list_on_paper([str(row["id"]) for row in bought])
        unprinted = [Shipment.model_validate(row) for row in bought if row["id"] not in printed]
        return unprinted[::-1], sum(self.is_of_today(row, bench) for row in bought)

    def _list_bought(self, bench: str) -> Iterator[dict[str, Any]]:
        """Those of today and the last ones before, as power is cut in the evening as well; newest first."""
        since = start_of_day(self.gateway.now() - LOOK_BACK)
        filters = {"status": "purchased", "metadata_value": bench, "created_after": since.isoformat()}
        before = 0
        for row in self.gateway.each("shipment", make_where(SHIPMENTS, filters)):
            if not is_packed_at(row, bench):
                continue
            before += not self.is_of_today(row, bench)
            if before > MOST_BEFORE:
                return
            yield row

    def is_of_today(self, shipment: Mapping[str, Any], bench: str) -> bool:
        """Whether a shipment counts for a bench today."""
        created = datetime.fromisoformat(str(shipment["created_at"]))
        return is_packed_at(shipment, bench) and created >= start_of_day(self.gateway.now())


def is_packed_at(shipment: Mapping[str, Any], bench: str) -> bool:
    """Whether a shipment was bought at a bench."""
    return (shipment.get("metadata") or {}).get("packed_at") == bench


def start_of_day(now: datetime) -> datetime:
    """The midnight before a moment, at this machine's place."""
    return find_first_instant(now.astimezone().date())
