"""Test and live data never meet."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.conftest import ITEM, RECIPIENT, Client, body

ACCOUNT = {
    "carrier_name": "ups",
    "carrier_id": "mine",
    "credentials": {"client_id": "a", "client_secret": "b"},
}
MADE: dict[str, Any] = {
    "/v1/shipments": body(),
    "/v1/orders": {"order_id": "M-1", "shipping_to": RECIPIENT, "line_items": [ITEM]},
    "/v1/webhooks": {"url": "http://127.0.0.1:9/", "enabled_events": ["all"]},
    "/v1/connections": ACCOUNT,
}


@pytest.mark.parametrize("path", MADE)
def test_an_object_has_the_mode_of_its_key_and_is_hidden_from_the_other(
    api: Client, live: Client, path: str
) -> None:
    for one, other, mode in ((api, live, True), (live, api, False)):
        made = one.made(path, MADE[path])
        assert made["test_mode"] is mode
        assert other.get(f"{path}/{made['id']}").status == 404
        assert made["id"] not in {row["id"] for row in other.get(path).json["results"]}
        assert made["id"] in {row["id"] for row in one.get(path).json["results"]}


def test_the_answer_says_the_mode(api: Client, live: Client, anybody: Client) -> None:
    said = [client.get("/").headers["x-test-mode"] for client in (api, live, anybody)]
    assert said == ["True", "False", "False"]


def test_a_header_does_not_change_the_mode_of_a_key(live: Client) -> None:
    assert live.get("/v1/addresses", X_Test_Mode="true").headers["x-test-mode"] == "False"


def test_addresses_are_seen_in_both_modes(api: Client, live: Client) -> None:
    made = api.made("/v1/addresses", {"country_code": "US"})
    assert live.get(f"/v1/addresses/{made['id']}").json == made


def test_proxy_answers_have_the_mode_of_the_key(api: Client, live: Client) -> None:
    for client, mode in ((api, True), (live, False)):
        rates = client.post("/v1/proxy/rates", body()).json["rates"]
        assert {rate["test_mode"] for rate in rates} == {mode}


def test_anybody_who_knows_the_number_reads_a_tracker_of_either_mode(
    api: Client, live: Client, anybody: Client
) -> None:
    for client in (api, live):
        sent = client.made("/v1/shipments", body(carrier_ids=["ups"], service="ups_ground"))
        assert anybody.get(f"/v1/trackers/{sent['tracker_id']}").status == 200
        assert anybody.get(f"/v1/trackers/{sent['tracking_number']}").json["id"] == sent["tracker_id"]
