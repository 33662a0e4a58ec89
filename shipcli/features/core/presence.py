"""Rows that say which processes run, for others that can't see them: on other machines, in containers."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from shipcli.features.core.processes import is_running, name_machine, name_process
from shipcli.features.core.renewal import LASTS_S, Renewal
from shipcli.store.query import below

if TYPE_CHECKING:
    from shipcli.store.queries import Reader
    from shipcli.store.store import Store
    from shipcli.store.transaction import Transaction

TABLE = "presence"


class ProcessPresence:
    """The row of this process, renewed while it holds something that others may take over once it is gone."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._turns = threading.Lock()
        self._holders = 0
        self._renewal: Renewal | None = None

    def begin(self) -> None:
        """Show the row, until `release` has let go as often as this."""
        with self._turns:
            self._holders += 1
            if self._renewal is None:
                self._show()
                self._renewal = Renewal(self._show)

    def release(self, count: int) -> bool:
        """Let go of so many things, and say whether they were the last: then nothing renews the row."""
        with self._turns:
            self._holders = max(0, self._holders - count)
            return not self._holders and self._stop()

    def leave(self, tx: Transaction) -> None:
        """Remove the row in the transaction in which the last thing is let go."""
        tx.remove(TABLE, {"process": name_process()})

    def close(self) -> None:
        """Stop renewing: what is still held is left to others."""
        with self._turns:
            self._stop()

    def _stop(self) -> bool:
        renewal, self._renewal = self._renewal, None
        if renewal is not None:
            renewal.end()
        return renewal is not None

    def _show(self) -> None:
        now = self._store.steady()
        row = {"process": name_process(), "machine": name_machine(), "since": now, "seen": now}
        with self._store.transaction(locks=()) as tx:
            if not tx.add(TABLE, row):
                tx.update(TABLE, {"process": row["process"]}, {"seen": now})
            tx.remove(TABLE, [below("seen", now - LASTS_S)])


def is_gone(store: Store, owner: str, reader: Reader | None = None) -> bool:
    """Whether a process has ended, or has not renewed its presence, if this process can't see it."""
    running = is_running(owner)
    if running is not None:
        return not running
    rows = (reader or store).select(TABLE, {"process": owner})
    return not rows or rows[0]["seen"] + LASTS_S < store.steady()
