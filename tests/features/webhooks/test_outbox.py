"""An event is written with the change that it tells of, or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from shipcli import events
from shipcli.features.core.app import App
from shipcli.features.shipments import service as shipments
from shipcli.features.trackers import service as trackers
from shipcli.models import TrackingData
from tests.factories import draft
from tests.features.conftest import live_labels


class Broken(Exception):
    """Stands for anything that fails while an event is written."""


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise Broken

    monkeypatch.setattr(events, "emit", fail)


def bought(app: App) -> Any:
    return shipments.create_shipment(app, draft(service="standard_service", carrier_ids=["generic"]))


def names(app: App, object_id: str) -> list[str]:
    return [row["type"] for row in app.store.select("events", {"object_id": object_id}, "seq")]


def test_an_event_shows_the_object_as_it_was(app: App) -> None:
    made = bought(app)
    (row,) = app.store.select("events", {"object_id": made.id})
    event = app.store.get("event", row["id"]) or {}
    assert event["id"].startswith("evt_")
    assert (event["type"], event["test_mode"]) == ("shipment_purchased", True)
    assert event["data"] == app.store.get("shipment", made.id)


def test_a_draft_makes_no_event(app: App) -> None:
    assert names(app, shipments.create_shipment(app, draft()).id) == []


def test_every_change_of_a_shipment_has_its_event_in_order(app: App) -> None:
    made = bought(app)
    shipments.cancel_shipment(app, made.id)
    assert names(app, made.id) == ["shipment_purchased", "shipment_cancelled"]


def test_events_belong_to_the_mode_of_their_object(app: App) -> None:
    made = bought(app.in_mode(False))
    (row,) = app.store.select("events", {"object_id": made.id})
    assert row["test_mode"] is False


def test_a_purchase_whose_event_fails_is_not_stored_and_settled_later(app: App, broken: None) -> None:
    with pytest.raises(Broken):
        bought(app)
    assert app.store.count("shipment") == app.store.count("event") == 0
    assert len(live_labels(app)["SO-1"]) == 1
    assert [row["state"] for row in app.store.select("intents")] == ["open"]


def test_a_cancellation_whose_event_fails_changes_nothing(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    made = shipments.create_shipment(app, draft())

    def fail(*_: object, **__: object) -> None:
        raise Broken

    monkeypatch.setattr(events, "emit", fail)
    with pytest.raises(Broken):
        shipments.cancel_shipment(app, made.id)
    assert shipments.get_shipment(app, made.id).status == "draft"


def test_a_tracker_whose_event_fails_is_not_stored(app: App, broken: None) -> None:
    with pytest.raises(Broken):
        trackers.add_tracker(app, TrackingData(tracking_number="SC1000000001", carrier_name="usps"))
    assert app.store.count("tracker") == 0
