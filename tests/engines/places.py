"""Where the stores of a measurement are, by engine."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from shipcli.config import STORE_VARIABLE
from tests.cluster import find_programs, run_cluster


@dataclass(frozen=True, slots=True)
class MeasuredPlace:
    """An engine, with a home and the variables that a process needs to use it."""

    engine: str
    home: str
    environ: dict[str, str]


@contextmanager
def open_places() -> Iterator[list[MeasuredPlace]]:
    """A new home for each engine; only a file where there is no PostgreSQL."""
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        places = [MeasuredPlace("sqlite", first, {})]
        if find_programs() is None:
            yield places
            return
        with run_cluster() as socket:
            url = f"postgresql://shipcli@/postgres?host={socket}"
            yield [*places, MeasuredPlace("postgres", second, {STORE_VARIABLE: url})]
