"""Locks by name, so that two processes do not ask a carrier for the same thing at the same time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from shipcli.features.core.processes import is_alive, name_process
from shipcli.models import Conflict

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.queries import Reader

LASTS_S = 300.0
A_DAY_S = 86_400.0
CONDUCTOR = "conductor"  # held by whoever moves the clock of a sandbox


@contextmanager
def hold_locks(app: App, names: Sequence[str], taken: str, lasts_s: float = LASTS_S) -> Iterator[None]:
    """Lock these names while the block runs, for at most `lasts_s`; locks of dead processes do not count.

    Errors: Conflict with the message `taken` if one of them is locked already.
    """
    unique_names = list(dict.fromkeys(names))
    owner = f"{name_process()}/{app.new_id('')}"
    with app.store.transaction() as tx:
        for name in unique_names:
            if is_locked(app, name, tx):
                raise Conflict(taken)
            tx.upsert("locks", {"name": name, "owner": owner, "until": app.store.steady() + lasts_s})
    try:
        yield
    finally:
        with app.store.transaction() as tx:
            for name in unique_names:
                tx.remove("locks", {"name": name, "owner": owner})


def is_locked(app: App, name: str, reader: Reader | None = None) -> bool:
    """Whether a living process holds a lock."""
    rows = (reader or app.store).select("locks", {"name": name})
    return bool(rows) and _holds(rows[0]["owner"]) and rows[0]["until"] > app.store.steady()


def _holds(owner: str) -> bool:
    """Whether the process that owns a lock still runs; the last part only distinguishes its locks."""
    return is_alive(owner.rpartition("/")[0])
