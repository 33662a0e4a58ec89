"""What a worker can do: handlers by job name, and how many jobs of each queue run at once."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from shipcli.events.outbox import QUEUE as WEBHOOKS
from shipcli.features.admin.retention import remove_expired, remove_old
from shipcli.features.customers.follower import QUEUE as MAILS
from shipcli.features.customers.follower import SEND
from shipcli.features.files.batches.items import QUEUE as BATCHES
from shipcli.features.files.batches.items import RUN
from shipcli.features.shops.hook import QUEUE as HOOKS
from shipcli.features.shops.hook import RUN as RUN_HOOK
from shipcli.features.shops.hook import HookFailed, run_hook
from shipcli.store.jobs import QueuedJob, Schedule

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.transaction import Transaction

log = logging.getLogger("shipcli.worker")

TRACKERS, PURCHASES = "trackers", "purchases"
CARE = "care"
REFRESH, SETTLE, TIDY, REMOVE = "refresh_trackers", "settle_purchases", "end_lost_batches", "remove_old_data"
LONGEST_REFRESH_PERIOD_S, SETTLE_PERIOD_S, TIDY_PERIOD_S, REMOVE_PERIOD_S = 300.0, 60.0, 300.0, 86400.0

# How many jobs of a queue one worker runs at once; one for queues that are not listed.
AT_ONCE: Mapping[str, int] = {TRACKERS: 1, PURCHASES: 1, BATCHES: 2, HOOKS: 2, MAILS: 2}
QUEUES = (WEBHOOKS.rstrip("/"), *AT_ONCE, CARE)


@dataclass
class WorkerTask:
    """A job while it is running.

    A handler that must commit its result and the end of its job together calls `finish` in its own
    transaction. A long-running one checks `stop` between its steps and, if it is set, calls `postpone` and
    returns.
    """

    app: App
    job: QueuedJob
    stop: threading.Event
    finished: bool = field(default=False, init=False)
    postponed: bool = field(default=False, init=False)

    @property
    def args(self) -> Mapping[str, Any]:
        """The arguments of the job."""
        return self.job.args

    def finish(self, tx: Transaction) -> bool:
        """End the job as part of a transaction; False if another worker has taken it over."""
        self.finished = self.app.jobs.finish(tx, [self.job]) == 1
        return self.finished

    def fail(self, reason: str) -> None:
        """End the job as failed by what is no fault of ours; it is retried later."""
        with self.app.store.transaction(durable=True, locks=()) as tx:
            self.app.jobs.fail(tx, self.job, reason)
        self.finished = True

    def postpone(self) -> None:
        """Postpone the job: it goes back to its queue when the handler returns."""
        self.postponed = True


Handler = Callable[[WorkerTask], None]


def record_failure(app: App, job: QueuedJob, error: Exception, trace_id: str) -> None:
    """Record in the job that it failed; it is retried later. The log has the details."""
    with app.store.transaction(durable=True, locks=()) as tx:
        app.jobs.fail(tx, job, f"{type(error).__name__}: {error} (trace {trace_id})")


def refresh_trackers(task: WorkerTask) -> None:
    """Refresh the trackers that are due, in both modes."""
    from shipcli.features.trackers.refresh import refresh_due

    refresh_due(task.app, stop=task.stop)


def settle_purchases(task: WorkerTask) -> None:
    """Settle what dead processes left open with carriers, purchases first, in both modes."""
    from shipcli.features.admin.settlement import settle_all

    for test_mode in (True, False):
        settle_all(task.app.in_mode(test_mode))


def run_batch(task: WorkerTask) -> None:
    """Run what is left of a batch."""
    from shipcli.features.files.batches.runner import carry_on
    from shipcli.features.files.batches.work import BatchRun

    if not carry_on(BatchRun(task.app, str(task.args["batch_id"]), task.finish, task.stop)):
        task.postpone()


def end_lost_batches(task: WorkerTask) -> None:
    """End the batches that no process will work on any more, in both modes."""
    from shipcli.features.files.batches.service import give_up_lost

    for test_mode in (True, False):
        give_up_lost(task.app.in_mode(test_mode))


def remove_old_data(task: WorkerTask) -> None:
    """Remove what has expired, and what is too old according to the settings, in both modes."""
    remove_expired(task.app)
    remove_old(task.app, task.stop)
    task.app.store.fold_counts()
    if task.stop.is_set():
        task.postpone()


def run_shipped_hook(task: WorkerTask) -> None:
    """Run the command of one's own for a shipment."""
    shipment_id = str(task.args["shipment_id"])
    try:
        run_hook(task.app, shipment_id)
    except HookFailed as error:
        log.error("the command on_shipped failed for %s: %s", shipment_id, error.message)
        task.fail(error.message)


def send_queued_mail(task: WorkerTask) -> None:
    """Send a mail to a customer; how it ended is recorded with the end of the job."""
    from shipcli.features.customers.delivery import send_mail

    task.finished = True
    send_mail(task.app, task.job)


# A job with `test_mode` in its arguments runs in that mode.
HANDLERS: Mapping[str, Handler] = {
    REFRESH: refresh_trackers,
    SETTLE: settle_purchases,
    RUN: run_batch,
    TIDY: end_lost_batches,
    REMOVE: remove_old_data,
    RUN_HOOK: run_shipped_hook,
    SEND: send_queued_mail,
}


def list_schedules(app: App) -> list[Schedule]:
    """The periodic work of a store."""
    period_s = min(float(app.config["tracking_interval"]), LONGEST_REFRESH_PERIOD_S)
    return [
        Schedule("refresh trackers", TRACKERS, REFRESH, max(period_s, 1.0), {}),
        Schedule("settle purchases", PURCHASES, SETTLE, SETTLE_PERIOD_S, {}),
        Schedule("end lost batches", PURCHASES, TIDY, TIDY_PERIOD_S, {}),
        Schedule("remove old data", CARE, REMOVE, REMOVE_PERIOD_S, {}),
    ]
