"""Calls that change something are written down, without secrets and files."""

from __future__ import annotations

from shipcli.features.core.app import App
from shipcli.operations.table import OPERATIONS
from tests.api.conftest import Client, body, logged


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


def test_reads_leave_no_row(app: App, api: Client) -> None:
    api.get("/v1/manifests")
    logged(app, api.post("/v1/webhooks", {}))
    assert app.store.select("logs", {"path": "/v1/manifests"}) == []


def test_a_read_that_asks_a_carrier_leaves_a_row(app: App, api: Client) -> None:
    assert logged(app, api.get("/v1/proxy/tracking/ups/1ZNOBODY"))["status"] == 404


def test_a_body_that_is_no_json_is_not_kept(app: App, api: Client) -> None:
    row = logged(app, api.ask("POST", "/v1/orders", content=b"{password:"))
    assert row["request"] is None


def test_a_body_with_a_byte_order_mark_is_kept_without_it(app: App, api: Client) -> None:
    content = b'\xef\xbb\xbf{"country_code":"NL","city":"Marked"}'
    row = logged(app, api.ask("POST", "/v1/addresses", content=content))
    assert (row["status"], row["request"]) == (201, {"country_code": "NL", "city": "Marked"})
