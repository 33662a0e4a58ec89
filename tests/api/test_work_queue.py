"""Short pieces of work that wait together are done together, and each hears of its own end."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from typing import Any

from shipcli.api.work_queue import MOST, WorkQueue, do_each
from tests.processes import PATIENCE_S


class Busy:
    """A queue whose thread is busy until it is let go; `groups` says how many it then took at once."""

    def __init__(self) -> None:
        self.groups: list[int] = []
        self._begun, self._gate = threading.Event(), threading.Event()
        self.queue = WorkQueue("shipcli-test", self._carry_out)
        self._first = self.queue.do(self._hold)
        assert self._begun.wait(PATIENCE_S)

    async def ends(self, *waiting: asyncio.Future[Any]) -> list[Any]:
        """What came of these once the thread goes on."""
        self._gate.set()
        try:
            together = asyncio.gather(self._first, *waiting, return_exceptions=True)
            return (await asyncio.wait_for(together, PATIENCE_S))[1:]
        finally:
            self.queue.close()

    def _hold(self) -> None:
        self._begun.set()
        self._gate.wait(PATIENCE_S)

    def _carry_out(self, works: Sequence[Callable[[], Any]]) -> list[Any]:
        self.groups.append(len(works))
        return do_each(works)


def mistaken() -> None:
    raise ZeroDivisionError


def test_what_waits_meanwhile_is_taken_together() -> None:
    async def run() -> None:
        busy = Busy()
        waiting = [busy.queue.do(lambda number=number: number) for number in range(MOST + 5)]
        assert await busy.ends(*waiting) == list(range(MOST + 5))
        assert busy.groups[:3] == [1, MOST, 5]

    asyncio.run(run())


def test_a_mistake_is_told_to_its_own_request_alone() -> None:
    async def run() -> None:
        busy = Busy()
        before, wrong, after = busy.queue.do(lambda: 1), busy.queue.do(mistaken), busy.queue.do(lambda: 2)
        first, error, last = await busy.ends(before, wrong, after)
        assert (first, type(error), last) == (1, ZeroDivisionError, 2)

    asyncio.run(run())


def test_a_request_that_was_given_up_leaves_the_others_alone() -> None:
    async def run() -> None:
        busy = Busy()
        given_up, waiting = busy.queue.do(lambda: 1), busy.queue.do(lambda: 2)
        given_up.cancel()
        assert (await busy.ends(given_up, waiting))[1] == 2

    asyncio.run(run())


def test_what_waits_is_finished_before_the_queue_closes() -> None:
    done: list[int] = []

    async def run() -> None:
        queue = WorkQueue("shipcli-test", do_each)
        for number in range(100):
            queue.do(lambda number=number: done.append(number))
        queue.close()

    asyncio.run(run())
    assert done == list(range(100))
