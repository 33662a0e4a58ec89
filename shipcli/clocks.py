"""Clocks: the machine's own, and the one of a sandbox, which all its processes share and anyone may move.

What other machines or people judge by their own time keeps the real clock, and names it: leases, locks,
network time-outs, signatures of webhooks, dates of `Retry-After`, names of files.
"""

from __future__ import annotations

import mmap
import os
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

Clock = Callable[[], datetime]
real_clock: Clock = partial(datetime.now, UTC)  # read a dozen times a request: it needs no frame of ours

CLOCK_FILE = "clock"  # in the folder of a sandbox
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
# The version is odd while the file is written. `base` is the instant shown at `since` of the real clock, both
# in microseconds since 1970; `speed` is how many seconds pass in a real one.
_FORM, _VERSION = struct.Struct("<Qqqd"), struct.Struct("<Q")
_TRIES = 10_000  # a writer that died between two stores leaves the version odd for ever


def read_real_seconds() -> float:
    """The real time in seconds since 1970."""
    return time.time()


@dataclass(frozen=True, slots=True)
class ClockReading:
    """What a sandbox's clock shows, how fast it runs (0: frozen), and whether that is not the real time."""

    now: datetime
    speed: float = 1.0
    is_virtual: bool = False


class SandboxClock:
    """The clock of a sandbox: real until it is moved. Its file is mapped, so that all processes read the same
    in two microseconds.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if os.fstat(file).st_size < _FORM.size:
                os.ftruncate(file, _FORM.size)  # all zero: never moved
            self._map = mmap.mmap(file, _FORM.size)  # keeps the file open by itself, as long as it lives
        finally:
            os.close(file)
        self._path = path

    def __call__(self) -> datetime:
        base, since, speed = self._load()
        if not base or (base == since and speed == 1.0):
            return real_clock()
        return _read_instant(base + round((_read_real() - since) * speed))

    def read(self) -> ClockReading:
        """What it shows and how it runs."""
        base, since, speed = self._load()
        if not base:
            return ClockReading(real_clock())
        return ClockReading(self(), speed, not (base == since and speed == 1.0))

    @property
    def is_virtual(self) -> bool:
        """Whether it shows anything but the real time."""
        return self.read().is_virtual

    def show(self, instant: datetime, speed: float | None = None) -> None:
        """Show this instant from now on; at the same speed unless another is given, 0 to stand still."""
        with self._writing():
            kept = self.read().speed if speed is None else speed
            self._store(_count(instant), _read_real(), kept)

    def run(self, speed: float) -> None:
        """Run at this speed from the instant that it shows; 0 to stand still."""
        with self._writing():
            self._store(_count(self()), _read_real(), speed)

    def follow_real_time(self) -> None:
        """Show the real time again."""
        with self._writing():
            now = _read_real()
            self._store(now, now, 1.0)

    def close(self) -> None:
        """Unmap the file; the clock may not be read any more."""
        self._map.close()

    def _load(self) -> tuple[int, int, float]:
        for _ in range(_TRIES):
            version, base, since, speed = _FORM.unpack_from(self._map)
            if not version & 1 and version == _VERSION.unpack_from(self._map)[0]:
                break
        return base, since, speed

    def _store(self, base: int, since: int, speed: float) -> None:
        version: int = _VERSION.unpack_from(self._map)[0] | 1
        _VERSION.pack_into(self._map, 0, version)
        _FORM.pack_into(self._map, 0, version, base, since, speed)
        _VERSION.pack_into(self._map, 0, version + 1)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Only one thread of one process writes at a time."""
        with lock_file(self._path):
            yield


@contextmanager
def lock_file(path: Path) -> Iterator[None]:
    """Hold a file while the block runs: against other threads and other processes."""
    from fcntl import LOCK_EX, flock  # not on every system; sandboxes alone come here

    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        flock(handle, LOCK_EX)
        yield
    finally:
        os.close(handle)


def _read_real() -> int:
    return time.time_ns() // 1000


def _read_instant(microseconds: int) -> datetime:
    return _EPOCH + timedelta(microseconds=microseconds)


def _count(instant: datetime) -> int:
    return (instant - _EPOCH) // _MICROSECOND
