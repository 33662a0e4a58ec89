"""Rounds over due trackers: who is asked, how often, and what stands when a carrier fails."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from shipcli.bootstrap import open_app
from shipcli.carrier import registry
from shipcli.config import Value
from shipcli.features.core.app import App
from shipcli.features.shipments import service as shipments
from shipcli.features.trackers import service as trackers
from shipcli.features.trackers.refresh import BATCH, RefreshReport, find_pause, refresh_due
from shipcli.models import Tracker, TrackingData, TrackingRequest
from shipcli.worker import Worker
from tests.factories import draft
from tests.features.shipments.purchases import Killed, killed

INTERVAL = timedelta(seconds=7200)


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 3, 2, 9, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def advance(self, span: timedelta) -> None:
        self.now += span


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def app(tmp_path: Path, clock: Clock) -> Iterator[App]:
    opened = open_app(tmp_path / "home", sandbox=True, environ={}, clock=clock)
    yield opened
    opened.close()


def watch(app: App, number: str, slug: str = "ups", **more: Any) -> Tracker:
    """A tracker that no carrier was asked about yet."""
    wanted = {"carrier_name": slug, "test_mode": app.test_mode}
    connection = app.store.select("connections", wanted)[0]["id"]
    tracker = Tracker(
        id=app.new_id("trk_"), carrier_name=slug, carrier_id=slug, tracking_number=number,
        meta={"connection_id": connection, "ext": slug}, test_mode=app.test_mode, **more,
    )  # fmt: skip
    with app.store.transaction() as tx:
        tx.put("tracker", tracker.model_dump(), test_mode=app.test_mode)
    return tracker


def updates(app: App) -> list[str]:
    rows = app.store.select("events", {"type": "tracker_updated"}, "seq")
    return [row["object_id"] for row in rows]


def now(app: App, tracker: Tracker) -> Tracker:
    return trackers.get_tracker(app.in_mode(tracker.test_mode), tracker.id)


@pytest.fixture
def asked(app: App, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The numbers carriers were asked about, in order."""
    numbers: list[str] = []
    run_all = app.driver.run_all

    def listening(jobs: Sequence[Any]) -> Any:
        numbers.extend(job.object_id for job in jobs)
        return run_all(jobs)

    monkeypatch.setattr(app.driver, "run_all", listening)
    return numbers


def test_a_tracker_is_due_after_the_interval(app: App, clock: Clock) -> None:
    tracker = watch(app, "SC0100000001")
    clock.advance(INTERVAL - timedelta(seconds=1))
    assert refresh_due(app) == RefreshReport()
    clock.advance(timedelta(seconds=1))
    assert refresh_due(app).to_dict() == {
        "asked": 1,
        "changed": 1,
        "unchanged": 0,
        "failed": 0,
        "messages": [],
    }
    assert now(app, tracker).status == "in_transit"


def test_the_interval_is_a_setting(app: App, clock: Clock) -> None:
    watch(app, "SC0100000001")
    values = {**app.config.values, "tracking_interval": Value(60, "flag")}
    quick = replace(app, config=replace(app.config, values=values))
    clock.advance(timedelta(seconds=60))
    assert refresh_due(quick).asked == 1


def test_a_delivered_tracker_is_never_asked_for(app: App, clock: Clock, asked: list[str]) -> None:
    watch(app, "SC0100000001", delivered=True, status="delivered")
    clock.advance(INTERVAL * 2)
    refresh_due(app)
    assert asked == []


def test_both_modes_are_refreshed_unless_one_is_named(app: App, clock: Clock, asked: list[str]) -> None:
    test, live = watch(app, "SC0100000001"), watch(app.in_mode(False), "SC0100000002")
    clock.advance(INTERVAL)
    refresh_due(app, modes=[False])
    assert asked == [live.id]
    refresh_due(app)
    assert asked == [live.id, test.id]


def test_news_is_one_event_and_no_news_is_none(app: App, clock: Clock) -> None:
    tracker = watch(app, "SC0100000001")
    clock.advance(INTERVAL)
    refresh_due(app)
    assert updates(app) == [tracker.id]
    before = app.store.select("trackers", {"id": tracker.id})[0]
    clock.advance(INTERVAL)
    assert refresh_due(app).unchanged == 1
    after = app.store.select("trackers", {"id": tracker.id})[0]
    assert updates(app) == [tracker.id]
    assert (after["updated_at"], after["asked_at"]) == (before["updated_at"], clock.now)


def test_an_unchanged_tracker_is_not_asked_again_within_the_interval(
    app: App, clock: Clock, asked: list[str]
) -> None:
    watch(app, "SC0100000001")
    for _ in range(2):
        clock.advance(INTERVAL)
        refresh_due(app)
    clock.advance(timedelta(minutes=5))
    refresh_due(app)
    assert len(asked) == 2


def test_a_carriers_failure_changes_nothing_and_stops_no_other(app: App, clock: Clock) -> None:
    bad, good = watch(app, "SC9100000001", "usps"), watch(app, "SC0300000001", "ups")
    stored = app.store.raw("tracker", bad.id)
    clock.advance(INTERVAL)
    report = refresh_due(app)
    assert (report.asked, report.changed, report.failed) == (2, 1, 1)
    assert report.messages
    assert app.store.raw("tracker", bad.id) == stored
    assert now(app, good).status == "delivered"


def test_a_failed_question_is_repeated_after_ten_minutes(app: App, clock: Clock, asked: list[str]) -> None:
    watch(app, "SC9100000001", "usps")
    clock.advance(INTERVAL)
    refresh_due(app)
    clock.advance(timedelta(minutes=9))
    assert refresh_due(app).asked == 0
    clock.advance(timedelta(minutes=1))
    assert refresh_due(app).asked == 1


def test_a_removed_connection_fails_its_trackers_only(app: App, clock: Clock) -> None:
    orphan, good = watch(app, "SC0100000001", "usps"), watch(app, "SC0100000002", "ups")
    with app.store.transaction() as tx:
        tx.delete("connection", str((orphan.meta or {})["connection_id"]))
    clock.advance(INTERVAL)
    report = refresh_due(app)
    assert (report.failed, report.changed) == (1, 1)
    assert now(app, good).status == "in_transit"


def test_a_broken_batch_does_not_stop_the_next(
    app: App, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(25):
        watch(app, f"SC010000{number:04d}")
    run_all, calls = app.driver.run_all, []

    def breaking(jobs: Sequence[Any]) -> Any:
        calls.append(len(jobs))
        if len(calls) == 1:
            raise ValueError("unreadable")
        return run_all(jobs)

    monkeypatch.setattr(app.driver, "run_all", breaking)
    clock.advance(INTERVAL)
    report = refresh_due(app)
    assert (calls, report.failed, report.changed) == ([10, 10, 5], 10, 15)


def test_a_carrier_that_takes_several_numbers_is_asked_in_one_call(
    app: App, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind, asked = registry.get("ups"), []
    track: Callable[..., Any] = kind.track

    def listening(self: Any, request: TrackingRequest) -> Any:
        asked.append(len(request.tracking_numbers))
        return track(self, request)

    monkeypatch.setattr(kind, "numbers_per_call", 50)
    monkeypatch.setattr(kind, "track", listening)
    watched = [watch(app, f"SC010000{number:04d}") for number in range(12)]
    clock.advance(INTERVAL)
    assert refresh_due(app).changed == 12
    assert asked == [10, 2]
    assert {now(app, one).status for one in watched} == {"in_transit"}


def test_batches_of_a_carrier_keep_a_pause(app: App, clock: Clock) -> None:
    class Stop(threading.Event):
        waited: list[float] = []

        def wait(self, timeout: float | None = None) -> bool:
            self.waited.append(timeout or 0)
            return False

    for number in range(25):
        watch(app, f"SC010000{number:04d}")
    clock.advance(INTERVAL)
    stop = Stop()
    refresh_due(app, pause_s=7, stop=stop)
    assert stop.waited == [7, 7]


def test_a_sandbox_does_not_pause_and_a_real_store_does(app: App) -> None:
    assert find_pause(app) == 0
    assert find_pause(replace(app, sandbox=False)) == 10


def test_a_round_that_is_stopped_leaves_the_rest_due(app: App, clock: Clock, asked: list[str]) -> None:
    watch(app, "SC0100000001")
    clock.advance(INTERVAL)
    stop = threading.Event()
    stop.set()
    refresh_due(app, stop=stop)
    assert asked == []
    refresh_due(app)
    assert len(asked) == 1


def test_what_was_edited_while_the_carrier_answered_is_kept(
    app: App, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    tracker, run_all = watch(app, "SC0100000001"), app.driver.run_all

    def editing(jobs: Sequence[Any]) -> Any:
        with app.store.transaction() as tx:
            tx.put("tracker", {**tracker.model_dump(), "metadata": {"note": "mine"}})
        return run_all(jobs)

    monkeypatch.setattr(app.driver, "run_all", editing)
    clock.advance(INTERVAL)
    refresh_due(app)
    found = now(app, tracker)
    assert (found.metadata, found.status) == ({"note": "mine"}, "in_transit")


def test_a_delivery_reaches_the_shipment(app: App, clock: Clock) -> None:
    bought = shipments.create_shipment(app, draft(service="ups_ground"))
    for _ in range(40):
        clock.advance(timedelta(hours=12))
        refresh_due(app)
    assert trackers.get_tracker(app, str(bought.tracker_id)).delivered
    assert shipments.get_shipment(app, bought.id).status == "delivered"


def test_a_tracker_that_waits_for_its_first_scan_gets_its_events(app: App, clock: Clock) -> None:
    data = TrackingData(tracking_number="SC9000000001", carrier_name="ups")
    made = trackers.add_tracker(app, data, pending_pickup=True)
    assert [event.code for event in made.events] == ["UNKNOWN"]
    clock.advance(timedelta(hours=3))
    refresh_due(app)
    assert "UNKNOWN" not in [event.code for event in now(app, made).events]


def test_the_last_reply_of_the_carrier_can_be_read(app: App, clock: Clock) -> None:
    tracker = watch(app, "SC0100000001")
    clock.advance(INTERVAL)
    refresh_due(app)
    (newest, *_) = app.store.select("traces", {"object_id": tracker.id, "verb": "track"}, "-started_at")
    assert "SC0100000001" in str(newest["response"])


def test_the_worker_makes_the_rounds(app: App, clock: Clock) -> None:
    tracker = watch(app, "SC0100000001")
    clock.advance(INTERVAL)
    Worker(app).run_once()
    assert now(app, tracker).status == "in_transit"


def test_two_rounds_at_once_ask_about_nothing_twice(
    app: App, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another round runs while the first waits for its carrier."""
    numbers, run_all = Counter[str](), app.driver.run_all
    for number in range(12):
        watch(app, f"SC01000000{number:02}")
    clock.advance(INTERVAL)

    def meanwhile(jobs: Sequence[Any]) -> Any:
        numbers.update(job.object_id for job in jobs)
        if len(numbers) <= BATCH:
            refresh_due(app)
        return run_all(jobs)

    monkeypatch.setattr(app.driver, "run_all", meanwhile)
    refresh_due(app)
    assert (len(numbers), set(numbers.values())) == (12, {1})


def test_what_a_round_that_died_had_taken_is_due_again_after_a_minute(
    app: App, clock: Clock, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tracker = watch(app, "SC0100000001")
    clock.advance(INTERVAL)
    with monkeypatch.context() as patch:
        patch.setattr(app.driver, "run_all", killed)
        with pytest.raises(Killed):
            refresh_due(app)
    clock.advance(timedelta(seconds=59))
    assert refresh_due(app) == RefreshReport()
    clock.advance(timedelta(seconds=1))
    assert refresh_due(app).asked == 1
    assert asked == [tracker.id]
