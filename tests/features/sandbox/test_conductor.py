"""Time that is moved forward brings about what is due on the way, in order."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from shipcli.features.core.app import App
from shipcli.features.core.locks import CONDUCTOR, hold_locks
from shipcli.features.sandbox.clock import set_speed, show_clock
from shipcli.features.sandbox.conductor import advance_clock, move_parcel
from shipcli.features.sandbox.trigger import trigger_event
from shipcli.features.trackers.service import add_tracker, get_tracker
from shipcli.features.webhooks.service import create_webhook
from shipcli.models import Conflict, Invalid, NotFound, TrackingData, WebhookData
from shipcli.models.sandbox_time import (
    ClockAdvanceData,
    ClockSpeedData,
    ParcelMoveData,
    SandboxEvent,
    TriggerData,
)
from shipcli.worker import Worker
from tests.features.sandbox.conftest import buy
from tests.worker.receiver import Receiver, receiving

ON_THE_WAY = [
    ("02", "tracker_updated", "in_transit"),
    ("02", "shipment_fulfilled", "in_transit"),
    ("24", "tracker_updated", "in_transit"),
    ("56", "tracker_updated", "out_for_delivery"),
    ("56", "shipment_out_for_delivery", "out_for_delivery"),
    ("61", "tracker_updated", "delivered"),
]  # hours after the purchase, on a Monday at nine
HOURS = {
    "2026-01-05T11:00:00": "02",
    "2026-01-06T09:00:00": "24",
    "2026-01-07T17:00:00": "56",
    "2026-01-07T22:00:00": "61",
}


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as opened:
        yield opened


def advance(app: App, by: str) -> list[SandboxEvent]:
    return advance_clock(app, ClockAdvanceData(by=by))


def tell(events: list[SandboxEvent]) -> list[tuple[str, str, str | None]]:
    return [(HOURS[event.at[:19]], event.type, event.status) for event in events]


@pytest.mark.parametrize(("carrier", "service"), [("ups", "ups_ground"), ("usps", "usps_priority_mail")])
def test_a_parcel_is_delivered_after_its_journey(app: App, carrier: str, service: str) -> None:
    shipment = buy(app, carrier, service)
    events = advance(app, "61h")
    assert tell(events) == ON_THE_WAY
    assert {event.tracking_number for event in events} == {shipment.tracking_number}
    assert get_tracker(app, str(shipment.tracker_id)).delivered


def test_webhooks_were_delivered_when_the_answer_comes(app: App, receiver: Receiver) -> None:
    create_webhook(app, WebhookData(url=receiver.url(), enabled_events=["tracker_updated"]))
    buy(app)
    events = advance(app, "61h")
    assert [event.delivered for event in events if event.type == "tracker_updated"] == [1, 1, 1, 1]
    assert len(receiver.received) == 4


def test_a_refused_webhook_is_sent_again_on_the_way(app: App, receiver: Receiver) -> None:
    create_webhook(app, WebhookData(url=receiver.url("/500"), enabled_events=["tracker_created"]))
    buy(app)
    advance(app, "30s")
    assert len(receiver.at("/500")) == 3  # at once, after 5 s and after 20 s more


def test_only_what_is_due_happens(app: App) -> None:
    buy(app)
    assert advance(app, "119m") == []
    assert tell(advance(app, "1m")) == ON_THE_WAY[:2]


def test_parcels_are_told_of_in_the_order_of_their_scans(app: App) -> None:
    first = buy(app)
    advance(app, "1h")
    second = buy(app)
    numbers = [event.tracking_number for event in advance(app, "2h") if event.type == "tracker_updated"]
    assert numbers == [first.tracking_number, second.tracking_number]


def test_what_was_missed_by_a_jump_is_told_first(app: App) -> None:
    buy(app)
    app.clock.show(app.now().replace(day=7))  # type: ignore[attr-defined]
    assert [event.status for event in advance(app, "1s") if event.type == "tracker_updated"] == ["in_transit"]


def test_parcels_of_live_mode_move_too(app: App) -> None:
    shipment = buy(app.in_mode(False))
    advance(app, "61h")
    assert get_tracker(app.in_mode(False), str(shipment.tracker_id)).delivered


def test_the_clock_runs_on_as_before(app: App) -> None:
    assert show_clock(app).state == "frozen"
    set_speed(app, ClockSpeedData(speed=60))
    advance(app, "1h")
    assert show_clock(app).speed == 60


def test_only_one_moves_the_clock(app: App) -> None:
    with hold_locks(app, [CONDUCTOR], "taken"), pytest.raises(Conflict, match="moved by someone else"):
        advance(app, "1h")


def test_other_workers_claim_nothing_meanwhile(app: App, receiver: Receiver) -> None:
    create_webhook(app, WebhookData(url=receiver.url(), enabled_events=["tracker_created"]))
    buy(app)
    with hold_locks(app, [CONDUCTOR], "taken"):
        Worker(app).run_once()
        assert receiver.received == []
    Worker(app).run_once()
    assert len(receiver.received) == 1


# -- one parcel ------------------------------------------------------------------------------------


def test_a_parcel_is_moved_to_a_status(app: App) -> None:
    shipment = buy(app)
    events = move_parcel(app, str(shipment.tracking_number), ParcelMoveData(to="out_for_delivery"))
    assert tell(events) == ON_THE_WAY[:5]
    assert move_parcel(app, shipment.id, ParcelMoveData(to="out_for_delivery")) == []


def test_a_parcel_is_moved_to_its_next_scan(app: App) -> None:
    tracker = str(buy(app).tracker_id)
    assert tell(move_parcel(app, tracker, ParcelMoveData())) == ON_THE_WAY[:2]


def test_a_number_makes_the_journey_it_stands_for(app: App) -> None:
    add_tracker(app, TrackingData(tracking_number="SC1200000001", carrier_name="ups"))
    statuses = [event.status for event in move_parcel(app, "SC1200000001", ParcelMoveData(to="delivered"))]
    assert statuses == ["in_transit", "in_transit", "out_for_delivery", "delivery_failed",
                        "out_for_delivery", "delivered"]  # fmt: skip


def test_a_parcel_goes_nowhere_that_its_journey_does_not_lead(app: App) -> None:
    tracker = str(buy(app).tracker_id)
    with pytest.raises(Conflict, match="will never become on_hold"):
        move_parcel(app, tracker, ParcelMoveData(to="on_hold"))
    with pytest.raises(Invalid, match="is not one of"):
        move_parcel(app, tracker, ParcelMoveData(to="arrived"))
    with pytest.raises(NotFound):
        move_parcel(app, "SC1000000009", ParcelMoveData())
    assert show_clock(app).now.startswith("2026-01-05T09:00")


# -- events on demand ------------------------------------------------------------------------------


def test_an_event_is_sent_on_demand(app: App, receiver: Receiver) -> None:
    create_webhook(app, WebhookData(url=receiver.url(), enabled_events=["tracker_updated"]))
    shipment = buy(app, metadata={"desk": 1})
    data = TriggerData(type="tracker_updated", status="delivery_failed", data={"metadata": {"order": 1042}})
    event = trigger_event(app, data)
    assert (event.status, event.tracking_number) == ("delivery_failed", shipment.tracking_number)
    Worker(app).run_once()
    assert b'"order":1042' in receiver.received[0].body
    assert get_tracker(app, str(shipment.tracker_id)).status == "pending", "it only looks as if"


@pytest.mark.parametrize(
    ("name", "text"), [("tracker_update", "Did you mean tracker_updated"), ("all", "There are")]
)
def test_an_event_nobody_knows_is_not_sent(app: App, name: str, text: str) -> None:
    with pytest.raises(Invalid, match=text):
        trigger_event(app, TriggerData(type=name))


def test_an_event_needs_an_object(app: App) -> None:
    with pytest.raises(Conflict, match="no order yet"):
        trigger_event(app, TriggerData(type="order_created"))
