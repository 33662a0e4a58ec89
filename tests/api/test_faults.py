"""Faults that a sandbox injects, and what it tells tests of the requests that came to it."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from shipcli.features.admin import log_queries
from shipcli.features.core.app import App
from shipcli.models import json
from tests.api.conftest import Client, body
from tests.factories import PARCEL, RECIPIENT, SHIPPER
from tests.processes import wait_for

INJECTED = "x-sandbox-injected"
QUESTION = {"shipper": SHIPPER, "recipient": RECIPIENT, "parcels": [PARCEL], "carrier_ids": ["ups", "fedex"]}


@pytest.fixture(autouse=True)
def _nothing_is_left(api: Client) -> None:
    """Every test begins without rules and without requests."""
    api.delete("/_sandbox/faults")
    api.delete("/_sandbox/requests")


def add(api: Client, **rule: Any) -> str:
    answer = api.post("/_sandbox/faults", rule)
    assert answer.status == 201, answer.json
    return str(answer.json["id"])


def read(http: TestClient, api: Client, path: str = "/v1/addresses", **headers: str) -> Any:
    """The answer as it comes: what was injected is in no document."""
    named = {"Authorization": str(api._authorization), **headers}
    return http.get(path, headers=named)


def test_the_first_requests_meet_a_rule_and_the_others_do_not(http: TestClient, api: Client) -> None:
    name = add(api, match="GET /v1/addresses", status=503, times=2)
    answers = [read(http, api) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [503, 503, 200]
    assert [answer.headers.get(INJECTED) for answer in answers] == [name, name, None]
    (rule,) = api.get("/_sandbox/faults").json
    assert (rule["seen"], rule["injected"]) == (3, 2)
    assert answers[0].json()["errors"][0]["code"] == "sandbox_fault"


def test_every_nth_request_and_some_by_chance_are_the_same_ones_each_time(
    http: TestClient, api: Client
) -> None:
    seen = []
    for _ in range(2):
        add(api, match="/v1/addresses", every=3, status=500)
        add(api, match="GET /v1/par*", probability=0.5, seed=7, status=502)
        third = [read(http, api).status_code for _ in range(6)]
        chance = [read(http, api, "/v1/parcels").status_code for _ in range(12)]
        seen.append(chance)
        assert third == [200, 200, 500, 200, 200, 500]
        assert {200, 502} == set(chance)
        api.ask("DELETE", "/_sandbox/faults")
    assert seen[0] == seen[1]


def test_an_answer_is_cut_or_of_another_type_or_an_old_one(http: TestClient, api: Client) -> None:
    with pytest.raises(ValueError, match="JSON|line|char"):
        read(http, api, **{"X-Sandbox-Fault": "cut"}).json()
    html = read(http, api, **{"X-Sandbox-Fault": "content_type=text/html"})
    assert html.headers["content-type"] == "text/html"
    add(api, match="GET /v1/addresses", stale=True)
    before = read(http, api).json()["count"]
    assert api.post("/v1/addresses", RECIPIENT).status == 201
    assert read(http, api).json()["count"] == before
    api.ask("DELETE", "/_sandbox/faults")
    assert read(http, api).json()["count"] == before + 1


def test_a_connection_is_dropped(http: TestClient, api: Client) -> None:
    add(api, match="POST /v1/addresses", drop=True, times=1)
    before = read(http, api).json()["count"]
    assert api.post("/v1/addresses", RECIPIENT).status == 500  # no connection could be dropped in here
    assert api.post("/v1/addresses", RECIPIENT).status == 201
    assert read(http, api).json()["count"] == before + 1, "what was dropped was not carried out"


def test_an_answer_is_lost_after_the_request_was_carried_out_once(http: TestClient, api: Client) -> None:
    before = read(http, api).json()["count"]
    add(api, match="POST /v1/addresses", lost=True, times=1)
    key = {"Idempotency-Key": "lost-1"}
    assert api.post("/v1/addresses", RECIPIENT, **key).status == 500  # no connection could be lost in here
    again = api.post("/v1/addresses", RECIPIENT, **key)
    assert again.headers["idempotent-replayed"] == "true"
    assert read(http, api).json()["count"] == before + 1


@pytest.mark.parametrize(("effect", "sold"), [("lost", 1), ("drop", 0)])
def test_a_carrier_whose_answer_is_lost_sold_and_one_that_hangs_up_did_not(
    api: Client, app: App, effect: str, sold: int
) -> None:
    def count_labels() -> int:
        return len(app.ledger.find("fedex", "label"))

    before = count_labels()
    draft = api.post("/v1/shipments", body(carrier_ids=["fedex"])).json
    add(api, match="POST /v1/shipments/*/purchase", carrier="fedex", times=1, **{effect: True})
    rate = {"selected_rate_id": draft["rates"][0]["id"]}
    bought = api.post(f"/v1/shipments/{draft['id']}/purchase", rate)
    assert bought.status >= 400
    assert count_labels() == before + sold


def test_an_answer_asks_for_patience_and_drips(http: TestClient, api: Client) -> None:
    answer = read(http, api, **{"X-Sandbox-Fault": "retry_after=30;drip=2000"})
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "30")
    assert answer.json()["errors"]


def test_the_fault_of_a_header_is_met_as_often_as_it_says(http: TestClient, api: Client) -> None:
    told = {"X-Sandbox-Fault": "status=503;times=2"}
    assert [read(http, api, **told).status_code for _ in range(3)] == [503, 503, 200]
    assert read(http, api, **told).status_code == 503, "the next test begins again"


@pytest.mark.parametrize(
    ("told", "text"), [("nope=1", "Known: body"), ("status=fast", "status"), ("status=200", "status")]
)
def test_a_fault_that_cannot_be_read_is_refused(http: TestClient, api: Client, told: str, text: str) -> None:
    answer = read(http, api, **{"X-Sandbox-Fault": told})
    assert answer.status_code == 400
    assert text in answer.json()["errors"][0]["message"]


@pytest.mark.parametrize(
    ("rule", "field"),
    [({}, "status"), ({"match": "GET"}, "status"), ({"carrier": "upss", "status": 503}, "carrier"),
     ({"scenario": "nope", "status": 503}, "scenario"), ({"status": 200}, "status"),
     ({"webhook": "lost"}, "webhook")],
)  # fmt: skip
def test_a_rule_that_makes_no_sense_is_refused(api: Client, rule: dict[str, Any], field: str) -> None:
    answer = api.post("/_sandbox/faults", rule)
    assert answer.status == 400
    assert field in answer.error["message"]


def test_a_carrier_that_is_down_leaves_the_others(api: Client) -> None:
    assert api.post("/_sandbox/faults/profile", {"name": "carrier-down", "carrier": "ups"}).status == 201
    answer = api.post("/v1/proxy/rates", QUESTION)
    assert {rate["carrier_id"] for rate in answer.json["rates"]} == {"fedex"}
    assert answer.json["messages"][0]["carrier_id"] == "ups"
    api.ask("DELETE", "/_sandbox/faults/fault-1")
    rates = api.post("/v1/proxy/rates", QUESTION).json["rates"]
    assert {rate["carrier_id"] for rate in rates} == {"fedex", "ups"}


@pytest.mark.parametrize("name", ["flaky-5", "peak-season", "slow-3g", "poison"])
def test_profiles_are_rules(api: Client, name: str) -> None:
    added = api.post("/_sandbox/faults/profile", {"name": name}).json
    assert added == api.get("/_sandbox/faults").json
    assert len(api.ask("DELETE", "/_sandbox/faults").json) == len(added)
    assert api.post("/_sandbox/faults/profile", {"name": "carrier-down"}).status == 400
    assert "poison" in api.post("/_sandbox/faults/profile", {"name": "calm"}).error["message"]


def test_faults_are_in_the_log_under_their_name(app: App, http: TestClient, api: Client) -> None:
    name = add(api, match="POST /v1/addresses", status=508)
    http.post("/v1/addresses", json=RECIPIENT, headers={"Authorization": str(api._authorization)})
    wait_for(lambda: log_queries.find(app, log_queries.LOGS, status=["508"]), 5)
    (row,) = log_queries.find(app, log_queries.LOGS, status=["508"])
    assert row["caller"] == f"sandbox:{name}"
    assert json.loads(json.dumps(row["response"]))["injected"] == name


# -- evidence ----------------------------------------------------------------------------------


def test_requests_are_kept_with_reads_and_refusals(api: Client, anybody: Client) -> None:
    made = api.post("/v1/shipments", body()).json
    api.get(f"/v1/shipments/{made['id']}")
    anybody.get("/v1/shipments")
    rows = api.get("/_sandbox/requests").json
    assert [(row["method"], row["status"]) for row in rows] == [("POST", 201), ("GET", 200), ("GET", 401)]
    assert rows[0]["body"]["carrier_ids"] == ["generic"]
    assert len(api.get("/_sandbox/requests?path=/v1/shipments/*").json) == 1
    assert len(api.get("/_sandbox/requests?status=4xx").json) == 1
    assert api.ask("DELETE", "/_sandbox/requests").json == {"cleared": 3}
    assert api.get("/_sandbox/requests").json == []


@pytest.mark.parametrize("path", ["/openapi/", "/openapi/script.js", "/_window/style.css"])
def test_pages_for_people_are_no_requests_of_a_test(api: Client, anybody: Client, path: str) -> None:
    anybody.get(path)
    assert api.get("/_sandbox/requests").json == []


def test_secrets_are_not_kept(http: TestClient, api: Client) -> None:
    data = {"carrier_name": "generic", "carrier_id": "own", "credentials": {
        "display_name": "Own", "custom_carrier_name": "own", "account_number": "S3CRET-9"}}  # fmt: skip
    api.post("/v1/connections", data)
    form = {"grant_type": "password", "client_secret": "S3CRET-9"}
    http.post("/oauth/token/", data=form)
    read(http, api, "/v1/addresses?token=S3CRET-9")
    kept = api.get("/_sandbox/requests").content
    assert kept.count(b'"method"') == 3
    assert b"S3CRET-9" not in kept


def expect(api: Client, *lines: str, **more: Any) -> Any:
    return api.post("/_sandbox/expect", {"requests": [*lines], **more}).json


def test_requests_are_expected_in_order_and_number(api: Client) -> None:
    made = api.post("/v1/shipments", body()).json
    api.get(f"/v1/shipments/{made['id']}")
    api.post("/v1/shipments", body())
    assert expect(api, "POST /v1/shipments", times=2)["met"]
    assert expect(api, "POST /v1/shipments", "GET /v1/shipments/*", "POST /v1/shipments")["met"]
    assert expect(api, "GET /v1/shipments/*", "POST /v1/shipments")["met"]
    assert not expect(api, "GET /v1/shipments/*", "POST /v1/shipments", times=1)["met"]
    assert not expect(api, "GET /v1/shipments/*", "GET /v1/shipments/*")["met"]
    assert not expect(api, "POST /v1/shipments", nothing_else=True)["met"]
    missing = expect(api, "POST /v1/orders")
    assert (missing["met"], missing["diff"]) == (False, ["- POST /v1/orders"])
    extra = expect(api, "POST /v1/shipments", times=1)
    assert (extra["met"], extra["diff"][-1]) == (False, "+ POST /v1/shipments")
    assert expect(api, "POST /v1/orders", times=0)["met"]
