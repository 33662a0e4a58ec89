"""Locks by name, so that two processes do not ask a carrier for the same thing at the same time.

A lock lasts as long as its holder renews it, however long the work takes: one of a process that has died is
free at once, one of a machine that has died after a minute and a half.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shipcli.features.core.processes import is_alive, name_process
from shipcli.features.core.renewal import LASTS_S, renewing
from shipcli.models import Conflict
from shipcli.store.query import equal, one_of

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.queries import Reader
    from shipcli.store.transaction import Transaction

CONDUCTOR = "conductor"  # held by whoever moves the clock of a sandbox


@dataclass(frozen=True)
class Hold:
    """Locks that one block of this process holds, by an owner of its own."""

    app: App
    names: tuple[str, ...]
    owner: str

    def take(self, tx: Transaction, taken: str) -> None:
        """Errors: Conflict with the message `taken` if one of them is locked already."""
        for name in self.names:
            if is_locked(self.app, name, tx):
                raise Conflict(taken)
            tx.upsert("locks", {"name": name, "owner": self.owner, "until": self._compute_end()})

    def renew(self, tx: Transaction) -> bool:
        """Renew the locks that nobody else has taken; returns whether that is all of them."""
        mine = [equal("owner", self.owner), one_of("name", self.names)]
        return tx.update("locks", mine, {"until": self._compute_end()}) == len(self.names)

    def renew_alone(self) -> None:
        """Renew the locks, in a transaction of its own."""
        with self.app.store.transaction(locks=self.list_store_locks()) as tx:
            self.renew(tx)

    def release(self, tx: Transaction) -> None:
        """Release the locks that nobody else has taken."""
        tx.remove("locks", [equal("owner", self.owner), one_of("name", self.names)])

    def list_store_locks(self) -> list[str]:
        """What a transaction on the rows of these locks declares."""
        return [f"lock/{name}" for name in self.names]

    def _compute_end(self) -> float:
        return self.app.store.steady() + LASTS_S


_holds: ContextVar[tuple[Hold, ...]] = ContextVar("holds", default=())


@contextmanager
def hold_locks(app: App, names: Sequence[str], taken: str) -> Iterator[None]:
    """Lock these names while the block runs; locks of dead processes do not count.

    A process that was stopped for long may lose them: what must not be done twice calls `check_holds`.
    Errors: Conflict with the message `taken` if one of them is locked already.
    """
    hold = Hold(app, tuple(dict.fromkeys(names)), f"{name_process()}/{app.new_id('')}")
    with app.store.transaction(locks=hold.list_store_locks()) as tx:
        hold.take(tx, taken)
    token = _holds.set((*_holds.get(), hold))
    try:
        with renewing(hold.renew_alone):
            yield
    finally:
        _holds.reset(token)
        with app.store.transaction(locks=hold.list_store_locks()) as tx:
            hold.release(tx)


def list_held(app: App) -> list[str]:
    """What a transaction that calls `check_holds` declares."""
    holds = (hold for hold in _holds.get() if hold.app.store is app.store)
    return [name for hold in holds for name in hold.list_store_locks()]


def check_holds(app: App, tx: Transaction) -> None:
    """Renew the locks around this work, in the transaction that announces what must be done once.

    Errors: Conflict if another process has taken one of them over.
    """
    for hold in _holds.get():
        if hold.app.store is app.store and not hold.renew(tx):
            text = "was stopped for so long that another process has begun the same: nothing was done"
            raise Conflict(f"This process {text}")


def is_locked(app: App, name: str, reader: Reader | None = None) -> bool:
    """Whether a living process holds a lock."""
    rows = (reader or app.store).select("locks", {"name": name})
    return bool(rows) and _is_held_by(rows[0]["owner"]) and rows[0]["until"] > app.store.steady()


def _is_held_by(owner: str) -> bool:
    """Whether the process that owns a lock may still run; the last part only distinguishes its locks."""
    return is_alive(owner.rpartition("/")[0])
