"""What goes wrong in a worker stays with the job it belongs to, is told, and is over when its cause is."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from shipcli.bootstrap import open_app
from shipcli.events import emit
from shipcli.features.admin import worker_status
from shipcli.features.core.app import App
from shipcli.features.webhooks import service as webhooks
from shipcli.features.webhooks.delivery import Deliveries
from shipcli.features.webhooks.service import create_webhook, list_webhooks
from shipcli.models import Webhook, WebhookData
from shipcli.store.errors import CommitUnknown, StoreBusy
from shipcli.store.jobs import FAILED, QueuedJob
from shipcli.worker import Worker, loop, threads
from shipcli.worker.wakeup import Wakeup
from shipcli.worker.work import WorkerTask
from tests.processes import wait_for
from tests.worker.receiver import Receiver, receiving
from tests.worker.running import enqueue, running, worker


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    opened = open_app(tmp_path / "home", sandbox=True, environ={})
    opened.sender.timeout_s = 2
    yield opened
    opened.close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as one:
        yield one


def subscribe(app: App, url: str) -> Webhook:
    return create_webhook(app, WebhookData(url=url, enabled_events=["all"]))


def happen(app: App) -> str:
    with app.store.transaction() as tx:
        return emit(tx, app, "tracker_updated", {"id": "trk_1"})


def damage_secret(app: App, webhook: Webhook) -> None:
    with app.store.transaction() as tx:
        tx.update("secrets", {"id": webhook.id}, {"sealed": b"damaged"})


def errors(app: App, webhook: Webhook) -> list[str]:
    return [str(row["error"]) for row in webhooks.list_deliveries(app, webhook.id)]


# -- a job fails alone -------------------------------------------------------------------------


def test_a_secret_that_can_not_be_opened_stops_no_other_webhook(app: App, receiver: Receiver) -> None:
    bad, good = subscribe(app, receiver.url("/bad")), subscribe(app, receiver.url("/good"))
    damage_secret(app, bad)
    happen(app)
    Worker(app, queues=["webhooks"], periodic=[]).run_once()
    assert (len(receiver.at("/good")), receiver.at("/bad")) == (1, [])
    assert "can't be opened" in errors(app, bad)[0]
    assert errors(app, good) == ["None"]


def test_webhooks_are_listed_beside_one_whose_secret_can_not_be_opened(app: App) -> None:
    bad, good = subscribe(app, "http://127.0.0.1:9/"), subscribe(app, "http://127.0.0.1:9/")
    damage_secret(app, bad)
    _, found = list_webhooks(app)
    assert {one.id: one.secret for one in found} == {bad.id: "", good.id: good.secret}


def test_messages_wait_while_the_master_key_is_away(app: App, tmp_path: Path, receiver: Receiver) -> None:
    hook = subscribe(app, receiver.url())
    happen(app)
    key = app.home / "master.key"
    key.rename(tmp_path / "away")
    for back in (False, True):
        if back:
            (tmp_path / "away").rename(key)
            app.jobs.retry([job.id for job in app.jobs.find()])
        opened = open_app(tmp_path / "home", sandbox=True, environ={})
        Worker(opened, queues=["webhooks"], periodic=[]).run_once()
        opened.close()
        assert len(receiver.received) == back
    assert errors(app, hook)[0] == "None"


def test_a_job_that_can_not_be_begun_fails_alone(
    app: App, receiver: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    enqueue(app, "deliver", queue="webhooks/a")  # says neither to whom nor what
    subscribe(app, receiver.url())
    happen(app)
    with caplog.at_level(logging.CRITICAL, "shipcli.worker"):
        Worker(app, queues=["webhooks"], periodic=[]).run_once()
    assert len(receiver.received) == 1
    (left,) = app.jobs.find()
    assert (left.queue, left.state) == ("webhooks/a", FAILED)
    assert str(left.error).startswith("KeyError: 'webhook_id' (trace ")


@pytest.mark.parametrize("error", [StoreBusy("the store is away"), CommitUnknown("here")])
def test_a_job_whose_store_was_away_is_begun_anew_and_has_not_failed(
    app: App, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    monkeypatch.setattr(threads, "PAUSE_S", 0)
    tries: list[tuple[int, int]] = []

    def work(task: WorkerTask) -> None:
        tries.append((task.job.attempts, task.job.losses))
        if len(tries) == 1:
            raise error

    enqueue(app, "work")
    with caplog.at_level(logging.CRITICAL, "shipcli.worker"):
        worker(app, work=work).run_once()
    assert tries == [(0, 0), (0, 0)]
    assert app.jobs.find() == []


def test_no_job_stays_claimed_that_could_not_start_because_the_store_was_away(
    app: App, monkeypatch: pytest.MonkeyPatch, receiver: Receiver
) -> None:
    subscribe(app, receiver.url())
    for _ in range(3):
        happen(app)
    starts = iter([False, True])

    def start(deliveries: Deliveries, job: QueuedJob) -> None:
        if next(starts, False):
            raise StoreBusy("the store is away")
        begin(deliveries, job)

    begin = Deliveries.start
    monkeypatch.setattr(Deliveries, "start", start)
    turns = Worker(app, queues=["webhooks"], periodic=[])
    with pytest.raises(StoreBusy):
        turns.run_once()
    assert sorted(job.state for job in app.jobs.find()) == ["ready", "ready", "running"]
    turns.run_once()
    assert (len(receiver.received), app.jobs.find()) == (3, [])


def test_a_stored_target_that_is_no_address_ends_the_delivery(app: App) -> None:
    hook = subscribe(app, "http://127.0.0.1:9/")
    with app.store.transaction() as tx:
        webhooks.write(tx, hook.model_copy(update={"url": "http://xn--.localhost/"}))
    happen(app)
    Worker(app, queues=["webhooks"], periodic=[]).run_once()
    assert "A-label" in errors(app, hook)[0]
    assert [job.attempts for job in app.jobs.find()] == [1]


@pytest.mark.parametrize("host", ["xn--", "a..b", "-", "%00", "a" * 64 + ".com", "[::1", "a b"])
def test_a_target_whose_host_is_no_name_is_refused(host: str) -> None:
    with pytest.raises(ValueError, match="must be a web address"):
        WebhookData(url=f"http://{host}/", enabled_events=["all"])


@pytest.mark.parametrize(
    "host", ["xn--bcher-kva.example", "bücher.example", "a_b.internal", "[::1]:80", "x."]
)
def test_a_target_whose_host_may_be_one_is_taken(host: str) -> None:
    assert WebhookData(url=f"http://{host}/", enabled_events=["all"]).url == f"http://{host}/"


# -- the loop goes on --------------------------------------------------------------------------


def test_a_worker_that_meets_any_error_says_so_and_goes_on(
    app: App, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(loop, "ERROR_PAUSE_S", 0.02)
    done: list[int] = []
    enqueue(app, "work")
    (job,) = app.jobs.find()
    damaged(app, job.id, b"{")
    with (
        caplog.at_level(logging.ERROR, "shipcli.worker"),
        running(worker(app, work=lambda task: done.append(1))),
    ):
        wait_for(lambda: caplog.records)
        assert done == []
        damaged(app, job.id, b"{}")
        wait_for(lambda: done)
    assert caplog.records[0].exc_info
    assert "goes on" in caplog.records[0].getMessage()
    caplog.clear()


def damaged(app: App, job_id: str, args: bytes) -> None:
    """What stands in the store, whatever it means."""
    with app.store._pool.transaction() as session:
        session.run("update jobs set args = ? where id = ?", (args.decode(), job_id))


# -- seen from outside -------------------------------------------------------------------------


def test_a_worker_that_finishes_no_turn_is_late(app: App) -> None:
    assert worker_status.read_heartbeat(app) == "not running"
    with running(worker(app)):
        wait_for(lambda: worker_status.read_heartbeat(app) == "working")
        wait_for(lambda: read_when_silent(app) == ("late", "late", True))
    assert worker_status.read_heartbeat(app) == "not running"


def read_when_silent(app: App) -> tuple[str, str, bool]:
    """What is said of a worker that was last seen too long ago, unless it was seen again in between."""
    with app.store.transaction() as tx:
        (row,) = tx.select("workers")
        tx.update("workers", {"id": row["id"]}, {"seen_at": row["seen_at"] - worker_status.LATE_AFTER_S - 1})
    (seen,) = worker_status.list_workers(app)
    is_silent = seen["silent_seconds"] > worker_status.LATE_AFTER_S
    return worker_status.read_heartbeat(app), seen["state"], is_silent


# -- signals -----------------------------------------------------------------------------------


def test_a_handler_may_ring_while_the_same_thread_listens() -> None:
    wakeup, rung = Wakeup(), [0]

    def ring(number: int, frame: object) -> None:
        rung[0] += 1
        wakeup.set()

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
    try:
        while rung[0] < 1000:
            wakeup.wait(0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        wakeup.close()


def test_a_bell_that_rang_before_is_heard_and_heard_once() -> None:
    wakeup = Wakeup()
    for _ in range(3):
        wakeup.set()
    wakeup.wait(60)
    threading.Timer(0.05, wakeup.set).start()
    wakeup.wait(60)
    wakeup.close()
    wakeup.set()  # nobody waits any more
