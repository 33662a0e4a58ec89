"""Ctrl-C and SIGTERM while money is spent: what is under way is finished, and nothing new begins.

The handler only sets a flag and writes a line. It runs between any two steps of the main thread, which may
hold any lock: a handler that takes one, as events and logs do, can wait for itself for ever.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
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


class _State:
    """Whether a block defers signals, and whether the process was asked to end since it began."""

    deferred = False
    asked = False


_state = _State()


def was_asked() -> bool:
    """Whether the process was asked to end: then nothing new is to begin."""
    return _state.asked


def go_on() -> None:
    """Errors: Interrupted when the process was asked to end."""
    if _state.asked:
        raise Interrupted("interrupted before anything was bought")


@contextmanager
def defer_interruption() -> Iterator[None]:
    """Around what must not be broken off: a signal sets the flag that `was_asked` tells, a second one kills.

    Whoever works in the block looks at the flag before every new step.
    """
    if threading.current_thread() is not threading.main_thread() or _state.deferred:
        yield  # somebody around us does it
        return
    _state.asked = False
    with _handle({signal.SIGINT: _ask, signal.SIGTERM: _ask}, deferred=True):
        yield


@contextmanager
def allow_interruption() -> Iterator[None]:
    """Around a question inside such a block: nothing is under way while a person thinks."""
    if not _state.deferred:
        yield
        return
    with _handle({signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}, deferred=False):
        yield


@contextmanager
def _handle(handlers: Mapping[signal.Signals, Any], *, deferred: bool) -> Iterator[None]:
    before, was_deferred = _set(handlers), _state.deferred
    _state.deferred = deferred
    try:
        yield
    finally:
        _state.deferred = was_deferred
        _set(before)


def _set(handlers: Mapping[signal.Signals, Any]) -> dict[signal.Signals, Any]:
    """Set handlers; those that were set before."""
    return {number: signal.signal(number, handler) for number, handler in handlers.items()}


def _ask(number: int, frame: object) -> None:
    """The second signal is the system's affair, before anybody is told of it: a handler in Python has to wait
    for the main thread, which may be asleep again, or far away in a library.
    """
    _state.asked = True
    _set(dict.fromkeys((signal.SIGINT, signal.SIGTERM), signal.SIG_DFL))
    with suppress(OSError):  # nobody reads it: what is under way is finished all the same
        os.write(2, SAID)
