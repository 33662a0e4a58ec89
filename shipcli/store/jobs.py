"""Background work that outlives the process: a lease queue and its schedules, behind a port.

A job waits (`ready`) until a worker holds it (`running`); done jobs are gone, jobs that keep failing stay as
`failed` with their error until somebody retries or discards them. A holder that dies loses its jobs to
another. When work starts is told by the app's clock, so that a sandbox may move it; leases run on the steady
clock of the store.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol

from shipcli.store.ids import SystemIds
from shipcli.store.query import Filter, at_least, at_most, equal, one_of, starts

if TYPE_CHECKING:
    from shipcli.store.ids import Clock
    from shipcli.store.store import Store
    from shipcli.store.transaction import Transaction

READY, RUNNING, FAILED = "ready", "running", "failed"
STATES = (READY, RUNNING, FAILED)
LEASE_S = 60.0
MAX_ATTEMPTS = 5
# A job whose worker died this often is taken to be what kills it.
MAX_LOSSES = 25
_SUDDEN_LOSSES = 3
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 15.0, 3600.0
_LONGEST_ERROR = 2000
_ORDER = ("rank", "run_at", "id")
# Processes look at the clock a moment before they write; more than that means that it was set back.
CLOCK_PLAY = timedelta(seconds=5)

_ids = SystemIds(lambda: datetime.now(UTC))


@dataclass(frozen=True, slots=True)
class QueuedJob:
    """One piece of work, as its holder or a list of jobs sees it.

    `attempts` counts the tries that failed, `losses` those whose worker died.
    """

    id: str
    queue: str
    name: str
    args: Mapping[str, Any]
    state: str
    run_at: datetime
    attempts: int
    losses: int
    max_attempts: int
    owner: str | None
    held_key: str | None
    error: str | None
    created_at: datetime
    failed_at: datetime | None

    @property
    def is_last_attempt(self) -> bool:
        """Whether another failure is the end of it."""
        return self.attempts + 1 >= self.max_attempts


@dataclass(frozen=True, slots=True)
class Schedule:
    """Work that comes back: which job, and how often."""

    name: str
    queue: str
    job: str
    every_s: float
    args: Mapping[str, Any]


class Jobs(Protocol):
    """What use-cases and workers ask of the queue; nothing in it belongs to one kind of store."""

    def enqueue(
        self,
        tx: Transaction,
        queue: str,
        name: str,
        args: Mapping[str, Any],
        *,
        run_at: datetime | None = None,
        unique: str | None = None,
        priority: int = 0,
        max_attempts: int = MAX_ATTEMPTS,
    ) -> bool:
        """Write work down as part of a transaction; a greater priority goes first.

        Of a `unique` key there is one job: a second one adds nothing (False), starts a failed one anew, and
        has a running one run once more.
        """

    def hold(
        self, tx: Transaction, queue: str, name: str, args: Mapping[str, Any], *, unique: str
    ) -> QueuedJob | None:
        """Work this process does itself, in the foreground; a worker takes it over if this process dies.

        None when another process is doing it.
        """

    def due(self) -> list[str]:
        """The queues with work to do now; writes nothing."""

    def claim(self, room: Mapping[str, int], lease_s: float = LEASE_S) -> list[QueuedJob]:
        """The next jobs of these queues, so many of each, held until done, failed, given back or lost."""

    def renew(self, jobs: Iterable[QueuedJob], lease_s: float = LEASE_S) -> set[str]:
        """Hold jobs for longer; the ids of those that are still held."""

    def done(self, tx: Transaction, jobs: Sequence[QueuedJob]) -> int:
        """Finished, as part of the transaction that keeps the result; how many were still held."""

    def fail(
        self,
        tx: Transaction,
        job: QueuedJob,
        error: str,
        *,
        after_s: float | None = None,
        final: bool = False,
    ) -> bool:
        """Not done: tried again later unless it was the last attempt, or `final`; whether it will be."""

    def give_back(self, jobs: Iterable[QueuedJob]) -> None:
        """Not done and nobody's fault: somebody else may begin at once."""

    def take_back(self) -> int:
        """Free the jobs of dead holders and ended leases; how many."""

    def notice_clock(self) -> int:
        """Let jobs begin that wait only because the clock was set back since; how many."""

    def retry(self, ids: Sequence[str]) -> list[str]:
        """Failed or waiting jobs begin now; the ids of those there were."""

    def discard(self, ids: Sequence[str]) -> list[str]:
        """Failed or waiting jobs are removed; the ids of those there were."""

    def begin_now(self, tx: Transaction, queue: str) -> int:
        """Have the jobs of a queue that wait for later begin now; how many."""

    def clear(self, tx: Transaction, queue: str) -> int:
        """Remove all jobs of a queue that nobody holds."""

    def find(
        self, *, state: str | None = None, queue: str | None = None, limit: int | None = None
    ) -> list[QueuedJob]:
        """Jobs, oldest first."""

    def counts(self) -> dict[str, dict[str, int]]:
        """How many jobs there are, by queue and state."""

    def declare(self, schedules: Iterable[Schedule]) -> None:
        """See to it that these schedules exist, as they are stated here."""

    def start_due(self) -> list[str]:
        """Enqueue the work of schedules whose time has come; of many processes one does. Their names."""


class StoreJobs:
    """The port, in tables of the store.

    `identity` names this process among all others, `alive` says whether a process of that name still runs.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        identity: Callable[[], str],
        alive: Callable[[str], bool],
        steady: Callable[[], float] | None = None,
    ) -> None:
        self._store, self._clock, self._time = store, clock, steady or store.steady
        self._identity, self._alive = identity, alive
        self._latest = datetime.max.replace(tzinfo=UTC)  # the clock may have been set back before, too

    # -- enqueue -------------------------------------------------------------------------------

    def enqueue(
        self,
        tx: Transaction,
        queue: str,
        name: str,
        args: Mapping[str, Any],
        *,
        run_at: datetime | None = None,
        unique: str | None = None,
        priority: int = 0,
        max_attempts: int = MAX_ATTEMPTS,
    ) -> bool:
        """See `Jobs.enqueue`."""
        now = self._clock()
        row = {
            "id": _ids.new("job_"), "queue": queue, "name": name, "args": dict(args), "state": READY,
            "rank": -priority, "run_at": run_at or now, "put_off_at": now, "attempts": 0, "losses": 0,
            "max_attempts": max_attempts, "held_key": unique, "again": False, "created_at": now,
        }  # fmt: skip
        return tx.add("jobs", row) or self._start_anew(tx, row)

    def _start_anew(self, tx: Transaction, row: Mapping[str, Any]) -> bool:
        key = row["held_key"]
        tx.update("jobs", {"held_key": key, "state": RUNNING}, {"again": True})
        names = ("args", "state", "rank", "run_at", "put_off_at", "attempts", "losses")
        fresh = {name: row[name] for name in names}
        return tx.update("jobs", {"held_key": key, "state": FAILED}, {**fresh, "error": None}) == 1

    def hold(
        self, tx: Transaction, queue: str, name: str, args: Mapping[str, Any], *, unique: str
    ) -> QueuedJob | None:
        """See `Jobs.hold`."""
        self._free(tx, [row for row in tx.select("jobs", {"held_key": unique}) if self._is_lost(row)])
        if not tx.select("jobs", {"held_key": unique, "state": RUNNING}):
            self.enqueue(tx, queue, name, args, unique=unique)
            free = [equal("held_key", unique), one_of("state", (READY, FAILED))]
            rows = tx.take("jobs", free, _ORDER, 1, self._lease(LEASE_S))
            return _job(rows[0]) if rows else None
        return None

    # -- work ----------------------------------------------------------------------------------

    def due(self) -> list[str]:
        """See `Jobs.due`."""
        now = self._clock()
        return [queue for queue in self._queues(READY) if self._has_due(queue, now)]

    def _queues(self, state: str) -> list[str]:
        """Jumps from queue to queue in the index, however many jobs there are."""
        found: list[str] = []
        while rows := self._store.select(
            "jobs", [equal("state", state), *_after(found)], ("queue",), limit=1
        ):
            found.append(rows[0]["queue"])
        return found

    def _has_due(self, queue: str, now: datetime) -> bool:
        return bool(self._store.select("jobs", _match_waiting(queue, now), ("rank",), limit=1))

    def claim(self, room: Mapping[str, int], lease_s: float = LEASE_S) -> list[QueuedJob]:
        """See `Jobs.claim`."""
        now, lease = self._clock(), self._lease(lease_s)
        with self._store.transaction() as tx:
            rows = [
                row
                for queue, count in room.items()
                if count > 0
                for row in tx.take("jobs", _match_waiting(queue, now), _ORDER, count, lease)
            ]
        return [_job(row) for row in sorted(rows, key=lambda row: (row["rank"], row["run_at"], row["id"]))]

    def _lease(self, lease_s: float) -> dict[str, Any]:
        owner = f"{self._identity()}#{secrets.token_hex(6)}"
        return {"state": RUNNING, "owner": owner, "until": self._time() + lease_s, "again": False}

    def renew(self, jobs: Iterable[QueuedJob], lease_s: float = LEASE_S) -> set[str]:
        """See `Jobs.renew`."""
        held = list(jobs)
        if not held:
            return set()
        with self._store.transaction() as tx:
            tx.update("jobs", _match_held(held), {"until": self._time() + lease_s})
            return {row["id"] for row in tx.select("jobs", _match_held(held))}

    def done(self, tx: Transaction, jobs: Sequence[QueuedJob]) -> int:
        """See `Jobs.done`."""
        repeated = 0
        if any(job.held_key for job in jobs):
            again = {"state": READY, "owner": None, "again": False, "attempts": 0, **self._in(0)}
            repeated = tx.update("jobs", [*_match_held(jobs), equal("again", True)], again)
        return repeated + tx.remove("jobs", _match_held(jobs))

    def fail(
        self,
        tx: Transaction,
        job: QueuedJob,
        error: str,
        *,
        after_s: float | None = None,
        final: bool = False,
    ) -> bool:
        """See `Jobs.fail`."""
        over = final or job.is_last_attempt
        pause = backoff_s(job.attempts + 1) if after_s is None else after_s
        values = {
            "state": FAILED if over else READY, "attempts": job.attempts + 1, "owner": None, "until": None,
            "error": error[:_LONGEST_ERROR], "failed_at": self._clock() if over else None,
            **self._in(0 if over else pause),
        }  # fmt: skip
        tx.update("jobs", _match_held([job]), values)
        return not over

    def give_back(self, jobs: Iterable[QueuedJob]) -> None:
        """See `Jobs.give_back`."""
        held = list(jobs)
        if held:
            with self._store.transaction() as tx:
                tx.update("jobs", _match_held(held), {"state": READY, "owner": None, "until": None})

    def take_back(self) -> int:
        """See `Jobs.take_back`."""
        if not any(self._is_lost(row) for row in self._store.select("jobs", {"state": RUNNING})):
            return 0
        with self._store.transaction() as tx:
            lost = [row for row in tx.select("jobs", {"state": RUNNING}) if self._is_lost(row)]
            self._free(tx, lost)
        return len(lost)

    def _is_lost(self, row: Mapping[str, Any]) -> bool:
        if row["state"] != RUNNING:
            return False
        return bool(row["until"] < self._time() or not self._alive(row["owner"].partition("#")[0]))

    def _free(self, tx: Transaction, rows: Iterable[Mapping[str, Any]]) -> None:
        """Lost jobs go behind the others: one that kills its worker must not keep the rest waiting."""
        for row in rows:
            losses = row["losses"] + 1
            over, sudden = losses >= MAX_LOSSES, losses <= _SUDDEN_LOSSES
            values = {
                "state": FAILED if over else READY, "owner": None, "until": None, "losses": losses,
                "error": f"the worker that did it died {losses} times",
                "failed_at": self._clock() if over else None, **self._in(0 if sudden else losses),
            }  # fmt: skip
            tx.update("jobs", {"id": row["id"], "owner": row["owner"]}, values)

    def _in(self, seconds: float) -> dict[str, datetime]:
        """When a job is to begin, and when that was said."""
        now = self._clock()
        return {"run_at": now + timedelta(seconds=seconds), "put_off_at": now}

    def notice_clock(self) -> int:
        """See `Jobs.notice_clock`."""
        now = self._clock()
        was_set_back, self._latest = now + CLOCK_PLAY < self._latest, now
        late = [equal("state", READY), at_least("put_off_at", now + CLOCK_PLAY)]
        if not was_set_back or not self._store.select("jobs", late, limit=1):
            return 0
        with self._store.transaction() as tx:
            return tx.update("jobs", late, self._in(0))

    # -- by hand -------------------------------------------------------------------------------

    def retry(self, ids: Sequence[str]) -> list[str]:
        """See `Jobs.retry`."""
        anew = {"state": READY, "attempts": 0, "losses": 0, "failed_at": None, **self._in(0)}
        with self._store.transaction() as tx:
            found = _idle(tx, ids)
            tx.update("jobs", [one_of("id", found)], anew)
        return found

    def discard(self, ids: Sequence[str]) -> list[str]:
        """See `Jobs.discard`."""
        with self._store.transaction() as tx:
            found = _idle(tx, ids)
            tx.remove("jobs", [one_of("id", found)])
        return found

    def begin_now(self, tx: Transaction, queue: str) -> int:
        """See `Jobs.begin_now`."""
        return tx.update("jobs", {"queue": queue, "state": READY}, self._in(0))

    def clear(self, tx: Transaction, queue: str) -> int:
        """See `Jobs.clear`."""
        return tx.remove("jobs", [equal("queue", queue), one_of("state", (READY, FAILED))])

    def find(
        self, *, state: str | None = None, queue: str | None = None, limit: int | None = None
    ) -> list[QueuedJob]:
        """See `Jobs.find`."""
        where = [equal("state", state)] if state else []
        where += [equal("queue", queue)] if queue else []
        return [_job(row) for row in self._store.select("jobs", where, ("id",), limit)]

    def counts(self) -> dict[str, dict[str, int]]:
        """See `Jobs.counts`."""
        found: dict[str, dict[str, int]] = {}
        for state in STATES:
            for queue in self._queues(state):
                number = self._store.count_rows("jobs", {"state": state, "queue": queue})
                found.setdefault(queue, dict.fromkeys(STATES, 0))[state] = number
        return found

    # -- schedules -----------------------------------------------------------------------------

    def declare(self, schedules: Iterable[Schedule]) -> None:
        """See `Jobs.declare`."""
        wanted = list(schedules)
        known = {row["name"]: row for row in self._store.select("schedules")}
        stated = {one.name: {name: getattr(one, name) for name in _STATED} for one in wanted}
        news = {
            name: row
            for name, row in stated.items()
            if name not in known or any(known[name][field] != value for field, value in row.items())
        }
        if news:
            with self._store.transaction() as tx:
                for name, row in news.items():
                    tx.add("schedules", {"name": name, **row, "next_at": self._clock()})
                    tx.update("schedules", {"name": name}, row)

    def start_due(self) -> list[str]:
        """See `Jobs.start_due`."""
        rows = self._store.select("schedules", (), ("name",))
        now = self._clock()  # after the rows: what another process moved on a moment ago is not far ahead
        return [row["name"] for row in rows if _has_come(row, now) and self._start(row, now)]

    def _start(self, row: Mapping[str, Any], now: datetime) -> bool:
        """Move the schedule on if nobody else did, and enqueue its work unless the last round still waits."""
        held = {"name": row["name"], "next_at": row["next_at"]}
        moved = {"next_at": now + timedelta(seconds=row["every_s"]), "last_at": now}
        with self._store.transaction() as tx:
            if tx.update("schedules", held, moved) != 1:
                return False
            key = f"schedule/{row['name']}"
            if not tx.select("jobs", [equal("held_key", key), one_of("state", (READY, RUNNING))]):
                self.enqueue(tx, row["queue"], row["job"], row["args"], unique=key, max_attempts=1)
        return True


_STATED = ("queue", "job", "args", "every_s")
_FIELDS = tuple(field.name for field in fields(QueuedJob))


def backoff_s(attempts: int) -> float:
    """How long to wait after so many failures: 15 s, then four times as long each time, at most an hour."""
    return float(min(_FIRST_PAUSE_S * 4 ** (attempts - 1), _LONGEST_PAUSE_S))


def _has_come(row: Mapping[str, Any], now: datetime) -> bool:
    """Due, or so far ahead that the clock must have been set back since."""
    return bool(row["next_at"] <= now or row["next_at"] > now + timedelta(seconds=row["every_s"]))


def _job(row: Mapping[str, Any]) -> QueuedJob:
    return QueuedJob(**{name: row[name] for name in _FIELDS})


def _after(found: Sequence[str]) -> Sequence[Filter]:
    return [at_least("queue", found[-1] + "\x01")] if found else []


def _match_waiting(queue: str, now: datetime) -> Sequence[Filter]:
    return [equal("state", READY), equal("queue", queue), at_most("run_at", now)]


def _match_held(jobs: Iterable[QueuedJob]) -> Sequence[Filter]:
    """The rows of these jobs as long as they are held as they were claimed."""
    held = list(jobs)
    owners = {job.owner for job in held}
    return [
        one_of("id", [job.id for job in held]),
        equal("state", RUNNING),
        one_of("owner", sorted(map(str, owners))),
    ]


def _idle(tx: Transaction, ids: Sequence[str]) -> list[str]:
    """The jobs of these ids, or beginnings of ids, that nobody holds; what several begin with names none."""
    free = one_of("state", (READY, FAILED))
    found = (tx.select("jobs", [starts("id", id), free], ("id",), 2) for id in ids if id)
    return list(dict.fromkeys(str(rows[0]["id"]) for rows in found if len(rows) == 1))
