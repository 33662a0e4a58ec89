"""A thread for short pieces of work: what waits is taken together and answered together.

To hand one over and wake whoever waits for it costs more than a short read itself, and two threads that run
at once take the interpreter from each other at every statement. So the event loop is woken once for many.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")
Work = Callable[[], Any]
MOST = 32  # pieces of work taken together


class Waiting(NamedTuple):
    """A piece of work, and who waits for its result."""

    work: Work
    result: asyncio.Future[Any]


class WorkQueue:
    """Pieces of work on their way to a thread of their own, which starts with the first of them.

    All of them come from one event loop.
    """

    def __init__(self, name: str, carry_out: Callable[[Sequence[Work]], Sequence[Any]]) -> None:
        """`carry_out` gives the result, or the error, of each of those that were taken together; after `wake`
        it may be called with none.
        """
        self._name = name
        self._carry_out = carry_out
        self._queue: SimpleQueue[Waiting | None] = SimpleQueue()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._is_closed = False

    def do(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """The result of a piece of work."""
        result: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._put(Waiting(work, result))
        return result

    def wake(self) -> None:
        """Have `carry_out` called soon, even with nothing; asked from within, it is under way already."""
        if threading.current_thread() is not self._thread:
            self._put(None)

    def close(self) -> None:
        """Finish what waits."""
        if self._thread is not None:
            self._is_closed = True
            self.wake()
            self._thread.join()

    def _put(self, one: Waiting | None) -> None:
        self._queue.put(one)
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while not (self._is_closed and self._queue.empty()):
            taken = self._take()
            found = self._carry_out([one.work for one in taken])
            if taken:
                loop = taken[0].result.get_loop()
                loop.call_soon_threadsafe(_hand_out, [one.result for one in taken], found)

    def _take(self) -> list[Waiting]:
        """What waits, when there is something."""
        taken = [self._queue.get()]
        while len(taken) < MOST and not self._queue.empty():
            taken.append(self._queue.get())
        return [one for one in taken if one]


def do_each(works: Sequence[Callable[[], T]]) -> list[T | Exception]:
    """The result, or the error, of each."""
    return [_result_of(work) for work in works]


def _result_of(work: Callable[[], T]) -> T | Exception:
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - the others go on, and who waits hears of it
        return error


def _hand_out(waiting: Sequence[asyncio.Future[Any]], found: Sequence[Any]) -> None:
    for result, one in zip(waiting, found, strict=True):
        if result.done():  # its request was given up
            continue
        if isinstance(one, Exception):
            result.set_exception(one)
        else:
            result.set_result(one)
