"""`shipcli logs` and `shipcli traces`."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.admin.request_log import LogEntry, record
from shipcli.features.core.app import App
from shipcli.models import json
from tests.cli.conftest import Cli
from tests.factories import ITEM, RECIPIENT


def entry(
    app: App, number: int, status: int = 201, path: str = "/v1/addresses", body: bytes = b"{}"
) -> LogEntry:
    return LogEntry(
        f"req_{number}", "POST", path, status, "key:a", True, app.now(), 1.5, body, b'{"id":"adr_1"}'
    )


@pytest.fixture
def store(home: Path) -> Iterator[App]:
    app = open_app(home, environ={})
    record(
        app,
        [entry(app, 1), entry(app, 2, 404, "/v1/orders"), entry(app, 3, 400, body=b'{"city":"O\'Fallon"}')],
    )
    yield app
    app.close()


def test_calls_are_listed_newest_first_and_filtered(cli: Cli, store: App) -> None:
    rows = cli("logs", "list", "--json").json
    assert [row["request_id"] for row in rows] == ["req_3", "req_2", "req_1"]
    for words, found in (
        (["--status", "4xx"], ["req_3", "req_2"]),
        (["--status", "404,201"], ["req_2", "req_1"]),
        (["--path", "order"], ["req_2"]),
        (["--object", "adr_1", "--limit", "1"], ["req_3"]),
    ):
        rows = cli("logs", "list", *words, "--json").json
        assert [row["request_id"] for row in rows] == found
    assert cli("logs", "list", "--status", "often").code == 6
    assert cli("logs", "list", "--live", "--json").json == []


def test_a_call_is_shown_by_its_id_and_by_the_id_of_its_request(cli: Cli, store: App) -> None:
    row = cli("logs", "get", "req_2", "--json").json
    assert (row["path"], row["status"], row["response"]) == ("/v1/orders", 404, {"id": "adr_1"})
    assert cli("logs", "get", row["id"], "--json").json == row
    assert cli("logs", "get", "req_9").code == 3


def test_the_newest_calls_are_named_as_the_last(cli: Cli, store: App) -> None:
    named = cli("logs", "get", "@last", "@-3", "--json").json
    assert [row["request_id"] for row in named] == ["req_3", "req_1"]
    assert "/v1/orders" in cli("logs", "curl", "@-2").out
    missing = cli("logs", "get", "@-4")
    assert (missing.code, "@-4" in missing.err) == (3, True)


def test_a_call_is_a_line_for_the_shell(cli: Cli, store: App) -> None:
    words = shlex.split(cli("logs", "curl", "req_3").out)
    assert words[:5] == ["curl", "-sS", "-X", "POST", "http://127.0.0.1:5002/v1/addresses"]
    assert words[-1] == '{"city":"O\'Fallon"}'
    assert "Authorization: Token $SHIPCLI_API_KEY" in words


def test_calls_are_printed_as_they_happen(cli: Cli, store: App, monkeypatch: pytest.MonkeyPatch) -> None:
    def meanwhile(seconds: float) -> None:
        record(store, [entry(store, 4, 500), entry(store, 5)])

    monkeypatch.setattr("shipcli.cli.commands.server.logs.time.sleep", meanwhile)
    assert "req_4" in cli("logs", "tail", "--limit", "1", "--ndjson").out
    assert cli("logs", "tail", "--limit", "2", "--status", "5xx").out.count("\t500\t") == 2


def test_exchanges_are_listed_and_shown(cli: Cli) -> None:
    made = cli("--sandbox", "quote", "85004", "--weight", "2lb", "--carrier", "ups", "--json")
    assert made.code == 0, made.err
    rows = cli("--sandbox", "traces", "list", "--carrier-name", "ups", "--json").json
    assert {row["carrier_name"] for row in rows} == {"ups"}
    row = cli("--sandbox", "traces", "get", rows[0]["id"], "--json").json
    assert set(row) >= {"request", "response", "verb", "status"}
    assert "sandbox-secret" not in str(row)
    assert cli("--sandbox", "traces", "get", "trace_no").code == 3


def test_exchanges_are_found_by_the_parcel_they_were_about(box: Cli, bought: list[dict[str, Any]]) -> None:
    def about(word: str) -> set[str]:
        rows = box("traces", "list", "--object", word, "--json").json
        return {row["object_id"] for row in rows}

    first, second, third = ({one["id"]} for one in bought)
    assert about("@last") == about("SO-3") == about(bought[2]["tracking_number"]) == third
    assert about("SO-1") == first
    assert about("SO-2") == second
    assert (about("@last"), about("@-2")) == (second, first)
    assert about("shp_no") == set()
    assert box("traces", "list", "--object", "@-99").code == 2


def test_the_last_exchange_is_the_newest(box: Cli) -> None:
    assert box("traces", "get", "@last").code == 3
    assert box("quote", "85004", "--weight", "2lb", "--carrier", "ups").code == 0
    rows = box("traces", "list", "--json").json
    assert box("traces", "get", "@last", "--json").json["id"] == rows[0]["id"]


def test_calls_are_found_by_the_number_of_their_order(cli: Cli, store: App) -> None:
    order = {"order_id": "O-77", "shipping_to": RECIPIENT, "line_items": [ITEM]}
    made = cli("orders", "create", "--from-file", "-", "--pick", "id", typed=json.dumps(order)).out.strip()
    record(store, [entry(store, 6)._replace(response=json.dump_bytes({"id": made}))])
    rows = cli("logs", "list", "--object", "O-77", "--json").json
    assert [row["request_id"] for row in rows] == ["req_6"]
