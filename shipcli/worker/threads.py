"""Runs jobs in threads: each job is one call of a handler."""

from __future__ import annotations

import logging
import threading
import uuid
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING

from shipcli.store.errors import CommitUnknown, StoreBusy
from shipcli.worker.work import AT_ONCE, Handler, WorkerTask, record_failure

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.jobs import QueuedJob

log = logging.getLogger("shipcli.worker")

THREADS = 8
PAUSE_S = 2.0  # before a job is begun anew whose store was away


class Threads:
    """The jobs that one worker runs in threads."""

    prefix = ""

    def __init__(self, app: App, handlers: Mapping[str, Handler], wake: Callable[[], None]) -> None:
        self._app, self._handlers, self._wake = app, handlers, wake
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="worker")
        self._stopping = threading.Event()
        self._under_way: dict[str, tuple[QueuedJob, Future[None]]] = {}

    def room(self, queue: str) -> int:
        """How many more jobs of this queue may start."""
        busy = Counter(job.queue for job, _ in self._under_way.values())
        return max(0, min(AT_ONCE.get(queue, 1) - busy[queue], THREADS - busy.total()))

    def list_held(self) -> list[QueuedJob]:
        """The jobs in progress."""
        return [job for job, _ in self._under_way.values()]

    def start(self, job: QueuedJob) -> None:
        """Start a job."""
        self._under_way[job.id] = (job, self._pool.submit(self._work, job))

    def settle(self) -> int:
        """Drop the jobs that have ended, whose outcome the threads recorded; returns how many.

        Errors: whatever kept a thread from recording how its job ended.
        """
        over = [(job, future) for job, future in self._under_way.values() if future.done()]
        for job, future in over:
            del self._under_way[job.id]
            future.result()
        return len(over)

    def stop(self) -> None:
        """Ask handlers to stop, and wait: who can't stop half-way, such as a mail, must note how it ended."""
        self._stopping.set()
        wait([future for _, future in self._under_way.values()])
        self.settle()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _work(self, job: QueuedJob) -> None:
        task = WorkerTask(self._app_of(job), job, self._stopping)
        try:
            self._handler(job)(task)
        except (StoreBusy, CommitUnknown) as error:
            log.error("the job %s (%s) broke off and is begun anew: %s", job.id, job.name, error)
            self._app.jobs.put_back([job], PAUSE_S)
        except Exception as error:
            trace_id = uuid.uuid4().hex
            log.exception("the job %s (%s) failed, trace %s", job.id, job.name, trace_id)
            record_failure(self._app, job, error, trace_id)
        else:
            self._end(task)
        finally:
            self._wake()

    def _end(self, task: WorkerTask) -> None:
        if task.postponed:
            self._app.jobs.release([task.job])
        elif not task.finished:
            with self._app.store.transaction(durable=True, locks=()) as tx:
                self._app.jobs.finish(tx, [task.job])

    def _handler(self, job: QueuedJob) -> Handler:
        handler = self._handlers.get(job.name)
        if handler is None:
            raise LookupError(f"this worker knows no job {job.name}, only {', '.join(self._handlers)}")
        return handler

    def _app_of(self, job: QueuedJob) -> App:
        return self._app.in_mode(bool(job.args.get("test_mode", self._app.test_mode)))
