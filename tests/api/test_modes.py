"""Test and live data never meet."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

import pytest

from tests.api.conftest import Client, body, client_of
from tests.api.samples import ACCOUNT, NUMBER, ORDER, WHEN, manifested, picked_up, sent
from tests.factories import PARCEL, SHIPPER

MADE: dict[str, Callable[[Client], dict[str, Any]]] = {
    "/v1/shipments": lambda client: client.made("/v1/shipments", body()),
    "/v1/trackers": lambda client: client.made("/v1/trackers", NUMBER),
    "/v1/orders": lambda client: client.made("/v1/orders", ORDER),
    "/v1/pickups": picked_up,
    "/v1/manifests": manifested,
    "/v1/webhooks": lambda client: client.made(
        "/v1/webhooks", {"url": "http://127.0.0.1:9/", "enabled_events": ["all"]}
    ),
    "/v1/batches/operations": lambda client: client.made("/v1/batches/orders", {"orders": [ORDER]}),
    "/v1/connections": lambda client: client.made("/v1/connections", ACCOUNT),
}


@pytest.mark.parametrize("path", MADE)
def test_an_object_has_the_mode_of_its_key_and_is_hidden_from_the_other(
    api: Client, live: Client, path: str
) -> None:
    for one, other, mode in ((api, live, True), (live, api, False)):
        made = MADE[path](one)
        assert made["test_mode"] is mode
        assert other.get(f"{path}/{made['id']}").status == 404
        assert made["id"] not in {row["id"] for row in other.get(path).json["results"]}
        found = {row["id"]: row["test_mode"] for row in one.get(path).json["results"]}
        assert found[made["id"]] is mode
        assert set(found.values()) == {mode}


def test_the_answer_says_the_mode(api: Client, live: Client, anybody: Client) -> None:
    said = [client.get("/").headers["x-test-mode"] for client in (api, live, anybody)]
    assert said == ["True", "False", "False"]


def test_a_header_does_not_change_the_mode_of_a_key(live: Client) -> None:
    assert live.get("/v1/addresses", X_Test_Mode="true").headers["x-test-mode"] == "False"


@pytest.mark.parametrize(
    ("path", "given"), [("/v1/addresses", {"country_code": "US"}), ("/v1/parcels", PARCEL)]
)
def test_addresses_and_parcels_are_seen_in_both_modes(
    api: Client, live: Client, path: str, given: dict[str, Any]
) -> None:
    for one, other in ((api, live), (live, api)):
        made = one.made(path, given)
        assert other.get(f"{path}/{made['id']}").json == made
        assert made in other.get(path).json["results"]


def test_a_carrier_is_asked_through_connections_of_the_mode_alone(fresh: tuple[Any, Client]) -> None:
    app, api = fresh
    live = client_of(app, api._http, test_mode=False)
    draft = live.made("/v1/shipments", body(carrier_ids=["usps"]))
    number = sent(live)["tracking_number"]
    (mine,) = live.get("/v1/connections?carrier_name=usps").json["results"]
    assert live.patch(f"/v1/connections/{mine['id']}", {"active": False}).status == 200
    rates = api.post("/v1/proxy/rates", body(carrier_ids=["usps"])).json["rates"]
    chosen = {"selected_rate_id": draft["rates"][0]["id"]}
    wanted: dict[str, Any] = {
        "/v1/proxy/rates": body(carrier_ids=["usps"]),
        "/v1/shipments": body(carrier_ids=["usps"]),
        f"/v1/shipments/{draft['id']}/purchase": chosen,
        "/v1/proxy/shipping": {**body(), "rates": rates, "selected_rate_id": rates[0]["id"]},
        "/v1/trackers": {**NUMBER, "carrier_name": "usps"},
        "/v1/proxy/tracking": {**NUMBER, "carrier_name": "usps"},
        "/v1/proxy/pickups/usps": {**WHEN, "address": SHIPPER, "parcels": [PARCEL]},
        "/v1/pickups/usps/schedule": {**WHEN, "tracking_numbers": [number]},
    }
    for path, given in wanted.items():
        refused = live.post(path, given)
        assert (refused.status, refused.error["code"]) == (404, "not_found"), path
    assert {rate["test_mode"] for rate in rates} == {True}
    for path in ("/v1/shipments", "/v1/trackers", "/v1/proxy/tracking", "/v1/proxy/pickups/usps"):
        assert api.post(path, wanted[path]).status in (200, 201, 202), path


def test_carriers_are_simulated_in_both_modes_without_any_network(
    api: Client, live: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def offline(*_: object) -> None:
        raise AssertionError("an outside connection was opened")

    monkeypatch.setattr(socket.socket, "connect", offline)
    monkeypatch.setattr(socket, "getaddrinfo", offline)
    for client in (api, live):
        assert client.post("/v1/proxy/rates", body(carrier_ids=[])).json["rates"]
        assert sent(client)["label_url"]
        number = {**NUMBER, "tracking_number": "SC0100000002"}
        assert client.made("/v1/trackers", number)["events"]
        assert picked_up(client)["confirmation_number"]
        assert manifested(client)["manifest_url"]


def test_proxy_answers_have_the_mode_of_the_key(api: Client, live: Client) -> None:
    for client, mode in ((api, True), (live, False)):
        rates = client.post("/v1/proxy/rates", body(carrier_ids=["usps"])).json["rates"]
        assert {rate["test_mode"] for rate in rates} == {mode}
        sold = client.made(
            "/v1/proxy/shipping", {**body(), "rates": rates, "selected_rate_id": rates[0]["id"]}
        )
        tracked = client.made("/v1/proxy/tracking", NUMBER)["tracking"]
        booked = client.made("/v1/proxy/pickups/usps", {**WHEN, "address": SHIPPER, "parcels": [PARCEL]})
        form = {"carrier_name": "usps", "address": SHIPPER, "shipment_identifiers": [sold["tracking_number"]]}
        made = client.made("/v1/proxy/manifest", form)
        answered = (sold, tracked, booked["pickup"], made["manifest"])
        assert [one["test_mode"] for one in answered] == [mode] * 4


def test_anybody_who_knows_the_number_reads_a_tracker_of_either_mode(
    api: Client, live: Client, anybody: Client
) -> None:
    for client in (api, live):
        sent = client.made("/v1/shipments", body(carrier_ids=["ups"], service="ups_ground"))
        assert anybody.get(f"/v1/trackers/{sent['tracker_id']}").status == 200
        assert anybody.get(f"/v1/trackers/{sent['tracking_number']}").json["id"] == sent["tracker_id"]
