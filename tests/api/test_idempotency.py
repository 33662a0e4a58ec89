"""The same POST twice under one key is carried out once."""

from __future__ import annotations

import socket
from dataclasses import replace
from typing import Any

from starlette.testclient import TestClient

from shipcli.features.connections import accounts
from shipcli.features.connections import service as connections
from shipcli.features.core.app import App
from shipcli.features.core.idempotency import make_idempotency_key
from shipcli.features.identity import users
from shipcli.features.identity.api_keys import create_key, revoke_key
from shipcli.models import ConnectionPatch
from tests.api.conftest import Client, body, client_of
from tests.factories import ITEM, RECIPIENT, SHIPPER
from tests.features.conftest import live_labels

ADDRESS = {"country_code": "US", "city": "Boston"}


def test_a_repeated_creation_gives_the_first_answer(api: Client) -> None:
    first = api.post("/v1/addresses", ADDRESS, Idempotency_Key="a-1")
    again = api.post("/v1/addresses", ADDRESS, Idempotency_Key="a-1")
    assert (again.status, again.json) == (201, first.json)
    other = api.post("/v1/addresses", ADDRESS, Idempotency_Key="a-2")
    assert other.json["id"] != first.json["id"]


def test_a_label_is_bought_once(app: App, api: Client) -> None:
    service = api.post("/v1/proxy/rates", body()).json["rates"][0]["service"]
    given = body(service=service, reference="once-1")
    replies = [api.post("/v1/shipments", given, Idempotency_Key="buy-1") for _ in range(3)]
    assert {reply.status for reply in replies} == {201}
    assert len({reply.json["id"] for reply in replies}) == 1
    assert len(live_labels(app)["once-1"]) == 1


def test_a_repeated_purchase_answers_as_the_first_did(api: Client) -> None:
    draft = api.made("/v1/shipments", body())
    path, given = f"/v1/shipments/{draft['id']}/purchase", {"selected_rate_id": draft["rates"][0]["id"]}
    first = api.post(path, given, Idempotency_Key="p-1")
    again = api.post(path, given, Idempotency_Key="p-1")
    assert (first.status, again.status, again.json) == (200, 200, first.json)
    assert api.post(path, given).status == 409


def test_another_body_or_query_under_the_same_key_is_a_conflict(api: Client) -> None:
    api.post("/v1/addresses", ADDRESS, Idempotency_Key="c-1")
    keyed = {"Idempotency_Key": "c-1"}
    for path, value in (("/v1/addresses", {"country_code": "CA"}), ("/v1/addresses?x=1", ADDRESS)):
        # 409 is declared where the operation itself conflicts; a reused key is a mistake of the client
        reply = _unchecked(api, path, value, keyed)
        assert reply["errors"][0]["code"] == "idempotency_conflict"


def _unchecked(api: Client, path: str, value: Any, headers: dict[str, str]) -> Any:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return api._http.post(
        path, json=value, headers={**named, "Authorization": str(api._authorization)}
    ).json()


def test_keys_belong_to_one_operation_caller_and_mode(api: Client, live: Client) -> None:
    first = api.post("/v1/addresses", ADDRESS, Idempotency_Key="k-1").json
    assert live.post("/v1/addresses", ADDRESS, Idempotency_Key="k-1").json["id"] != first["id"]
    parcel = {"weight": 1, "weight_unit": "KG"}
    assert api.post("/v1/parcels", parcel, Idempotency_Key="k-1").status == 201


def test_a_refused_body_does_not_use_up_its_key(api: Client) -> None:
    assert api.post("/v1/addresses", {}, Idempotency_Key="r-1").status == 400
    assert api.post("/v1/addresses", ADDRESS, Idempotency_Key="r-1").status == 201


def test_a_carriers_refusal_is_repeated(api: Client) -> None:
    given = body(carrier_ids=["ups"], options={"sandbox_scenario": "error"})
    first = api.post("/v1/shipments", given, Idempotency_Key="f-1")
    again = api.post("/v1/shipments", given, Idempotency_Key="f-1")
    assert (first.status, again.status) == (424, 424)
    assert again.json == first.json


def test_a_carrier_without_time_does_not_use_up_a_key(app: App, api: Client) -> None:
    (account,) = accounts.choose(app, "shipping", carrier_ids=["ups"])
    replies = []
    for scenario in ("rate_limited", None):
        patch = ConnectionPatch(config={"sandbox_scenario": scenario})
        connections.update_connection(app, account.id, patch)
        replies.append(api.post("/v1/shipments", body(carrier_ids=["ups"]), Idempotency_Key="later-1"))
    assert [reply.status for reply in replies] == [424, 201]


def test_a_field_that_no_schema_takes_does_not_use_up_a_key(api: Client) -> None:
    service = api.post("/v1/proxy/rates", body(carrier_ids=["ups"])).json["rates"][0]["service"]
    far = {**RECIPIENT, "federal_tax_id": "7" * 20}
    wrong = body(carrier_ids=["ups"], service=service, recipient=far)
    replies = [api.post("/v1/shipments", wrong, Idempotency_Key="field-1") for _ in range(2)]
    assert [reply.status for reply in replies] == [400, 400]
    (error,) = replies[0].json["errors"]
    reason = "UPS takes at most 15 characters: it would be sent 20"
    assert (error["code"], error["details"]) == ("validation", {"recipient": {"federal_tax_id": [reason]}})
    assert "idempotent-replayed" not in replies[1].headers


def test_a_manifest_that_died_half_way_is_not_made_again(app: App, api: Client) -> None:
    sent = api.made("/v1/shipments", body(carrier_ids=["usps"], service="usps_ground_advantage"))
    given = {"carrier_name": "usps", "address": SHIPPER, "shipment_ids": [sent["id"]]}
    caller = replace(app, caller=_caller(app, api))
    request = make_idempotency_key(caller, "POST /v1/manifests", "m-1", {"body": given, "query": []})
    dead = {"owner": f"{socket.gethostname()}@another boot/1/1", "sent": True}
    with app.store.transaction() as tx:
        tx.insert("idempotency", {**request.to_dict(), "state": "running", "status": None, "response": dead,
                                  "created_at": app.now(), "expires_at": "2999-01-01T00:00:00Z"})  # fmt: skip
    reply = api.post("/v1/manifests", given, Idempotency_Key="m-1")
    assert (reply.status, reply.json["messages"][0]["code"]) == (424, "outcome_unknown")
    assert api.get(f"/v1/shipments/{sent['id']}").json["meta"].get("manifest_id") is None


def _caller(app: App, api: Client) -> str:
    """The name under which this client's keys are kept."""
    api.post("/v1/addresses", ADDRESS, Idempotency_Key="who-am-i")
    rows = app.store.select("idempotency", {"key": "who-am-i"})
    return str(rows[0]["caller"])


def test_a_remembered_secret_is_sealed(app: App, api: Client) -> None:
    given = {"url": "http://127.0.0.1:9/", "enabled_events": ["all"]}
    first = api.post("/v1/webhooks", given, Idempotency_Key="w-1").json
    assert api.post("/v1/webhooks", given, Idempotency_Key="w-1").json == first
    row = app.store.select("idempotency", {"key": "w-1"})[0]
    assert first["secret"] not in str(row)


def test_a_key_that_is_too_long_is_refused(api: Client) -> None:
    error = api.post("/v1/addresses", ADDRESS, Idempotency_Key="x" * 256).error
    assert set(error["details"]) == {"Idempotency-Key"}


def test_an_order_is_made_once(api: Client) -> None:
    given = {"order_id": "once", "shipping_to": RECIPIENT, "line_items": [ITEM]}
    first = api.post("/v1/orders", given, Idempotency_Key="o-1").json
    assert api.post("/v1/orders", given, Idempotency_Key="o-1").json == first


def test_keys_belong_to_the_account_and_outlive_the_api_key(app: App, http: TestClient) -> None:
    old = create_key(app)
    first = Client(http, f"Token {old.key}").post("/v1/addresses", ADDRESS, Idempotency_Key="rotated").json
    revoke_key(app, old.id)
    again = client_of(app, http).post("/v1/addresses", ADDRESS, Idempotency_Key="rotated")
    assert (again.status, again.json) == (201, first)
    assert again.headers["idempotent-replayed"] == "true"


def test_people_and_the_account_have_keys_of_their_own(app: App, http: TestClient, api: Client) -> None:
    email, password = "ana@shop.example", "correct horse battery"
    users.create_user(app, email, password)

    def log_in() -> Client:
        pair = http.post("/api/token", json={"email": email, "password": password}).json()
        return Client(http, f"Bearer {pair['access']}")

    account = api.post("/v1/addresses", ADDRESS, Idempotency_Key="apart").json
    person = log_in().post("/v1/addresses", ADDRESS, Idempotency_Key="apart").json
    assert person["id"] != account["id"]
    assert log_in().post("/v1/addresses", ADDRESS, Idempotency_Key="apart").json == person


def test_a_remembered_refusal_is_marked_as_a_replay(api: Client) -> None:
    given = body(carrier_ids=["ups"], options={"sandbox_scenario": "error"})
    first = api.post("/v1/shipments", given, Idempotency_Key="f-2")
    again = api.post("/v1/shipments", given, Idempotency_Key="f-2")
    assert [reply.headers.get("idempotent-replayed") for reply in (first, again)] == [None, "true"]
