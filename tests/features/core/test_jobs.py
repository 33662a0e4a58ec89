"""The queue behind the port: who gets a job, what becomes of it, and what comes back by itself."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from shipcli.features.core.processes import is_alive, name_process
from shipcli.store.jobs import MAX_LOSSES, Jobs, Schedule, measure_backoff_s
from shipcli.store.store import Store
from tests.engines import choose_place
from tests.processes import PATIENCE_S

SPAWN = multiprocessing.get_context("spawn")


@dataclass
class Place:
    """A queue with clocks moved by hand: the app's, and the system's for leases."""

    store: Store
    now: datetime = datetime(2026, 3, 1, 12, tzinfo=UTC)
    system: float = 1000.0
    dead: set[str] = field(default_factory=set)

    def jobs(self, name: str = "here") -> Jobs:
        return Jobs(
            self.store,
            lambda: self.now,
            lambda: name,
            lambda owner: owner not in self.dead,
            lambda: self.system,
        )

    def enqueue(
        self, queue: str = "q", name: str = "work", args: dict[str, Any] | None = None, **more: Any
    ) -> bool:
        with self.store.transaction() as tx:
            return self.jobs().enqueue(tx, queue, name, args or {}, **more)

    def pass_time(self, **span: float) -> None:
        self.now += timedelta(**span)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with Store.open(choose_place(tmp_path / "store.db"), clock=lambda: datetime.now(UTC)) as store:
        yield Place(store)


def test_a_job_is_written_with_the_transaction_that_wants_it(place: Place) -> None:
    with suppress(RuntimeError), place.store.transaction() as tx:
        place.jobs().enqueue(tx, "q", "work", {})
        raise RuntimeError
    assert place.jobs().list_due_queues() == []


def test_a_claimed_job_is_nobody_elses(place: Place) -> None:
    place.enqueue(args={"n": 1})
    (job,) = place.jobs().claim({"q": 5})
    assert (job.name, job.args) == ("work", {"n": 1})
    assert place.jobs("other").claim({"q": 5}) == []


def test_a_done_job_is_gone(place: Place) -> None:
    place.enqueue()
    jobs = place.jobs().claim({"q": 1})
    with place.store.transaction() as tx:
        assert place.jobs().finish(tx, jobs) == 1
    assert place.jobs().find() == []


def test_urgent_jobs_go_first_and_equals_in_their_order(place: Place) -> None:
    for name, priority in (("first", 0), ("second", 0), ("urgent", 5)):
        place.enqueue(name=name, priority=priority)
    assert [job.name for job in place.jobs().claim({"q": 3})] == ["urgent", "first", "second"]


def test_claims_take_no_more_than_there_is_room_for(place: Place) -> None:
    for _ in range(5):
        place.enqueue("a")
        place.enqueue("b")
    taken = Counter(job.queue for job in place.jobs().claim({"a": 2, "b": 3}))
    assert taken == {"a": 2, "b": 3}


def test_a_job_for_later_waits(place: Place) -> None:
    place.enqueue(run_at=place.now + timedelta(hours=1))
    assert place.jobs().list_due_queues() == []
    assert place.jobs().claim({"q": 1}) == []
    place.pass_time(hours=1)
    assert place.jobs().list_due_queues() == ["q"]


def test_a_failed_job_is_tried_again_later_each_time(place: Place) -> None:
    place.enqueue(max_attempts=3)
    for attempt in (1, 2):
        (job,) = place.jobs().claim({"q": 1})
        with place.store.transaction() as tx:
            assert place.jobs().fail(tx, job, "no luck") is True
        place.pass_time(seconds=measure_backoff_s(attempt) - 1)
        assert place.jobs().list_due_queues() == []
        place.pass_time(seconds=1)
    assert [job.attempts for job in place.jobs().claim({"q": 1})] == [2]


def test_who_fails_a_job_may_say_when_it_is_tried_again(place: Place) -> None:
    place.enqueue()
    (job,) = place.jobs().claim({"q": 1})
    with place.store.transaction() as tx:
        place.jobs().fail(tx, job, "no luck", after_s=7)
    (waiting,) = place.jobs().find()
    assert (waiting.state, waiting.run_at, waiting.failed_at) == (
        "ready",
        place.now + timedelta(seconds=7),
        None,
    )


def test_a_failure_that_is_final_is_not_tried_again(place: Place) -> None:
    place.enqueue(max_attempts=9)
    (job,) = place.jobs().claim({"q": 1})
    with place.store.transaction() as tx:
        assert place.jobs().fail(tx, job, "x" * 5000, final=True) is False
    (failed,) = place.jobs().find()
    assert (failed.state, failed.run_at, failed.failed_at) == ("failed", place.now, place.now)
    assert len(str(failed.error)) == 2000


def test_the_pause_grows_from_a_quarter_of_a_minute_to_an_hour() -> None:
    assert [measure_backoff_s(failures) for failures in range(1, 7)] == [15, 60, 240, 960, 3600, 3600]


def test_a_job_that_keeps_failing_ends_as_failed_with_its_error(place: Place) -> None:
    place.enqueue(max_attempts=1)
    (job,) = place.jobs().claim({"q": 1})
    with place.store.transaction() as tx:
        assert place.jobs().fail(tx, job, "no luck") is False
    (failed,) = place.jobs().find(state="failed")
    assert (failed.id, failed.error, failed.attempts) == (job.id, "no luck", 1)
    place.pass_time(days=9)
    assert place.jobs().list_due_queues() == []


def test_a_failed_job_can_be_done_again_or_discarded(place: Place) -> None:
    place.enqueue(max_attempts=1)
    (job,) = place.jobs().claim({"q": 1})
    with place.store.transaction() as tx:
        place.jobs().fail(tx, job, "no luck")
    assert place.jobs().retry([job.id[:20]]) == [job.id]
    (again,) = place.jobs().claim({"q": 1})
    assert (again.attempts, again.losses, again.failed_at) == (0, 0, None)
    assert place.jobs().discard([job.id]) == []
    place.jobs().release(place.jobs().find(state="running"))
    assert place.jobs().discard([job.id]) == [job.id]


def test_the_beginning_of_several_ids_names_no_job(place: Place) -> None:
    for number in range(3):
        place.enqueue(args={"number": number})
    ids = [job.id for job in place.jobs().find()]
    assert (place.jobs().retry(["job_"]), place.jobs().discard(["job_"])) == ([], [])
    assert place.jobs().discard([ids[1], ids[1]]) == [ids[1]]
    assert [job.id for job in place.jobs().find()] == [ids[0], ids[2]]


def test_a_lease_that_ends_is_taken_over_and_the_late_holder_changes_nothing(place: Place) -> None:
    place.enqueue()
    late = place.jobs().claim({"q": 1}, lease_s=30)
    place.system += 29
    assert place.jobs("other").reclaim() == 0
    place.system += 2
    assert place.jobs("other").reclaim() == 1
    (taken,) = place.jobs("other").claim({"q": 1})
    assert taken.losses == 1
    with place.store.transaction() as tx:
        assert place.jobs().finish(tx, late) == 0
        place.jobs().fail(tx, late[0], "late")
    assert [job.owner for job in place.jobs().find(state="running")] == [taken.owner]


def test_a_renewed_lease_lasts(place: Place) -> None:
    place.enqueue()
    held = place.jobs().claim({"q": 1}, lease_s=30)
    place.system += 29
    assert place.jobs().renew(held, 30) == {held[0].id}
    place.system += 29
    assert place.jobs("other").reclaim() == 0


def test_the_jobs_of_a_dead_process_are_free_at_once(place: Place) -> None:
    place.enqueue()
    place.jobs("doomed").claim({"q": 1})
    place.dead.add("doomed")
    assert place.jobs().reclaim() == 1
    assert len(place.jobs().claim({"q": 1})) == 1


def test_leases_ignore_the_clock_of_the_app(place: Place) -> None:
    place.enqueue()
    place.jobs().claim({"q": 1})
    place.pass_time(days=400)
    assert place.jobs("other").reclaim() == 0


def test_a_renewal_says_which_jobs_are_still_held(place: Place) -> None:
    for _ in range(2):
        place.enqueue()
    one, other = place.jobs().claim({"q": 2}, lease_s=30)
    place.system += 10
    place.jobs().renew([one], 30)
    place.system += 25
    assert place.jobs("quicker").reclaim() == 1
    assert place.jobs().renew([one, other], 30) == {one.id}


def test_a_job_lost_again_and_again_lets_others_go_first(place: Place) -> None:
    place.enqueue()
    waits = []
    for number in range(5):
        place.jobs(f"doomed {number}").claim({"q": 1})
        place.dead.add(f"doomed {number}")
        place.jobs().reclaim()
        (job,) = place.jobs().find()
        waits.append((job.run_at - place.now).total_seconds())
        assert (job.state, job.failed_at) == ("ready", None)
        place.pass_time(hours=1)
    assert waits == [0, 0, 0, 4, 5]


def test_a_job_that_kills_every_worker_ends_as_failed(place: Place) -> None:
    place.enqueue()
    for number in range(MAX_LOSSES):
        assert len(place.jobs(f"doomed {number}").claim({"q": 1})) == 1
        place.dead.add(f"doomed {number}")
        place.jobs().reclaim()
        place.pass_time(hours=1)
    (failed,) = place.jobs().find(state="failed")
    assert "died" in str(failed.error)
    assert failed.failed_at == place.now - timedelta(hours=1)


def test_jobs_given_back_are_free_and_unblamed(place: Place) -> None:
    place.enqueue()
    place.jobs().release(place.jobs().claim({"q": 1}))
    (job,) = place.jobs("other").claim({"q": 1})
    assert (job.attempts, job.losses) == (0, 0)


def test_of_a_unique_key_there_is_one_job(place: Place) -> None:
    assert place.enqueue(unique="k") is True
    assert place.enqueue(unique="k") is False
    assert len(place.jobs().find()) == 1


def test_work_asked_for_while_it_runs_is_done_once_more(place: Place) -> None:
    place.enqueue(unique="k")
    jobs = place.jobs().claim({"q": 1})
    assert place.enqueue(unique="k") is False
    with place.store.transaction() as tx:
        assert place.jobs().finish(tx, jobs) == 1
    again = place.jobs().claim({"q": 1})
    with place.store.transaction() as tx:
        place.jobs().finish(tx, again)
    assert (len(again), place.jobs().find()) == (1, [])


def test_work_that_is_done_once_more_begins_with_no_failures(place: Place) -> None:
    place.enqueue(unique="k")
    (job,) = place.jobs().claim({"q": 1})
    with place.store.transaction() as tx:
        place.jobs().fail(tx, job, "no luck", after_s=0)
    again = place.jobs().claim({"q": 1})
    place.enqueue(unique="k")
    with place.store.transaction() as tx:
        place.jobs().finish(tx, again)
    assert [job.attempts for job in place.jobs().claim({"q": 1})] == [0]


def test_asking_again_for_failed_work_starts_it_anew(place: Place) -> None:
    place.enqueue(unique="k", max_attempts=1, args={"n": 1})
    (job,) = place.jobs().claim({"q": 1})
    with place.store.transaction() as tx:
        place.jobs().fail(tx, job, "no luck")
    assert place.enqueue(unique="k", args={"n": 2}) is True
    assert [one.args for one in place.jobs().claim({"q": 1})] == [{"n": 2}]


def test_work_in_the_foreground_is_held_until_its_process_dies(place: Place) -> None:
    with place.store.transaction() as tx:
        held = place.jobs("terminal").hold(tx, "batches", "batch", {}, unique="batch/1")
    assert held is not None
    assert place.jobs("worker").claim({"batches": 1}) == []
    with place.store.transaction() as tx:
        assert place.jobs("second").hold(tx, "batches", "batch", {}, unique="batch/1") is None
    place.dead.add("terminal")
    assert place.jobs("worker").reclaim() == 1
    assert [job.id for job in place.jobs("worker").claim({"batches": 1})] == [held.id]


def test_work_in_the_foreground_takes_over_what_waits_under_its_key_alone(place: Place) -> None:
    place.enqueue("batches", "batch", unique="batch/1")
    place.enqueue("batches", "batch", unique="batch/2")
    other = place.jobs("worker").claim({"batches": 2})[1]
    place.jobs("worker").release([job for job in place.jobs().find() if job.id != other.id])
    with place.store.transaction() as tx:
        held = place.jobs("terminal").hold(tx, "batches", "batch", {"a": 1}, unique="batch/1")
    assert held is not None
    assert (held.name, held.queue, held.held_key, held.losses) == ("batch", "batches", "batch/1", 0)
    assert [job.id for job in place.jobs().find(state="running")] == sorted([held.id, other.id])


def test_work_in_the_foreground_is_taken_over_from_a_dead_process_at_once(place: Place) -> None:
    for name in ("doomed", "second"):
        with place.store.transaction() as tx:
            held = place.jobs(name).hold(tx, "batches", "batch", {}, unique="batch/1")
        place.dead.add("doomed")
    assert held is not None
    assert (held.name, held.losses, str(held.owner).partition("#")[0]) == ("batch", 1, "second")


def test_jobs_are_found_by_queue_and_state_oldest_first(place: Place) -> None:
    for queue in ("a", "b", "a", "a"):
        place.enqueue(queue)
    (held,) = place.jobs().claim({"a": 1})
    found = place.jobs().find(queue="a")
    assert [job.queue for job in found] == ["a"] * 3
    assert [job.id for job in found] == sorted(job.id for job in found)
    assert place.jobs().find(state="running", queue="a") == [held]
    assert place.jobs().find(queue="a", limit=2) == found[:2]


def test_a_queue_is_emptied_of_what_nobody_holds(place: Place) -> None:
    for queue in ("a", "a", "b"):
        place.enqueue(queue)
    (held,) = place.jobs().claim({"a": 1})
    with place.store.transaction() as tx:
        assert place.jobs().clear(tx, "a") == 1
    assert [job.queue for job in place.jobs().find()] == ["a", "b"]
    assert place.jobs().find(queue="a") == [held]


def test_counts_name_every_queue_and_state(place: Place) -> None:
    for queue in ("a", "a", "b"):
        place.enqueue(queue)
    place.jobs().claim({"a": 1})
    assert place.jobs().count() == {
        "a": {"ready": 1, "running": 1, "failed": 0},
        "b": {"ready": 1, "running": 0, "failed": 0},
    }


# -- schedules ---------------------------------------------------------------------------------

HOURLY = Schedule("hourly", "q", "work", 3600.0, {"n": 1})


def test_a_schedule_starts_at_once_and_then_every_so_often(place: Place) -> None:
    place.jobs().declare([HOURLY])
    assert place.jobs().start_due() == ["hourly"]
    assert place.jobs().start_due() == []
    claimed = place.jobs().claim({"q": 1})
    with place.store.transaction() as tx:
        place.jobs().finish(tx, claimed)
    place.pass_time(minutes=59)
    assert place.jobs().start_due() == []
    place.pass_time(minutes=1)
    assert place.jobs("other").start_due() == ["hourly"]


def test_a_round_is_one_try_of_the_work_that_the_schedule_names(place: Place) -> None:
    place.enqueue("q", "something else")
    place.jobs().declare([HOURLY])
    place.jobs().start_due()
    (job,) = (job for job in place.jobs().find() if job.name == "work")
    assert (job.queue, job.args, job.max_attempts) == ("q", {"n": 1}, 1)
    assert job.held_key == "schedule/hourly"


def test_a_round_that_still_waits_is_not_enqueued_twice(place: Place) -> None:
    place.jobs().declare([HOURLY])
    for _ in range(3):
        place.jobs().start_due()
        place.pass_time(hours=1)
    assert len(place.jobs().find()) == 1


def test_a_schedule_survives_a_clock_that_is_set_back(place: Place) -> None:
    place.jobs().declare([HOURLY])
    place.jobs().start_due()
    place.pass_time(days=-30)
    assert place.jobs().start_due() == ["hourly"]


def test_a_process_that_is_a_moment_behind_starts_nothing_twice(place: Place) -> None:
    place.jobs().declare([HOURLY])
    started: list[str] = []

    def clock() -> datetime:
        if not started:
            place.pass_time(milliseconds=1)
            started.extend(place.jobs("quicker").start_due())
            return place.now - timedelta(milliseconds=1)
        return place.now

    slower = Jobs(place.store, clock, lambda: "slower", lambda owner: True, lambda: place.system)
    assert slower.start_due() == []
    assert started == ["hourly"]


def test_a_schedule_stated_anew_is_changed(place: Place) -> None:
    place.jobs().declare([HOURLY])
    place.jobs().declare([Schedule("hourly", "r", "look", 60.0, {})])
    (row,) = place.store.select("schedules")
    assert (row["queue"], row["job"], row["every_s"], row["args"]) == ("r", "look", 60.0, {})


# -- many processes ----------------------------------------------------------------------------


def _work(place: Path | str, start: Any, results: Any) -> None:
    with Store.open(place, clock=lambda: datetime.now(UTC)) as store:
        jobs, done = Jobs(store, lambda: datetime.now(UTC), name_process, is_alive), []
        jobs.declare([HOURLY])
        start.wait()
        started = jobs.start_due()
        while claimed := jobs.claim({"numbers": 7}):
            with store.transaction() as tx:
                jobs.finish(tx, claimed)
            done += [int(job.args["n"]) for job in claimed]
        results.put((done, started))


def test_no_job_waits_for_a_clock_that_was_set_back(place: Place) -> None:
    jobs = place.jobs()
    place.enqueue(name="ready")
    place.enqueue("r", name="retried")
    (job,) = jobs.claim({"r": 1})
    with place.store.transaction() as tx:
        jobs.fail(tx, job, "no", after_s=60)
    place.pass_time(hours=-1)
    again = place.jobs()  # of a process that has never seen the clock before
    assert (again.list_due_queues(), again.notice_clock(), again.list_due_queues()) == ([], 2, ["q", "r"])


def test_a_process_that_lives_on_notices_a_clock_that_is_set_back(place: Place) -> None:
    jobs = place.jobs()
    assert jobs.notice_clock() == 0
    place.enqueue()
    place.pass_time(hours=-1)
    assert (jobs.notice_clock(), jobs.list_due_queues(), jobs.notice_clock()) == (1, ["q"], 0)


def test_a_job_for_later_is_not_hurried_by_a_look_at_the_clock(place: Place) -> None:
    place.enqueue(run_at=place.now + timedelta(hours=2))
    place.pass_time(seconds=-1)  # a process that read the clock a moment before the other wrote
    assert (place.jobs().notice_clock(), place.jobs().list_due_queues()) == (0, [])


def test_two_processes_share_a_queue_without_doing_a_job_twice(place: Place, tmp_path: Path) -> None:
    place.now = datetime.now(UTC)
    for number in range(600):
        place.enqueue("numbers", args={"n": number})
    barrier, results = SPAWN.Barrier(2), SPAWN.Queue()
    at = choose_place(tmp_path / "store.db")
    workers = [SPAWN.Process(target=_work, args=(at, barrier, results)) for _ in range(2)]
    for worker in workers:
        worker.start()
    try:
        found = [results.get(timeout=PATIENCE_S) for _ in workers]
    finally:
        for worker in workers:
            worker.join(PATIENCE_S)
            worker.kill()
    numbers = [number for done, _ in found for number in done]
    assert sorted(numbers) == list(range(600))
    assert [name for _, started in found for name in started] == ["hourly"]
