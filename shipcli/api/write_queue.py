"""The thread of the quick writes: what waits is taken together, kept with one commit, then answered.

Each transaction is a savepoint: one that fails leaves the others alone.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence

from shipcli.api.request_log_writer import Journal
from shipcli.api.responses import HttpAnswer
from shipcli.api.work_queue import WorkQueue, do_each
from shipcli.features.core.app import App

log = logging.getLogger("shipcli.api")
Write = Callable[[], HttpAnswer]


class WriteQueue:
    """Quick writes on their way, and what the request log has to say of all requests."""

    def __init__(self, app: App) -> None:
        self._store = app.store
        self._queue = WorkQueue("shipcli-writer", self._carry_out)
        self.journal = Journal(app, self._queue.wake)

    def do(self, work: Write) -> asyncio.Future[HttpAnswer]:
        """The answer of a piece of work, once all that it wrote is kept."""
        return self._queue.do(work)

    def close(self) -> None:
        """Finish what waits."""
        self._queue.close()

    def _carry_out(self, writes: Sequence[Write]) -> list[HttpAnswer | Exception]:
        """What came of each. A success that was not kept is none."""
        found: list[HttpAnswer | Exception] = []
        try:
            with self._store.batch():
                found = do_each(writes)
                self.journal.flush()
        except Exception as error:  # noqa: BLE001 - the thread outlives a mistake, and who waits hears of it
            log.error("%d quick writes were not kept: %s", len(writes), error)
            return [_without_success(one, error) for one in found] or [error] * len(writes)
        return found


def _without_success(found: HttpAnswer | Exception, error: Exception) -> HttpAnswer | Exception:
    return error if isinstance(found, HttpAnswer) and found.status < 400 else found
