"""The tools of a developer, on a sandbox elsewhere: they say what they say on its own machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from shipcli.features.connections.service import add_connection
from shipcli.features.identity.api_keys import create_key
from shipcli.features.shipments.service import create_shipment
from shipcli.features.webhooks.service import create_webhook
from shipcli.models import ConnectionData, ShipmentData, WebhookData
from tests.api.conftest import body
from tests.factories import RECIPIENT
from tests.gateway.conftest import Line, Served
from tests.processes import wait_for
from tests.worker.receiver import receiving

READS = (
    ["logs", "list"], ["logs", "list", "--status", "2xx,404", "--path", "shipments", "--limit", "2"],
    ["logs", "get", "@last"], ["logs", "list", "--status", "nine"], ["logs", "get", "log_none"],
    ["traces", "list", "--carrier-name", "gener"], ["traces", "get", "@last"],
    ["events", "list"], ["events", "list", "--type", "shipment_purchased", "--limit", "1"],
    ["events", "get", "@last"], ["events", "get", "evt_none"],
    ["webhooks", "deliveries"], ["webhooks", "deliveries", "--failed"],
    ["keys", "list"], ["users", "list"], ["oauth", "list"], ["worker", "jobs"], ["sandbox", "ledger"],
    ["worker", "jobs", "--state", "failed"],
)  # fmt: skip


@pytest.fixture(scope="module")
def lively(served: Served) -> Iterator[Served]:
    """A sandbox where something happened, which was delivered."""
    with receiving() as receiver:
        hook = WebhookData(url=receiver.url("/all"), enabled_events=["shipment_purchased"])
        create_webhook(served.app, hook)
        create_shipment(served.app, ShipmentData.model_validate(body(service="standard_service")))
        wait_for(lambda: served.app.store.select("deliveries"))
        yield served


@pytest.mark.parametrize("line", READS, ids=" ".join)
def test_a_tool_says_the_same_from_elsewhere(
    lively: Served, here: Line, there: Line, line: list[str]
) -> None:
    there("addresses", "create", "--city", "Boston", "--country", "US")
    for form in ("--tsv", "--json"):
        near, far = here(*line, form, "--quiet"), there(*line, form, "--quiet")
        assert (far.code, far.out) == (near.code, near.out), far.err


def test_the_state_of_background_work_is_told_from_elsewhere(served: Served, there: Line) -> None:
    told = there("worker", "status", "--json").json
    assert [row["state"] for row in told["workers"]] == ["working"]


def test_keys_users_and_clients_are_made_and_ended_from_elsewhere(
    served: Served, there: Line, tmp_path: Path
) -> None:
    key = there("keys", "create", "--name", "far", "--json").json
    assert key["key"].startswith("key_")
    assert there("keys", "revoke", key["id"], "--yes", "--json").json[0]["revoked_at"]
    (tmp_path / "secret").write_text("a long password")
    secret = ("--password-file", str(tmp_path / "secret"))
    user = there("users", "create", "far@example.com", *secret, "--json").json
    assert there("users", "password", user["id"], *secret, "--json").code == 0
    assert there("users", "totp", "far@example.com", "--yes", "--json").json["otpauth_uri"]
    assert there("users", "totp", "far@example.com", "--off", "--yes", "--json").json["two_steps"] is False
    assert there("users", "disable", "far@example.com", "--yes", "--json").json[0]["disabled_at"]
    client = there(
        "oauth", "create", "Far", "--public", "--redirect-uri", "https://a.example/b", "--json"
    ).json
    assert client["client_id"] == client["id"]
    assert there("oauth", "remove", client["id"], "--yes").code == 0


def test_events_are_heard_and_delivered_again_from_elsewhere(served: Served, there: Line) -> None:
    with receiving() as receiver:
        hook = there("webhooks", "create", "--url", receiver.url("/hook"), "--events", "all", "--json").json
        there("orders", "create", "-d", "order_id=FAR-1", "--from-file", _write_order())
        heard = there("listen", "--forward-to", receiver.url("/listener"), "--from", "start", "--limit", "1")
        assert (heard.code, len(receiver.ids("/listener"))) == (0, 1), heard.err
        wait_for(lambda: receiver.ids("/hook"))
        wait_for(lambda: not there("worker", "jobs", "--queue", f"webhooks/{hook['id']}", "--ids").lines)
        (newest,) = there("events", "list", "--limit", "1", "--ids").lines
        replayed = there("webhooks", "replay", hook["id"], newest, "--json")
        assert (replayed.code, len(replayed.json)) == (0, 1), replayed.err
        assert there("webhooks", "delete", hook["id"], "--yes").code == 0


def _write_order() -> str:
    Path("order.json").write_text(json.dumps({"shipping_to": RECIPIENT, "line_items": [
        {"title": "Cup", "quantity": 1, "weight": 1, "weight_unit": "KG"}]}))  # fmt: skip
    return "order.json"


def test_a_key_that_only_reads_sees_none_of_it(served: Served, typed: Line, tmp_path: Path) -> None:
    (tmp_path / "key").write_text(create_key(served.app, scope="read").key or "")
    told = typed("--api-url", served.url, "--api-key-file", str(tmp_path / "key"), "logs", "list")
    assert (told.code, told.out) == (4, "")


def test_a_path_that_is_none_is_not_found(served: Served, there: Line) -> None:
    assert there("api", "get", "/v1/nope").code == 3


def test_a_sandbox_elsewhere_ships_from_the_sample_warehouse_too(served: Served, there: Line) -> None:
    quoted = there("quote", "02134", "--weight", "1kg", "--json")
    assert quoted.code == 0, quoted.err
    assert quoted.json["rates"] if isinstance(quoted.json, dict) else quoted.json


def test_what_was_sold_by_a_removed_connection_names_it(served: Served, there: Line) -> None:
    credentials = {"display_name": "Leaving", "custom_carrier_name": "leaving"}
    account = {"carrier_name": "generic", "carrier_id": "leaving", "credentials": credentials}
    add_connection(served.app, ConnectionData.model_validate(account))
    sold = create_shipment(
        served.app,
        ShipmentData.model_validate(body(service="standard_service", carrier_ids=["leaving"])),
    )
    assert there("connections", "remove", "leaving", "--yes").code == 0
    refused = there("void", sold.id, "--yes")
    assert refused.code == 3
    assert "leaving: no active connection has this name" in refused.err
