"""The doorbell between processes: a worker that waits for long hears of a job as soon as it is committed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from select import select

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.admin import worker_status
from shipcli.features.core.app import App
from shipcli.store.ports import RingListener
from shipcli.store.store import Store
from shipcli.worker import loop
from tests.processes import wait_for
from tests.worker.running import enqueue, running, worker

pytestmark = pytest.mark.postgres_only
LISTENING = "from pg_stat_activity where query like 'listen %' and datname = current_database()"


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    opened = open_app(tmp_path / "home", sandbox=True, environ={})
    yield opened
    opened.close()


@pytest.fixture
def never(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers that do not look by themselves."""
    monkeypatch.setattr(loop, "SHORTEST_WAIT_S", 600.0)
    monkeypatch.setattr(loop, "LONGEST_WAIT_S", 600.0)


@pytest.mark.usefixtures("never")
def test_a_worker_hears_of_a_job_that_another_process_has_committed(app: App, tmp_path: Path) -> None:
    done: list[int] = []
    with (
        closing(open_app(tmp_path / "home", sandbox=True, environ={})) as other,
        running(worker(app, work=lambda task: done.append(1))),
    ):
        wait_for(lambda: worker_status.list_workers(app))
        enqueue(other, "work")
        wait_for(lambda: done)


@pytest.mark.usefixtures("never")
def test_jobs_that_follow_a_ring_at_once_are_heard_as_well(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "SHORTEST_WAIT_S", 0.01)
    done: list[int] = []
    with running(worker(app, work=lambda task: done.append(1))):
        wait_for(lambda: worker_status.list_workers(app))
        for _ in range(5):
            enqueue(app, "work")
        wait_for(lambda: len(done) == 5)


def test_a_worker_whose_listening_connection_was_cut_goes_on_and_listens_again(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "RENEWAL_S", 0.05)
    done: list[int] = []

    def listens() -> bool:
        return app.store._session().rows(f"select count(*) {LISTENING}") == [(1,)]

    with running(worker(app, work=lambda task: done.append(1))):
        wait_for(listens)
        app.store._session().rows(f"select pg_terminate_backend(pid) {LISTENING}")
        enqueue(app, "work")
        wait_for(lambda: done)
        wait_for(listens)
    wait_for(lambda: not listens())
    assert worker_status.list_workers(app) == []


def test_only_what_was_committed_rings(app: App) -> None:
    listener = app.store.listen()
    assert listener is not None
    with closing(listener):
        with pytest.raises(LookupError):
            ring_and_fail(app)
        with app.store.transaction() as tx:
            tx.upsert("store_facts", {"name": "a", "value": 1})
        assert not is_readable(listener)
        with app.store.transaction() as tx:
            tx.ring()
        wait_for(lambda: is_readable(listener))
        assert listener.hear()
        assert not is_readable(listener)


def ring_and_fail(app: App) -> None:
    with app.store.transaction() as tx:
        tx.ring()
        raise LookupError


def is_readable(listener: RingListener) -> bool:
    return bool(select([listener], [], [], 0)[0])


def test_behind_a_pooler_nobody_listens(app: App) -> None:
    schema = app.store.place.rpartition("=")[2]
    url = f"{app.store.place}&pooler=1&options=-csearch_path%3D{schema}"
    with Store.open(url, clock=app.clock) as store:
        assert store.listen() is None
        with store.transaction() as tx:
            tx.ring()
