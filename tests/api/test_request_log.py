"""Calls that change something are written down, without secrets and files."""

from __future__ import annotations

import time
from typing import Any

from shipcli.services.app import App
from tests.api.conftest import Client, body

PATIENCE_S = 3


def logged(app: App, path: str) -> dict[str, Any]:
    """The newest entry of a path; it is written a moment after the answer."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        rows = app.store.select("logs", {"path": path}, "-id", 1)
        if rows:
            return rows[0]
        time.sleep(0.01)
    raise AssertionError(f"no log of {path}")


def test_a_change_leaves_a_row(app: App, api: Client) -> None:
    made = api.post("/v1/addresses", {"country_code": "US", "city": "Boston"}, X_Request_ID="mine")
    row = logged(app, "/v1/addresses")
    assert (row["method"], row["status"], row["object_id"]) == ("POST", 201, made.json["id"])
    assert row["test_mode"] is True
    assert row["duration_ms"] > 0
    assert row["caller"].startswith("key:")
    assert (row["request_id"], row["request"]) == ("mine", {"country_code": "US", "city": "Boston"})
    assert row["response"] == made.json


def test_a_failure_is_written_down_too(app: App, live: Client) -> None:
    live.post("/v1/parcels", {})
    row = logged(app, "/v1/parcels")
    assert (row["status"], row["test_mode"], row["object_id"]) == (400, False, None)


def test_credentials_are_masked(app: App, api: Client) -> None:
    account = {"client_id": "me", "client_secret": "hush-hush"}
    api.post("/v1/connections", {"carrier_name": "ups", "carrier_id": "x", "credentials": account})
    row = logged(app, "/v1/connections")
    assert row["request"]["credentials"] == row["response"]["credentials"] == "***"
    assert "hush" not in str(row)


def test_label_data_is_left_out(app: App, api: Client) -> None:
    rates = api.post("/v1/proxy/rates", body()).json["rates"]
    api.post("/v1/proxy/shipping", {**body(), "rates": rates, "selected_rate_id": rates[0]["id"]})
    row = logged(app, "/v1/proxy/shipping")
    assert row["response"]["docs"]["label"].endswith(" characters]")


def test_reads_leave_no_row(app: App, api: Client) -> None:
    api.get("/v1/manifests")
    api.post("/v1/webhooks", {})
    logged(app, "/v1/webhooks")
    assert app.store.select("logs", {"path": "/v1/manifests"}) == []


def test_a_read_that_asks_a_carrier_leaves_a_row(app: App, api: Client) -> None:
    api.get("/v1/proxy/tracking/ups/1ZNOBODY")
    assert logged(app, "/v1/proxy/tracking/ups/1ZNOBODY")["status"] == 404


def test_a_body_that_is_no_json_is_not_kept(app: App, api: Client) -> None:
    api.ask("POST", "/v1/orders", content=b"{password:")
    row = logged(app, "/v1/orders")
    assert row["request"] is None
