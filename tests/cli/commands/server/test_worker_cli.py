"""`shipcli worker`: the work of a server without one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.trackers import service as trackers
from shipcli.features.webhooks import service as webhooks
from shipcli.models import TrackingData, WebhookData, json
from tests.cli.conftest import Cli
from tests.worker.receiver import Receiver, receiving


@pytest.fixture(scope="module")
def receiver() -> Iterator[Receiver]:
    with receiving() as one:
        yield one


def test_trackers_are_refreshed_and_webhooks_delivered_without_a_server(
    cli: Cli, home: Path, receiver: Receiver
) -> None:
    past = datetime.now(UTC) - timedelta(days=4)
    app = open_app(home, sandbox=True, environ={}, clock=lambda: past)
    hook = WebhookData.model_validate({"url": receiver.url(), "enabled_events": ["tracker_updated"]})
    webhooks.create_webhook(app, hook)
    made = trackers.add_tracker(app, TrackingData(tracking_number="SC1000000001", carrier_name="ups"))
    app.close()
    assert (made.status, receiver.received) == ("pending", [])
    for _ in range(2):  # the first round asks the carriers, what it finds is sent by the next at the latest
        assert cli("worker", "run", "--once", "--sandbox").code == 0
    assert cli("trackers", "get", made.id, "--pick", "status", "--sandbox").out == "delivered\n"
    (told,) = [json.loads(one.body) for one in receiver.received]
    assert (told["type"], told["data"]["id"], told["data"]["status"]) == (
        "tracker_updated", made.id, "delivered",
    )  # fmt: skip


def test_a_queue_that_no_worker_serves_is_named(cli: Cli) -> None:
    result = cli("worker", "run", "--once", "--queues", "mials", "--sandbox")
    assert (result.code, "did you mean mails?" in result.err) == (2, True)
    assert cli("worker", "run", "--once", "--queues", "hooks,webhooks/wh_1", "--sandbox").code == 0
