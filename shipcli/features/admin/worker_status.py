"""The status of background work: waiting, running and failed jobs, and the workers."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shipcli.events.outbox import QUEUE
from shipcli.features.core.processes import is_alive, name_process
from shipcli.store.jobs import FAILED, READY, RUNNING
from shipcli.store.query import one_of

if TYPE_CHECKING:
    from shipcli.features.core.app import App

WORKING, LATE, NOT_RUNNING = "working", "late", "not running"
# A worker updates its row every fifteen seconds, after a turn without errors.
LATE_AFTER_S = 60.0
GONE_AFTER_S = 3600.0


class Presence:
    """The row that shows that a worker is running."""

    def __init__(self, app: App, queues: Sequence[str]) -> None:
        self._app, self._queues = app, ",".join(queues)
        self._started_at, self._token = app.store.steady(), secrets.token_hex(4)

    @property
    def _id(self) -> str:
        return f"{name_process()}#{self._token}"

    def show(self) -> None:
        """Update the row of this worker, and remove the rows of workers that are gone."""
        now = self._app.store.steady()
        row = {"id": self._id, "queues": self._queues, "started_at": self._started_at, "seen_at": now}
        gone = [row["id"] for row in self._app.store.select("workers") if _is_gone(self._app, row)]
        with self._app.store.transaction(locks=()) as tx:
            tx.upsert("workers", row)
            tx.remove("workers", [one_of("id", gone)])

    def leave(self) -> None:
        """Remove the row, as the worker has ended."""
        with self._app.store.transaction(locks=()) as tx:
            tx.remove("workers", {"id": self._id})


def get_status(app: App) -> dict[str, Any]:
    """Return the running workers, counts of jobs and undelivered messages, queues and schedules."""
    counts = app.jobs.count()
    totals = {state: sum(row[state] for row in counts.values()) for state in (READY, RUNNING, FAILED)}
    return {
        "workers": list_workers(app),
        "waiting": totals[READY],
        "running": totals[RUNNING],
        "failed": totals[FAILED],
        "undelivered": sum(
            row[READY] + row[RUNNING] for queue, row in counts.items() if queue.startswith(QUEUE)
        ),
        "queues": [{"queue": queue, **row} for queue, row in sorted(counts.items())],
        "schedules": app.store.select("schedules", (), ("name",)),
    }


def list_workers(app: App) -> list[dict[str, Any]]:
    """Return the running workers, oldest first; `late` ones have not finished a turn for a while."""
    return [
        {
            "process": _process(row["id"]),
            "state": LATE if _measure_silence_s(app, row) > LATE_AFTER_S else WORKING,
            "queues": row["queues"] or "all",
            "seconds": round(app.store.steady() - row["started_at"]),
            "silent_seconds": round(_measure_silence_s(app, row)),
        }
        for row in app.store.select("workers", (), ("started_at",))
        if not _is_gone(app, row)
    ]


def list_lost_workers(app: App) -> list[str]:
    """Return the workers that died without cleaning up, oldest first; the next worker removes them."""
    rows = app.store.select("workers", (), ("started_at",))
    return [_process(row["id"]) for row in rows if _is_gone(app, row)]


def read_heartbeat(app: App) -> str:
    """Return the state of the store's background work: working, late or not running."""
    states = {row["state"] for row in list_workers(app)}
    return next((state for state in (WORKING, LATE) if state in states), NOT_RUNNING)


def _measure_silence_s(app: App, row: Mapping[str, Any]) -> float:
    return max(0.0, app.store.steady() - float(row["seen_at"]))


def _is_gone(app: App, row: Mapping[str, Any]) -> bool:
    return not is_alive(row["id"].partition("#")[0]) or _measure_silence_s(app, row) > GONE_AFTER_S


def _process(id: str) -> str:
    """The start of the machine's random name, and the process id, as `0d1e2f3a/1234`."""
    machine, _, process = id.partition("/")
    return f"{machine[:8]}/{process.partition('/')[0]}"
