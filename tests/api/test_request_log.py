"""Calls that change something are written down, without secrets and files."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from shipcli.api.app import build
from shipcli.bootstrap import open_app
from shipcli.features.core.app import App
from shipcli.operations.table import OPERATIONS
from tests.api.conftest import BASE, Client, body, client_of, logged


def test_a_change_leaves_a_row(app: App, api: Client) -> None:
    made = api.post("/v1/addresses", {"country_code": "US", "city": "Boston"}, X_Request_ID="mine")
    row = logged(app, made)
    assert (row["method"], row["status"], row["object_id"]) == ("POST", 201, made.json["id"])
    assert row["test_mode"] is True
    assert row["duration_ms"] > 0
    assert row["caller"].startswith("key:")
    assert (row["request_id"], row["request"]) == ("mine", {"country_code": "US", "city": "Boston"})
    assert row["response"] == made.json


def test_every_call_that_changes_something_leaves_a_row(fresh: tuple[App, Client]) -> None:
    app, api = fresh
    asked: dict[str, tuple[str, str, int]] = {}
    for row in (row for row in OPERATIONS if row.method != "GET"):
        path = row.path.format(**dict.fromkeys(row.path_names, "generic"))
        reply = api.ask(row.method, path, {}, X_Request_ID=f"every-{row.name}")
        asked[f"every-{row.name}"] = (row.method, path, reply.status)
    logged(app, api.post("/v1/addresses", {}))
    found = {row["request_id"]: row for row in app.store.select("logs") if row["request_id"] in asked}
    assert {id: (row["method"], row["path"], row["status"]) for id, row in found.items()} == asked
    assert all(row["duration_ms"] > 0 and row["test_mode"] is True for row in found.values())


@pytest.mark.parametrize(
    ("method", "path", "status", "shown"),
    [
        ("GET", "/v1/shipments?limit=2&key=hush", 200, "/v1/shipments?limit=2&key=***"),
        ("GET", "/v1/addresses/adr_none", 404, "/v1/addresses/adr_none"),
        ("GET", "/v1/shipments?created_after=soon", 400, "/v1/shipments?created_after=soon"),
        ("GET", "/v1/nope", 404, "/v1/nope"),
        ("PUT", "/v1/shipments", 405, "/v1/shipments"),
    ],
)
def test_a_sandbox_logs_reads_and_what_does_not_exist(
    app: App, api: Client, method: str, path: str, status: int, shown: str
) -> None:
    row = logged(app, api.ask(method, path))
    assert (row["method"], row["path"], row["status"]) == (method, shown, status)
    assert row["caller"].startswith("key:") or status in (404, 405)
    assert bool(row["response"]) == (status >= 400)


@pytest.mark.parametrize(("method", "path"), [("GET", "/v1/addresses"), ("POST", "/v1/shipments")])
def test_a_sandbox_logs_who_was_refused(app: App, anybody: Client, method: str, path: str) -> None:
    row = logged(app, anybody.ask(method, path, {} if method == "POST" else None))
    assert (row["method"], row["path"], row["status"], row["request"]) == (method, path, 401, None)


def test_a_sandbox_logs_no_call_twice_and_no_control(app: App, api: Client) -> None:
    made = api.post("/v1/addresses", {"country_code": "US"}, X_Request_ID="once")
    api.get("/_sandbox/ledger", X_Request_ID="control")
    logged(app, api.get(f"/v1/addresses/{made.json['id']}"))
    ids = [row["request_id"] for row in app.store.select("logs")]
    assert (ids.count("once"), ids.count("control")) == (1, 0)


def test_another_store_logs_no_reads(tmp_path: Path) -> None:
    app = open_app(tmp_path, environ={})
    with TestClient(build(app), base_url=BASE) as http:
        client = client_of(app, http)
        client.get("/v1/addresses", X_Request_ID="read")
        logged(app, client.post("/v1/addresses", {"country_code": "US"}))
    assert "read" not in [row["request_id"] for row in app.store.select("logs")]
    app.close()


def test_the_row_names_the_object(app: App, api: Client) -> None:
    created = api.post("/v1/shipments", body())
    draft = created.json
    chosen = {"selected_rate_id": draft["rates"][0]["id"]}
    bought = api.post(f"/v1/shipments/{draft['id']}/purchase", chosen)
    assert [logged(app, reply)["object_id"] for reply in (created, bought)] == [draft["id"]] * 2


def test_a_failure_is_written_down_too(app: App, live: Client) -> None:
    row = logged(app, live.post("/v1/parcels", {}))
    assert (row["status"], row["test_mode"], row["object_id"]) == (400, False, None)


def test_credentials_are_masked(app: App, api: Client) -> None:
    account = {"client_id": "me", "client_secret": "hush-hush"}
    given = {"carrier_name": "ups", "carrier_id": "x", "credentials": account}
    row = logged(app, api.post("/v1/connections", given))
    assert row["request"]["credentials"] == row["response"]["credentials"] == "***"
    assert "hush" not in str(row)


def test_the_key_of_the_caller_is_in_no_row(app: App, api: Client) -> None:
    key = str(api._authorization).removeprefix("Token ")
    logged(app, api.post("/v1/shipments", body(carrier_ids=["ups"], metadata={"call": "secretive"})))
    assert "secretive" in str(app.store.select("logs"))
    assert key not in str(app.store.select("logs"))
    assert key not in str(app.store.select("traces"))


def test_label_data_is_left_out(app: App, api: Client) -> None:
    rates = api.post("/v1/proxy/rates", body()).json["rates"]
    bought = api.post("/v1/proxy/shipping", {**body(), "rates": rates, "selected_rate_id": rates[0]["id"]})
    row = logged(app, bought)
    assert row["response"]["docs"]["label"].endswith(" characters]")


def test_a_read_that_asks_a_carrier_leaves_a_row(app: App, api: Client) -> None:
    assert logged(app, api.get("/v1/proxy/tracking/ups/1ZNOBODY"))["status"] == 404


def test_a_body_that_is_no_json_is_not_kept(app: App, api: Client) -> None:
    row = logged(app, api.ask("POST", "/v1/orders", content=b"{password:"))
    assert row["request"] is None


def test_a_body_with_a_byte_order_mark_is_kept_without_it(app: App, api: Client) -> None:
    content = b'\xef\xbb\xbf{"country_code":"NL","city":"Marked"}'
    row = logged(app, api.ask("POST", "/v1/addresses", content=content))
    assert (row["status"], row["request"]) == (201, {"country_code": "NL", "city": "Marked"})
