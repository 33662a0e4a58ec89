"""Carriers and the accounts with them, over HTTP."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from shipcli.api.app import build
from shipcli.bootstrap import open_app
from shipcli.carrier import registry
from shipcli.features.connections import service as connections
from shipcli.features.core.app import App
from shipcli.models import ConnectionData
from tests.api.conftest import BASE, Client, body, client_of
from tests.api.samples import WHEN, refused, sent

PATH = "/v1/connections"
ACCOUNT = {"client_id": "me", "client_secret": "hush"}
UPS = {"carrier_name": "ups", "carrier_id": "second", "credentials": ACCOUNT}
BIKES = {
    "carrier_name": "generic",
    "carrier_id": "bike-1",
    "credentials": {"display_name": "Bike Courier", "custom_carrier_name": "bikes"},
}
CAPABILITIES = {"paperless", "shipping", "tracking", "rating", "pickup", "manifest"}


# -- carriers ----------------------------------------------------------------------------------


def test_a_carrier_says_what_it_needs_and_can_do(anybody: Client) -> None:
    rows = anybody.get("/v1/carriers").json
    assert isinstance(rows, list)
    for row in rows:
        assert {"carrier_name", "display_name", "connection_fields", "capabilities", "config_fields"} <= set(
            row
        )
        assert row["display_name"]
        assert set(row["capabilities"]) <= CAPABILITIES
        fields, settings = row["connection_fields"], row["config_fields"]
        assert all({"name", "required", "type"} <= set(field) for field in fields.values())
        assert all({"code", "name", "required", "type"} <= set(one) for one in settings.values())
    ups = next(row for row in rows if row["carrier_name"] == "ups")
    assert set(ups["capabilities"]) == CAPABILITIES - {"manifest"}
    assert ups["connection_fields"]["client_id"] == {"name": "client_id", "required": True, "type": "string"}
    assert ups["config_fields"]["label_type"]["code"] == "label_type"


def test_services_are_ids_with_codes(anybody: Client) -> None:
    references = anybody.get("/v1/references").json["services"]
    for slug in registry.list_slugs():
        assert anybody.get(f"/v1/carriers/{slug}/services").json == references.get(slug, {})
    assert anybody.get("/v1/carriers/ups/services").json["ups_ground"] == "UPS Ground"
    unknown = anybody.get("/v1/carriers/nobody/services")
    assert (unknown.status, unknown.error["code"]) == (404, "not_found")


# -- added -------------------------------------------------------------------------------------


def test_a_new_connection_is_active_and_shows_what_it_was_given(api: Client) -> None:
    reply = api.post(PATH, UPS)
    made = reply.json
    assert (reply.status, made["object_type"]) == (201, "carrier-connection")
    assert re.fullmatch("car_[0-9a-f]{32}", made["id"])
    assert (made["is_system"], made["active"], made["config"], made["metadata"]) == (False, True, {}, {})
    found = api.get(f"{PATH}/{made['id']}").json
    assert found == made
    assert (found["display_name"], found["carrier_id"]) == ("UPS", "second")
    assert ACCOUNT.items() <= found["credentials"].items()
    assert set(found["capabilities"]) == set(registry.get("ups").capabilities())


def test_carrier_name_and_credentials_are_required(api: Client) -> None:
    for field in ("carrier_name", "carrier_id", "credentials"):
        without = {name: value for name, value in UPS.items() if name != field}
        assert refused(api.post(PATH, without)) == {field}
    for name in ("nobody", "UPS", "", None):
        assert refused(api.post(PATH, {**UPS, "carrier_name": name})) == {"carrier_name"}


def test_missing_credentials_are_named(api: Client) -> None:
    assert refused(api.post(PATH, {**UPS, "credentials": {}})) == {"client_id", "client_secret"}
    assert refused(api.post(PATH, {**UPS, "credentials": {"client_id": "me"}})) == {"client_secret"}


def test_capabilities_are_limited_to_those_of_the_carrier(api: Client) -> None:
    every = set(registry.get("ups").capabilities())
    assert "manifest" not in every
    for wanted, found in ((["rating", "manifest"], {"rating"}), ([], every), (None, every)):
        assert set(api.made(PATH, {**UPS, "capabilities": wanted})["capabilities"]) == found
    assert set(api.made(PATH, UPS)["capabilities"]) == every


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[Client]:
    """An API that has carriers check credentials."""
    app = open_app(tmp_path / "home", sandbox=True, environ={}, flags={"check_credentials": True})
    with TestClient(build(app), base_url=BASE) as http:
        yield client_of(app, http)
    app.close()


def test_credentials_that_the_carrier_refuses_are_not_stored(strict: Client) -> None:
    before = strict.get(PATH).json["count"]
    reply = strict.post(PATH, {**UPS, "credentials": {**ACCOUNT, "client_id": "denied"}})
    assert (reply.status, set(reply.json)) == (424, {"messages"})
    assert reply.json["messages"][0]["carrier_name"] == "ups"
    assert strict.get(PATH).json["count"] == before
    assert strict.post(PATH, UPS).status == 201


def test_credentials_are_not_checked_unless_that_is_asked_for(api: Client) -> None:
    assert api.post(PATH, {**UPS, "credentials": {**ACCOUNT, "client_id": "denied"}}).status == 201


# -- changed -----------------------------------------------------------------------------------


def test_a_change_merges_credentials_and_settings(api: Client) -> None:
    made = api.made(PATH, {**UPS, "config": {"label_type": "ZPL_6x4", "cost_center": "A"}})
    path = f"{PATH}/{made['id']}"
    change = {
        "credentials": {"client_secret": "new"},
        "config": {"cost_center": None, "merchant_id": "B"},
        "active": False,
    }
    changed = api.patch(path, change).json
    assert changed["credentials"] == {**made["credentials"], "client_secret": "new"}
    assert changed["config"] == {"label_type": "ZPL_6x4", "merchant_id": "B"}
    assert changed["active"] is False
    assert api.get(path).json == changed


def test_an_inactive_connection_takes_no_part_in_rating(fresh: tuple[Any, Client]) -> None:
    api = fresh[1]
    (mine,) = api.get(f"{PATH}?carrier_name=ups").json["results"]
    for active in (True, False, True):
        api.patch(f"{PATH}/{mine['id']}", {"active": active})
        carriers = {
            rate["carrier_name"] for rate in api.made("/v1/proxy/rates", body(carrier_ids=[]))["rates"]
        }
        assert ("ups" in carriers) is active
        named = api.post("/v1/proxy/rates", body(carrier_ids=["ups"]))
        assert named.status == (200 if active else 404)


# -- removed -----------------------------------------------------------------------------------


def test_what_was_bought_stays_readable_when_its_connection_is_removed(fresh: tuple[Any, Client]) -> None:
    api = fresh[1]
    made = api.made(PATH, BIKES)
    label = api.made("/v1/shipments", body(carrier_ids=["bike-1"], service="standard_service"))
    gone = api.delete(f"{PATH}/{made['id']}")
    assert (gone.status, gone.json["id"]) == (200, made["id"])
    kept = api.get(f"/v1/shipments/{label['id']}").json
    assert (kept["carrier_name"], kept["carrier_id"]) == ("bikes", "bike-1")
    assert kept == label
    assert api.get(label["label_url"]).content.startswith(b"%PDF")


def test_a_connection_that_a_pickup_needs_is_not_removed(fresh: tuple[Any, Client]) -> None:
    api = fresh[1]
    (mine,) = api.get(f"{PATH}?carrier_name=usps").json["results"]
    given = {**WHEN, "tracking_numbers": [sent(api)["tracking_number"]]}
    pickup = api.made("/v1/pickups/usps/schedule", given)
    reply = api.delete(f"{PATH}/{mine['id']}")
    assert (reply.status, reply.error["code"]) == (409, "state_error")
    assert api.get(f"{PATH}/{mine['id']}").json == mine
    assert api.post(f"/v1/pickups/{pickup['id']}/cancel", {}).status == 200
    assert api.delete(f"{PATH}/{mine['id']}").status == 200


# -- a carrier of one's own --------------------------------------------------------------------


@pytest.fixture
def real(tmp_path: Path) -> Iterator[tuple[App, Client]]:
    """A store that is no sandbox."""
    app = open_app(tmp_path / "real", environ={"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"})
    with TestClient(build(app), base_url=BASE) as http:
        yield app, client_of(app, http)
    app.close()


def test_a_carrier_of_ones_own_rates_and_prints_without_any_network(
    real: tuple[App, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    def offline(*_: object) -> None:
        raise AssertionError("an outside connection was opened")

    api = real[1]
    monkeypatch.setattr(socket.socket, "connect", offline)
    monkeypatch.setattr(socket, "getaddrinfo", offline)
    made = api.made(PATH, BIKES)
    assert made["display_name"] == "Bike Courier"
    rates = api.made("/v1/proxy/rates", body(carrier_ids=[]))["rates"]
    assert rates
    assert {(rate["carrier_name"], rate["carrier_id"]) for rate in rates} == {("bikes", "bike-1")}
    for form, start in (("PDF", b"%PDF"), ("ZPL", b"^XA"), ("PNG", b"\x89PNG")):
        label = api.made("/v1/shipments", body(
            carrier_ids=["bike-1"], service=rates[0]["service"], label_type=form))  # fmt: skip
        assert api.get(label["label_url"]).content.startswith(start)


def test_shipments_of_custom_carriers_are_found_by_their_own_name_and_by_generic(
    fresh: tuple[Any, Client],
) -> None:
    _, api = fresh
    api.made(PATH, BIKES)
    own = api.made("/v1/shipments", body(carrier_ids=["bike-1"], service="standard_service"))
    plain = api.made("/v1/shipments", body(carrier_ids=["generic"], service="standard_service"))
    api.made("/v1/shipments", body(carrier_ids=["bike-1"]))

    def listed(query: str) -> list[str]:
        return [one["id"] for one in api.get(f"/v1/shipments?{query}").json["results"]]

    assert listed("carrier_name=bikes") == [own["id"]]
    assert listed("carrier_name=generic") == [plain["id"], own["id"]]
    assert listed("carrier_name=generic&status=purchased&limit=1&offset=1") == [own["id"]]
    assert listed("carrier_name=ups") == []


def test_a_system_connection_hides_credentials_and_metadata(app: App, api: Client) -> None:
    given = ConnectionData.model_validate({**UPS, "metadata": {"a": 1}})
    shared = connections.add_connection(app, given, is_system=True)
    rows = {row["id"]: row for row in api.get(f"{PATH}?limit=100").json["results"]}
    shown = rows[shared.id]
    assert (shown["is_system"], shown["credentials"], shown["metadata"]) == (True, None, None)
    assert api.get(f"{PATH}/{shared.id}").json == shown
