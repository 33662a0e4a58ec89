"""Names held while something is under way, so that two processes do not ask a carrier for the same thing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from shipcli.features.core.processes import identity, is_alive
from shipcli.models import Conflict

if TYPE_CHECKING:
    from shipcli.features.core.app import App

LASTS_S = 300.0
A_DAY_S = 86_400.0


@contextmanager
def hold_locks(app: App, names: Sequence[str], taken: str, lasts_s: float = LASTS_S) -> Iterator[None]:
    """Hold these names while the block runs, at most so long; a dead process holds nothing.

    Errors: Conflict, saying `taken`, when another holds one of them.
    """
    wanted = list(dict.fromkeys(names))
    owner = f"{identity()}/{app.new_id('')}"
    with app.store.transaction() as tx:
        for name in wanted:
            held = tx.select("locks", {"name": name})
            if held and _holds(held[0]["owner"]) and held[0]["until"] > app.store.steady():
                raise Conflict(taken)
            tx.upsert("locks", {"name": name, "owner": owner, "until": app.store.steady() + lasts_s})
    try:
        yield
    finally:
        with app.store.transaction() as tx:
            for name in wanted:
                tx.remove("locks", {"name": name, "owner": owner})


def _holds(owner: str) -> bool:
    """Whether the process of a claim still runs; the last part tells apart the claims of one process."""
    return is_alive(owner.rpartition("/")[0])
