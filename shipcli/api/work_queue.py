"""A thread for short tasks: queued tasks are taken together and answered together.

Handing over a task and waking the waiting request costs more than a short read itself, and two threads that
run at once compete for the interpreter at every statement. So the event loop is woken once for many tasks.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")
Work = Callable[[], Any]
MOST = 32  # tasks taken together


class Waiting(NamedTuple):
    """A task, and the future that waits for its result."""

    work: Work
    result: asyncio.Future[Any]


class WorkQueue:
    """A queue of tasks for a separate thread, which starts with the first task.

    All tasks must come from one event loop.
    """

    def __init__(self, name: str, carry_out: Callable[[Sequence[Work]], Sequence[Any]]) -> None:
        """`carry_out` returns the result or the error of each task it gets; after `wake`, it may get none."""
        self._name = name
        self._carry_out = carry_out
        self._queue: SimpleQueue[Waiting | None] = SimpleQueue()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._is_closed = False

    def do(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """Queue a task; the future gives its result."""
        result: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._put(Waiting(work, result))
        return result

    def wake(self) -> None:
        """Have `carry_out` called soon, even without tasks; does nothing if called from within it."""
        if threading.current_thread() is not self._thread:
            self._put(None)

    def close(self) -> None:
        """Finish the queued tasks and stop the thread."""
        if self._thread is not None:
            self._is_closed = True
            self.wake()
            self._thread.join()

    def _put(self, task: Waiting | None) -> None:
        self._queue.put(task)
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while not (self._is_closed and self._queue.empty()):
            taken = self._take()
            outcomes = self._carry_out([task.work for task in taken])
            if taken:
                loop = taken[0].result.get_loop()
                loop.call_soon_threadsafe(_hand_out, [task.result for task in taken], outcomes)

    def _take(self) -> list[Waiting]:
        """Take the queued tasks, waiting until there is something."""
        taken = [self._queue.get()]
        while len(taken) < MOST and not self._queue.empty():
            taken.append(self._queue.get())
        return [task for task in taken if task]


def do_each(works: Sequence[Callable[[], T]]) -> list[T | Exception]:
    """Run each task; returns its result or its error."""
    return [_try_work(work) for work in works]


def _try_work(work: Callable[[], T]) -> T | Exception:
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - the others go on; the waiting request gets the error
        return error


def _hand_out(waiting: Sequence[asyncio.Future[Any]], outcomes: Sequence[Any]) -> None:
    for result, outcome in zip(waiting, outcomes, strict=True):
        if result.done():  # its request was cancelled
            continue
        if isinstance(outcome, Exception):
            result.set_exception(outcome)
        else:
            result.set_result(outcome)
