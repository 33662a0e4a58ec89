"""The thread of the quick writes: those that wait together rest together, on one way to the file.

Nobody is answered before that. One that fails leaves the others alone.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue

from shipcli.api.answers import Answer
from shipcli.api.journal import Journal
from shipcli.services.app import App

Work = Callable[[], Answer]
Waiting = tuple[Work, "asyncio.Future[Answer]"]
MOST = 32  # writes of one transaction


class Writer:
    """Quick writes on their way to the store, and what the request log has to say of all requests."""

    def __init__(self, app: App) -> None:
        self.journal = Journal(app, self._wake)
        self._store = app.store
        self._queue: SimpleQueue[Waiting | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._is_closed = False

    def do(self, work: Work) -> asyncio.Future[Answer]:
        """The answer of a piece of work, once all that it wrote rests.

        Errors: StoreError when it could not be kept.
        """
        answer = asyncio.get_running_loop().create_future()
        self._queue.put((work, answer))
        self._start()
        return answer

    def close(self) -> None:
        """Finish what waits."""
        self._is_closed = True
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="shipcli-writer", daemon=True)
            self._thread.start()

    def _wake(self) -> None:
        """Have the log written; this thread itself does so after each round."""
        self._start()
        if threading.current_thread() is not self._thread:
            self._queue.put(None)

    def _run(self) -> None:
        while not (self._is_closed and self._queue.empty()):
            self._carry_out(self._next())
        self.journal.flush()

    def _next(self) -> list[Waiting]:
        """All that waits, at least one thing; nothing when only the log has something to say."""
        found = [self._queue.get()]
        with suppress(Empty):
            while len(found) < MOST:
                found.append(self._queue.get_nowait())
        return [one for one in found if one]

    def _carry_out(self, some: list[Waiting]) -> None:
        try:
            with self._store.together():
                done = [work() for work, _ in some]
                self.journal.flush()
        except Exception as error:  # noqa: BLE001 - the thread outlives a mistake, and who waits hears of it
            tell(some, [error] * len(some))
        else:
            tell(some, done)


def tell(some: list[Waiting], found: Sequence[Answer | Exception]) -> None:
    """Hand out the answers, on the loop that waits for them."""
    if some:
        some[0][1].get_loop().call_soon_threadsafe(_hand_out, some, found)


def _hand_out(some: list[Waiting], found: Sequence[Answer | Exception]) -> None:
    for (_, waiting), answer in zip(some, found, strict=True):
        if waiting.done():  # its request was given up
            continue
        if isinstance(answer, Exception):
            waiting.set_exception(answer)
        else:
            waiting.set_result(answer)
