"""Batches in the worker, which may be killed at any moment: every resource is finished exactly once.

The carriers' own ledger is the witness. Workers are forked, so that many starts cost little.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.admin.worker_status import list_workers
from shipcli.features.core.app import App
from shipcli.features.files.batches import service as batches
from shipcli.features.shipments import service as shipments
from shipcli.models import BatchOperation, BatchOrderData, BatchShipmentData, Shipment
from shipcli.worker import Worker
from shipcli.worker.work import list_schedules
from tests.factories import body
from tests.features.conftest import live_labels, resolve
from tests.features.orders.samples import order_body
from tests.processes import wait_for
from tests.worker.running import running

ROWS, KILLS = 16, 15
SERVICES = {"generic": "standard_service", "usps": "usps_ground_advantage"}
QUEUES = ("batches", "purchases")


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    opened = open_app(tmp_path / "home", sandbox=True, environ={})
    yield opened
    opened.close()


def purchases(app: App, prefix: str = "SO") -> BatchOperation:
    """A batch that buys in turns from a carrier that can recover a purchase and from one that can't."""
    slugs = [("generic", "usps")[n % 2] for n in range(ROWS)]
    rows: list[dict[str, Any]] = [
        body(reference=f"{prefix}-{n}", carrier_ids=[slug], service=SERVICES[slug])
        for n, slug in enumerate(slugs)
    ]
    return batches.create_shipments(app, BatchShipmentData.model_validate({"shipments": rows}))


def bought(app: App, batch: BatchOperation) -> list[Shipment]:
    found = batches.get_batch(app, batch.id)
    return [shipments.get_shipment(app, str(one.id)) for one in found.resources]


def happened(app: App) -> Counter[tuple[str, str]]:
    """How often each event was written down for each object."""
    return Counter((event["type"], event["data"]["id"]) for event in app.store.each("event"))


# -- alive -----------------------------------------------------------------------------------------


def test_the_worker_does_batches_of_both_modes(app: App) -> None:
    data = BatchOrderData.model_validate({"orders": [order_body()]})
    places = [app, app.in_mode(False)]
    made = [batches.create_orders(place, data) for place in places]
    Worker(app, periodic=()).run_once()
    found = [batches.get_batch(place, one.id) for place, one in zip(places, made, strict=True)]
    assert [(one.status, one.test_mode) for one in found] == [("completed", True), ("completed", False)]
    assert app.jobs.find() == []


def test_two_workers_buy_nothing_twice(app: App) -> None:
    made = [purchases(app, prefix) for prefix in ("A", "B", "C")]
    one, other = (Worker(app, queues=QUEUES, periodic=()) for _ in range(2))
    with running(one), running(other):
        wait_for(lambda: all(batches.is_over(batches.get_batch(app, one.id)) for one in made))
    assert {batches.get_batch(app, one.id).status for one in made} == {"completed"}
    assert [len(numbers) for numbers in live_labels(app).values()] == [1] * (3 * ROWS)
    assert set(happened(app).values()) == {1}


def test_a_stopped_worker_gives_the_batch_back_and_the_next_goes_on(app: App) -> None:
    batch = purchases(app)
    with running(Worker(app, queues=QUEUES, periodic=())):
        wait_for(lambda: live_labels(app))
    assert [job.state for job in app.jobs.find(queue="batches")] in (["ready"], [])
    Worker(app, queues=QUEUES, periodic=()).run_once()
    assert batches.get_batch(app, batch.id).status == "completed"
    assert [len(numbers) for numbers in live_labels(app).values()] == [1] * ROWS


def test_the_worker_leaves_a_batch_alone_that_is_done_in_the_foreground(app: App) -> None:
    batch = purchases(app)
    seen: list[str] = []

    def progress(ended: int, total: int) -> None:
        if ended == 2:
            Worker(app, queues=QUEUES, periodic=()).run_once()
            seen.extend(one.status for one in batches.get_batch(app, batch.id).resources)

    assert batches.run_here(app, batch.id, progress)
    assert seen == ["completed"] * 2 + ["running"] * (ROWS - 2)
    assert batches.get_batch(app, batch.id).status == "completed"


def test_lost_batches_are_ended_by_a_schedule(app: App) -> None:
    batch = purchases(app)
    app.jobs.discard([job.id for job in app.jobs.find(queue="batches")])
    chosen = [one for one in list_schedules(app) if one.name == "end lost batches"]
    Worker(app, periodic=chosen).run_once()
    assert batches.get_batch(app, batch.id).status == "failed"
    assert live_labels(app) == {}


# -- killed ----------------------------------------------------------------------------------------


def serve(home: Path) -> None:
    """The life of a forked worker: opened anew, since nothing of the parent's may be used."""
    try:
        mine = open_app(home, sandbox=True, environ={})
        Worker(mine, queues=QUEUES, periodic=()).run()
    finally:
        os._exit(0)


def kill_one(app: App, home: Path, begun: Callable[[], object], after_s: float) -> None:
    """Start a worker and kill it so long after it has begun."""
    child = os.fork()
    if child == 0:
        serve(home)
    wait_for(begun)
    time.sleep(after_s)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_killed_workers_finish_every_resource_exactly_once(tmp_path: Path) -> None:
    chance = random.Random(20241206)
    kills = within = number = 0
    while kills < KILLS:
        home = tmp_path / f"home{number}"
        number += 1
        app = open_app(home, sandbox=True, environ={})
        try:
            batch = purchases(app)
            # The first dies while it buys; from the fourth loss on a job waits, longer each time.
            for begun in (live_labels, list_workers, list_workers):
                kill_one(app, home, partial(begun, app), chance.uniform(0.0, 0.12))
                kills += 1
                within += 0 < len(live_labels(app)) < ROWS
            Worker(app, queues=QUEUES, periodic=()).run_once()
            check(app, batch)
        finally:
            app.close()
    assert within, "the kills fell before or after the work"


def check(app: App, batch: BatchOperation) -> None:
    """Compare a batch with the carriers' ledger, resolve what needs a person, and try that again."""
    found, live = batches.get_batch(app, batch.id), live_labels(app)
    assert batches.is_over(found)
    assert all(len(numbers) == 1 for numbers in live.values()), live
    for one, shipment in zip(found.resources, bought(app, batch), strict=True):
        known = live.get(str(shipment.reference))
        if one.status == "completed":
            assert (shipment.status, [shipment.tracking_number]) == ("purchased", known)
        else:
            assert shipment.selected_rate is not None
            assert (shipment.status, shipment.selected_rate.carrier_id) == ("needs_attention", "usps")
            resolve(app, shipment.id, bought=known[0] if known else None)
    assert set(happened(app).values()) == {1}
    batches.retry_failed(app, batch.id)
    Worker(app, queues=QUEUES, periodic=()).run_once()
    assert batches.get_batch(app, batch.id).status == "completed"
    assert {one.tracking_number for one in bought(app, batch)} == {
        one[0] for one in live_labels(app).values()
    }
    assert [len(numbers) for numbers in live_labels(app).values()] == [1] * ROWS
    assert app.jobs.find(queue="batches") == []
