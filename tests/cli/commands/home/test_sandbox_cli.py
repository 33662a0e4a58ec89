"""The commands of a second terminal find the sandbox that runs, and say which store they show."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.sandbox.running import make_running, publish
from shipcli.features.shipments.service import create_shipment
from shipcli.features.webhooks.service import create_webhook
from shipcli.models import ShipmentData, WebhookData
from tests.api.conftest import body
from tests.api.running import Running
from tests.cli.conftest import Cli
from tests.processes import wait_for

URL = "http://127.0.0.1:5999"
NOTE = f"note: this is the sandbox shop at {URL}\n"
TOOLS = (
    ("listen", "--from", "start", "--limit", "1"), ("logs", "list"), ("traces", "list"), ("events", "list"),
    ("webhooks", "deliveries"), ("keys", "list"), ("users", "list"), ("oauth", "list"), ("worker", "status"),
    ("worker", "jobs"), ("doctor", "--quick"),
)  # fmt: skip
tools = pytest.mark.parametrize("words", TOOLS, ids=" ".join)


@pytest.fixture
def running(home: Path, tmp_path: Path) -> Iterator[Path]:
    """A sandbox of this process, found as one of another process would be."""
    folder = tmp_path / "elsewhere"
    app = open_app(folder, sandbox=True, environ={}, carriers="generic")
    create_webhook(app, WebhookData(url="http://127.0.0.1:1/", enabled_events=["all"]))
    create_shipment(app, ShipmentData.model_validate(body(service="standard_service")))
    app.close()
    with publish(home, make_running("shop", URL, folder, "key_of_a_sandbox")):
        yield folder


@tools
def test_a_tool_shows_the_sandbox_that_runs_and_says_so(
    cli: Cli, running: Path, words: tuple[str, ...]
) -> None:
    for flags in ((), ("--sandbox",), ("--sandbox=shop",)):
        shown = cli(*flags, *words)
        assert (shown.code, shown.err.count(NOTE)) == (0, 1), shown.err
    assert cli(*words, "--quiet").err == ""


def test_a_tool_shows_the_real_store_where_there_is_one_and_names_the_sandbox(
    cli: Cli, running: Path
) -> None:
    cli("addresses", "list")
    shown = cli("events", "list", "--ids")
    assert (shown.out, f"for the sandbox at {URL} add --sandbox" in shown.err) == ("", True)
    assert cli("--sandbox", "events", "list", "--ids").lines != []


def test_the_real_store_is_meant_where_the_environment_says_so(
    cli: Cli, running: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHIPCLI_SANDBOX", "0")
    assert cli("events", "list", "--ids").out == ""


def test_other_commands_mean_the_real_store_unless_told(cli: Cli, running: Path) -> None:
    assert cli("shipments", "list", "--ids").out == ""
    shown = cli("--sandbox", "shipments", "list", "--ids")
    assert (len(shown.lines), shown.err) == (1, NOTE)


def test_what_is_shipped_in_the_sandbox_that_runs_is_in_its_ledger(cli: Cli, running: Path) -> None:
    bought = cli("--sandbox", "ship", "--from-file", _write_body(running), "--cheapest", "--yes", "--json")
    assert bought.code == 0, bought.err
    rows = cli("sandbox", "ledger", "--json").json
    assert bought.json["tracking_number"] in {row["number"] for row in rows}


def _write_body(folder: Path) -> str:
    file = folder / "body.json"
    file.write_text(json.dumps(body()))
    return str(file)


def test_a_name_that_does_not_run_is_an_error(cli: Cli, running: Path) -> None:
    refused = cli("--sandbox=dock", "events", "list")
    assert (refused.code, "shop" in refused.err) == (5, True)


def test_an_empty_ledger_never_stands_for_elsewhere(cli: Cli, home: Path) -> None:
    refused = cli("sandbox", "ledger")
    assert (refused.code, refused.out) == (5, "")
    open_app(home, sandbox=True, environ={}, carriers="none").close()
    shown = cli("sandbox", "ledger")
    assert shown.code == 0
    assert "no sandbox runs; this is the kept one" in shown.err


def test_the_sandboxes_that_run_are_listed_without_their_keys(cli: Cli, running: Path) -> None:
    listed = cli("sandbox", "list", "--json")
    assert [(row["name"], row["url"]) for row in listed.json] == [("shop", URL)]
    assert "key_of_a_sandbox" not in listed.out
    assert cli("sandbox", "wait", "--json").json == {"name": "shop", "url": URL}


def test_nothing_to_wait_for_is_a_time_out(cli: Cli) -> None:
    assert cli("sandbox", "wait", "--timeout", "0").code == 8
    assert cli("sandbox", "wait", "--timeout", "0", "--api-url", "http://127.0.0.1:1").code == 8


@pytest.mark.slow
def test_a_sandbox_is_found_while_it_runs_and_takes_the_flags_of_a_ci_file(
    cli: Cli, home: Path, tmp_path: Path
) -> None:
    ready = tmp_path / "up.json"
    words = ("--name", "ci", "--port", "0", "--api-key", "key_test", "--live-api-key", "key_live",
             "--webhook-secret", "whsec_test", "--carriers", "ups", "--ready-file", str(ready))  # fmt: skip
    with Running("--home", str(home), "sandbox", "up", *words, "--json", "--no-worker") as server:
        assert json.loads(ready.read_text()) == server.said
        assert cli("sandbox", "wait", "ci", "--json").json == {"name": "ci", "url": server.said["url"]}
        assert cli("sandbox", "wait", "--api-url", server.said["url"]).code == 0
        hook = server.ask("POST", "/v1/webhooks", {"url": "http://127.0.0.1:1/", "enabled_events": ["all"]})
        assert hook[1]["secret"] == "whsec_test"
        assert cli("webhooks", "list", "--sandbox", "--ids").lines == [hook[1]["id"]]
        connections = server.ask("GET", "/v1/connections")[1]["results"]
        assert [row["carrier_name"] for row in connections] == ["ups"]
        server.ask("GET", "/v1/orders?limit=1")
        wait_for(lambda: cli("logs", "list", "--path", "/v1/orders", "--ids").lines)
        (line,) = cli("logs", "curl", cli("logs", "list", "--path", "/v1/orders", "--ids").lines[0]).lines
        assert f"{server.said['url']}/v1/orders?limit=1" in line
        assert server.stop() == 0
    assert not ready.exists()
    assert cli("sandbox", "list", "--json").json == []
