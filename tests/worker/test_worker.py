"""The loop: jobs done by name, failures kept, periodic work, a clean end."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from shipcli.bootstrap import open_app
from shipcli.events import emit
from shipcli.features.admin import worker_status
from shipcli.features.core.app import App
from shipcli.features.webhooks.service import create_webhook
from shipcli.models import WebhookData
from shipcli.store.jobs import Schedule
from shipcli.worker import Worker, WorkerTask
from shipcli.worker.threads import Threads
from tests.processes import PATIENCE_S, started, wait_for
from tests.worker.receiver import receiving
from tests.worker.running import enqueue, running, worker


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    opened = open_app(tmp_path / "home", sandbox=True, environ={})
    yield opened
    opened.close()


def test_a_job_is_done_by_the_handler_of_its_name(app: App) -> None:
    done: list[Any] = []
    enqueue(app, "greet", whom="you")
    worker(app, greet=lambda task: done.append(task.args["whom"])).run_once()
    assert (done, app.jobs.find()) == (["you"], [])


def test_a_job_is_done_in_the_mode_it_names(app: App) -> None:
    modes: list[bool] = []
    for mode in (True, False):
        enqueue(app, "look", test_mode=mode)
    worker(app, look=lambda task: modes.append(task.app.test_mode)).run_once()
    assert sorted(modes) == [False, True]


def test_a_failing_job_ends_as_failed_with_its_error_and_a_trace(
    app: App, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(task: WorkerTask) -> None:
        raise ValueError("no luck")

    enqueue(app, "fail")
    enqueue(app, "fine")
    with caplog.at_level(logging.CRITICAL, "shipcli.worker"):
        worker(app, fail=fail, fine=lambda task: None).run_once()
    (job,) = app.jobs.find()
    assert job.state == "failed"
    assert str(job.error).startswith("ValueError: no luck (trace ")


def test_a_job_nobody_knows_ends_as_failed(app: App, caplog: pytest.LogCaptureFixture) -> None:
    enqueue(app, "mystery")
    with caplog.at_level(logging.CRITICAL, "shipcli.worker"):
        worker(app).run_once()
    assert [job.state for job in app.jobs.find()] == ["failed"]


def test_a_handler_may_end_its_job_with_its_own_transaction(app: App) -> None:
    def result(task: WorkerTask) -> None:
        with task.app.store.transaction() as tx:
            tx.upsert("store_facts", {"name": "result", "value": 1})
            assert task.finish(tx)

    enqueue(app, "work")
    worker(app, work=result).run_once()
    assert (app.jobs.find(), len(app.store.select("store_facts", {"name": "result"}))) == ([], 1)


def test_a_worker_serves_the_queues_it_was_given(app: App) -> None:
    enqueue(app, "work", queue="mine")
    enqueue(app, "work", queue="other")
    worker(app, queues=("mine",), work=lambda task: None).run_once()
    assert [job.queue for job in app.jobs.find()] == ["other"]


def test_periodic_work_is_done(app: App) -> None:
    done: list[int] = []
    hourly = Schedule("hourly", "q", "tick", 3600.0, {})
    for _ in range(3):
        worker(app, periodic=(hourly,), tick=lambda task: done.append(1)).run_once()
    assert done == [1]


def test_a_worker_does_what_was_ready_before_the_clock_was_set_back(tmp_path: Path) -> None:
    now = [datetime.now(UTC)]
    done: list[int] = []
    with closing(open_app(tmp_path / "home", sandbox=True, environ={}, clock=lambda: now[0])) as app:
        enqueue(app, "work")
        now[0] -= timedelta(hours=1)
        worker(app, work=lambda task: done.append(1)).run_once()
    assert done == [1]


def test_a_queue_does_no_more_at_once_than_it_may(app: App) -> None:
    under_way, most, lock = [0], [0], threading.Lock()
    two = threading.Barrier(2, timeout=PATIENCE_S)

    def work(task: WorkerTask) -> None:
        with lock:
            under_way[0] += 1
            most[0] = max(most[0], under_way[0])
        two.wait()
        time.sleep(0.02)  # room for a third, were it let in
        with lock:
            under_way[0] -= 1

    for _ in range(8):
        enqueue(app, "work", queue="batches")
    worker(app, work=work).run_once()
    assert most == [2]


def test_new_work_is_found_by_a_worker_that_waits(app: App) -> None:
    done: list[int] = []
    made = worker(app, work=lambda task: done.append(1))
    with running(made):
        wait_for(lambda: worker_status.list_workers(app))
        enqueue(app, "work")
        wait_for(lambda: done)
    assert worker_status.list_workers(app) == []


def test_a_long_job_is_asked_to_end_and_given_back(app: App) -> None:
    begun = threading.Event()

    def long(task: WorkerTask) -> None:
        begun.set()
        task.stop.wait(PATIENCE_S)
        task.postpone()

    enqueue(app, "long")
    with running(worker(app, long=long)):
        assert begun.wait(PATIENCE_S)
    assert [(job.state, job.attempts) for job in app.jobs.find()] == [("ready", 0)]


def test_what_can_not_be_given_back_is_noted_before_the_worker_has_ended(app: App) -> None:
    """Such as a mail that is being sent: a store that is closed before takes no note of it."""

    def send(task: WorkerTask) -> None:
        task.stop.wait(PATIENCE_S)
        time.sleep(0.2)

    enqueue(app, "send")
    lane = Threads(app, {"send": send}, bool)
    lane.start(app.jobs.claim({"q": 1})[0])
    lane.stop()
    assert app.jobs.find() == []


def test_a_lease_is_renewed_while_the_job_is_done(app: App) -> None:
    done: list[int] = []

    def slow(task: WorkerTask) -> None:
        done.append(1)
        time.sleep(1.5 * lease_s)

    lease_s = 2  # renewed four times as often: a busy machine may be late by more than a second
    enqueue(app, "slow")
    one, other = (Worker(app, handlers={"slow": slow}, periodic=(), lease_s=lease_s) for _ in range(2))
    with running(one), running(other):
        wait_for(lambda: not app.jobs.find())
    assert done == [1]


class Counted(Worker):
    """Counts how often it looks for work."""

    looks = 0

    def tick(self) -> int:
        self.looks += 1
        return super().tick()


@pytest.mark.slow
def test_an_idle_worker_looks_for_work_about_once_a_second(app: App) -> None:
    made = Counted(app, periodic=())
    with running(made):
        wait_for(lambda: made.looks > 6)  # it looked often at first, then less and less
        before = made.looks
        time.sleep(2)
        assert made.looks - before <= 4


def test_the_status_counts_what_waits(app: App) -> None:
    create_webhook(app, WebhookData(url="http://127.0.0.1:9/", enabled_events=["all"]))
    with app.store.transaction() as tx:
        emit(tx, app, "tracker_updated", {"id": "trk_1"})
    enqueue(app, "work")
    found = worker_status.get_status(app)
    assert (found["waiting"], found["undelivered"], found["running"], found["failed"]) == (2, 1, 0, 0)


# -- as a program ------------------------------------------------------------------------------


def program(home: Path, *words: str) -> AbstractContextManager[subprocess.Popen[bytes]]:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("SHIPCLI_")}
    return started("--home", str(home), "--sandbox", "worker", *words, stderr=subprocess.PIPE, env=environ)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_worker_cleanly(app: App, tmp_path: Path, number: int) -> None:
    with program(tmp_path / "home") as process:
        wait_for(lambda: worker_status.list_workers(app))
        process.send_signal(number)
        _, said = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, b"Traceback" in said) == (0, False)
    assert app.store.select("workers") == []


@pytest.mark.slow
def test_a_stopped_worker_gives_back_what_hangs(app: App, tmp_path: Path) -> None:
    with receiving() as receiver:
        create_webhook(app, WebhookData(url=receiver.url("/hang"), enabled_events=["all"]))
        with app.store.transaction() as tx:
            for number in range(20):
                emit(tx, app, "tracker_updated", {"id": f"trk_{number}"})
        with program(tmp_path / "home", "--queues", "webhooks") as process:
            wait_for(lambda: receiver.at("/hang"))
            process.terminate()
            process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0
    left = [job for job in app.jobs.find() if job.name == "deliver"]
    assert [job.state for job in left] == ["ready"] * 20


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_killed_workers_lose_no_delivery(app: App, tmp_path: Path) -> None:
    """Twenty workers are killed at moments of chance; a delivery may arrive twice, never not at all."""
    import random

    chance = random.Random(7)
    with receiving() as receiver:
        create_webhook(app, WebhookData(url=receiver.url(), enabled_events=["all"]))
        with app.store.transaction() as tx:
            ids = [emit(tx, app, "tracker_updated", {"id": f"trk_{number}"}) for number in range(1500)]
        for _ in range(20):
            child, before = os.fork(), len(receiver.received)
            if child == 0:
                _serve(tmp_path / "home")
            wait_for(lambda before=before: len(receiver.received) > before or not app.jobs.find(limit=1))
            time.sleep(chance.uniform(0.0, 0.05))
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        assert 0 < len(receiver.ids()) < len(ids), "the kills fell before or after the work"
        Worker(app, queues=("webhooks",), periodic=()).run_once()
        arrived = receiver.ids()
    assert set(arrived) == set(ids)
    assert app.jobs.find() == []
    assert {row["event_id"] for row in app.store.select("deliveries", {"ok": True})} == set(ids)


def _serve(home: Path) -> None:
    """The life of a forked worker: opened anew, since nothing of the parent's may be used."""
    try:
        mine = open_app(home, sandbox=True, environ={})
        Worker(mine, queues=("webhooks",), periodic=()).run()
    finally:
        os._exit(0)
