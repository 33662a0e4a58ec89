"""Old data: removed when the settings say so, whole, and never what is not finished."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from shipcli.bootstrap import open_app
from shipcli.events import emit
from shipcli.features.admin import instance, retention
from shipcli.features.admin.request_log import LogEntry, record
from shipcli.features.admin.retention import AT_ONCE, remove_old
from shipcli.features.core.app import App
from shipcli.features.core.idempotency import claim, make_idempotency_key
from shipcli.features.core.repository import save
from shipcli.features.files.engine import ImportPlan
from shipcli.features.orders import service as orders
from shipcli.features.paper import uploads
from shipcli.features.shipments import service as shipments
from shipcli.features.trackers import service as trackers
from shipcli.features.webhooks import service as webhooks
from shipcli.models import (
    Conflict,
    DocumentUploadData,
    NotFound,
    Order,
    OrderUpdateData,
    Shipment,
    ShipmentPurchaseData,
    Tracking,
    WebhookData,
)
from shipcli.store.query import one_of
from shipcli.worker import Worker
from tests.factories import draft
from tests.features.conftest import Clock, live_labels
from tests.features.importing import import_shipments
from tests.features.orders.samples import covering, made

OBJECTS = ("order", "shipment", "tracker")
ALL = {"order_retention_days": 30, "shipment_retention_days": 30, "tracker_retention_days": 30,
       "log_retention_days": 30}  # fmt: skip


@contextmanager
def opened(home: Path, clock: Clock, **flags: int) -> Iterator[App]:
    app = open_app(home, sandbox=True, clock=clock, environ={}, flags=flags)
    yield app
    app.close()


@pytest.fixture
def kept(tmp_path: Path, clock: Clock) -> Iterator[App]:
    """A sandbox that removes everything after 30 days."""
    with opened(tmp_path / "home", clock, **ALL) as app:
        yield app


def bought(app: App, shipment: Shipment | None = None) -> Shipment:
    shipment = shipment or shipments.create_shipment(app, draft(carrier_ids=["ups"]))
    return shipments.purchase_shipment(
        app, shipment.id, ShipmentPurchaseData(selected_rate_id=shipment.rates[0].id)
    )


def delivered(app: App, shipment: Shipment) -> Shipment:
    if shipment.tracker_id is None:  # nobody tracks what the sandbox's courier carries
        document = app.store.get("shipment", shipment.id)
        assert document
        with app.store.transaction() as tx:
            save(app, tx, "shipment", {**document, "status": "delivered"}, "tracked")
    else:
        tracker = trackers.get_tracker(app, shipment.tracker_id)
        news = Tracking(tracking_number=tracker.tracking_number, carrier_id="ups", carrier_name="ups",
                        delivered=True, status="delivered")  # fmt: skip
        trackers.save(app, tracker, news)
    return shipments.get_shipment(app, shipment.id)


def counts(app: App) -> dict[str, int]:
    return {kind: app.store.count(kind) for kind in OBJECTS}


def order_delivered(app: App, **changes: Any) -> tuple[Order, Shipment]:
    order = made(app, **changes)
    shipment = delivered(app, bought(app, covering(app, order, 2, 1)))
    assert orders.get_order(app, order.id).status == "delivered"
    return order, shipment


def test_nothing_is_removed_unless_configured(timed: App, clock: Clock) -> None:
    order_delivered(timed)
    delivered(timed, bought(timed))
    before, events = counts(timed), timed.store.count("event")
    clock.advance(days=5000)
    assert remove_old(timed) == {}
    assert (counts(timed), timed.store.count("event")) == (before, events)


def test_what_is_finished_and_old_goes_with_all_that_belongs_to_it(kept: App, clock: Clock) -> None:
    order, first = order_delivered(kept, metadata={"shop": "a"})
    second = delivered(kept, bought(kept))
    assert kept.store.file(second.id, "label")
    clock.advance(days=31)
    removed = remove_old(kept)
    assert {kind: removed[f"{kind}s"] for kind in OBJECTS} == {"order": 1, "shipment": 2, "tracker": 1}
    assert counts(kept) == dict.fromkeys(OBJECTS, 0)
    gone = [order.id, first.id, second.id, str(second.tracker_id)]
    for table, column in (("members", "owner_id"), ("files", "owner_id"), ("intents", "shipment_id"),
                          ("order_shipments", "order_id"), ("order_shipments", "shipment_id")):  # fmt: skip
        assert kept.store.select(table, [one_of(column, gone)]) == []
    assert kept.store.check() == []
    assert remove_old(kept)["shipments"] == 0


def test_what_changed_lately_stays(kept: App, clock: Clock) -> None:
    order, _ = order_delivered(kept)
    clock.advance(days=29)
    orders.update_order(kept, order.id, OrderUpdateData(metadata={"note": "claim"}))
    clock.advance(days=2)
    assert remove_old(kept)["orders"] == 0
    clock.advance(days=29)
    assert remove_old(kept)["orders"] == 1


def test_what_is_not_finished_stays_however_old_it_is(kept: App, clock: Clock) -> None:
    open_order, half = made(kept, order_id="open"), made(kept, order_id="half")
    bought(kept, covering(kept, half, 1, 0))
    full = made(kept, order_id="full")
    bought(kept, covering(kept, full, 2, 1))
    shipments.create_shipment(kept, draft())
    moving = bought(kept)
    statuses = {orders.get_order(kept, one.id).status for one in (open_order, half, full)}
    assert statuses == {"unfulfilled", "partial", "fulfilled"}
    with kept.store.transaction() as tx:
        for status in ("shipped", "in_transit", "out_for_delivery", "delivery_failed", "needs_attention"):
            plain = {**moving.model_dump(), "id": f"shp_{status}", "status": status}
            tx.put("shipment", plain)
    before = counts(kept)
    clock.advance(days=5000)
    remove_old(kept)
    assert counts(kept) == before


def test_cancelled_ones_are_finished(kept: App, clock: Clock) -> None:
    shipments.cancel_shipment(kept, bought(kept).id)
    orders.cancel_order(kept, made(kept).id)
    clock.advance(days=31)
    assert remove_old(kept) | {"events": 0, "logs": 0, "traces": 0} == {
        "orders": 1, "shipments": 1, "trackers": 0, "events": 0, "logs": 0, "traces": 0, "deliveries": 0,
    }  # fmt: skip


def test_both_modes_are_looked_at(kept: App, clock: Clock) -> None:
    for mode in (True, False):
        orders.cancel_order(kept.in_mode(mode), made(kept.in_mode(mode)).id)
    clock.advance(days=31)
    assert remove_old(kept)["orders"] == 2


def test_a_shipment_stays_as_long_as_the_order_it_covers(tmp_path: Path, clock: Clock) -> None:
    with opened(tmp_path / "home", clock, shipment_retention_days=30) as app:
        order, _ = order_delivered(app)
        delivered(app, bought(app))
        clock.advance(days=31)
        assert remove_old(app) == {"shipments": 1}
        changed = orders.update_order(app, order.id, OrderUpdateData(metadata={"a": 1}))
        assert changed.status == "delivered"
        with pytest.raises(Conflict):
            orders.cancel_order(app, order.id)


def test_a_tracker_that_goes_leaves_its_shipment_no_younger(tmp_path: Path, clock: Clock) -> None:
    with opened(tmp_path / "home", clock, tracker_retention_days=30, shipment_retention_days=60) as app:
        sent = delivered(app, bought(app))
        clock.advance(days=31)
        assert remove_old(app) == {"shipments": 0, "trackers": 1}
        assert shipments.get_shipment(app, sent.id).tracker_id is None
        assert app.store.select("shipments", {"id": sent.id})[0]["has_tracker"] is False
        clock.advance(days=30)
        assert remove_old(app)["shipments"] == 1


def test_the_files_sent_to_a_carrier_go_with_their_shipment(kept: App, clock: Clock) -> None:
    sent = bought(kept)
    file = {"doc_file": "JVBERi0=", "doc_name": "invoice.pdf"}
    given = DocumentUploadData.model_validate({"shipment_id": sent.id, "document_files": [file]})
    record_id = uploads.upload(kept, given).id
    delivered(kept, sent)
    clock.advance(days=31)
    remove_old(kept)
    with pytest.raises(NotFound):
        uploads.get_upload(kept, record_id)


def test_a_row_of_a_file_is_not_bought_again_when_its_shipment_has_gone(kept: App, clock: Clock) -> None:
    from shipcli.features.sandbox.demo import read_sample

    (first, *_) = import_shipments(kept, read_sample(), ImportPlan(buy="cheapest")).rows
    labels = live_labels(kept)
    document = kept.store.get("shipment", str(first.shipment_id))
    assert document
    with kept.store.transaction() as tx:
        tx.put("shipment", {**document, "status": "delivered"})
    clock.advance(days=31)
    assert remove_old(kept)["shipments"] == 1
    again = import_shipments(kept, read_sample(), ImportPlan(buy="cheapest")).rows
    assert "was removed" in str(again[0].message)
    assert live_labels(kept) == labels


# -- logs ------------------------------------------------------------------------------------------


def logged(app: App) -> None:
    entry = LogEntry("req_1", "POST", "/v1/orders", 201, "me", True, app.now(), 1.0, b"{}", b"{}")
    record(app, [entry])


def test_logs_traces_and_events_go_by_their_own_age(kept: App, clock: Clock) -> None:
    sent = bought(kept)
    logged(kept)
    traces, events = kept.store.count_rows("traces"), kept.store.count("event")
    assert traces
    clock.advance(days=31)
    logged(kept)
    removed = remove_old(kept)
    assert (removed["logs"], removed["traces"], removed["events"]) == (1, traces, events)
    assert kept.store.count_rows("logs") == 1
    assert shipments.get_shipment(kept, sent.id).status == "purchased"
    assert kept.store.check() == []


def test_an_event_on_its_way_stays(kept: App, clock: Clock) -> None:
    given = {"url": "http://127.0.0.1:9/", "enabled_events": ["order_created"]}
    webhooks.create_webhook(kept, WebhookData.model_validate(given))
    made(kept)
    with kept.store.transaction() as tx:
        emit(tx, kept, "order_updated", {"id": "ord_1"})
    clock.advance(days=31)
    assert remove_old(kept)["events"] == 1
    assert [one["type"] for one in kept.store.each("event")] == ["order_created"]


# -- how it is done --------------------------------------------------------------------------------


def test_a_stop_ends_the_round_between_two_transactions(kept: App, clock: Clock) -> None:
    with kept.store.transaction() as tx:
        for number in range(AT_ONCE + 50):
            emit(tx, kept, "order_created", {"id": f"ord_{number}"})
    orders.cancel_order(kept, made(kept).id)
    clock.advance(days=31)
    stop = threading.Event()
    stop.set()
    assert set(remove_old(kept, stop).values()) == {0}
    assert remove_old(kept)["events"] == AT_ONCE + 52


def test_an_object_that_changes_under_way_is_looked_at_again(
    kept: App, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = made(kept)
    orders.cancel_order(kept, order.id)
    clock.advance(days=31)
    walk = retention._iterate_ids

    def changing(app: App, kind: str, where: Any) -> Iterator[list[str]]:
        for ids in walk(app, kind, where):
            if kind == "order":
                orders.update_order(app, order.id, OrderUpdateData(metadata={"a": 1}))
            yield ids

    monkeypatch.setattr(retention, "_iterate_ids", changing)
    assert remove_old(kept)["orders"] == 0


def test_the_worker_removes_once_a_day(kept: App, clock: Clock) -> None:
    orders.cancel_order(kept, made(kept, order_id="1").id)
    Worker(kept, queues=("care",)).run_once()
    assert kept.store.count("order") == 1
    clock.advance(days=31)
    Worker(kept, queues=("care",)).run_once()
    assert kept.store.count("order") == 0
    orders.cancel_order(kept, made(kept, order_id="2").id)
    with kept.store.transaction() as tx:
        (row,) = tx.select("orders", {"order_id": "2"})
        document = tx.get("order", row["id"])
        assert document
        tx.put("order", {**document, "created_at": "2001-01-01 00:00:00.000000+00:00"},
               extra={"updated_at": "2001-01-01T00:00:00+00:00"})  # fmt: skip
    clock.advance(hours=23)
    Worker(kept, queues=("care",)).run_once()
    assert kept.store.count("order") == 1
    clock.advance(hours=2)
    Worker(kept, queues=("care",)).run_once()
    assert kept.store.count("order") == 0


def test_what_has_expired_goes_without_any_setting(timed: App, clock: Clock) -> None:
    """A key of last week, and a code that nobody can log in with any more."""

    def keep(name: str, **span: float) -> None:
        until = timed.now() + timedelta(**span)
        code = {"digest": name, "family": name, "client_id": "c", "user_id": "u", "scope": "read"}
        with timed.store.transaction() as tx:
            tx.insert("oauth_codes", {**code, "created_at": timed.now(), "expires_at": until})
        assert claim(timed, make_idempotency_key(timed, name, "k1", {})) is None

    keep("old", minutes=10)
    clock.advance(days=8)
    keep("new", minutes=10)
    Worker(timed, queues=("care",)).run_once()
    assert [row["operation"] for row in timed.store.select("idempotency")] == ["new"]
    assert [row["digest"] for row in timed.store.select("oauth_codes")] == ["new"]


@pytest.mark.parametrize(("flag", "setting"), instance.RETAINED.items())
def test_the_instance_says_what_is_removed(tmp_path: Path, clock: Clock, flag: str, setting: str) -> None:
    with opened(tmp_path / "home", clock, **{setting: 183}) as app:
        said = instance.describe(app, host="http://localhost/")
        assert [name for name in instance.RETAINED if said[name]] == [flag]


@pytest.mark.parametrize(("state", "gone"), [("done", 1), ("failed", 1), ("open", 0), ("attention", 0)])
def test_a_shipment_stays_while_a_purchase_of_it_is_to_be_settled(
    kept: App, clock: Clock, state: str, gone: int
) -> None:
    sent = delivered(kept, bought(kept))
    with kept.store.transaction() as tx:
        tx.update("intents", {"shipment_id": sent.id}, {"state": state})
    clock.advance(days=31)
    assert remove_old(kept)["shipments"] == gone


def test_a_cancelled_shipment_goes_before_the_order_it_covered(tmp_path: Path, clock: Clock) -> None:
    with opened(tmp_path / "home", clock, shipment_retention_days=30) as app:
        shipments.cancel_shipment(app, bought(app, covering(app, made(app), 2, 1)).id)
        clock.advance(days=31)
        assert remove_old(app) == {"shipments": 1}


def test_the_shipment_of_a_cancelled_order_goes(tmp_path: Path, clock: Clock) -> None:
    with opened(tmp_path / "home", clock, shipment_retention_days=30) as app:
        order, sent = order_delivered(app)
        with app.store.transaction() as tx:
            stored = tx.get("order", order.id)
            assert stored
            tx.put("order", {**stored, "status": "cancelled"})
        clock.advance(days=31)
        assert remove_old(app) == {"shipments": 1}
        with pytest.raises(NotFound):
            shipments.get_shipment(app, sent.id)
