"""Where a store is: a path, or the URL of a schema in PostgreSQL; each has its engine."""

from __future__ import annotations

from pathlib import Path

from shipcli.models.basics.store_url import is_store_url
from shipcli.store.errors import StoreError
from shipcli.store.ports import Engine
from shipcli.store.sqlite import opening

Place = str | Path


def choose_engine(place: Place) -> Engine:
    """The engine of a store at this place.

    Errors: StoreError if it is not installed.
    """
    if not is_store_url(place):
        return opening
    try:
        from shipcli.store.postgres import opening as postgres
    except ModuleNotFoundError as error:
        if error.name != "psycopg":
            raise
        way_out = "install it: pip install 'shipcli[postgres]'"
        raise StoreError(f"a store in PostgreSQL needs the library psycopg; {way_out}") from None
    return postgres
