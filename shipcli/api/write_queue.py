"""The thread of the quick writes: what waits is taken together, kept with one commit, then answered.

Each transaction is a savepoint: one that fails leaves the others alone.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import NamedTuple

from shipcli.api.request_log_writer import Journal
from shipcli.api.responses import HttpAnswer
from shipcli.features.core.app import App

log = logging.getLogger("shipcli.api")
Work = Callable[[], HttpAnswer]
MOST = 32  # pieces of work of one commit


class QueuedWrite(NamedTuple):
    """A piece of work, and who waits for its answer."""

    work: Work
    answer: asyncio.Future[HttpAnswer]


class WriteQueue:
    """Quick writes on their way, and what the request log has to say of all requests."""

    def __init__(self, app: App) -> None:
        self.journal = Journal(app, self._wake)
        self._store = app.store
        self._queue: SimpleQueue[QueuedWrite | None] = SimpleQueue()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._is_closed = False

    def do(self, work: Work) -> asyncio.Future[HttpAnswer]:
        """The answer of a piece of work, once all that it wrote is kept."""
        answer: asyncio.Future[HttpAnswer] = asyncio.get_running_loop().create_future()
        self._put(QueuedWrite(work, answer))
        return answer

    def close(self) -> None:
        """Finish what waits."""
        if self._thread is not None:
            self._is_closed = True
            self._wake()
            self._thread.join()

    def _wake(self) -> None:
        """Have the log written; in the thread itself that is about to happen."""
        if threading.current_thread() is not self._thread:
            self._put(None)

    def _put(self, write: QueuedWrite | None) -> None:
        self._queue.put(write)
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="shipcli-writer", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while not (self._is_closed and self._queue.empty()):
            writes = self._take()
            for write, found in zip(writes, self._carry_out(writes), strict=True):
                write.answer.get_loop().call_soon_threadsafe(_hand_out, write.answer, found)

    def _take(self) -> list[QueuedWrite]:
        """What waits, when there is something."""
        taken = [self._queue.get()]
        while len(taken) < MOST and not self._queue.empty():
            taken.append(self._queue.get())
        return [write for write in taken if write]

    def _carry_out(self, writes: list[QueuedWrite]) -> list[HttpAnswer | Exception]:
        """What came of each. A success that was not kept is none."""
        found: list[HttpAnswer | Exception] = []
        try:
            with self._store.batch():
                found = [_result_of(write.work) for write in writes]
                self.journal.flush()
        except Exception as error:  # noqa: BLE001 - the thread outlives a mistake, and who waits hears of it
            log.error("%d quick writes were not kept: %s", len(writes), error)
            return [_without_success(one, error) for one in found] or [error] * len(writes)
        return found


def _result_of(work: Work) -> HttpAnswer | Exception:
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - the others go on, and who waits hears of it
        return error


def _without_success(found: HttpAnswer | Exception, error: Exception) -> HttpAnswer | Exception:
    return error if isinstance(found, HttpAnswer) and found.status < 400 else found


def _hand_out(waiting: asyncio.Future[HttpAnswer], found: HttpAnswer | Exception) -> None:
    if waiting.done():  # its request was given up
        return
    if isinstance(found, Exception):
        waiting.set_exception(found)
    else:
        waiting.set_result(found)
