"""Delivering events to their subscribers, many at once, and recording the outcome of each.

Each target has its own queue: one that hangs or fails gets one message at a time and delays no other.
"""

from __future__ import annotations

import asyncio
import logging
import queue
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from shipcli.events.envelope import write_envelope
from shipcli.events.outbox import PAUSES_S, QUEUE
from shipcli.features.webhooks.sender import OutgoingMessage, Sent
from shipcli.features.webhooks.service import make_message, note_outcomes, read_secret
from shipcli.security.master_key import MasterKeyError
from shipcli.store.ids import IdGenerator

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.jobs import QueuedJob
    from shipcli.store.transaction import Transaction

# How many are sent to one target at once, and how many are claimed for it; after a failure only one.
AT_ONCE, AT_HAND, DOUBTFUL = 8, 128, 1
AT_HAND_IN_ALL = 4096
_EVENTS_KEPT = 256
log = logging.getLogger("shipcli.worker")
_ids = IdGenerator(lambda: datetime.now(UTC))


@dataclass(frozen=True, slots=True)
class DeliveryResult:
    """A delivery that was attempted."""

    job: QueuedJob
    event: Mapping[str, Any]
    sent: Sent


class Deliveries:
    """The deliveries that one worker has in progress."""

    prefix = QUEUE

    def __init__(self, app: App, wake: Callable[[], None]) -> None:
        self._app, self._wake = app, wake
        self._under_way: dict[str, tuple[QueuedJob, Future[Sent | None]]] = {}
        self._busy: Counter[str] = Counter()
        self._doubtful: set[str] = set()
        self._ended: queue.SimpleQueue[DeliveryResult] = queue.SimpleQueue()
        self._moot: list[QueuedJob] = []
        self._events: OrderedDict[str, tuple[Mapping[str, Any], bytes]] = OrderedDict()
        self._secrets: dict[str, str] = {}
        self._gates: dict[str, asyncio.Semaphore] = {}
        self._stopping = False

    # -- what the worker calls -----------------------------------------------------------------

    def room(self, queue: str) -> int:
        """How many more deliveries to this target may start; none while its webhook is disabled."""
        if self._is_disabled(queue):
            return 0
        most = DOUBTFUL if queue in self._doubtful else AT_HAND
        return max(0, min(most - self._busy[queue], AT_HAND_IN_ALL - len(self._under_way)))

    def list_held(self) -> list[QueuedJob]:
        """The jobs in progress."""
        return [job for job, _ in self._under_way.values()]

    def start(self, job: QueuedJob) -> None:
        """Send it; a job whose webhook or event was removed counts as done."""
        webhook = self._app.store.get("webhook", job.args["webhook_id"])
        found = self._event(job.args["event_id"])
        if webhook is None or found is None:
            self._moot.append(job)
            return
        if webhook["disabled"]:  # since it was claimed
            self._app.jobs.release([job])
            return
        event, body = found
        try:
            secret = self._secret(webhook["id"])
        except MasterKeyError as error:
            self._busy[job.queue] += 1
            self._ended.put(DeliveryResult(job, event, Sent(None, error.message, 0, "")))
            return
        message = make_message(self._app, webhook["url"], secret, event["id"], body)
        future = self._app.sender.submit(self._post(job.queue, message))
        self._busy[job.queue] += 1
        self._under_way[job.id] = (job, future)
        future.add_done_callback(partial(self._report, job, event))

    def settle(self) -> int:
        """Record what has ended since the last call, in one transaction; returns how many."""
        ended, moot = _drain(self._ended), self._moot
        if not ended and not moot:
            return 0
        self._moot = []
        for one in ended:
            self._forget(one)
        with self._app.store.transaction() as tx:
            self._record(tx, ended)
            self._app.jobs.finish(tx, moot)
        return len(ended) + len(moot)

    def stop(self, grace_s: float) -> None:
        """Wait for deliveries in progress, then cancel those that take longer; they stay undelivered."""
        self._stopping = True
        futures = [future for _, future in self._under_way.values()]
        wait(futures, grace_s)
        for future in futures:
            future.cancel()
        self.settle()
        self._app.jobs.release(self.list_held())
        self._under_way.clear()

    # -- sending -------------------------------------------------------------------------------

    async def _post(self, queue: str, message: OutgoingMessage) -> Sent | None:
        """Send a message and return its outcome; None if it was not sent because the worker is stopping."""
        async with self._gates.setdefault(queue, asyncio.Semaphore(AT_ONCE)):
            return None if self._stopping else await self._app.sender.post(message)

    def _report(self, job: QueuedJob, event: Mapping[str, Any], future: Future[Sent | None]) -> None:
        """Queue the outcome to be recorded: every delivery that was started has one, unless cancelled."""
        if future.cancelled():
            return
        error = future.exception()
        if error is not None:
            log.error("the job %s (%s) failed", job.id, job.name, exc_info=error)
        sent = Sent(None, f"{type(error).__name__}: {error}", 0, "") if error else future.result()
        if sent is not None:
            self._ended.put(DeliveryResult(job, event, sent))
            self._wake()

    def _is_disabled(self, queue: str) -> bool:
        return bool(self._app.store.select("webhooks", {"id": queue.removeprefix(QUEUE), "disabled": True}))

    def _event(self, event_id: str) -> tuple[Mapping[str, Any], bytes] | None:
        """The event and its body, cached as several subscribers need the same; None if it was removed."""
        if event_id not in self._events:
            event = self._app.store.get("event", event_id)
            if event is None:
                return None
            self._events[event_id] = (event, write_envelope(event))
            if len(self._events) > _EVENTS_KEPT:
                self._events.popitem(last=False)
        return self._events[event_id]

    def _secret(self, webhook_id: str) -> str:
        if webhook_id not in self._secrets:
            self._secrets[webhook_id] = read_secret(self._app, webhook_id)
        return self._secrets[webhook_id]

    # -- outcomes ------------------------------------------------------------------------------

    def _forget(self, one: DeliveryResult) -> None:
        self._under_way.pop(one.job.id, None)
        self._busy[one.job.queue] -= 1
        if one.sent.is_passing:
            self._doubtful.add(one.job.queue)
        else:
            self._doubtful.discard(one.job.queue)

    def _record(self, tx: Transaction, ended: list[DeliveryResult]) -> None:
        outcomes: dict[str, list[tuple[bool, str]]] = {}
        for one in ended:
            tx.insert("deliveries", self._row(one))
            if one.sent.ok or not self._again(tx, one):
                outcome = (one.sent.ok, str(one.event["created_at"]))
                outcomes.setdefault(one.job.args["webhook_id"], []).append(outcome)
        self._app.jobs.finish(tx, [one.job for one in ended if one.sent.ok])
        for webhook_id, some in outcomes.items():
            note_outcomes(tx, webhook_id, some)

    def _again(self, tx: Transaction, one: DeliveryResult) -> bool:
        """Record a failed delivery, and return whether it will be retried."""
        reason = one.sent.error or f"the target answered {one.sent.status}"
        pause_s = max(PAUSES_S[min(one.job.attempts, len(PAUSES_S) - 1)], one.sent.retry_after_s)
        return self._app.jobs.fail(tx, one.job, reason, after_s=pause_s, final=not one.sent.is_passing)

    def _row(self, one: DeliveryResult) -> dict[str, Any]:
        return {
            "id": _ids.new("dlv_"),
            "webhook_id": one.job.args["webhook_id"],
            "event_id": one.event["id"],
            "type": one.event["type"],
            "test_mode": one.event["test_mode"],
            "attempt": one.job.attempts + 1,
            "ok": one.sent.ok,
            "status": one.sent.status,
            "error": one.sent.error,
            "latency_ms": one.sent.latency_ms,
            "response": one.sent.excerpt,
            "at": self._app.now(),
        }


def _drain(source: queue.SimpleQueue[DeliveryResult]) -> list[DeliveryResult]:
    found: list[DeliveryResult] = []
    while True:
        try:
            found.append(source.get_nowait())
        except queue.Empty:
            return found
