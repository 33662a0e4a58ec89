"""A bar for what takes longer than two seconds: how much is done, and how long the rest may take.

It is on standard error and on terminals only, leaves nothing behind, and makes room for questions.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, TypeVar

from shipcli.cli.current_run import get_run

if TYPE_CHECKING:
    from rich.progress import Progress

PATIENCE_S = 2.0
T = TypeVar("T")
R = TypeVar("R")


class Tell(Protocol):
    """Says how many are done, and of how many if that was not known."""

    def __call__(self, done: int, total: int | None = None) -> None: ...


class ProgressBar:
    """A bar that appears once its work has taken a while."""

    def __init__(self, what: str, total: int | None) -> None:
        self.what, self.done, self.total = what, 0, total
        self._lock = threading.RLock()
        self._bar: Progress | None = None
        self.wait()

    def tell(self, done: int, total: int | None = None) -> None:
        """Say how much is done."""
        with self._lock:
            self.done, self.total = done, self.total if total is None else total
            if self._bar:
                self._bar.update(self._bar.task_ids[0], completed=self.done, total=self.total)

    def wait(self) -> None:
        """Let the bar appear in a while."""
        self._is_hidden = False
        self._timer = threading.Timer(PATIENCE_S, self._show)
        self._timer.daemon = True
        self._timer.start()

    def _show(self) -> None:
        with self._lock:
            if self._is_hidden:
                return
            self._bar = _make_bar()
            self._bar.add_task(self.what, completed=self.done, total=self.total)
            self._bar.start()

    def hide(self) -> None:
        """Remove the bar, or keep it from appearing."""
        self._timer.cancel()
        with self._lock:
            self._is_hidden = True
            if self._bar:
                self._bar.stop()
            self._bar = None


def _make_bar() -> Progress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TimeElapsedColumn(),
    )
    return Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)


_bars: list[ProgressBar] = []  # the one of this program, if there is one


@contextmanager
def show_progress(what: str, total: int | None = None) -> Iterator[Tell]:
    """A bar while this lasts; nothing in a pipe, with `-q`, or below another bar."""
    if _bars or get_run().options.quiet or not sys.stderr.isatty():
        yield _tell_nobody
        return
    bar = ProgressBar(what, total)
    _bars.append(bar)
    try:
        yield bar.tell
    finally:
        _bars.remove(bar)
        bar.hide()


def _tell_nobody(done: int, total: int | None = None) -> None:
    """Nobody looks."""


def work_through(items: Sequence[T], work: Callable[[T], R], what: str) -> list[R]:
    """What the work gives for each of the items, with a bar."""
    results: list[R] = []
    with show_progress(what, len(items)) as tell:
        for item in items:
            results.append(work(item))
            tell(len(results))
    return results


@contextmanager
def pause_progress() -> Iterator[None]:
    """No bar while a question waits for its answer."""
    bar = _bars[0] if _bars else None
    if bar is None:
        yield
        return
    bar.hide()
    try:
        yield
    finally:
        bar.wait()
