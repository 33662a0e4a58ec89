"""A thread that carries out many pieces of work in turns.

While one waits, for a commit that several share or for a carrier, the next goes on. That spares what threads
cost that wait for each other: to be woken, and to fight for the interpreter at every statement of the store.
Pieces of work are plain functions. What waits asks for the turns of its thread here; where there are none,
the thread itself waits as usual.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from greenlet import greenlet

log = logging.getLogger("shipcli.turns")
T = TypeVar("T")
Work = Callable[[], object]
MOST_IDLE = 32  # greenlets kept for more work; a rush may make more


def here() -> Turns | None:
    """The turns of this thread; none inside a transaction, where nobody else may go on."""
    turns = _of_thread.turns
    return None if turns is None or turns.held else turns


def hold() -> None:
    """A transaction begins here."""
    if _of_thread.turns is not None:
        _of_thread.turns.held += 1


def let_go() -> None:
    """It ends."""
    if _of_thread.turns is not None:
        _of_thread.turns.held -= 1


def result_of(future: Future[T]) -> T:
    """The result of what another thread does, once it is there.

    Errors: those of the other thread.
    """
    turns = here()
    if turns is not None:
        future.add_done_callback(lambda _: turns.wake())
        turns.wait(future.done)
    return future.result()


class Turns:
    """Work on its way, and work that waits.

    `pause` is done when nothing else is to be done, and before that is brought about which is waited for.
    `held` tells how many transactions the work under way is in.
    """

    def __init__(self, pause: Work) -> None:
        self.held = 0
        self._pause = pause
        self._queue: SimpleQueue[Work] = SimpleQueue()
        self._waiting: list[_Waiting] = []
        self._idle: list[greenlet] = []  # to be used again: each has a stack of its own
        self._is_closed = False

    def put(self, work: Work) -> None:
        """Have a piece of work done, from any thread."""
        self._queue.put(work)

    def wake(self) -> None:
        """Have a pause, and a look at what waits; from any thread."""
        self._queue.put(self._pause)

    def close(self) -> None:
        """End `run` when all is done."""
        self._is_closed = True
        self.wake()

    def run(self) -> None:
        """Carry out work on this thread until `close`."""
        from greenlet import getcurrent, greenlet

        self._greenlet, self._current = greenlet, getcurrent
        _of_thread.turns, self._main = self, getcurrent()
        try:
            while not self._is_over():
                if work := self._next():
                    self._begin(work)
        finally:
            self._idle.clear()
            _of_thread.turns = None

    def wait(self, is_over: Callable[[], bool], bring_about: Work | None = None) -> None:
        """Let others go on until something is over; called by work of this thread.

        `bring_about` makes it so, or waits for it, once nothing else is to be done; without it somebody wakes
        this thread.
        """
        while not is_over():
            self._waiting.append(_Waiting(self._current(), is_over, bring_about))
            self._main.switch()

    def _is_over(self) -> bool:
        self._resume()
        return self._is_closed and not self._waiting and self._queue.empty()

    def _resume(self) -> None:
        waiting, self._waiting = self._waiting, []
        for one in waiting:
            if one.is_over():
                one.task.switch()
            else:
                self._waiting.append(one)

    def _next(self) -> Work | None:
        if not self._queue.empty():  # nobody else takes from it
            return self._queue.get()
        self._begin(self._pause)
        for one in list(self._waiting):
            if one.bring_about and not one.is_over():
                _tried(one.bring_about)
        if any(one.is_over() for one in self._waiting):
            return None
        return self._queue.get()

    def _begin(self, work: Work) -> None:
        task = self._idle.pop() if self._idle else self._greenlet(self._carry_out)
        task.switch(work)

    def _carry_out(self, work: Work) -> None:
        while True:
            _tried(work)
            del work  # and all it holds: the next may be long in coming
            if len(self._idle) >= MOST_IDLE:
                return
            self._idle.append(self._current())
            work = self._main.switch()


class _Waiting(NamedTuple):
    """A piece of work, what it waits for, and what brings that about."""

    task: greenlet
    is_over: Callable[[], bool]
    bring_about: Work | None


class _OfThread(threading.local):
    turns: Turns | None = None


_of_thread = _OfThread()


def _tried(work: Work) -> None:
    try:
        work()
    except Exception:
        log.exception("a piece of work went wrong; the others go on")
