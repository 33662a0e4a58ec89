"""What goes wrong, and how it is told."""

from __future__ import annotations

import logging

import pytest
from starlette.testclient import TestClient

from shipcli.operations.table import BY_ID
from shipcli.services.app import App
from tests.api.conftest import PARCEL, Client, body


@pytest.mark.parametrize(
    "path", ["/nothing", "/v1/addresses/", "/v1", "/v1//x", "/v1/shipments/a/b/c", "/%00"]
)
def test_an_unknown_path_is_told_in_json(api: Client, path: str) -> None:
    reply = api.get(path)
    assert (reply.status, reply.error["code"]) == (404, "not_found")


def test_a_wrong_method_names_those_that_are_allowed(api: Client) -> None:
    for method in ("PUT", "TRACE", "PATCH"):
        reply = api.ask(method, "/v1/addresses")
        assert (reply.status, reply.error["code"]) == (405, "method_not_allowed")
        assert reply.headers["allow"] == "GET, POST"


def test_a_missing_field_is_named(api: Client) -> None:
    error = api.post("/v1/addresses", {}).error
    assert error["code"] == "validation"
    assert error["details"] == {"country_code": ["is required"]}
    assert error["message"] == "country_code: is required"


def test_a_wrong_field_is_found_where_it_is(api: Client) -> None:
    parcels = [PARCEL, {**PARCEL, "weight": None}]
    error = api.post("/v1/shipments", body(parcels=parcels)).error
    assert list(error["details"]["parcels"][0]) == []
    assert list(error["details"]["parcels"][1]) == ["weight"]


@pytest.mark.parametrize("changes", [{"label_type": "GIF"}, {"reference": "x" * 36}, {"parcels": []}])
def test_a_value_that_may_not_be_is_refused(api: Client, changes: dict[str, object]) -> None:
    assert api.post("/v1/shipments", body(**changes)).error["code"] == "validation"


@pytest.mark.parametrize(
    "text", [b"{", b"nope", b'{"a":NaN}', b"\xff\xfe", b'{"a":"\\ud800"}', b"[" * 100_000]
)
def test_what_is_no_json_is_told(api: Client, text: bytes) -> None:
    error = api.ask("POST", "/v1/addresses", content=text).error
    assert error["code"] == "parse_error"
    assert error["message"].startswith("JSON parse error")


@pytest.mark.parametrize("text", [b"[]", b"null", b"1", b'"x"', b"true"])
def test_a_body_that_is_no_object_is_refused(api: Client, text: bytes) -> None:
    assert api.ask("POST", "/v1/addresses", content=text).error["code"] == "validation"


@pytest.mark.parametrize("media", ["text/plain", "application/xml", "multipart/form-data; boundary=x", ""])
def test_a_body_of_another_type_is_refused(api: Client, media: str) -> None:
    reply = api.ask("POST", "/v1/addresses", content=b"{}", Content_Type=media)
    assert (reply.status, reply.error["code"]) == (415, "unsupported_media_type")


def test_a_charset_beside_the_type_is_accepted(api: Client) -> None:
    text = '{"country_code":"DE","city":"Köln"}'.encode()
    reply = api.ask("POST", "/v1/addresses", content=text, Content_Type="application/json; charset=utf-8")
    assert reply.json["city"] == "Köln"


def test_numbers_come_back_exactly(api: Client) -> None:
    reply = api.ask("POST", "/v1/parcels", content=b'{"weight":0.1000000000000000055,"weight_unit":"KG"}')
    assert b'"weight":0.1000000000000000055' in reply.content


def test_an_absent_body_counts_as_an_empty_one(api: Client) -> None:
    assert api.ask("POST", "/v1/addresses").error["details"] == {"country_code": ["is required"]}


def test_a_body_that_is_too_large_is_refused(api: Client) -> None:
    for size in (2_700_000, 20_000_000):
        reply = api.ask("POST", "/v1/addresses", content=b" " * size)
        assert (reply.status, reply.error["code"]) == (413, "request_too_large")
    large = {"country_code": "US", "metadata": "x" * 2_000_000}
    assert api.post("/v1/addresses", large).status == 201


def test_no_connection_and_no_rate_are_told(api: Client) -> None:
    missing = api.post("/v1/proxy/rates", body(carrier_ids=["nobody"]))
    assert (missing.status, missing.error["code"]) == (404, "not_found")
    refused = api.post("/v1/proxy/rates", body(carrier_ids=["ups"], options={"sandbox_scenario": "error"}))
    assert refused.status == 424
    (message,) = refused.json["messages"]
    assert {"message", "code", "carrier_name", "carrier_id"} <= set(message)


def test_unknown_fields_and_parameters_are_ignored(api: Client) -> None:
    assert api.post("/v1/addresses?shoe=size", {"country_code": "US", "shoe": 44}).status == 201


def test_a_mistake_of_ours_tells_nothing_and_leaves_a_record(
    api: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(app: App, address_id: str) -> None:
        raise ZeroDivisionError("the secret inside")

    monkeypatch.setitem(BY_ID["$retrieve"].__dict__, "use", broken)
    with caplog.at_level(logging.CRITICAL + 1, logger="shipcli.api"):
        reply = api.get("/v1/addresses/adr_x", X_Request_ID="mine-1")
    assert (reply.status, reply.error["code"]) == (500, "internal_error")
    assert b"secret" not in reply.content
    assert reply.headers["x-request-id"] == "mine-1"


def test_a_request_id_is_kept_or_made(api: Client) -> None:
    assert api.get("/", X_Request_ID="abc-1").headers["x-request-id"] == "abc-1"
    made = [api.get("/", X_Request_ID=bad).headers["x-request-id"] for bad in ("a b", "x" * 200)]
    assert all(one.startswith("req_") for one in made)
    assert made[0] != made[1]


def test_a_host_that_is_none_is_not_repeated(http: TestClient) -> None:
    said = http.get("/", headers={"Host": "evil.example/path?"}).json()
    assert "evil" not in said["HOST"]


def test_head_and_options_are_answered(http: TestClient) -> None:
    assert http.head("/").status_code == 200
    assert http.options("/v1/addresses").status_code == 405
