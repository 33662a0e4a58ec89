"""Who may ask, and what they are told otherwise."""

from __future__ import annotations

import base64
import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from shipcli.features.core.app import App
from shipcli.features.identity import api_keys
from shipcli.operations.table import OPERATIONS
from tests.api.conftest import Client, client_of

OPEN = {
    "&&ping", "&&data", "&&list", "&&get_services", "$$$$$$retrieve",
    "&&authenticate", "&&refresh_token", "&&get_verified_token", "&&verify_token",
}  # fmt: skip


def basic(user: str, password: str = "") -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


@pytest.fixture(scope="module")
def key(app: App) -> str:
    return str(api_keys.create_key(app).key)


def test_a_key_is_shown_once_and_kept_as_a_hash(app: App) -> None:
    made = api_keys.create_key(app, name="nightly")
    assert re.fullmatch("key_[0-9a-f]{32}", str(made.key))
    assert [one.key for one in api_keys.list_keys(app) if one.id == made.id] == [None]
    rows = app.store.select("api_keys", {"id": made.id})
    assert str(made.key) not in str(rows)


def test_a_key_is_accepted_as_token_and_as_the_user_of_basic(http: TestClient, key: str) -> None:
    for header in (f"Token {key}", f"token {key}", basic(key), basic(key, "anything")):
        assert Client(http, header).get("/v1/addresses").status == 200


def test_no_credentials_are_told_from_bad_ones(http: TestClient, anybody: Client) -> None:
    without = anybody.get("/v1/addresses")
    assert (without.status, without.error["code"]) == (401, "not_authenticated")
    assert without.headers["www-authenticate"] == 'Basic realm="api"'
    for header in ("Token key_wrong", basic("key_wrong"), "Basic !", "Token ", "Nonsense"):
        wrong = Client(http, header).get("/v1/addresses")
        assert (wrong.status, wrong.error["code"]) == (401, "invalid_token")
        assert "www-authenticate" not in wrong.headers


def test_a_key_is_no_bearer_token(http: TestClient, key: str) -> None:
    refused = Client(http, f"Bearer {key}").get("/v1/addresses")
    assert (refused.status, refused.error["code"]) == (401, "invalid_token")


def test_a_revoked_key_is_refused_at_once(app: App, http: TestClient) -> None:
    made = api_keys.create_key(app)
    client = Client(http, f"Token {made.key}")
    assert client.get("/v1/addresses").status == 200
    api_keys.revoke_key(app, made.id)
    refused = client.get("/v1/addresses")
    assert (refused.status, refused.error["code"]) == (401, "invalid_token")


@pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: f"{row.method} {row.path}")
def test_every_operation_but_the_open_ones_needs_credentials(anybody: Client, row: Any) -> None:
    path = re.sub(r"\{[^}]+\}", "x", row.path)
    reply = anybody.ask(row.method, path, {} if row.body else None)
    assert (reply.status == 401) is (row.id not in OPEN)


def test_anybody_reads_references_carriers_services_and_a_tracker(api: Client, anybody: Client) -> None:
    number = {"tracking_number": "SC0100000001", "carrier_name": "ups"}
    tracker = api.made("/v1/trackers", number)
    paths = ("/v1/carriers", "/v1/carriers/ups/services", "/v1/references", f"/v1/trackers/{tracker['id']}")
    assert [anybody.get(path).status for path in paths] == [200] * 4
    for method, given in (("PUT", {"metadata": {"x": "y"}}), ("DELETE", None)):
        refused = anybody.ask(method, f"/v1/trackers/{tracker['id']}", given)
        assert (refused.status, refused.error["code"]) == (401, "not_authenticated")
    assert api.get(f"/v1/trackers/{tracker['id']}").json == tracker


def test_a_bad_credential_is_refused_where_none_is_needed(http: TestClient) -> None:
    for path in ("/", "/v1/references", "/v1/carriers", "/v1/trackers/x"):
        assert Client(http, "Token key_wrong").get(path).status == 401


def test_a_key_that_may_only_read_writes_nothing(app: App, http: TestClient) -> None:
    reader = Client(http, client_of(app, http, scope="read")._authorization)
    assert reader.get("/v1/addresses").status == 200
    refused = http.post("/v1/addresses", json={"country_code": "US"},
                        headers={"Authorization": str(reader._authorization)})  # fmt: skip
    assert (refused.status_code, refused.json()["errors"][0]["code"]) == (403, "permission_denied")


def test_a_key_that_may_only_read_sees_no_secrets(app: App, http: TestClient, api: Client) -> None:
    """A dashboard's key must not own the accounts with carriers, nor sign events."""
    account = {"client_id": "me", "client_secret": "hush-hush"}
    data = {"carrier_name": "ups", "carrier_id": "hidden", "credentials": account}
    connection = api.made("/v1/connections", data)
    webhook = api.made("/v1/webhooks", {"url": "https://shop.example/hook", "enabled_events": ["all"]})
    assert connection["credentials"]["client_secret"] == "hush-hush"
    reader = client_of(app, http, scope="read")
    for path, made in (("/v1/connections", connection), ("/v1/webhooks", webhook)):
        for answer in (reader.get(path), reader.get(f"{path}/{made['id']}")):
            assert answer.status == 200
            assert b"hush-hush" not in answer.content
            assert webhook["secret"].encode() not in answer.content
    assert reader.get(f"/v1/connections/{connection['id']}").json["credentials"] is None
    assert api.get(f"/v1/webhooks/{webhook['id']}").json["secret"] == webhook["secret"]


def test_keys_are_named_listed_and_revoked(app: App) -> None:
    made = api_keys.create_key(app, name="shop", scope="read")
    assert made.id in {one.id for one in api_keys.list_keys(app)}
    api_keys.revoke_key(app, "shop")
    assert made.id not in {one.id for one in api_keys.list_keys(app)}
    assert made.id in {one.id for one in api_keys.list_keys(app, revoked=True)}


@pytest.mark.parametrize(
    ("header", "advice"),
    [
        ("Bearer {key}", "API keys go with `Token`: send `Authorization: Token KEY`"),
        ("ApiKey {key}", "send `Authorization: Token KEY` with an API key, or `Bearer TOKEN`"),
        ("", "send `Authorization: Token KEY`"),
    ],
)
def test_credentials_of_another_kind_are_answered_with_what_to_send(
    app: App, api: Client, header: str, advice: str
) -> None:
    given = {"Authorization": header.format(key=api_keys.create_key(app).key)} if header else {}
    reply = Client(api._http).ask("GET", "/v1/addresses", **given)
    assert reply.status == 401
    assert advice in reply.error["message"]
