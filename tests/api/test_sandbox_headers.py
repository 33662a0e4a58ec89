"""Scenarios by header, and magic values over HTTP; elsewhere they are ignored, and the answer says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from shipcli.api.app import build
from shipcli.bootstrap import open_app
from shipcli.features.core.app import App
from shipcli.features.sandbox.lenience import set_lenient
from tests.api.conftest import BASE, Client, body, client_of
from tests.factories import PARCEL, RECIPIENT, SHIPPER

RATES = {"shipper": SHIPPER, "recipient": RECIPIENT, "parcels": [PARCEL], "carrier_ids": ["fedex"]}


def test_a_header_chooses_the_scenario_of_a_purchase(api: Client) -> None:
    draft = api.post("/v1/shipments", body(carrier_ids=["fedex"])).json
    chosen = {"selected_rate_id": draft["rates"][0]["id"]}
    path = f"/v1/shipments/{draft['id']}/purchase"
    refused = api.post(path, chosen, **{"X-Sandbox-Scenario": "declined"})
    assert refused.status == 424
    assert "declined" in refused.json["messages"][0]["message"]
    assert api.get(f"/v1/shipments/{draft['id']}").json["status"] == "draft"
    assert api.post(path, chosen).json["status"] == "purchased"


def test_a_header_wins_over_the_body_and_the_body_over_magic_values(api: Client) -> None:
    told = {**RATES, "options": {"sandbox_scenario": "error"}}
    far = {**RATES, "recipient": {**RECIPIENT, "address_line1": "6 NORATE WAY"}}
    named = {**far, "options": {"sandbox_scenario": "remote"}}
    assert api.post("/v1/proxy/rates", told).status == 424
    assert api.post("/v1/proxy/rates", told, **{"X-Sandbox-Scenario": "remote"}).status == 200
    assert api.post("/v1/proxy/rates", far).status == 424
    assert api.post("/v1/proxy/rates", named).status == 200


def test_a_header_chooses_the_journey_of_any_number(api: Client) -> None:
    question = {"tracking_number": "779017972697", "carrier_name": "fedex"}
    assert api.post("/v1/proxy/tracking", question).status == 404
    answer = api.post("/v1/proxy/tracking", question, **{"X-Sandbox-Scenario": "on_hold"})
    assert answer.json["tracking"]["status"] == "on_hold"


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(
    ("header", "value", "text"),
    [("X-Sandbox-Scenario", "nope", "declined"), ("X-Sandbox-Scenario", "", "declined"),
     ("X-Sandbox-Scenarios", "declined", "X-Sandbox-Scenario")],
)  # fmt: skip
def test_an_unknown_name_or_header_is_refused_with_the_list(
    api: Client, method: str, header: str, value: str, text: str
) -> None:
    sent = RATES if method == "POST" else None
    path = "/v1/proxy/rates" if sent else "/v1/shipments"
    answer = api.ask(method, path, sent, **{header: value})
    assert answer.status == 400
    assert text in answer.error["message"]


def test_a_value_that_only_looks_magic_is_refused_with_the_list(api: Client) -> None:
    track = api.post("/v1/proxy/tracking", {"tracking_number": "SC7700000001", "carrier_name": "fedex"})
    draft = api.post("/v1/shipments", body(carrier_ids=["fedex"], service="sandbox_decline"))
    assert (track.status, draft.status) == (400, 400)
    assert "SC04" in track.error["message"]
    assert "sandbox_declined" in draft.error["message"]


def test_metadata_choose_a_scenario_of_tracking_and_of_prices(api: Client) -> None:
    question = {"tracking_number": "779017972697", "carrier_name": "fedex"}
    told = {**question, "metadata": {"sandbox_scenario": "delivered"}}
    assert api.post("/v1/proxy/tracking", told).json["tracking"]["delivered"]
    plain = api.post("/v1/shipments", body(carrier_ids=["fedex"])).json["rates"][0]["total_charge"]
    far = body(carrier_ids=["fedex"], metadata={"sandbox_scenario": "remote"})
    assert api.post("/v1/shipments", far).json["rates"][0]["total_charge"] > plain


def test_a_connection_chooses_a_scenario(fresh: tuple[App, Client]) -> None:
    _, api = fresh
    listed = api.get("/v1/connections?carrier_name=fedex").json["results"]
    (connection,) = [row for row in listed if row["carrier_id"] == "fedex"]
    api.patch(f"/v1/connections/{connection['id']}", {"config": {"sandbox_scenario": "declined"}})
    draft = api.post("/v1/shipments", body(carrier_ids=["fedex"])).json
    chosen = {"selected_rate_id": draft["rates"][0]["id"]}
    assert api.post(f"/v1/shipments/{draft['id']}/purchase", chosen).status == 424


@pytest.mark.parametrize(
    ("number", "status"), [("SC9100000001", 424), ("SC9300000001", 429), ("SC9400000001", 500)]
)
def test_numbers_in_trouble_have_statuses_of_their_own(api: Client, number: str, status: int) -> None:
    answer = api.post("/v1/proxy/tracking", {"tracking_number": number, "carrier_name": "fedex"})
    assert answer.status == status
    assert answer.headers.get("retry-after") == ("60" if status == 429 else None)


def test_addresses_are_validated_by_their_line(api: Client) -> None:
    def validate(line: str, **more: str) -> dict[str, object]:
        fields = {**RECIPIENT, "address_line1": line, "validate_location": True, **more}
        validation: dict[str, object] = api.post("/v1/addresses", fields).json["validation"]
        return validation

    wrong, flat = validate("1 INVALID WAY"), validate("3 APARTMENT WAY")
    corrected = validate("2 Corrected Way")
    assert (wrong["success"], flat["success"], corrected["success"]) == (False, False, True)
    assert "address_line1" in wrong["meta"]["messages"]  # type: ignore[index]
    assert "address_line2" in flat["meta"]["messages"]  # type: ignore[index]
    assert corrected["meta"]["corrected"]["address_line1"] == "2 Corrected Street"  # type: ignore[index]
    assert validate("3 APARTMENT WAY", address_line2="Unit 4")["success"]


def test_the_matrix_names_every_scenario_and_its_carriers(api: Client) -> None:
    rows = {row["name"]: row for row in api.get("/_sandbox/scenarios").json}
    assert rows["on_hold"]["magic"] == "SC04nnnnnnnn"
    assert "ups" in rows["on_hold"]["carriers"]
    assert "freightcom" not in rows["on_hold"]["carriers"]
    assert rows["declined"]["magic"] == "sandbox_declined"


def test_a_lenient_sandbox_answers_for_what_was_never_issued(fresh: tuple[App, Client]) -> None:
    app, api = fresh
    set_lenient(app, lenient=True)
    number = {"tracking_number": "1Z12345E0205271688", "carrier_name": "ups"}
    assert api.post("/v1/trackers", number).json["status"] == "pending"
    assert api.post("/v1/proxy/tracking", number).status == 200
    void = {"shipment_identifier": "794947717776"}
    assert api.post("/v1/proxy/shipping/canadapost/cancel", void).json["confirmation"]["success"]
    address = api.post("/v1/addresses", {**RECIPIENT, "address_line2": ""}).json
    assert (address["address_line2"], address["company_name"]) == ("", None)
    assert api.get("/v1/shipments/shp_unknown").status == 404


@pytest.fixture
def ordinary(tmp_path: Path) -> App:
    return open_app(tmp_path / "ordinary", environ={}, test_mode=True)


def test_outside_a_sandbox_they_are_ignored_with_a_notice(ordinary: App) -> None:
    data = {"carrier_name": "generic", "carrier_id": "own", "credentials": {
        "display_name": "Own", "custom_carrier_name": "own"}}  # fmt: skip
    with TestClient(build(ordinary), base_url=BASE) as http:
        api = client_of(ordinary, http)
        assert api.post("/v1/connections", data).status == 201
        question = {**RATES, "carrier_ids": ["own"]}
        told = {**question, "options": {"sandbox_scenario": "error"}}
        by_header = api.post("/v1/proxy/rates", question, **{"X-Sandbox-Scenario": "nope"})
        for answer in (by_header, api.post("/v1/proxy/rates", told)):
            assert answer.status == 200
            assert [message["code"] for message in answer.json["messages"]] == ["sandbox_ignored"]
        assert api.post("/v1/proxy/rates", question).json["messages"] == []
        assert api.get("/_sandbox/scenarios").status == 404
    ordinary.close()
