"""Trackers from a file: checked whole, then added one by one; a number that is watched is used as it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from shipcli.features.connections.accounts import all_accounts
from shipcli.features.core.row_results import (
    WORKERS,
    CheckResult,
    OnDuplicate,
    Outcome,
    Progress,
    Results,
    RowErrors,
    do_at_once,
    refuse,
    show_nothing,
)
from shipcli.features.trackers.service import add_tracker, find_newest
from shipcli.imports.headers import TRACKERS, columns
from shipcli.imports.tables import Rows
from shipcli.imports.trackers import REQUIRED, TrackerReader, TrackerRow
from shipcli.models import ShipcliError, Tracker, TrackingData

if TYPE_CHECKING:
    from shipcli.features.core.app import App

NUMBER = TRACKERS["tracking_number"]
Watched = Callable[[str], "Tracker | None"]


@dataclass(frozen=True)
class TrackerPlan:
    """What to do with a file of trackers; `update` asks the carrier of a known number again."""

    on_duplicate: OnDuplicate = "skip"
    keep_good: bool = False


def reader_for(app: App, table: Rows) -> TrackerReader:
    """A reader that knows which carriers can be asked.

    Errors: Invalid naming missing columns.
    """
    able = [account for account in all_accounts(app) if account.can("tracking") and account.kind.trackable]
    names = {name: account.slug for account in able for name in (account.carrier_id, account.slug)}
    return reader_of(table, names)


def reader_of(table: Rows, names: Mapping[str, str]) -> TrackerReader:
    """A reader that knows these names of carriers.

    Errors: Invalid naming missing columns.
    """
    return TrackerReader(columns(table.headers, TRACKERS, REQUIRED, table.name, table.label), names)


def check_trackers(app: App, table: Rows, plan: TrackerPlan) -> CheckResult:
    """Read the whole file once and store nothing.

    Errors: Invalid when the file is not a table or lacks columns.
    """
    return check_rows(reader_for(app, table), table, plan, partial(find_newest, app))


def check_rows(reader: TrackerReader, table: Rows, plan: TrackerPlan, watched: Watched) -> CheckResult:
    """The same by a reader; `watched` gives the tracker of a number."""
    found = RowErrors(table)
    for row in table:
        parsed = reader.read(row)
        found.enter(row.number, parsed.key, parsed.wrong)
        known = watched(parsed.key) if plan.on_duplicate == "error" and parsed.key else None
        if known:
            found.blame(row.number, NUMBER, f"the number is watched already: {known.id}")
    return found.checked()


def import_trackers(
    app: App, table: Rows, plan: TrackerPlan, *, progress: Progress = show_nothing
) -> Results[Outcome]:
    """The trackers of a file; one the carrier knows nothing of yet waits for its first scan.

    Errors: Invalid naming every bad cell, unless the plan keeps good rows; then nothing is stored.
    """
    checked = check_trackers(app, table, plan)
    if not plan.keep_good:
        refuse(checked)
    ways = TrackerGateway(partial(find_newest, app), partial(add_tracker, app, pending_pickup=True))
    return add_rows(
        reader_for(app, table), table, plan, checked, ways, 1 if app.sandbox else WORKERS, progress
    )


@dataclass(frozen=True)
class TrackerGateway:
    """How the tracker of a number is found, and added, wherever trackers are stored."""

    watched: Watched
    add: Callable[[TrackingData], Tracker]


def add_rows(
    reader: TrackerReader,
    table: Rows,
    plan: TrackerPlan,
    checked: CheckResult,
    ways: TrackerGateway,
    workers: int,
    progress: Progress,
) -> Results[Outcome]:
    """The good rows, added one by one."""
    bad = checked.bad
    rows = (reader.read(row) for row in table if row.number not in bad)
    results: Results[Outcome] = Results(checked)
    work = do_at_once(rows, lambda row: add(ways, plan, row), workers)
    for done, (_, outcome) in enumerate(work, start=1):
        results.rows.append(outcome)
        progress(done, checked.good, outcome)
    return results


def add(ways: TrackerGateway, plan: TrackerPlan, row: TrackerRow) -> Outcome:
    """Add the tracker of a row, or say why not."""
    assert row.data is not None
    known = ways.watched(row.key)
    if known and plan.on_duplicate == "skip":
        return Outcome(row.row.number, row.key, "existing", known.id)
    try:
        tracker = ways.add(row.data)
    except ShipcliError as error:
        return Outcome(row.row.number, row.key, "failed", message=error.message)
    changed = bool(known) and known != tracker
    return Outcome(
        row.row.number, row.key, "updated" if changed else "existing" if known else "created", tracker.id
    )
