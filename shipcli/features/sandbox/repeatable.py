"""A sandbox that can be repeated: the same seed and the same start give the same ids, keys and times."""

from __future__ import annotations

from pathlib import Path

from shipcli.clocks import CLOCK_FILE, SandboxClock
from shipcli.features.sandbox.clock import read_instant
from shipcli.store.draws import write_seed


def make_repeatable(folder: Path, seed: str | None = None, start: str | None = None) -> None:
    """Give a sandbox that is not open yet a seed, and a clock that stands at an instant.

    Errors: Invalid for an instant that can't be read.
    """
    instant = read_instant(start, "freeze") if start else None
    if seed is not None:
        write_seed(folder, seed)
    if instant:
        clock = SandboxClock(folder / CLOCK_FILE)
        clock.show(instant, 0)
        clock.close()
