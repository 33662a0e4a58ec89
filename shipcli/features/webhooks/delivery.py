"""Delivering events to their subscribers, many at once, and recording the outcome of each.

Each target has its own queue: one that hangs or fails gets one message at a time and delays no other.
"""

from __future__ import annotations

import asyncio
import logging
import queue
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Any

from shipcli.events.envelope import write_envelope
from shipcli.events.outbox import PAUSES_S, QUEUE
from shipcli.events.sender import OutgoingMessage, SendResult
from shipcli.features.webhooks.service import make_message, note_outcomes, read_secret
from shipcli.security.master_key import MasterKeyError

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.jobs import QueuedJob
    from shipcli.store.transaction import Transaction

# How many are sent to one target at once, and how many are claimed for it; after a failure only one.
AT_ONCE, MOST_CLAIMED, MOST_AFTER_FAILURE = 8, 128, 1
MOST_CLAIMED_IN_ALL = 4096
_EVENTS_CACHED = 256
GRACE_S = 5.0  # for what is being sent when the worker stops
log = logging.getLogger("shipcli.worker")


@dataclass(frozen=True, slots=True)
class DeliveryResult:
    """A delivery that was attempted."""

    job: QueuedJob
    event: Mapping[str, Any]
    sent: SendResult


class Deliveries:
    """The deliveries that one worker has in progress."""

    prefix = QUEUE

    def __init__(self, app: App, wake: Callable[[], None]) -> None:
        self._app, self._wake = app, wake
        self._in_progress: dict[str, tuple[QueuedJob, Future[SendResult | None]]] = {}
        self._busy: Counter[str] = Counter()
        self._failing: set[str] = set()
        self._results: queue.SimpleQueue[DeliveryResult] = queue.SimpleQueue()
        self._unrecorded: list[DeliveryResult] = []
        self._obsolete: list[QueuedJob] = []
        # Several subscribers need the same event, and several events the same secret.
        self._event = lru_cache(_EVENTS_CACHED)(self._read_event)
        self._secret = cache(lambda webhook_id: read_secret(app, webhook_id))
        self._gates: dict[str, asyncio.Semaphore] = {}
        self._stopping = False

    # -- what the worker calls -----------------------------------------------------------------

    def room(self, queue: str) -> int:
        """Return how many more deliveries to this target may start; none while its webhook is disabled."""
        if self._is_disabled(queue):
            return 0
        most = MOST_AFTER_FAILURE if queue in self._failing else MOST_CLAIMED
        return max(0, min(most - self._busy[queue], MOST_CLAIMED_IN_ALL - len(self._in_progress)))

    def list_held(self) -> list[QueuedJob]:
        """Return the jobs in progress."""
        return [job for job, _ in self._in_progress.values()]

    def start(self, job: QueuedJob) -> None:
        """Send it; a job whose webhook or event was removed counts as done."""
        webhook = self._app.store.get("webhook", job.args["webhook_id"])
        stored_event = self._event(job.args["event_id"])
        if webhook is None or stored_event is None:
            self._obsolete.append(job)
            return
        if webhook["disabled"]:  # since it was claimed
            self._app.jobs.release([job])
            return
        event, body = stored_event
        try:
            secret = self._secret(webhook["id"])
        except MasterKeyError as error:
            self._busy[job.queue] += 1
            self._results.put(DeliveryResult(job, event, SendResult(None, error.message, 0, "")))
            return
        message = make_message(self._app, webhook["url"], secret, event["id"], body)
        future = self._app.sender.submit(self._post(job.queue, message))
        self._busy[job.queue] += 1
        self._in_progress[job.id] = (job, future)
        future.add_done_callback(partial(self._report, job, event))

    def settle(self) -> int:
        """Record what has ended since the last call, in one transaction, and return how many.

        If the store is away, it is recorded by a later call: nothing is sent again.
        """
        was_away = bool(self._unrecorded)
        self._unrecorded += [self._results.get() for _ in range(self._results.qsize())]
        results, obsolete = self._unrecorded, self._obsolete
        if not results and not obsolete:
            return 0
        new = self._list_held_results() if was_away else results
        locks = [f"webhook/{result.job.args['webhook_id']}" for result in results]
        with self._app.store.transaction(locks=locks) as tx:
            self._record(tx, new)
            self._app.jobs.finish(tx, obsolete)
        self._unrecorded, self._obsolete = [], []
        for result in results:
            self._forget(result)
        return len(results) + len(obsolete)

    def _list_held_results(self) -> list[DeliveryResult]:
        """What ended and was not recorded yet, as far as this worker can know."""
        held = self._app.jobs.find_held(self._app.store, [result.job for result in self._unrecorded])
        return [result for result in self._unrecorded if result.job.id in held]

    def stop(self, grace_s: float = GRACE_S) -> None:
        """Wait for deliveries in progress, then cancel those that take longer; they stay undelivered."""
        self._stopping = True
        futures = [future for _, future in self._in_progress.values()]
        wait(futures, grace_s)
        for future in futures:
            future.cancel()
        self.settle()
        self._app.jobs.release(self.list_held())
        self._in_progress.clear()

    # -- sending -------------------------------------------------------------------------------

    async def _post(self, queue: str, message: OutgoingMessage) -> SendResult | None:
        """Send a message and return its outcome; None if it was not sent because the worker is stopping."""
        async with self._gates.setdefault(queue, asyncio.Semaphore(AT_ONCE)):
            return None if self._stopping else await self._app.sender.post(message)

    def _report(self, job: QueuedJob, event: Mapping[str, Any], future: Future[SendResult | None]) -> None:
        """Queue the outcome to be recorded: every delivery that was started has one, unless cancelled."""
        if future.cancelled():
            return
        error = future.exception()
        if error is not None:
            log.error("the job %s (%s) failed", job.id, job.name, exc_info=error)
        sent = SendResult(None, f"{type(error).__name__}: {error}", 0, "") if error else future.result()
        if sent is not None:
            self._results.put(DeliveryResult(job, event, sent))
            self._wake()

    def _is_disabled(self, queue: str) -> bool:
        return bool(self._app.store.select("webhooks", {"id": queue.removeprefix(QUEUE), "disabled": True}))

    def _read_event(self, event_id: str) -> tuple[Mapping[str, Any], bytes] | None:
        """Return an event and its body, or None if it was removed."""
        event = self._app.store.get("event", event_id)
        return (event, write_envelope(event)) if event else None

    # -- outcomes ------------------------------------------------------------------------------

    def _forget(self, result: DeliveryResult) -> None:
        self._in_progress.pop(result.job.id, None)
        self._busy[result.job.queue] -= 1
        if result.sent.is_temporary:
            self._failing.add(result.job.queue)
        else:
            self._failing.discard(result.job.queue)

    def _record(self, tx: Transaction, results: list[DeliveryResult]) -> None:
        outcomes: dict[str, list[tuple[bool, str]]] = {}
        for result in results:
            tx.insert("deliveries", self._row(result))
            if result.sent.ok or not self._retry(tx, result):
                outcome = (result.sent.ok, str(result.event["created_at"]))
                outcomes.setdefault(result.job.args["webhook_id"], []).append(outcome)
        self._app.jobs.finish(tx, [result.job for result in results if result.sent.ok])
        for webhook_id, webhook_outcomes in outcomes.items():
            note_outcomes(tx, webhook_id, webhook_outcomes)

    def _retry(self, tx: Transaction, result: DeliveryResult) -> bool:
        """Record a failed delivery, and return whether it will be retried."""
        reason = result.sent.error or f"the target answered {result.sent.status}"
        pause_s = max(PAUSES_S[min(result.job.attempts, len(PAUSES_S) - 1)], result.sent.retry_after_s)
        return self._app.jobs.fail(
            tx, result.job, reason, after_s=pause_s, final=not result.sent.is_temporary
        )

    def _row(self, result: DeliveryResult) -> dict[str, Any]:
        return {
            "id": self._app.new_id("dlv_"),
            "webhook_id": result.job.args["webhook_id"],
            "event_id": result.event["id"],
            "type": result.event["type"],
            "test_mode": result.event["test_mode"],
            "attempt": result.job.attempts + 1,
            "ok": result.sent.ok,
            "status": result.sent.status,
            "error": result.sent.error,
            "latency_ms": result.sent.latency_ms,
            "response": result.sent.excerpt,
            "at": self._app.now(),
        }
