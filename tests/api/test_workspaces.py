"""Workspaces: a key is a sandbox of its own."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.testclient import TestClient

from shipcli.features.core.app import App
from shipcli.features.sandbox.snapshots import save_start
from tests.api.conftest import Client, body

pytestmark = pytest.mark.sqlite_only("a workspace begins as a copy of the files of its sandbox")
TOGETHER = 20


def enter(http: TestClient, api: Client) -> Client:
    made = api.made("/_sandbox/workspaces", {})
    return Client(http, f"Token {made['api_key']}")


def test_twenty_in_parallel_never_meet(app: App, http: TestClient, api: Client) -> None:
    save_start(app)

    def work(number: int) -> tuple[str, list[str]]:
        own = enter(http, api)
        bought = own.made("/v1/shipments", body(service="standard_service", reference=f"W-{number}"))
        listed = own.get("/v1/shipments").json["results"]
        return bought["id"], [shipment["id"] for shipment in listed]

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(work, range(TOGETHER)))
    assert all(listed == [made] for made, listed in results)
    assert len({made for made, _ in results}) == TOGETHER
    assert len(api.get("/_sandbox/workspaces").json) >= TOGETHER
    assert api.get(f"/v1/shipments/{results[0][0]}").status == 404


def test_a_workspace_has_a_clock_and_a_start_of_its_own(http: TestClient, api: Client) -> None:
    own = enter(http, api)
    own.post("/_sandbox/clock/freeze", {"at": "2026-01-05T09:00Z"})
    bought = own.made("/v1/shipments", body(carrier_ids=["ups"], service="ups_ground"))
    own.post("/_sandbox/clock/advance", {"by": "61h"})
    assert own.get(f"/v1/shipments/{bought['id']}").json["status"] == "delivered"
    assert api.get("/_sandbox/clock").json["state"] == "real"
    assert own.post("/_sandbox/reset", {}).status == 200
    assert own.get("/v1/shipments").json["count"] == 0
    assert own.get("/_sandbox/clock").json["state"] == "real"


def test_a_label_of_a_workspace_is_opened_without_a_key(http: TestClient, api: Client) -> None:
    own = enter(http, api)
    bought = own.made("/v1/shipments", body(service="standard_service"))
    label = http.get(bought["label_url"].partition("5002")[2] or bought["label_url"])
    assert (label.status_code, label.headers["content-type"]) == (200, "application/pdf")


def test_a_removed_workspace_is_gone(http: TestClient, api: Client) -> None:
    made = api.made("/_sandbox/workspaces", {})
    own = Client(http, f"Token {made['api_key']}")
    assert own.get("/v1/shipments").status == 200
    assert Client(http, f"Token {made['id']}_{'0' * 32}").get("/v1/shipments").status == 401
    assert api.delete(f"/_sandbox/workspaces/{made['id']}").status == 200
    assert own.get("/v1/shipments").status == 401
    assert api.delete(f"/_sandbox/workspaces/{made['id']}").status == 404
    assert api.delete("/_sandbox/workspaces/..").status == 404


def test_live_data_of_a_workspace_are_apart(http: TestClient, api: Client) -> None:
    made = api.made("/_sandbox/workspaces", {})
    test, live = (Client(http, f"Token {made[name]}") for name in ("api_key", "live_api_key"))
    live.made("/v1/shipments", body(service="standard_service"))
    assert [client.get("/v1/shipments").json["count"] for client in (test, live)] == [0, 1]
