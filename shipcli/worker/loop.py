"""The worker: claims due jobs, starts them, renews their leases, and stops without losing any."""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from shipcli.features.admin.worker_status import Presence
from shipcli.features.core.locks import CONDUCTOR, is_locked
from shipcli.features.webhooks.delivery import Deliveries
from shipcli.store.errors import StoreError
from shipcli.store.jobs import LEASE_S
from shipcli.worker.threads import Threads
from shipcli.worker.wakeup import Wakeup
from shipcli.worker.work import HANDLERS, Handler, list_schedules, record_failure

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.jobs import QueuedJob, Schedule

log = logging.getLogger("shipcli.worker")
T = TypeVar("T")

SHORTEST_WAIT_S, LONGEST_WAIT_S = 0.02, 1.0
HOUSEKEEPING_S = 2.0  # between two checks of schedules and of other workers' leases
RENEWAL_S = LEASE_S / 4
ERROR_PAUSE_S = 5.0
# While messages are being sent, outcomes are collected for this long, to be written together.
GATHER_S = 0.02


class WorkerLane(Protocol):
    """One way of running jobs."""

    prefix: str

    def room(self, queue: str) -> int:
        """How many more jobs of this queue may start."""

    def list_held(self) -> list[QueuedJob]:
        """The jobs in progress."""

    def start(self, job: QueuedJob) -> None:
        """Start a job."""

    def settle(self) -> int:
        """Process the jobs that have ended; returns how many."""

    def stop(self) -> None:
        """Begin nothing more, and return once what was begun has ended or was given back."""


class Worker:
    """One worker of a store. `run` works until `stop` is called; `run_once` until nothing is due.

    `queues` are the queues it serves, all if empty; `webhooks` stands for those of all subscribers.
    """

    def __init__(
        self,
        app: App,
        *,
        queues: Sequence[str] = (),
        handlers: Mapping[str, Handler] = HANDLERS,
        periodic: Sequence[Schedule] | None = None,
        lease_s: float = LEASE_S,
    ) -> None:
        self.app, self.queues, self._lease_s = app, tuple(queues), lease_s
        self._wakeup, self._stopping = Wakeup(), False
        self._deliveries = Deliveries(app, self.wake)
        self._lanes: tuple[WorkerLane, ...] = (self._deliveries, Threads(app, handlers, self.wake))
        self._periodic = list_schedules(app) if periodic is None else list(periodic)
        self._presence = Presence(app, self.queues)
        self._housekept_at = self._renewed_at = self._shown_at = self._listened_at = float("-inf")

    def run(self) -> None:
        """Work until stopped, whatever goes wrong: errors are logged, and work resumes after a pause."""
        while not self._stopping and not self._run_guarded(self._begin):
            continue
        wait_s = SHORTEST_WAIT_S
        while not self._stopping:
            self._listen()
            moved = self._run_guarded(self.tick)
            wait_s = SHORTEST_WAIT_S if moved else min(wait_s * 2, LONGEST_WAIT_S)
            if self._pause(wait_s):
                wait_s = SHORTEST_WAIT_S / 2  # what rings may be followed by more at once
        self._end()

    def run_once(self) -> None:
        """Run everything that is due, including periodic work, and return."""
        self._begin()
        while not self._stopping:
            moved = self.tick()
            if not moved and not any(lane.list_held() for lane in self._lanes):
                break
            self._pause(SHORTEST_WAIT_S)
        self._end()

    def run_due(self) -> None:
        """Run the jobs that are due, but no periodic work, until none is left here or with other workers."""
        while not self._stopping:
            moved = sum(lane.settle() for lane in self._lanes) + self._start_jobs()
            self._renew_leases()
            is_idle = not moved and not any(lane.list_held() for lane in self._lanes)
            if is_idle and not self.app.jobs.is_any_running():
                break
            self._pause(SHORTEST_WAIT_S)

    def close(self) -> None:
        """End a worker that others drive."""
        self._end()

    def stop(self) -> None:
        """Stop the worker; safe to call from a signal handler or another thread."""
        self._stopping = True
        self._wakeup.set()

    def wake(self) -> None:
        """Make the worker look for work at once."""
        self._wakeup.set()

    # -- one turn ------------------------------------------------------------------------------

    def tick(self) -> int:
        """Settle ended jobs, do housekeeping, claim and start jobs; returns how many ended or started."""
        settled = sum(lane.settle() for lane in self._lanes)
        self._renew_leases()
        if not self._is_conducted():
            self._do_housekeeping()
            settled += self._start_jobs()
        self._show_presence()
        return settled

    def _is_conducted(self) -> bool:
        """Whether somebody moves the clock of this sandbox, and runs what is due meanwhile."""
        return self.app.sandbox and is_locked(self.app, CONDUCTOR)

    def _start_jobs(self) -> int:
        """Claim and start the next jobs; returns how many. Those that could not start are released."""
        jobs = self._claim()
        for place, job in enumerate(jobs):
            try:
                self._start(job)
            except StoreError:
                self.app.jobs.put_back(jobs[place:], 0)
                raise
        return len(jobs)

    def _start(self, job: QueuedJob) -> None:
        """Start a job; if one can't be started, only that one fails."""
        try:
            self._lane(job.queue).start(job)
        except StoreError:
            raise
        except Exception as error:
            trace_id = uuid.uuid4().hex
            log.exception("the job %s (%s) failed, trace %s", job.id, job.name, trace_id)
            record_failure(self.app, job, error, trace_id)

    def _claim(self) -> list[QueuedJob]:
        queues = [queue for queue in self.app.jobs.list_due_queues() if self._serves(queue)]
        limits = {queue: self._lane(queue).room(queue) for queue in queues}
        return self.app.jobs.claim(limits, self._lease_s) if any(limits.values()) else []

    def _lane(self, queue: str) -> WorkerLane:
        return next(lane for lane in self._lanes if queue.startswith(lane.prefix))

    def _serves(self, queue: str) -> bool:
        return not self.queues or queue in self.queues or queue.partition("/")[0] in self.queues

    def _do_housekeeping(self) -> None:
        now = time.monotonic()
        if now - self._housekept_at >= HOUSEKEEPING_S:
            self._housekept_at = now
            self.app.jobs.reclaim()
            self.app.jobs.notice_clock()
            self.app.jobs.start_due()

    def _renew_leases(self) -> None:
        now = time.monotonic()
        if now - self._renewed_at >= min(RENEWAL_S, self._lease_s / 4):
            self._renewed_at = now
            self.app.jobs.renew((job for lane in self._lanes for job in lane.list_held()), self._lease_s)

    def _show_presence(self) -> None:
        """Update the presence row after a turn without errors: one that only fails soon shows as late."""
        if time.monotonic() - self._shown_at >= RENEWAL_S:
            self._presence.show()
            self._shown_at = time.monotonic()

    def _listen(self) -> None:
        """Hear of jobs that others commit, where the engine can; looking finds them too, a little later."""
        now = time.monotonic()
        if self._wakeup.is_listening or now - self._listened_at < RENEWAL_S:
            return
        self._listened_at = now
        try:
            self._wakeup.listen(self.app.store.listen())
        except StoreError as error:
            log.warning("the worker can't listen for jobs and looks for them: %s", error)

    def _pause(self, wait_s: float) -> bool:
        """Wait for at most this long; returns whether something rang."""
        is_rung = self._wakeup.wait(wait_s)
        if self._deliveries.list_held() and not self._stopping:
            time.sleep(GATHER_S)
        return is_rung

    # -- beginning and end ---------------------------------------------------------------------

    def _begin(self) -> int:
        self.app.jobs.declare(self._periodic)
        self._presence.show()
        return 1

    def _end(self) -> None:
        for lane in self._lanes:
            self._run_guarded(lane.stop)
        self._run_guarded(self._presence.leave)
        self._wakeup.close()

    def _run_guarded(self, step: Callable[[], T]) -> T | None:
        """Run a step and return its result; None if it failed, after logging the error and a pause."""
        try:
            return step()
        except StoreError as error:
            log.error("%s", error)
        except Exception:
            log.exception("the worker met an error; it goes on in %g s", ERROR_PAUSE_S)
        self._pause_after_error()
        return None

    def _pause_after_error(self) -> None:
        end = time.monotonic() + ERROR_PAUSE_S
        while not self._stopping and time.monotonic() < end:
            self._wakeup.wait(max(0.0, end - time.monotonic()))
