"""The thread for quick writes: queued ones run together, share one commit, and are answered after it.

Each transaction is a savepoint: one that fails leaves the others alone.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence

from shipcli.api.http.responses import HttpResponse
from shipcli.api.request_log_writer import RequestLogWriter
from shipcli.api.work_queue import WorkQueue, do_each
from shipcli.features.core.app import App

log = logging.getLogger("shipcli.api")
Write = Callable[[], HttpResponse]


class WriteQueue:
    """The queue of quick writes, and the request log entries of all requests."""

    def __init__(self, app: App) -> None:
        self._store = app.store
        self._queue = WorkQueue("shipcli-writer", self._carry_out)
        self.request_log = RequestLogWriter(app, self._queue.wake)

    def do(self, work: Write) -> asyncio.Future[HttpResponse]:
        """Queue a write; its answer comes once everything it wrote is committed."""
        return self._queue.do(work)

    def close(self) -> None:
        """Finish the queued work."""
        self._queue.close()

    def _carry_out(self, writes: Sequence[Write]) -> list[HttpResponse | Exception]:
        """Return the result of each. If the commit fails, a success becomes an error."""
        outcomes: list[HttpResponse | Exception] = []
        try:
            with self._store.batch():
                outcomes = do_each(writes)
                self.request_log.flush()
        except Exception as error:  # noqa: BLE001 - the thread survives; the waiting requests get the error
            log.error("%d quick writes were not kept: %s", len(writes), error)
            return [_replace_success(outcome, error) for outcome in outcomes] or [error] * len(writes)
        return outcomes


def _replace_success(outcome: HttpResponse | Exception, error: Exception) -> HttpResponse | Exception:
    return error if isinstance(outcome, HttpResponse) and outcome.status < 400 else outcome
