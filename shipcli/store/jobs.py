"""Background work that outlives the process: a lease queue and its schedules.

A job waits (`ready`) until a worker holds it (`running`). Finished jobs are deleted; jobs that keep failing
stay as `failed` with their error until somebody retries or discards them. If a worker dies, another takes
over its jobs. Jobs start by the app's clock, which a sandbox can move; leases use the store's steady clock.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from shipcli.store.errors import CommitUnknown
from shipcli.store.query import Filter, at_least, at_most, equal, one_of, starts

if TYPE_CHECKING:
    from shipcli.clocks import Clock
    from shipcli.store.queries import Reader
    from shipcli.store.store import Store
    from shipcli.store.transaction import Transaction

READY, RUNNING, FAILED = "ready", "running", "failed"
STATES = (READY, RUNNING, FAILED)
LEASE_S = 60.0
MAX_ATTEMPTS = 5
# A job whose worker has died this often is assumed to be the cause.
MAX_LOSSES = 25
_SUDDEN_LOSSES = 3
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 15.0, 3600.0
_LONGEST_ERROR = 2000
_ORDER = ("rank", "run_at", "id")
# Processes read the clock a moment before they write; a larger gap means that it was set back.
CLOCK_PLAY = timedelta(seconds=5)


@dataclass(frozen=True, slots=True)
class QueuedJob:
    """One job, as its holder or a list of jobs sees it.

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
        """Whether one more failure is final."""
        return self.attempts + 1 >= self.max_attempts


@dataclass(frozen=True, slots=True)
class Schedule:
    """A recurring job: which one, and how often it runs."""

    name: str
    queue: str
    job: str
    every_s: float
    args: Mapping[str, Any]


class Jobs:
    """The queue, as use-cases and workers see it.

    `identity` gives this process a unique name, `alive` says whether the process of a name still runs.
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
        self._latest = datetime.max.replace(tzinfo=UTC)  # the clock may also have been set back earlier

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
        """Enqueue a job as part of a transaction; higher priorities go first.

        There is one job per `unique` key: enqueueing it again restarts a failed one, has a running one run
        once more, and otherwise changes nothing. Returns True for a new or restarted job.
        """
        now = self._clock()
        start = run_at or now
        row = {
            "id": self._store.new_id("job_"), "queue": queue, "name": name, "args": dict(args),
            "state": READY, "rank": -priority, "run_at": start, "put_off_at": now, "attempts": 0,
            "losses": 0, "max_attempts": max_attempts, "held_key": unique, "again": False, "created_at": now,
        }  # fmt: skip
        if start <= now:
            tx.ring()
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
        """Claim a job that this process runs itself, in the foreground; if it dies, a worker takes over.

        Returns None if another process is running it.
        """
        self._free(tx, [row for row in tx.select("jobs", {"held_key": unique}) if self._is_lost(row)])
        if not tx.select("jobs", {"held_key": unique, "state": RUNNING}):
            self.enqueue(tx, queue, name, args, unique=unique)
            free = [equal("held_key", unique), one_of("state", (READY, FAILED))]
            rows = tx.take("jobs", free, _ORDER, 1, self._lease(LEASE_S))
            return _read_job(rows[0]) if rows else None
        return None

    # -- work ----------------------------------------------------------------------------------

    def list_due_queues(self) -> list[str]:
        """List the queues that have jobs due; writes nothing."""
        now = self._clock()
        return [queue for queue in self._queues(READY) if self._has_due(queue, now)]

    def _queues(self, state: str) -> list[str]:
        """List the queues by jumping from one to the next in the index, however many jobs there are."""
        queues: list[str] = []
        while rows := self._store.select(
            "jobs", [equal("state", state), *_match_after(queues)], ("queue",), limit=1
        ):
            queues.append(rows[0]["queue"])
        return queues

    def _has_due(self, queue: str, now: datetime) -> bool:
        return bool(self._store.select("jobs", _match_waiting(queue, now), ("rank",), limit=1))

    def claim(self, limits: Mapping[str, int], lease_s: float = LEASE_S) -> list[QueuedJob]:
        """Claim the next jobs of each queue, up to its limit, until finished, failed, released or lost."""
        now, lease = self._clock(), self._lease(lease_s)
        try:
            with self._store.transaction(locks=()) as tx:
                rows = [
                    row
                    for queue, count in limits.items()
                    if count > 0
                    for row in tx.take("jobs", _match_waiting(queue, now), _ORDER, count, lease)
                ]
        except CommitUnknown:
            rows = self._store.select("jobs", {"owner": lease["owner"]})
        rows.sort(key=itemgetter(*_ORDER))
        return [_read_job(row) for row in rows]

    def _lease(self, lease_s: float) -> dict[str, Any]:
        owner = f"{self._identity()}#{secrets.token_hex(6)}"
        return {"state": RUNNING, "owner": owner, "until": self._time() + lease_s, "again": False}

    def renew(self, jobs: Iterable[QueuedJob], lease_s: float = LEASE_S) -> set[str]:
        """Extend the leases of jobs; returns the ids of those that are still held."""
        held = list(jobs)
        if not held:
            return set()
        with self._store.transaction(locks=()) as tx:
            tx.update("jobs", _match_held(held), {"until": self._time() + lease_s})
            return self.find_held(tx, held)

    def find_held(self, reader: Reader, jobs: Iterable[QueuedJob]) -> set[str]:
        """The ids of those jobs that are still held as they were claimed."""
        return {row["id"] for row in reader.select("jobs", _match_held(jobs))}

    def finish(self, tx: Transaction, jobs: Sequence[QueuedJob]) -> int:
        """Finish jobs in the transaction that saves their result; returns how many were still held."""
        repeated = 0
        if any(job.held_key for job in jobs):
            again = {"state": READY, "owner": None, "again": False, "attempts": 0, **self._start_in(0)}
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
        """Record a failure; the job is retried later, unless this was its last attempt or `final`.

        Returns whether it will be retried.
        """
        is_final = final or job.is_last_attempt
        pause = measure_backoff_s(job.attempts + 1) if after_s is None else after_s
        values = {
            "state": FAILED if is_final else READY, "attempts": job.attempts + 1,
            "owner": None, "until": None,
            "error": error[:_LONGEST_ERROR], "failed_at": self._clock() if is_final else None,
            **self._start_in(0 if is_final else pause),
        }  # fmt: skip
        tx.update("jobs", _match_held([job]), values)
        return not is_final

    def release(self, jobs: Iterable[QueuedJob]) -> None:
        """Release jobs undone without counting a failure; another worker may start them at once."""
        held = list(jobs)
        if held:
            with self._store.transaction(locks=()) as tx:
                tx.update("jobs", _match_held(held), {"state": READY, "owner": None, "until": None})
                tx.ring()

    def put_back(self, jobs: Sequence[QueuedJob], after_s: float) -> None:
        """Release jobs that can't be done while the store is away, which is waited for; no failure counts."""
        values = {"state": READY, "owner": None, "until": None, **self._start_in(after_s)}
        with self._store.transaction(durable=True, locks=()) as tx:
            tx.update("jobs", _match_held(jobs), values)

    def reclaim(self) -> int:
        """Free the jobs of dead workers and expired leases; returns how many."""
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
        """Put lost jobs behind the others: one that kills its worker must not keep the rest waiting."""
        for row in rows:
            losses = row["losses"] + 1
            is_final = losses >= MAX_LOSSES
            values = {
                "state": FAILED if is_final else READY, "owner": None, "until": None, "losses": losses,
                "error": f"the worker that ran it died {losses} times",
                "failed_at": self._clock() if is_final else None,
                **self._start_in(0 if losses <= _SUDDEN_LOSSES else losses),
            }  # fmt: skip
            tx.update("jobs", {"id": row["id"], "owner": row["owner"]}, values)

    def _start_in(self, seconds: float) -> dict[str, datetime]:
        """When a job is to start, and when that was decided."""
        now = self._clock()
        return {"run_at": now + timedelta(seconds=seconds), "put_off_at": now}

    def notice_clock(self) -> int:
        """Start jobs that wait only because the clock has been set back; returns how many."""
        now = self._clock()
        was_set_back, self._latest = now + CLOCK_PLAY < self._latest, now
        late = [equal("state", READY), at_least("put_off_at", now + CLOCK_PLAY)]
        if not was_set_back or not self._store.select("jobs", late, limit=1):
            return 0
        with self._store.transaction(locks=()) as tx:
            return tx.update("jobs", late, self._start_in(0))

    def find_next_start(self) -> datetime | None:
        """When the next job is to start that is not due yet."""
        later = [equal("state", READY), at_least("run_at", self._clock() + timedelta(microseconds=1))]
        rows = self._store.select("jobs", later, ("run_at",), limit=1)
        return rows[0]["run_at"] if rows else None

    def is_any_running(self) -> bool:
        """Whether a worker that is alive holds a job."""
        return any(not self._is_lost(row) for row in self._store.select("jobs", {"state": RUNNING}))

    # -- by hand -------------------------------------------------------------------------------

    def retry(self, ids: Sequence[str]) -> list[str]:
        """Run failed or waiting jobs now; returns the ids of those found."""
        restarted = {"state": READY, "attempts": 0, "losses": 0, "failed_at": None, **self._start_in(0)}
        with self._store.transaction() as tx:
            idle = _list_idle(tx, ids)
            tx.update("jobs", [one_of("id", idle)], restarted)
            tx.ring()
        return idle

    def discard(self, ids: Sequence[str]) -> list[str]:
        """Remove failed or waiting jobs; returns the ids of those found."""
        with self._store.transaction() as tx:
            idle = _list_idle(tx, ids)
            tx.remove("jobs", [one_of("id", idle)])
        return idle

    def begin_now(self, tx: Transaction, queue: str) -> int:
        """Make all waiting jobs of a queue due now; returns how many."""
        tx.ring()
        return tx.update("jobs", {"queue": queue, "state": READY}, self._start_in(0))

    def clear(self, tx: Transaction, queue: str) -> int:
        """Remove all jobs of a queue that nobody holds."""
        return tx.remove("jobs", [equal("queue", queue), one_of("state", (READY, FAILED))])

    def find(
        self, *, state: str | None = None, queue: str | None = None, limit: int | None = None
    ) -> list[QueuedJob]:
        """List jobs, oldest first."""
        where = [equal("state", state)] if state else []
        where += [equal("queue", queue)] if queue else []
        return [_read_job(row) for row in self._store.select("jobs", where, ("id",), limit)]

    def count(self) -> dict[str, dict[str, int]]:
        """Count the jobs by queue and state."""
        counts: dict[str, dict[str, int]] = {}
        for state in STATES:
            for queue in self._queues(state):
                number = self._store.count_rows("jobs", {"state": state, "queue": queue})
                counts.setdefault(queue, dict.fromkeys(STATES, 0))[state] = number
        return counts

    # -- schedules -----------------------------------------------------------------------------

    def declare(self, schedules: Iterable[Schedule]) -> None:
        """Create these schedules, or update those that differ."""
        existing = [_read_schedule(row) for row in self._store.select("schedules")]
        changed = [asdict(schedule) for schedule in schedules if schedule not in existing]
        if changed:
            with self._store.transaction() as tx:
                for row in changed:
                    tx.add("schedules", {**row, "next_at": self._clock()})
                    tx.update("schedules", {"name": row["name"]}, row)

    def start_due(self) -> list[str]:
        """Enqueue the jobs of schedules that are due, once across all processes; returns their names."""
        rows = self._store.select("schedules", (), ("name",))
        now = self._clock()  # read after the rows: one that was just moved on is not far ahead
        return [row["name"] for row in rows if _is_due(row, now) and self._start(row, now)]

    def _start(self, row: Mapping[str, Any], now: datetime) -> bool:
        """Move the schedule on if nobody else did, and enqueue its job unless the last one is unfinished."""
        held = {"name": row["name"], "next_at": row["next_at"]}
        moved = {"next_at": now + timedelta(seconds=row["every_s"]), "last_at": now}
        with self._store.transaction() as tx:
            if tx.update("schedules", held, moved) != 1:
                return False
            key = f"schedule/{row['name']}"
            if not tx.select("jobs", [equal("held_key", key), one_of("state", (READY, RUNNING))]):
                self.enqueue(tx, row["queue"], row["job"], row["args"], unique=key, max_attempts=1)
        return True


def measure_backoff_s(attempts: int) -> float:
    """The pause after this many failures: 15 s, then four times as long each time, at most an hour."""
    return float(min(_FIRST_PAUSE_S * 4 ** (attempts - 1), _LONGEST_PAUSE_S))


def _is_due(row: Mapping[str, Any], now: datetime) -> bool:
    """Whether it is due, or so far ahead that the clock must have been set back since."""
    return bool(row["next_at"] <= now or row["next_at"] > now + timedelta(seconds=row["every_s"]))


def _read_job(row: Mapping[str, Any]) -> QueuedJob:
    return QueuedJob(**{field.name: row[field.name] for field in fields(QueuedJob)})


def _read_schedule(row: Mapping[str, Any]) -> Schedule:
    return Schedule(**{field.name: row[field.name] for field in fields(Schedule)})


def _match_after(queues: Sequence[str]) -> Sequence[Filter]:
    return [at_least("queue", queues[-1] + "\x01")] if queues else []


def _match_waiting(queue: str, now: datetime) -> Sequence[Filter]:
    return [equal("state", READY), equal("queue", queue), at_most("run_at", now)]


def _match_held(jobs: Iterable[QueuedJob]) -> Sequence[Filter]:
    """Match the rows of these jobs that are still held as they were claimed."""
    held = list(jobs)
    owners = sorted({str(job.owner) for job in held})
    return [one_of("id", [job.id for job in held]), equal("state", RUNNING), one_of("owner", owners)]


def _list_idle(tx: Transaction, ids: Sequence[str]) -> list[str]:
    """The jobs that nobody holds, by ids or starts of ids; an ambiguous start matches none."""
    free = one_of("state", (READY, FAILED))
    matches = (tx.select("jobs", [starts("id", id), free], ("id",), 2) for id in ids if id)
    return list(dict.fromkeys(str(rows[0]["id"]) for rows in matches if len(rows) == 1))
