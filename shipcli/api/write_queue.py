"""The thread of the quick work: it goes in turns, and what is written meanwhile rests together.

Nobody is answered before what it wrote rests. One that fails leaves the others alone.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable

from shipcli.api.request_log_writer import Journal
from shipcli.api.responses import HttpAnswer
from shipcli.features.core.app import App
from shipcli.turns import Turns

Work = Callable[[], HttpAnswer]


class WriteQueue:
    """Quick work on its way, and what the request log has to say of all requests."""

    def __init__(self, app: App) -> None:
        self.journal = Journal(app, self._wake)
        self._turns = Turns(self.journal.flush)
        self._thread: threading.Thread | None = None
        self._found: deque[tuple[asyncio.Future[HttpAnswer], HttpAnswer | Exception]] = deque()

    def do(self, work: Work) -> asyncio.Future[HttpAnswer]:
        """The answer of a piece of work, once all that it wrote rests."""
        answer = asyncio.get_running_loop().create_future()
        self._turns.put(lambda: self._carry_out(work, answer))
        self._start()
        return answer

    def close(self) -> None:
        """Finish what waits."""
        if self._thread is not None:
            self._turns.close()
            self._thread.join()

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._turns.run, name="shipcli-writer", daemon=True)
            self._thread.start()

    def _wake(self) -> None:
        """Have the log written, behind the work that is queued already."""
        self._turns.wake()
        self._start()

    def _carry_out(self, work: Work, waiting: asyncio.Future[HttpAnswer]) -> None:
        try:
            self._found.append((waiting, work()))
        except Exception as error:  # noqa: BLE001 - the thread outlives a mistake, and who waits hears of it
            self._found.append((waiting, error))
        if len(self._found) == 1:  # else the loop was called already and comes to this one too
            waiting.get_loop().call_soon_threadsafe(self._hand_out)

    def _hand_out(self) -> None:
        while self._found:
            waiting, found = self._found.popleft()
            if waiting.done():  # its request was given up
                continue
            if isinstance(found, Exception):
                waiting.set_exception(found)
            else:
                waiting.set_result(found)
