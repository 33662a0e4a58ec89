"""Trackers from a file: checked as a whole, then added one by one; existing trackers are used as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from shipcli.features.connections.accounts import list_accounts
from shipcli.features.core.row_results import WORKERS, Outcome, Results, RowErrors, do_at_once
from shipcli.features.files.engine import ImportPlan, RowHandler
from shipcli.features.trackers.service import add_tracker, find_newest
from shipcli.models import ShipcliError, Tracker, TrackingData
from shipcli.readers.cells import clean_tracking_number
from shipcli.readers.headers import TRACKERS, find_columns
from shipcli.readers.tables import Row, Rows
from shipcli.readers.trackers import REQUIRED, TrackerReader, TrackerRow

if TYPE_CHECKING:
    from shipcli.features.core.app import App

NUMBER = TRACKERS["tracking_number"]


@dataclass(frozen=True)
class TrackerStore:
    """Where trackers are stored: finds and adds the tracker of a number.

    Shapes: `carriers` are the names of carriers that can be asked, each with its slug; `workers` is how
            many may be added at once.
    """

    carriers: Mapping[str, str]
    find: Callable[[str], Tracker | None]
    add: Callable[[TrackingData], Tracker]
    workers: int = 1


class TrackerRows(RowHandler[TrackerRow]):
    """The numbers of a file; with `update` the carrier of a known one is asked again.

    Errors: Invalid naming missing columns.
    """

    def __init__(self, table: Rows, plan: ImportPlan, trackers: TrackerStore) -> None:
        columns = find_columns(table.headers, TRACKERS, REQUIRED, table.name, table.label)
        super().__init__(table, plan, TrackerReader(columns, trackers.carriers))
        self._trackers = trackers

    def key(self, row: Row) -> str:
        """The tracking number."""
        return clean_tracking_number(row.cells[NUMBER])

    def compare(self, errors: RowErrors) -> None:
        """Check that no number has a tracker already, if the plan makes that an error."""
        for key, numbers in errors.rows.items() if self.plan.on_duplicate == "error" else ():
            tracker = self._trackers.find(key) if key else None
            for number in numbers if tracker else ():
                errors.blame(number, NUMBER, f"the number is watched already: {tracker and tracker.id}")

    def store(self, rows: Iterator[TrackerRow], results: Results[Any]) -> Iterator[Outcome]:
        """Add the trackers; one that is unknown to its carrier waits for its first scan."""
        return (outcome for _, outcome in do_at_once(rows, self._add, self._trackers.workers))

    def _add(self, row: TrackerRow) -> Outcome:
        assert row.data is not None
        existing = self._trackers.find(row.key)
        if existing and self.plan.on_duplicate == "skip":
            return Outcome(row.row.number, row.key, "existing", existing.id)
        try:
            tracker = self._trackers.add(row.data)
        except ShipcliError as error:
            return Outcome(row.row.number, row.key, "failed", message=error.message)
        status = "created" if existing is None else "existing" if existing == tracker else "updated"
        return Outcome(row.row.number, row.key, status, tracker.id)


def make_tracker_rows(app: App, table: Rows, plan: ImportPlan) -> TrackerRows:
    """Make the rows of a file of tracking numbers, for this store."""
    able = [account for account in list_accounts(app) if account.can("tracking") and account.kind.trackable]
    names = {name: account.slug for account in able for name in (account.carrier_id, account.slug)}
    add = partial(add_tracker, app, pending_pickup=True)
    return TrackerRows(
        table, plan, TrackerStore(names, partial(find_newest, app), add, 1 if app.sandbox else WORKERS)
    )
