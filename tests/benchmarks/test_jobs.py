"""Background work measured: jobs and refreshed trackers by CPU time, deliveries by the clock. Run by hand."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from shipcli.bootstrap import open_app
from shipcli.events import emit
from shipcli.features.core.app import App
from shipcli.features.trackers.refresh import refresh_due
from shipcli.features.webhooks.service import create_webhook
from shipcli.models import Tracker, WebhookData
from shipcli.worker import Worker
from tests.worker.receiver import receiving

JOBS, DELIVERIES, TRACKERS = 5000, 10_000, 10_000
JOBS_PER_CPU_S, DELIVERIES_PER_S, REFRESH_MS = 3000, 300, 2.0
SPAWN = multiprocessing.get_context("spawn")


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 3, 2, 9, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def app(tmp_path: Path, clock: Clock) -> Iterator[App]:
    opened = open_app(tmp_path / "home", sandbox=True, environ={}, clock=clock)
    yield opened
    opened.close()


def cpu_s(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def test_jobs_per_cpu_second(app: App) -> None:
    def enqueue() -> None:
        for number in range(JOBS):
            with app.store.transaction() as tx:
                app.jobs.enqueue(tx, "q", "work", {"n": number})

    def finish() -> None:
        while queues := app.jobs.list_due_queues():
            for job in app.jobs.claim(dict.fromkeys(queues, 10)):
                with app.store.transaction() as tx:
                    app.jobs.finish(tx, [job])

    rate = JOBS / (cpu_s(enqueue) + cpu_s(finish))
    print(f"{rate:.0f} jobs per CPU second")
    assert rate >= JOBS_PER_CPU_S


def _receive(pipe: Any) -> None:
    with receiving() as receiver:
        pipe.send(receiver.url())
        pipe.recv()
        pipe.send(len(receiver.ids()))


def test_deliveries_per_second(app: App) -> None:
    here, there = SPAWN.Pipe()
    process = SPAWN.Process(target=_receive, args=(there,))
    process.start()
    create_webhook(app, WebhookData(url=here.recv(), enabled_events=["all"]))
    with app.store.transaction() as tx:
        for number in range(DELIVERIES):
            emit(tx, app, "tracker_updated", {"id": f"trk_{number}", "events": [{"code": "IT"}] * 8})
    start, spent = time.perf_counter(), cpu_s(Worker(app, queues=["webhooks"], periodic=[]).run_once)
    rate = DELIVERIES / (time.perf_counter() - start)
    here.send("done")
    assert here.recv() == DELIVERIES
    process.join()
    print(f"{rate:.0f} deliveries per second, {DELIVERIES / spent:.0f} per CPU second")
    assert rate >= DELIVERIES_PER_S


@pytest.mark.parametrize("slug", ["ups", "usps", "canadapost"])
def test_cpu_time_of_a_refreshed_tracker(app: App, clock: Clock, slug: str) -> None:
    connection = app.store.select("connections", {"carrier_name": slug, "test_mode": True})[0]["id"]
    with app.store.transaction() as tx:
        for number in range(TRACKERS):
            tracker = Tracker(
                id=app.new_id("trk_"), carrier_name=slug, carrier_id=slug, test_mode=True,
                tracking_number=f"SC10{number:08d}", meta={"connection_id": connection, "ext": slug},
            )  # fmt: skip
            tx.put("tracker", tracker.model_dump(), test_mode=True)
    for round in ("first", "second"):
        clock.now += timedelta(hours=20)
        spent = cpu_s(lambda: refresh_due(app, modes=[True])) / TRACKERS * 1000
        print(f"{slug}, {round} round: {spent:.2f} ms CPU per tracker")
        assert spent <= REFRESH_MS
