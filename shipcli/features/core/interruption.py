"""Ctrl-C and SIGTERM while money is spent: what is under way is finished, and nothing new begins.

The handler only sets a flag and writes a line. It runs between any two steps of the main thread, which may
hold any lock: a handler that takes one, as events and logs do, can wait for itself for ever.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from shipcli.models.basics.errors import ShipcliError

AGAIN = "run the same line again: it goes on where this one stopped"
SAID = b"\ninterrupted: finishing what is under way; once more ends at once\n"


class Interrupted(ShipcliError):
    """The process was asked to stop before everything was done."""

    code = "interrupted"
    exit_code = 130

    def __init__(self, message: str = "interrupted", *, hint: str = AGAIN) -> None:
        super().__init__(message)
        self.hint = hint


class _Asked:
    """Whether the process was asked to end since the block began."""

    yet = False


_asked = _Asked()


def was_asked() -> bool:
    """Whether the process was asked to end: then nothing new is to begin."""
    return _asked.yet


def go_on() -> None:
    """Errors: Interrupted when the process was asked to end."""
    if _asked.yet:
        raise Interrupted("interrupted before anything was bought")


@contextmanager
def defer_interruption() -> Iterator[None]:
    """Around what must not be broken off: a signal sets the flag that `was_asked` tells, a second one kills.

    Whoever works in the block looks at the flag before every new step.
    """
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is _ask:
        yield  # somebody around us does it
        return
    _asked.yet = False
    with _handle({signal.SIGINT: _ask, signal.SIGTERM: _ask}):
        yield


@contextmanager
def allow_interruption() -> Iterator[None]:
    """Around a question inside such a block: nothing is under way while a person thinks."""
    if signal.getsignal(signal.SIGINT) is not _ask:
        yield
        return
    with _handle({signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}):
        yield


@contextmanager
def _handle(handlers: Mapping[signal.Signals, Any]) -> Iterator[None]:
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _ask(number: int, frame: object) -> None:
    if _asked.yet:
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    _asked.yet = True
    os.write(2, SAID)
