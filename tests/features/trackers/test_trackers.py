"""Trackers: added, refreshed, merged, and what they mean for shipments."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from shipcli.features.connections import service as connections
from shipcli.features.core.app import App
from shipcli.features.shipments import service as shipments
from shipcli.features.trackers import service as trackers
from shipcli.features.trackers import status_rules
from shipcli.models import (
    Invalid,
    NoConnection,
    NotFound,
    Refused,
    Tracker,
    TrackerUpdateData,
    TrackingData,
    TrackingEvent,
    TrackingInfo,
)
from shipcli.models.basics.enums import TRACKER_STATUSES
from tests.factories import draft
from tests.features.conftest import Clock
from tests.features.trackers.samples import DELIVERED, HAPPY, event, found

PIXEL = base64.b64encode(b"\x89PNG\r\n\x1a\n picture").decode()


def added(app: App, number: str = HAPPY, carrier: str = "usps", **options: Any) -> Tracker:
    fields = {"tracking_number": number, "carrier_name": carrier, **options.pop("fields", {})}
    return trackers.add_tracker(app, TrackingData.model_validate(fields), **options)


def bought(app: App) -> Any:
    return shipments.create_shipment(app, draft(service="ups_ground", carrier_ids=["ups"]))


def events_of(app: App, object_id: str) -> list[str]:
    return [row["type"] for row in app.store.select("events", {"object_id": object_id}, "seq")]


# -- added -------------------------------------------------------------------------------------


def test_a_new_tracker_knows_what_the_carrier_knows(app: App) -> None:
    tracker = added(app, DELIVERED)
    assert tracker.id.startswith("trk_")
    assert (tracker.status, tracker.delivered, tracker.test_mode) == ("delivered", True, True)
    assert tracker.events
    assert events_of(app, tracker.id) == ["tracker_created"]
    assert trackers.get_tracker(app, DELIVERED) == trackers.get_tracker(app, tracker.id) == tracker


def test_all_info_keys_are_shown(app: App) -> None:
    info = added(app).model_dump()["info"]
    assert len(info) == 19
    assert info["source"] == "api"
    assert info["customer_name"] is None


def test_the_carriers_own_page_is_linked(app: App) -> None:
    link = added(app, carrier="ups").info
    assert link
    assert HAPPY in str(link.carrier_tracking_link)


def test_the_callers_info_wins_now_and_later(timed: App, clock: Clock) -> None:
    own = {"info": {"customer_name": "Ana", "expected_delivery": "2031-01-01"}}
    added(timed, fields=own)
    clock.advance(days=2)
    again = added(timed)
    assert again.info
    assert (again.info.customer_name, again.info.expected_delivery) == ("Ana", "2031-01-01")
    after = status_rules.merge_tracking(again, found(info={"customer_name": "Bob", "signed_by": "Bob"}))
    assert after.info
    assert (after.info.customer_name, after.info.signed_by) == ("Ana", "Bob")


def test_a_known_number_is_returned_and_what_is_said_besides_ignored(timed: App) -> None:
    first = added(timed)
    second = added(timed, fields={"metadata": {"x": 1}, "info": {"note": "no"}})
    assert second == first
    assert timed.store.count("tracker") == 1


def test_a_known_number_is_refreshed_when_a_minute_old(timed: App, clock: Clock) -> None:
    shipment = bought(timed)
    clock.advance(hours=60)
    tracker = added(timed, shipment.tracking_number, "ups")
    assert (tracker.id, tracker.status) == (shipment.tracker_id, "out_for_delivery")
    assert events_of(timed, tracker.id) == ["tracker_created", "tracker_updated"]


def test_a_known_number_without_news_makes_no_event(timed: App, clock: Clock) -> None:
    first = added(timed)
    for _ in range(2):
        clock.advance(minutes=5)
        assert added(timed) == first
    assert len(timed.store.select("traces", {"object_id": first.id, "verb": "track"})) == 2
    assert events_of(timed, first.id) == ["tracker_created"]


def test_a_delivered_number_is_not_asked_again(timed: App, clock: Clock) -> None:
    first = added(timed, DELIVERED)
    calls = len(timed.store.select("traces", {"verb": "track"}))
    clock.advance(days=3)
    assert added(timed, DELIVERED) == first
    assert len(timed.store.select("traces", {"verb": "track"})) == calls


def test_a_number_the_carrier_does_not_know_is_not_found(app: App) -> None:
    with pytest.raises(Refused) as caught:
        added(app, "9200000000000000000000")
    assert caught.value.status == 404
    assert caught.value.messages
    assert app.store.count("tracker") == 0


def test_a_number_may_wait_for_its_pickup(timed: App, clock: Clock) -> None:
    tracker = added(timed, "9200000000000000000000", pending_pickup=True)
    assert (tracker.status, [one.code for one in tracker.events]) == ("pending", ["UNKNOWN"])
    assert tracker.messages
    clock.advance(minutes=2)
    assert trackers.refresh(timed, [tracker]) == [tracker]
    scanned = found(tracker.tracking_number, events=[event()])
    assert trackers.save(timed, tracker, scanned).messages == []


@pytest.mark.parametrize("slug", ["uspss", "", "nobody"])
def test_an_unknown_carrier_is_refused(app: App, slug: str) -> None:
    with pytest.raises(Invalid):
        added(app, carrier=slug)


def test_without_a_connection_nothing_can_be_tracked(app: App) -> None:
    for row in app.store.select("connections", {"carrier_name": "usps", "test_mode": True}):
        connections.remove_connection(app, row["id"])
    with pytest.raises(NoConnection):
        added(app)


def test_a_carrier_that_tells_nothing_of_its_parcels_is_named_as_such(app: App) -> None:
    data = TrackingData(tracking_number="01600000000001", carrier_name="dpd_meta")
    with pytest.raises(NoConnection) as failed:
        trackers.add_tracker(app, data)
    told = "DPD Global does not tell where its parcels are through shipcli"
    assert failed.value.details == {"dpd_meta": told}


def test_the_modes_have_trackers_of_their_own(app: App) -> None:
    test, live = added(app), added(app.in_mode(False))
    assert test.id != live.id
    with pytest.raises(NotFound):
        trackers.get_tracker(app, live.id)


# -- merged ------------------------------------------------------------------------------------


def blank(**fields: Any) -> Tracker:
    return Tracker(id="trk_1", carrier_name="usps", carrier_id="usps", tracking_number=HAPPY, **fields)


def test_events_are_newest_first_by_their_parsed_time_without_duplicates() -> None:
    known = [event(time="16:06"), event(time="10:00 AM")]
    merged = status_rules.merge_events(
        [event(time="10:00"), event(time="9:30 pm"), event(day="2031-05-08")], known
    )
    assert [(one.date, one.time) for one in merged] == [
        ("2031-05-08", "10:00"), ("2031-05-07", "21:30"), ("2031-05-07", "16:06"), ("2031-05-07", "10:00"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "clock"),
    [("10:00 AM", "10:00"), ("12:05 am", "00:05"), ("12:05 PM", "12:05"), ("3:07PM", "15:07"),
     ("15:07:59", "15:07"), ("14:30 PM", "14:30"), ("noon", "noon")],
)  # fmt: skip
def test_times_are_written_one_way(text: str, clock: str) -> None:
    assert status_rules.convert_clock_time(text) == clock


def test_an_event_keeps_the_carriers_own_words() -> None:
    odd = event(code="UNKNOWN", description="<b>Scan</b>", location="x")
    (first, *_) = status_rules.merge_events([odd, event(day="2031-05-01")], [])
    assert first == odd


def test_the_first_scan_takes_the_place_of_the_waiting() -> None:
    from datetime import UTC, datetime

    waiting = status_rules.make_waiting_event(datetime(2031, 5, 7, tzinfo=UTC))
    assert status_rules.merge_events([event()], [waiting]) == [event()]
    assert status_rules.merge_events([], [waiting]) == [waiting]


def test_events_of_an_earlier_answer_stay_when_a_later_one_is_shorter() -> None:
    tracker = status_rules.merge_tracking(
        blank(), found(events=[event(), event(day="2031-05-06")], status="in_transit")
    )
    again = status_rules.merge_tracking(tracker, found(events=[event()], status="in_transit"))
    assert again.events == tracker.events


@pytest.mark.parametrize(
    ("said", "status", "kept"),
    [("on_hold", "on_hold", None), ("bogus", "in_transit", None), (None, "in_transit", None),
     ("return_to_sender", "delivery_failed", "return_to_sender"), ("cancelled", "unknown", "cancelled")],
)  # fmt: skip
def test_a_status_is_one_of_the_nine(said: str | None, status: str, kept: str | None) -> None:
    after = status_rules.merge_tracking(blank(), found(events=[event()], status=said))
    assert after.status == status
    assert (after.meta or {}).get("carrier_status") == kept
    assert status in TRACKER_STATUSES


def test_the_carriers_odd_status_goes_when_the_next_one_is_usual() -> None:
    odd = status_rules.merge_tracking(blank(), found(events=[event()], status="cancelled"))
    assert "carrier_status" not in (
        status_rules.merge_tracking(odd, found(events=[event()], status="in_transit")).meta or {}
    )


@pytest.mark.parametrize("events", [[], [event(code="CREATED")]])
def test_without_a_scan_it_is_pending(events: list[TrackingEvent]) -> None:
    assert status_rules.merge_tracking(blank(), found(events=events, status="in_transit")).status == "pending"


def test_the_delivered_flag_decides() -> None:
    after = status_rules.merge_tracking(blank(), found(events=[event()], status="in_transit", delivered=True))
    assert (after.status, after.delivered) == ("delivered", True)


# -- refreshed ---------------------------------------------------------------------------------


def test_an_unchanged_tracker_is_not_written(timed: App, clock: Clock) -> None:
    tracker = added(timed)
    before = timed.store.select("trackers", {"id": tracker.id})[0]["updated_at"]
    clock.advance(minutes=5)
    assert trackers.refresh(timed, [tracker]) == [tracker]
    assert timed.store.select("trackers", {"id": tracker.id})[0]["updated_at"] == before
    assert events_of(timed, tracker.id) == ["tracker_created"]


def test_trackers_come_back_in_the_order_they_were_given(app: App) -> None:
    first, second = added(app, HAPPY, "ups"), added(app, DELIVERED)
    third = added(app, "SC0100000009", "ups")
    order = [first, second, third]
    assert [one.id for one in trackers.refresh(app, order)] == [one.id for one in order]


def test_a_carriers_failure_leaves_its_trackers(app: App) -> None:
    tracker = added(app)
    row = app.store.select("connections", {"carrier_name": "usps", "test_mode": True})[0]
    connections.remove_connection(app, row["id"])
    assert trackers.refresh(app, [tracker]) == [tracker]


def test_a_tracker_removed_while_the_carrier_was_asked_does_not_come_back(app: App) -> None:
    tracker = added(app)
    trackers.remove_tracker(app, tracker.id)
    trackers.save(app, tracker, found(events=[event()], status="delivered"))
    assert app.store.count("tracker") == 0


def test_what_was_edited_while_the_carrier_was_asked_stays(app: App) -> None:
    tracker = added(app)
    trackers.update_tracker(app, tracker.id, TrackerUpdateData(metadata={"a": 1}))
    trackers.save(app, tracker, found(events=[event()], status="delivered"))
    again = trackers.get_tracker(app, tracker.id)
    assert (again.metadata, again.status) == ({"a": 1}, "delivered")


def test_proofs_of_delivery_are_kept_as_files(app: App) -> None:
    tracker = added(app)
    images = {"delivery_image": PIXEL, "signature_image": "not base64!"}
    after = trackers.save(app, tracker, found(events=[event()], delivered=True, images=images))
    assert after.delivery_image_url == f"/v1/trackers/{tracker.id}/delivery_image"
    kept = app.store.file(tracker.id, "delivery_image")
    assert kept
    assert kept["content"].startswith(b"\x89PNG")
    assert app.store.file(tracker.id, "signature_image") is None
    assert after.signature_image_url is None


@pytest.mark.parametrize(
    ("start", "format", "media"),
    [
        (b"\xff\xd8\xff\xe0", "JPG", "image/jpeg"), (b"GIF89a", "GIF", "image/gif"),
        (b"%PDF-1.4", "PDF", "application/pdf"), (b"II*\0", "BIN", "application/octet-stream"),
    ],
)  # fmt: skip
def test_a_proof_of_delivery_keeps_its_own_format(app: App, start: bytes, format: str, media: str) -> None:
    tracker = added(app)
    images = {"signature_image": base64.b64encode(start + b" and so on").decode()}
    trackers.save(app, tracker, found(events=[event()], delivered=True, images=images))
    kept = app.store.file(tracker.id, "signature_image")
    assert kept
    assert (kept["format"], kept["media_type"]) == (format, media)


# -- shipments ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "status", "name"),
    [
        ("delivered", "delivered", None), ("in_transit", "in_transit", "shipment_fulfilled"),
        ("out_for_delivery", "out_for_delivery", "shipment_out_for_delivery"),
        ("delivery_failed", "delivery_failed", "shipment_delivery_failed"),
        ("on_hold", "needs_attention", "shipment_needs_attention"),
        ("delivery_delayed", "needs_attention", "shipment_needs_attention"),
        ("ready_for_pickup", "in_transit", "shipment_fulfilled"), ("unknown", "purchased", None),
        ("pending", "purchased", None),
    ],
)  # fmt: skip
def test_a_status_is_carried_on_to_the_shipment(app: App, said: str, status: str, name: str | None) -> None:
    shipment = bought(app)
    tracker = trackers.get_tracker(app, shipment.tracker_id)
    trackers.save(
        app, tracker, found(tracker.tracking_number, events=[event(), event("2031-05-06")], status=said)
    )
    assert shipments.get_shipment(app, shipment.id).status == status
    assert events_of(app, shipment.id) == ["shipment_purchased", *([name] if name else [])]


def test_a_purchase_makes_a_tracker_that_knows_the_shipment(app: App) -> None:
    shipment = bought(app)
    tracker = trackers.get_tracker(app, shipment.tracker_id)
    assert tracker.info
    info = tracker.info
    assert (tracker.status, [one.code for one in tracker.events]) == ("pending", ["CREATED"])
    assert (info.customer_name, info.shipment_service) == ("Ana Ruiz", "UPS GROUND")
    assert (info.shipment_package_count, info.shipment_destination_country) == ("1", "US")
    assert tracker.tracking_number in str(info.carrier_tracking_link)


def test_a_carrier_that_does_not_track_makes_no_tracker(app: App) -> None:
    made = shipments.create_shipment(app, draft(service="standard_service", carrier_ids=["generic"]))
    assert made.tracker_id is None


def test_a_removed_tracker_is_unlinked(app: App) -> None:
    shipment = bought(app)
    trackers.remove_tracker(app, shipment.tracker_id)
    assert shipments.get_shipment(app, shipment.id).tracker_id is None
    with pytest.raises(NotFound):
        trackers.get_tracker(app, shipment.tracker_id)


# -- changed -----------------------------------------------------------------------------------


def test_info_and_metadata_are_merged_and_null_removes(app: App) -> None:
    tracker = added(app, fields={"metadata": {"a": 1, "b": 2}, "info": {"note": "x"}})
    change = TrackerUpdateData.model_validate(
        {"metadata": {"a": None, "c": 3}, "info": {"note": None, "order_id": "7"}, "status": "delivered"}
    )
    changed = trackers.update_tracker(app, HAPPY, change)
    assert changed.metadata == {"b": 2, "c": 3}
    assert changed.info
    assert (changed.info.note, changed.info.order_id) == (None, "7")
    assert changed.status == tracker.status
    assert changed.info.carrier_tracking_link == (tracker.info or TrackingInfo()).carrier_tracking_link


def test_a_change_of_nothing_known_is_not_found(app: App) -> None:
    with pytest.raises(NotFound):
        trackers.update_tracker(app, "trk_no", TrackerUpdateData())


def test_the_newest_tracker_of_a_number_is_meant(app: App) -> None:
    first = added(app)
    copy = first.model_copy(update={"id": app.new_id("trk_")})
    with app.store.transaction() as tx:
        tx.put("tracker", copy.model_dump(), test_mode=True)
    assert trackers.get_tracker(app, HAPPY).id == copy.id
