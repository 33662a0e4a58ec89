"""A table that refuses rows, as one on a full disk does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from shipcli.store.store import Store
from tests.engines import CHOICE


@contextmanager
def refusing_rows(store: Store, event: str, table: str, only: str = "true") -> Iterator[None]:
    """Have an insert, update or delete of rows fail, or of those `only` is true for."""
    when = f"before {event} on {table} for each row when ({only})"
    raising = "begin raise exception ''no room''; end"
    if CHOICE.databases:
        made = (
            f"create function refuse() returns trigger language plpgsql as '{raising}'; "
            f"create trigger refusal {when} execute function refuse()"
        )
        store._session().run_script(made)  # type: ignore[attr-defined]
        yield
        store._session().run(f"drop trigger refusal on {table}")
        store._session().run("drop function refuse")
    else:
        store._session().run(f"create trigger refusal {when} begin select raise(abort, 'no room'); end")
        yield
        store._session().run("drop trigger refusal")
