"""What an emitted event leaves behind, and what subscribers are sent of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

from shipcli.bootstrap import open_app
from shipcli.events import emit
from shipcli.events.envelope import make_headers, write_envelope
from shipcli.features.core.app import App
from shipcli.features.webhooks.service import create_webhook
from shipcli.models import WebhookData, json


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    opened = open_app(tmp_path / "home", sandbox=True, environ={})
    yield opened
    opened.close()


def subscribe(app: App, *names: str, **more: Any) -> str:
    return create_webhook(
        app,
        WebhookData(url="http://127.0.0.1:9/", enabled_events=list(names), **more),  # type: ignore[arg-type]
    ).id


def emitted(app: App, name: str) -> dict[str, Any]:
    with app.store.transaction() as tx:
        id = emit(tx, app, name, {"id": "trk_1"})
    return app.store.get("event", id) or {}


def receivers(app: App) -> list[str]:
    return [str(job.args["webhook_id"]) for job in app.jobs.find()]


def test_an_event_without_subscribers_is_kept_and_nothing_is_queued(app: App) -> None:
    assert emitted(app, "tracker_updated")["pending_webhooks"] == 0
    assert app.jobs.find() == []


def test_subscribers_of_the_name_and_of_all_are_told(app: App) -> None:
    named, every = subscribe(app, "tracker_updated"), subscribe(app, "all")
    subscribe(app, "tracker_created")
    assert emitted(app, "tracker_updated")["pending_webhooks"] == 2
    assert receivers(app) == [named, every]


def test_a_part_of_a_name_is_no_subscription(app: App) -> None:
    subscribe(app, "order_created")
    assert emitted(app, "order_create")["pending_webhooks"] == 0


def test_a_disabled_webhook_and_one_of_no_names_receive_nothing(app: App) -> None:
    subscribe(app, "all", disabled=True)
    subscribe(app)
    assert emitted(app, "tracker_updated")["pending_webhooks"] == 0


def test_modes_do_not_meet(app: App) -> None:
    test, live = subscribe(app, "all"), subscribe(app.in_mode(False), "all")
    emitted(app, "tracker_updated")
    assert receivers(app) == [test]
    emitted(app.in_mode(False), "tracker_updated")
    assert receivers(app) == [test, live]


def test_event_and_deliveries_rest_with_the_change_or_not_at_all(app: App) -> None:
    subscribe(app, "all")
    with suppress(RuntimeError), app.store.transaction() as tx:
        emit(tx, app, "tracker_updated", {"id": "trk_1"})
        raise RuntimeError
    assert (app.store.count("event"), app.jobs.find()) == (0, [])


def test_the_body_has_id_type_event_and_the_rest(app: App) -> None:
    event = emitted(app, "tracker_updated")
    body = json.loads(write_envelope(event))
    assert sorted(body) == ["created_at", "data", "event", "id", "pending_webhooks", "test_mode", "type"]
    assert (body["id"], body["type"], body["event"]) == (event["id"], "tracker_updated", "tracker_updated")
    assert (body["data"], body["test_mode"]) == ({"id": "trk_1"}, True)


SECRET = "whsec_0123456789abcdef0123456789abcdef"


def signed(body: bytes) -> dict[str, str]:
    import time

    return make_headers(SECRET, "evt_1", body, int(time.time()))


def test_the_signature_verifies_with_the_public_package() -> None:
    assert Verifier(SECRET).verify(b'{"a":1}', signed(b'{"a":1}')) == {"a": 1}


def test_a_changed_body_does_not_verify() -> None:
    with pytest.raises(WebhookVerificationError):
        Verifier(SECRET).verify(b'{"a":2}', signed(b'{"a":1}'))


def test_the_secret_stands_in_the_older_header() -> None:
    assert signed(b"{}")["X-Event-Id"] == SECRET
