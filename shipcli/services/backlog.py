"""Background work as people see it: what waits, what runs, what failed, and who does it."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from shipcli.events.outbox import QUEUE
from shipcli.services.process import alive, identity
from shipcli.store.jobs import FAILED, READY, RUNNING
from shipcli.store.query import below

if TYPE_CHECKING:
    from shipcli.services.app import App

# A worker shows itself every fifteen seconds; one that has not for so long is gone.
GONE_AFTER_S = 120.0


class Presence:
    """The row by which a worker is seen."""

    def __init__(self, app: App, queues: Sequence[str]) -> None:
        self._app, self._queues = app, ",".join(queues)
        self._started_at, self._token = time.time(), secrets.token_hex(4)

    @property
    def _id(self) -> str:
        return f"{identity()}#{self._token}"

    def show(self) -> None:
        """Say that the worker runs; rows of workers long gone are removed."""
        now = time.time()
        row = {"id": self._id, "queues": self._queues, "started_at": self._started_at, "seen_at": now}
        with self._app.store.transaction() as tx:
            tx.upsert("workers", row)
            tx.remove("workers", [below("seen_at", now - GONE_AFTER_S)])

    def leave(self) -> None:
        """Say that it ended."""
        with self._app.store.transaction() as tx:
            tx.remove("workers", {"id": self._id})


def status(app: App) -> dict[str, Any]:
    """Counts of jobs, undelivered messages, schedules, and the workers that run."""
    counts = app.jobs.counts()
    totals = {state: sum(row[state] for row in counts.values()) for state in (READY, RUNNING, FAILED)}
    return {
        "workers": workers(app),
        "waiting": totals[READY],
        "running": totals[RUNNING],
        "failed": totals[FAILED],
        "undelivered": sum(
            row[READY] + row[RUNNING] for queue, row in counts.items() if queue.startswith(QUEUE)
        ),
        "queues": [{"queue": queue, **row} for queue, row in sorted(counts.items())],
        "schedules": app.store.select("schedules", (), ("name",)),
    }


def workers(app: App) -> list[dict[str, Any]]:
    """The workers that run, oldest first."""
    latest = time.time() - GONE_AFTER_S
    rows = app.store.select("workers", (), ("started_at",))
    return [
        {
            "process": _process(row["id"]),
            "queues": row["queues"] or "all",
            "seconds": round(time.time() - row["started_at"]),
        }
        for row in rows
        if row["seen_at"] > latest and alive(row["id"].partition("#")[0])
    ]


def _process(id: str) -> str:
    """Machine and process number."""
    machine, _, rest = id.partition("/")
    return f"{machine.partition('@')[0]}/{rest.partition('/')[0]}"
