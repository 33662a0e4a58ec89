"""Where the webhooks of a server that others reach may point to."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from shipcli.bootstrap import open_app
from shipcli.events import emit
from shipcli.features.core.app import App
from shipcli.features.core.targets import must_be_public, note_reach
from shipcli.features.webhooks import service as webhooks
from shipcli.http import HttpClient
from shipcli.models import Invalid, Webhook, WebhookData, WebhookPatch
from shipcli.public_addresses import is_public
from shipcli.worker import Worker
from tests.features.webhooks.targets import KEY, WITHIN
from tests.processes import started, wait_for
from tests.worker.receiver import Receiver, receiving


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    opened = open_app(tmp_path / "home", environ=KEY)
    opened.sender.timeout_s = 5
    yield opened
    opened.close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as one:
        yield one


def subscribe(app: App, url: str) -> Webhook:
    return webhooks.create_webhook(app, WebhookData(url=url, enabled_events=["all"]))


def deliver(app: App) -> list[str]:
    """One round of the worker; what it noted of each try."""
    with app.store.transaction() as tx:
        emit(tx, app, "tracker_updated", {"id": "trk_1"})
    Worker(app, queues=["webhooks"], periodic=[]).run_once()
    return [str(row["error"]) for row in webhooks.list_deliveries(app)]


@pytest.mark.parametrize("url", WITHIN)
def test_a_target_within_is_refused_once_others_reach_the_server(app: App, url: str) -> None:
    made = subscribe(app, url)
    note_reach(app, open_to_others=True)
    with pytest.raises(Invalid, match="webhook_targets"):
        subscribe(app, url)
    with pytest.raises(Invalid, match="webhook_targets"):
        webhooks.update_webhook(app, made.id, WebhookPatch(url=url))
    note_reach(app, open_to_others=False)
    subscribe(app, url)


def test_a_target_out_in_the_world_is_taken(app: App) -> None:
    note_reach(app, open_to_others=True)
    for url in ("https://hooks.example.com/x", "http://8.8.8.8/", "http://[2606:4700::1111]/"):
        assert subscribe(app, url).url == url


def test_nothing_is_sent_to_a_name_that_leads_within(app: App, receiver: Receiver) -> None:
    subscribe(app, f"http://localhost:{receiver.port}/ok")
    note_reach(app, open_to_others=True)
    (error,) = deliver(app)
    assert "within the network of this machine" in error
    assert receiver.received == []


def test_a_setting_allows_targets_within(tmp_path: Path, receiver: Receiver) -> None:
    environ = {**KEY, "SHIPCLI_WEBHOOK_TARGETS": "any"}
    with closing(open_app(tmp_path / "home", environ=environ)) as app:
        note_reach(app, open_to_others=True)
        subscribe(app, receiver.url())
        deliver(app)
    assert len(receiver.received) == 1


def test_the_address_that_was_checked_is_asked_and_no_other(receiver: Receiver) -> None:
    async def ask() -> int:
        client = HttpClient()
        url = f"http://hooks.example.invalid:{receiver.port}/ok"
        reply = await client.send("POST", url, {"webhook-id": "1"}, b"{}", 5, address="127.0.0.1")
        await client.aclose()
        return reply.status

    assert asyncio.run(ask()) == 200
    assert receiver.received[0].headers["host"] == f"hooks.example.invalid:{receiver.port}"


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "64:ff9b::808:808"])
def test_an_address_out_in_the_world_is_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.slow
def test_a_server_says_whether_others_reach_it(app: App, tmp_path: Path) -> None:
    words = ("--home", str(tmp_path / "home"), "server", "start", "--port", "0", "--no-worker", "--insecure")
    for host, is_open in (("0.0.0.0", True), ("127.0.0.1", False)):
        with started(*words, "--host", host, stderr=subprocess.DEVNULL, env={**os.environ, **KEY}):
            wait_for(lambda is_open=is_open: must_be_public(app) is is_open)
