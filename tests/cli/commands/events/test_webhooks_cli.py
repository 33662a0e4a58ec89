"""`webhooks`, `events`, `listen` and `worker` as people type them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shipcli.bootstrap import open_app
from shipcli.events import emit
from tests.cli.conftest import Cli
from tests.worker.receiver import Receiver, receiving


@pytest.fixture(scope="module")
def receiver() -> Iterator[Receiver]:
    with receiving() as one:
        yield one


@pytest.fixture
def webhook(cli: Cli, receiver: Receiver) -> dict[str, Any]:
    receiver.received.clear()
    made = cli(
        "webhooks", "create", "--url", receiver.url(), "--events", "tracker_updated", "--json", "--sandbox"
    )
    assert made.code == 0, made.err
    found: dict[str, Any] = made.json
    return found


def happen(home: Path, name: str = "tracker_updated") -> str:
    app = open_app(home, sandbox=True, environ={})
    with app.store.transaction() as tx:
        id = emit(tx, app, name, {"id": "trk_1", "status": "in_transit"})
    app.close()
    return id


def test_a_secret_is_shown_when_made_and_masked_later(cli: Cli, webhook: dict[str, Any]) -> None:
    assert webhook["secret"].startswith("whsec_")
    for words in (("list",), ("get", webhook["id"])):
        assert webhook["secret"] not in cli("webhooks", *words, "--json", "--sandbox").out
        assert webhook["secret"] in cli("webhooks", *words, "--json", "--reveal", "--sandbox").out


def test_a_wrong_address_is_one_line_and_exit_6(cli: Cli) -> None:
    done = cli("webhooks", "create", "--url", "example.com", "--events", "all", "--sandbox")
    assert done.code == 6
    assert done.err.startswith("error: --url: ")


def test_an_update_keeps_the_rest(cli: Cli, webhook: dict[str, Any]) -> None:
    done = cli("webhooks", "update", webhook["id"], "--disable", "--json", "--sandbox")
    assert (done.json["disabled"], done.json["url"]) == (True, webhook["url"])


def test_a_trial_tells_what_the_target_answered(
    cli: Cli, webhook: dict[str, Any], receiver: Receiver
) -> None:
    done = cli("webhooks", "test", webhook["id"], "-d", "order=1042", "--json", "--sandbox")
    assert (done.code, done.json["success"], done.json["status"]) == (0, True, 200)
    assert receiver.received[0].body == b'{"payload":{"order":1042}}'
    cli("webhooks", "update", webhook["id"], "--url", receiver.url("/500"), "--sandbox")
    assert cli("webhooks", "test", webhook["id"], "--sandbox").code == 8


def test_deleting_asks_first(cli: Cli, webhook: dict[str, Any]) -> None:
    assert cli("webhooks", "delete", webhook["id"], "--sandbox").code == 2
    assert cli("webhooks", "delete", webhook["id"], "-y", "--sandbox").code == 0
    assert cli("webhooks", "get", webhook["id"], "--sandbox").code == 3


def test_the_worker_delivers_and_the_log_shows_it(
    cli: Cli, webhook: dict[str, Any], home: Path, receiver: Receiver
) -> None:
    id = happen(home)
    assert cli("worker", "status", "--json", "--sandbox").json["undelivered"] == 1
    assert cli("worker", "--once", "--sandbox").code == 0
    assert receiver.ids() == {id: 1}
    rows = cli("webhooks", "deliveries", webhook["id"], "--json", "--sandbox").json
    assert [(row["event_id"], row["status"]) for row in rows] == [(id, 200)]
    assert cli("worker", "status", "--json", "--sandbox").json["undelivered"] == 0


def test_a_named_event_is_replayed(cli: Cli, webhook: dict[str, Any], home: Path, receiver: Receiver) -> None:
    id = happen(home)
    cli("worker", "run", "--once", "--queues", "webhooks", "--sandbox")
    done = cli("webhooks", "replay", webhook["id"], id, "--ids", "--sandbox")
    assert done.code == 0, done.err
    cli("worker", "run", "--once", "--sandbox")
    assert receiver.ids() == {id: 2}


def test_failed_jobs_are_listed_and_done_again(
    cli: Cli, webhook: dict[str, Any], home: Path, receiver: Receiver
) -> None:
    cli("webhooks", "update", webhook["id"], "--url", receiver.url("/404"), "--sandbox")
    happen(home)
    cli("worker", "run", "--once", "--sandbox")
    (job,) = cli("worker", "jobs", "--state", "failed", "--ndjson", "--sandbox").lines
    assert "the target answered 404" in job
    cli("webhooks", "update", webhook["id"], "--url", receiver.url(), "--sandbox")
    assert cli("worker", "jobs", "retry", "--state", "failed", "--sandbox").code == 0
    cli("worker", "run", "--once", "--sandbox")
    assert len(receiver.at("/ok")) == 1
    assert cli("worker", "jobs", "--state", "failed", "--ndjson", "--sandbox").lines == []


def test_jobs_are_discarded_after_a_question(cli: Cli, webhook: dict[str, Any], home: Path) -> None:
    happen(home)
    (job,) = cli("worker", "jobs", "--ids", "--sandbox").lines
    assert cli("worker", "jobs", "discard", job, "--sandbox").code == 2
    assert cli("worker", "jobs", "discard", job, "-y", "--sandbox").code == 0
    assert cli("worker", "jobs", "discard", job, "-y", "--sandbox").code == 3


def test_events_are_listed_and_shown(cli: Cli, home: Path) -> None:
    first, second = happen(home), happen(home, "tracker_created")
    assert cli("events", "list", "--ids", "--sandbox").lines == [second, first]
    assert cli("events", "list", "--type", "tracker_updated", "--ids", "--sandbox").lines == [first]
    assert cli("events", "get", first, "--json", "--sandbox").json["data"]["status"] == "in_transit"


def test_listen_prints_what_happened_once(cli: Cli, home: Path) -> None:
    ids = [happen(home), happen(home)]
    first = cli("listen", "--from", "start", "--limit", "1", "--ndjson", "--sandbox")
    second = cli("listen", "--limit", "1", "--ndjson", "--sandbox")
    assert [first.json["id"], second.json["id"]] == ids


def test_listen_forwards_signed(cli: Cli, home: Path, receiver: Receiver) -> None:
    receiver.received.clear()
    id = happen(home)
    target = receiver.url("/forwarded").removeprefix("http://")
    done = cli("listen", "--forward-to", target, "--from", "start", "--limit", "1", "--sandbox")
    assert done.code == 0, done.err
    assert receiver.ids("/forwarded") == {id: 1}
    assert "\ttracker_updated\ttrk_1\tin_transit" in done.out
    assert "whsec_" in done.err


def test_listen_refuses_a_start_it_does_not_know(cli: Cli) -> None:
    assert cli("listen", "--from", "never", "--sandbox").code == 2
