"""Webhooks over HTTP, and the events that reach a real receiver."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from shipcli.features.core.app import App
from shipcli.features.files.batches import service as batches
from shipcli.features.trackers import service as trackers
from shipcli.models import Tracker, json
from shipcli.worker import Worker
from tests.api.conftest import Client, body
from tests.api.operations.samples import bought
from tests.factories import ITEM, RECIPIENT
from tests.features.trackers.samples import event, found
from tests.worker.receiver import Receiver, receiving

WEBHOOKS = "/v1/webhooks"
NAMES = (
    "all", "shipment_purchased", "shipment_cancelled", "shipment_fulfilled", "shipment_out_for_delivery",
    "shipment_needs_attention", "shipment_delivery_failed", "tracker_created", "tracker_updated",
    "order_created", "order_updated", "order_fulfilled", "order_cancelled", "order_delivered",
    "batch_queued", "batch_running", "batch_completed", "batch_failed",
)  # fmt: skip
NOWHERE = "http://no-such-host.invalid/hooks"
WRONG = [
    ("url", "example.com"), ("url", "ftp://example.com/"), ("url", "http://a b/"), ("url", None),
    ("enabled_events", ["tracker"]), ("enabled_events", None), ("enabled_events", "all"),
]  # fmt: skip


@pytest.fixture(scope="module")
def shared_receiver() -> Iterator[Receiver]:
    with receiving() as one:
        yield one


@pytest.fixture
def receiver(api: Client, shared_receiver: Receiver) -> Receiver:
    """A receiver without memory; nobody is subscribed."""
    for one in api.get(WEBHOOKS).json["results"]:
        api.delete(f"{WEBHOOKS}/{one['id']}")
    shared_receiver.received.clear()
    return shared_receiver


def subscribed(api: Client, url: str = "http://127.0.0.1:9/", *names: str) -> dict[str, Any]:
    return api.made(WEBHOOKS, {"url": url, "enabled_events": list(names) or ["all"]})


def delivered(app: App, receiver: Receiver) -> list[dict[str, Any]]:
    """The bodies of what was sent since the last time, oldest event first."""
    Worker(app, queues=["webhooks"], periodic=[]).run_once()
    bodies = [json.loads(one.body) for one in receiver.received]
    receiver.received.clear()
    return sorted(bodies, key=lambda one: str(one["id"]))


def names(bodies: list[dict[str, Any]], prefix: str) -> list[str]:
    return [one["type"] for one in bodies if one["type"].startswith(prefix)]


# -- subscriptions -----------------------------------------------------------------------------


def test_a_subscription_has_a_secret_and_is_enabled(api: Client, live: Client) -> None:
    for client, mode in ((api, True), (live, False)):
        reply = client.post(WEBHOOKS, {"url": "https://example.com/hooks", "enabled_events": ["all"]})
        made = reply.json
        assert (reply.status, made["id"][:4]) == (201, "weh_")
        assert re.fullmatch(r"whsec_[0-9a-f]{32}", made["secret"])
        assert (made["disabled"], made["last_event_at"], made["test_mode"]) == (False, None, mode)


@pytest.mark.parametrize("field", ["url", "enabled_events"])
def test_address_and_events_are_needed(api: Client, field: str) -> None:
    given = {"url": "https://example.com/", "enabled_events": ["all"]}
    del given[field]
    reply = api.post(WEBHOOKS, given)
    assert (reply.status, set(reply.error["details"])) == (400, {field})


@pytest.mark.parametrize(("field", "value"), WRONG)
def test_a_wrong_address_or_event_is_refused_now_and_later(api: Client, field: str, value: Any) -> None:
    made = subscribed(api)
    given = {"url": "https://example.com/", "enabled_events": ["all"], field: value}
    for reply in (api.post(WEBHOOKS, given), api.patch(f"{WEBHOOKS}/{made['id']}", {field: value})):
        assert (reply.status, set(reply.error["details"])) == (400, {field})
    assert api.get(f"{WEBHOOKS}/{made['id']}").json == made


def test_every_event_can_be_named(api: Client) -> None:
    assert len(set(NAMES)) == 18
    assert subscribed(api, "https://example.com/", *NAMES)["enabled_events"] == list(NAMES)


def test_subscriptions_are_listed_and_read(api: Client) -> None:
    made = subscribed(api)
    page, one = api.get(WEBHOOKS), api.get(f"{WEBHOOKS}/{made['id']}")
    assert (page.status, page.json["results"][0]) == (200, made)
    assert (one.status, one.json) == (200, made)


@pytest.mark.parametrize(
    "change",
    [
        {"url": "https://example.org/"}, {"description": "shop"}, {"enabled_events": ["order_created"]},
        {"disabled": True}, {},
    ],
)  # fmt: skip
def test_a_change_keeps_what_is_not_given(api: Client, change: dict[str, Any]) -> None:
    made = subscribed(api)
    reply = api.patch(f"{WEBHOOKS}/{made['id']}", change)
    assert (reply.status, reply.json) == (200, {**made, **change})
    assert api.get(f"{WEBHOOKS}/{made['id']}").json == reply.json


def test_null_enables_a_disabled_subscription_as_it_does_a_new_one(api: Client) -> None:
    wanted = {"url": "http://127.0.0.1:9/", "enabled_events": ["all"], "disabled": None}
    made = api.made(WEBHOOKS, wanted)
    assert made["disabled"] is False
    path = f"{WEBHOOKS}/{made['id']}"
    assert api.patch(path, {"disabled": True}).json["disabled"] is True
    assert api.patch(path, {"disabled": None}).json["disabled"] is False


def test_a_removed_subscription_is_gone(api: Client) -> None:
    path = f"{WEBHOOKS}/{subscribed(api)['id']}"
    reply = api.delete(path)
    assert (reply.status, set(reply.json), reply.json["success"]) == (200, {"operation", "success"}, True)
    assert api.get(path).status == 404


@pytest.mark.parametrize(
    ("path", "success"), [("/ok", True), ("/204", True), ("/302", False), ("/404", False), ("/500", False)]
)
def test_a_trial_says_whether_it_was_taken(api: Client, receiver: Receiver, path: str, success: bool) -> None:
    made = subscribed(api, receiver.url(path))
    reply = api.post(f"{WEBHOOKS}/{made['id']}/test", {"payload": {"a": 1}})
    assert (reply.status, set(reply.json)) == (200, {"operation", "success"})
    assert reply.json["success"] is success
    assert [json.loads(one.body) for one in receiver.received] == [{"payload": {"a": 1}}]


def test_a_trial_needs_a_payload_and_somebody_there(api: Client) -> None:
    path = f"{WEBHOOKS}/{subscribed(api, NOWHERE)['id']}/test"
    assert api.post(path, {"payload": {}}).json["success"] is False
    for given in ({}, {"payload": None}):
        reply = api.post(path, given)
        assert (reply.status, set(reply.error["details"])) == (400, {"payload"})


# -- events ------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["at once", "later"])
def test_a_purchase_and_its_cancellation_are_told_as_the_api_shows_them(
    app: App, api: Client, receiver: Receiver, way: str
) -> None:
    hook = subscribed(api, receiver.url())
    made = api.made("/v1/shipments", body(service="standard_service")) if way == "at once" else bought(api)
    Worker(app, queues=["webhooks"], periodic=[]).run_once()
    (got,) = receiver.received
    assert got.headers["content-type"] == "application/json"
    assert got.headers["x-event-id"] == hook["secret"]
    told = json.loads(got.body)
    assert set(told) == {"id", "type", "event", "data", "test_mode", "pending_webhooks", "created_at"}
    assert (told["type"], told["event"], told["test_mode"], told["pending_webhooks"]) == (
        "shipment_purchased", "shipment_purchased", True, 1,
    )  # fmt: skip
    assert told["id"].startswith("evt_")
    assert datetime.fromisoformat(told["created_at"]).tzinfo
    assert told["data"] == made == api.get(f"/v1/shipments/{made['id']}").json
    receiver.received.clear()
    api.post(f"/v1/shipments/{made['id']}/cancel")
    (told,) = delivered(app, receiver)
    assert (told["type"], told["data"]) == (
        "shipment_cancelled",
        api.get(f"/v1/shipments/{made['id']}").json,
    )


def test_a_tracker_is_told_when_it_is_new_and_when_its_scans_change(
    app: App, api: Client, receiver: Receiver
) -> None:
    subscribed(api, receiver.url())
    made = api.made("/v1/trackers", {"tracking_number": "SC0100000021", "carrier_name": "usps"})
    (told,) = delivered(app, receiver)
    assert (told["type"], told["data"]) == ("tracker_created", made)
    assert set(told["data"]) >= {
        "carrier_id", "carrier_name", "delivered", "events", "id", "info", "meta", "metadata", "object_type",
        "status", "test_mode", "tracking_number",
    }  # fmt: skip
    tracker = Tracker.model_validate(made)
    known = {"status": tracker.status, "events": tracker.events}
    for info in ({"signed_by": "Ana"}, {"signed_by": "Bob"}):
        trackers.save(app, tracker, found(tracker.tracking_number, info=info, **known))
    api.put(f"/v1/trackers/{made['id']}", {"metadata": {"a": 1}})
    assert delivered(app, receiver) == []
    trackers.save(app, tracker, found(tracker.tracking_number, status="on_hold", events=tracker.events))
    (told,) = delivered(app, receiver)
    assert (told["type"], told["data"]) == (
        "tracker_updated",
        api.get(f"/v1/trackers/{made['id']}").json,
    )
    trackers.save(
        app, tracker, found(tracker.tracking_number, status="on_hold", events=[event("2031-05-09")])
    )
    assert names(delivered(app, receiver), "tracker_") == ["tracker_updated"]


def test_an_order_is_told_at_every_step(app: App, api: Client, receiver: Receiver) -> None:
    subscribed(api, receiver.url())
    given = {"shipping_to": RECIPIENT, "line_items": [ITEM]}
    order, other = (api.made("/v1/orders", {**given, "order_id": number}) for number in ("W-1", "W-2"))
    assert [one["data"] for one in delivered(app, receiver)] == [order, other]
    changed = api.put(f"/v1/orders/{order['id']}", {"metadata": {"a": 1}}).json
    cancelled = api.post(f"/v1/orders/{other['id']}/cancel").json
    shown = {one["type"]: one["data"] for one in delivered(app, receiver)}
    assert shown == {"order_updated": changed, "order_cancelled": cancelled}
    item = {**ITEM, "parent_id": order["line_items"][0]["id"]}
    sent = bought(api, parcels=[{**body()["parcels"][0], "items": [item]}], carrier_ids=["ups"])
    told = delivered(app, receiver)
    assert names(told, "order_") == ["order_fulfilled"]
    data = next(one["data"] for one in told if one["type"] == "order_fulfilled")
    assert data == api.get(f"/v1/orders/{order['id']}").json
    tracker = trackers.get_tracker(app, sent["tracker_id"])
    trackers.save(app, tracker, found(sent["tracking_number"], events=[event()], delivered=True))
    assert names(delivered(app, receiver), "order_") == ["order_delivered"]


def test_a_batch_is_told_at_every_step(app: App, api: Client, receiver: Receiver) -> None:
    subscribed(api, receiver.url(), "batch_queued", "batch_running", "batch_completed", "batch_failed")
    for service, end in (("standard_service", "batch_completed"), ("nonsense", "batch_failed")):
        batch = api.made("/v1/batches/shipments", {"shipments": [body(service=service)]})
        (queued,) = delivered(app, receiver)
        assert (queued["type"], queued["data"]) == ("batch_queued", batch)
        batches.run_here(app, batch["id"])
        running, done = delivered(app, receiver)
        assert (running["type"], running["data"]["status"]) == ("batch_running", "running")
        shown = api.get(f"/v1/batches/operations/{batch['id']}").json
        assert (done["type"], done["data"]) == (end, shown)


def test_subscribers_are_told_what_they_named(app: App, api: Client, receiver: Receiver) -> None:
    subscribed(api, receiver.url("/all"))
    subscribed(api, receiver.url("/named"), "order_created")
    subscribed(api, receiver.url("/other"), "order_cancelled", "tracker_created")
    off = subscribed(api, receiver.url("/off"))
    api.patch(f"{WEBHOOKS}/{off['id']}", {"disabled": True})
    api.made("/v1/orders", {"order_id": "N-1", "shipping_to": RECIPIENT, "line_items": [ITEM]})
    Worker(app, queues=["webhooks"], periodic=[]).run_once()
    assert sorted(one.path for one in receiver.received) == ["/all", "/named"]


def test_modes_do_not_meet(app: App, api: Client, live: Client, receiver: Receiver) -> None:
    for one in live.get(WEBHOOKS).json["results"]:
        live.delete(f"{WEBHOOKS}/{one['id']}")
    subscribed(api, receiver.url("/test"))
    subscribed(live, receiver.url("/live"))
    given = {"order_id": "M-1", "shipping_to": RECIPIENT, "line_items": [ITEM]}
    for client, path in ((api, "/test"), (live, "/live")):
        client.made("/v1/orders", given)
        Worker(app, queues=["webhooks"], periodic=[]).run_once()
        assert [one.path for one in receiver.received] == [path]
        receiver.received.clear()


def test_a_delivery_is_noted_with_its_subscription(app: App, api: Client, receiver: Receiver) -> None:
    good, bad = subscribed(api, receiver.url()), subscribed(api, receiver.url("/404"))
    api.made("/v1/orders", {"order_id": "D-9", "shipping_to": RECIPIENT, "line_items": [ITEM]})
    Worker(app, queues=["webhooks"], periodic=[]).run_once()
    moments = [api.get(f"{WEBHOOKS}/{one['id']}").json["last_event_at"] for one in (good, bad)]
    assert datetime.fromisoformat(moments[0]).tzinfo
    assert moments[1] is None
