"""Refresh the trackers that are due: carriers are asked in small batches at a steady pace.

A tracker is due if it is not delivered and was neither changed nor asked about within the interval.
`asked_at` is the time of the last request; it is set before a batch is sent, so that a parallel round, or
one after a crash, leaves those trackers alone for a minute.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import reduce
from typing import TYPE_CHECKING, Any

from shipcli.features.trackers.carrier_answers import ask_account, find_account
from shipcli.features.trackers.service import list_tracker_locks, save_in
from shipcli.models import Message, Tracker, Tracking
from shipcli.models.basics.errors import ShipcliError
from shipcli.store.query import any_of, at_most, equal, flag, one_of

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.queries import Reader
    from shipcli.store.query import Filter

log = logging.getLogger("shipcli.refresh")

BATCH = 10
CARRIERS_AT_ONCE = 2
CLAIM_S, RETRY_S = 60.0, 600.0
Row = Mapping[str, Any]
Pause = Callable[[float], bool]
Take = Callable[["App", Sequence[Row]], list[Tracker]]


@dataclass(frozen=True)
class RefreshReport:
    """The result of a round. `failed` trackers got no answer and are unchanged; `messages` say why."""

    asked: int = 0
    changed: int = 0
    unchanged: int = 0
    failed: int = 0
    messages: list[Message] = field(default_factory=list)

    def plus(self, other: RefreshReport) -> RefreshReport:
        """Return the sum of both reports."""
        return RefreshReport(
            self.asked + other.asked,
            self.changed + other.changed,
            self.unchanged + other.unchanged,
            self.failed + other.failed,
            [*self.messages, *(message for message in other.messages if message not in self.messages)],
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain data for output and summaries."""
        return {**vars(self), "messages": [message.model_dump() for message in self.messages]}


def refresh_due(
    app: App,
    *,
    modes: Iterable[bool] = (True, False),
    pause_s: float | None = None,
    stop: threading.Event | None = None,
) -> RefreshReport:
    """Refresh all trackers that are due in these modes (True is test mode).

    `pause_s` is the pause in seconds between two batches of a carrier, by default the setting
    `tracking_pause`; setting `stop` ends the round after the current batch.
    """
    delay_s = find_pause(app) if pause_s is None else pause_s
    halt = stop or threading.Event()
    return _sum(_refresh_round(app.in_mode(mode), delay_s, halt) for mode in modes)


def refresh_some(app: App, ids: Sequence[str]) -> RefreshReport:
    """Refresh these trackers of the app's mode, whether they are due or not."""
    rows = app.store.select("trackers", [one_of("id", ids)], "id")
    return _sum(
        _try(app, group[start : start + BATCH], _load)
        for group in _group(rows, lambda row: str(row["connection_id"]))
        for start in range(0, len(group), BATCH)
    )


def find_pause(app: App) -> float:
    """Return the pause between batches in seconds; by default 0 in a sandbox, as it calls no real carrier."""
    by_default = app.config.origin("tracking_pause") == "default"
    return 0.0 if app.sandbox and by_default else float(app.config["tracking_pause"])


def filter_due(app: App) -> list[Filter]:
    """Return the filters that select due trackers."""
    before = app.now() - timedelta(seconds=app.config["tracking_interval"])
    return [
        equal("test_mode", app.test_mode),
        flag("delivered", False),
        at_most("updated_at", before),
        any_of(equal("asked_at", None), at_most("asked_at", before)),
    ]


def _refresh_round(app: App, delay_s: float, halt: threading.Event) -> RefreshReport:
    rows = app.store.select("trackers", filter_due(app), "updated_at")
    by_carrier = _group(rows, lambda row: str(row["carrier_name"]))
    # One carrier at a time in a sandbox, so that the same round always gives the same results in order.
    lanes = 1 if app.sandbox else CARRIERS_AT_ONCE
    with ThreadPoolExecutor(lanes, thread_name_prefix="refresh") as pool:
        reports = pool.map(lambda some: _refresh_carrier(app, some, delay_s, halt), by_carrier)
        return _sum(reports)


def _refresh_carrier(app: App, rows: Sequence[Row], delay_s: float, halt: threading.Event) -> RefreshReport:
    """Refresh all due trackers of one carrier in batches, one connection after another."""
    done: list[RefreshReport] = []
    for group in _group(rows, lambda row: str(row["connection_id"])):
        for start in range(0, len(group), BATCH):
            if halt.is_set() or (done and delay_s and halt.wait(delay_s)):
                return _sum(done)
            done.append(_try(app, group[start : start + BATCH]))
    return _sum(done)


def _try(app: App, rows: Sequence[Row], take: Take | None = None) -> RefreshReport:
    """Refresh a batch; an error is logged and reported, so that the next batch can run."""
    try:
        return _refresh_batch(app, (take or _claim)(app, rows))
    except (ShipcliError, ValueError, LookupError) as error:
        log.warning("a batch of %d trackers of %s failed: %s", len(rows), rows[0]["carrier_name"], error)
        code, carrier_name = getattr(error, "code", "failure"), rows[0]["carrier_name"]
        message = Message(code=code, message=str(error), carrier_name=carrier_name)
        return RefreshReport(len(rows), failed=len(rows), messages=[message])


def _refresh_batch(app: App, trackers: Sequence[Tracker]) -> RefreshReport:
    if not trackers:
        return RefreshReport()
    account = find_account(app, trackers[0])
    answers, messages = ask_account(app, account, trackers)
    changed = _store(app, trackers, answers)
    failed = sum(1 for tracker in trackers if tracker.id not in answers)
    for message in messages:
        log.warning("%s: %s", message.carrier_name, message.message)
    return RefreshReport(len(trackers), changed, len(trackers) - changed - failed, failed, messages)


def _claim(app: App, rows: Sequence[Row]) -> list[Tracker]:
    """Return the trackers of these rows that are still due, and postpone them for a minute."""
    ids = [row["id"] for row in rows]
    with app.store.transaction(locks=[f"tracker/{id}" for id in ids]) as tx:
        due = [row["id"] for row in tx.select("trackers", [*filter_due(app), one_of("id", ids)])]
        tx.mark("tracker", due, {"asked_at": _compute_asked_at(app, CLAIM_S)})
        documents = [tx.get("tracker", id) for id in due]
    return [Tracker.model_validate(document) for document in documents if document]


def _load(app: App, rows: Sequence[Row]) -> list[Tracker]:
    documents = (app.store.get("tracker", row["id"]) for row in rows)
    return [Tracker.model_validate(document) for document in documents if document]


def _compute_asked_at(app: App, after_s: float) -> datetime:
    """Return the `asked_at` that makes a tracker due again after `after_s` seconds, at most the interval."""
    interval = app.config["tracking_interval"]
    moment: datetime = app.now() - timedelta(seconds=interval - min(after_s, interval))
    return moment


# -- storing -----------------------------------------------------------------------------------


def _store(app: App, trackers: Sequence[Tracker], answers: Mapping[str, Tracking]) -> int:
    """Store what changed in one transaction and return the number of changed trackers.

    Failed trackers are due again after ten minutes.
    """
    answered = [tracker for tracker in trackers if tracker.id in answers]
    failed = [tracker.id for tracker in trackers if tracker.id not in answers]
    with app.store.transaction(locks=lambda reader: _list_locks(reader, answered, failed)) as tx:
        changed = sum(save_in(app, tx, tracker, answers[tracker.id]) is not None for tracker in answered)
        tx.mark("tracker", list(answers), {"asked_at": app.now()})
        tx.mark("tracker", failed, {"asked_at": _compute_asked_at(app, RETRY_S)})
    return changed


def _list_locks(reader: Reader, answered: Sequence[Tracker], failed: Sequence[str]) -> list[str]:
    return [*list_tracker_locks(reader, answered), *(f"tracker/{id}" for id in failed)]


def _group(rows: Iterable[Row], key: Callable[[Row], str]) -> list[list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return list(groups.values())


def _sum(reports: Iterable[RefreshReport]) -> RefreshReport:
    return reduce(RefreshReport.plus, reports, RefreshReport())
