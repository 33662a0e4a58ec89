"""Moves the clock of a sandbox forward, and lets happen what is due on the way, in order.

Meanwhile the clock stands between two steps, and other workers of the sandbox claim no jobs. A step goes to
the next instant at which something is due: a job, such as another attempt at a webhook; what a lost answer
left open; a milestone of a parcel that is watched. Every step ends when its webhooks were delivered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from shipcli.features.admin.settlement import settle_all
from shipcli.features.connections.intent_states import ATTENTION, OPEN
from shipcli.features.core.locks import CONDUCTOR, hold_locks
from shipcli.features.sandbox.clock import find_clock, find_end
from shipcli.features.sandbox.happenings import find_last_event, list_happenings
from shipcli.features.sandbox.milestones import Milestones, list_scans
from shipcli.features.trackers.carrier_answers import find_account
from shipcli.features.trackers.lookup import find_stored
from shipcli.features.trackers.refresh import refresh_some
from shipcli.models import Conflict, Invalid, NotFound, Tracker
from shipcli.models.basics.enums import TRACKER_STATUSES
from shipcli.models.sandbox_time import ClockAdvanceData, ParcelMoveData, SandboxEvent
from shipcli.store.query import one_of

if TYPE_CHECKING:
    from shipcli.clocks import SandboxClock
    from shipcli.features.core.app import App, JobRunner

TOGETHER = timedelta(minutes=1)  # parcels whose milestones are as near are asked about in one step
SETTLED_EVERY = timedelta(minutes=1)


def advance_clock(app: App, data: ClockAdvanceData) -> list[SandboxEvent]:
    """Move the clock forward; what happened on the way, in order.

    Errors: Invalid for a span or an instant that can't be read; Conflict while another one moves it.
    """
    return _play(app, find_end(app, data))


def move_parcel(app: App, word: str, data: ParcelMoveData) -> list[SandboxEvent]:
    """Move the clock forward until a parcel that is watched has a status, or its next scan.

    Shapes: `word` is its number, or the id of its tracker or shipment.
    Errors: NotFound; Invalid for an unknown status; Conflict if its journey does not lead there.
    """
    if data.to is not None and data.to not in TRACKER_STATUSES:
        raise Invalid("to", f"{data.to!r} is not one of {', '.join(TRACKER_STATUSES)}")
    document = find_stored(app, word)
    if document is None:
        raise NotFound("tracker", word)
    tracker = Tracker.model_validate(document)
    if data.to == tracker.status:
        return []
    slug = find_account(app, tracker).slug
    now = find_clock(app)()
    scans = [scan for scan in list_scans(app, slug, tracker.model_dump()) if scan.at > now]
    coming = next((scan for scan in scans if data.to in (None, scan.status)), None)
    if coming is None:
        ending = f"become {data.to}" if data.to else "get another scan"
        raise Conflict(f"{tracker.tracking_number} is {tracker.status}, and will never {ending}")
    return _play(app, coming.at)


def _play(app: App, end: datetime) -> list[SandboxEvent]:
    last = find_last_event(app)
    with hold_locks(app, [CONDUCTOR], "The clock is being moved by someone else"):
        runner = app.make_job_runner()
        try:
            with _standing(find_clock(app)) as clock:
                Conductor(app, clock, runner).play(end)
        finally:
            runner.close()
    return list_happenings(app, last)


@contextmanager
def _standing(clock: SandboxClock) -> Iterator[SandboxClock]:
    """Let the clock stand while the block runs, and run on afterwards."""
    speed = clock.read().speed
    clock.run(0)
    try:
        yield clock
    finally:
        clock.run(speed)


class Conductor:
    """Plays what is due in a sandbox up to an instant."""

    def __init__(self, app: App, clock: SandboxClock, runner: JobRunner) -> None:
        self._app, self._clock, self._runner = app, clock, runner
        self._milestones = Milestones(app)
        self._settled_at, self._pause = clock(), SETTLED_EVERY

    def play(self, end: datetime) -> None:
        """Go from one instant to the next, to the end."""
        self._work(self._clock())
        while instant := self._find_next(end):
            self._work(instant)
        self._clock.show(end, 0)
        self._runner.run_due()

    def _find_next(self, end: datetime) -> datetime | None:
        """The next instant at which something is due, at most the end."""
        self._milestones.notice_new()
        others = [at for at in (self._app.jobs.find_next_start(), self._find_settling()) if at and at <= end]
        horizon = min([end, *others])
        coming = self._milestones.find_next()
        if coming is None or coming > horizon:
            return min(others, default=None)
        return self._milestones.find_last(min(horizon, coming + TOGETHER))

    def _work(self, instant: datetime) -> None:
        """Do what is due at an instant."""
        self._milestones.notice_new()
        due = self._milestones.take(instant)
        self._clock.show(max(instant, self._clock()), 0)
        if self._settled_at + self._pause <= instant:
            self._settle(instant)
        for test_mode in (True, False):
            ids = [each.tracker_id for each in due if each.test_mode is test_mode]
            refresh_some(self._app.in_mode(test_mode), ids)
        for each in due:
            self._milestones.expect(each.tracker_id, each.test_mode, instant)
        self._runner.run_due()

    def _find_settling(self) -> datetime | None:
        """When to look at what lost answers left open, if there is any; with growing pauses."""
        return self._settled_at + self._pause if self._list_unsettled() else None

    def _settle(self, instant: datetime) -> None:
        before = self._list_unsettled()
        for test_mode in (True, False):
            settle_all(self._app.in_mode(test_mode))
        self._pause = self._pause * 2 if self._list_unsettled() == before else SETTLED_EVERY
        self._settled_at = instant

    def _list_unsettled(self) -> Sequence[str]:
        """The actions whose outcome is not known, and the labels that have no number yet."""
        store = self._app.store
        intents = store.select("intents", [one_of("state", (OPEN, ATTENTION))])
        unnumbered = store.select("shipments", {"tracking_number": None, "status": "purchased"})
        return [*(row["key"] for row in intents), *(row["id"] for row in unnumbered)]
