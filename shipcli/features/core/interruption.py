"""Ctrl-C and SIGTERM while money is being spent: work in progress is finished, and nothing new is started.

The handler only sets a flag and writes a line. It runs between any two steps of the main thread, which may
hold any lock: a handler that takes a lock, as events and logging do, could deadlock.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from shipcli.models.basics.errors import ShipcliError

RESUME_HINT = "run the same line again: it goes on where this one stopped"
NOTICE = b"\ninterrupted: finishing what is under way; once more ends at once\n"


class Interrupted(ShipcliError):
    """The process was asked to stop before everything was done."""

    code = "interrupted"
    exit_code = 130

    def __init__(self, message: str = "interrupted", *, hint: str = RESUME_HINT) -> None:
        super().__init__(message)
        self.hint = hint


class _State:
    """Whether a block defers signals, and whether the process was asked to end since it began."""

    deferred = False
    interrupted = False


_state = _State()


def was_interrupted() -> bool:
    """Whether the process was asked to end: then nothing new should be started."""
    return _state.interrupted


def check_interruption() -> None:
    """Errors: Interrupted if the process was asked to end."""
    if _state.interrupted:
        raise Interrupted("interrupted before anything was bought")


@contextmanager
def defer_interruption() -> Iterator[None]:
    """Run a block that must not be interrupted: a signal only sets a flag, a second one kills.

    Code in the block asks `was_interrupted` before each new step.
    """
    if threading.current_thread() is not threading.main_thread() or _state.deferred:
        yield  # an outer block defers it already, or this thread gets no signals
        return
    _state.interrupted = False
    with _hold_handlers({signal.SIGINT: _note_signal, signal.SIGTERM: _note_signal}, deferred=True):
        yield


@contextmanager
def allow_interruption() -> Iterator[None]:
    """Let signals interrupt a prompt inside such a block: no work is in progress while a person thinks."""
    if not _state.deferred:
        yield
        return
    with _hold_handlers(
        {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}, deferred=False
    ):
        yield


@contextmanager
def _hold_handlers(handlers: Mapping[signal.Signals, Any], *, deferred: bool) -> Iterator[None]:
    before, was_deferred = _set(handlers), _state.deferred
    _state.deferred = deferred
    try:
        yield
    finally:
        _state.deferred = was_deferred
        _set(before)


def _set(handlers: Mapping[signal.Signals, Any]) -> dict[signal.Signals, Any]:
    """Set handlers and return the previous ones."""
    return {number: signal.signal(number, handler) for number, handler in handlers.items()}


def _note_signal(number: int, frame: object) -> None:
    """Set the flag, and leave the second signal to the system before printing anything: a Python handler
    has to wait for the main thread, which may be asleep again or deep inside a library.
    """
    _state.interrupted = True
    _set(dict.fromkeys((signal.SIGINT, signal.SIGTERM), signal.SIG_DFL))
    with suppress(OSError):  # stderr may be closed: work in progress is finished anyway
        os.write(2, NOTICE)
