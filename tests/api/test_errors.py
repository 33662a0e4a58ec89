"""What goes wrong, and how it is told."""

from __future__ import annotations

import gzip
import logging
import re
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from shipcli.features.core.app import App
from shipcli.operations.table import OPERATIONS
from shipcli.store.errors import CommitUnknown, StoreBusy
from tests.api.conftest import Client, Reply, body
from tests.factories import PARCEL


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
    reply = api.post("/v1/addresses", {})
    error = reply.error
    assert (reply.status, error["code"]) == (400, "validation")
    assert error["details"] == {"country_code": ["is required"]}
    assert error["message"] == "country_code: is required"


def test_parameters_that_are_missing_are_named(api: Client) -> None:
    """Whatever the query lacks is the caller's mistake, in every operation that reads one."""
    for operation in OPERATIONS:
        if operation.query and operation.method == "GET":
            reply = api.get(re.sub(r"{\w+}", "nothing", operation.path))
            required = [one.name for one in operation.query if one.required and not one.declared]
            assert reply.status < 500, operation.path
            if required:
                named = {name: ["is required"] for name in required}
                assert (reply.status, reply.error["details"]) == (400, named), operation.path


@pytest.mark.parametrize(
    "path", ["/v1/mails?limit={}", "/_sandbox/jobs?limit={}", "/v1/steps/words?kind=order&word=a&most={}"]
)
@pytest.mark.parametrize("text", ["many", "0.5", "null", "9" * 5000])
def test_a_number_in_the_query_that_is_none_is_refused(api: Client, path: str, text: str) -> None:
    reply = api.get(path.format(text))
    assert reply.status == 400, reply.json
    assert "is not a whole number" in reply.error["message"]


def test_a_wrong_field_is_found_where_it_is(api: Client) -> None:
    parcels = [PARCEL, {**PARCEL, "weight": None}]
    error = api.post("/v1/shipments", body(parcels=parcels)).error
    assert list(error["details"]["parcels"][0]) == []
    assert list(error["details"]["parcels"][1]) == ["weight"]


@pytest.mark.parametrize("changes", [{"label_type": "GIF"}, {"reference": "x" * 36}, {"parcels": []}])
def test_a_value_that_may_not_be_is_refused(api: Client, changes: dict[str, object]) -> None:
    reply = api.post("/v1/shipments", body(**changes))
    assert (reply.status, reply.error["code"]) == (400, "validation")
    assert set(reply.error["details"]) == set(changes)


@pytest.mark.parametrize(
    "text", [b"{", b"nope", b'{"a":NaN}', b"\xff\xfe", b'{"a":"\\ud800"}', b"[" * 100_000]
)
def test_what_is_no_json_is_told(api: Client, text: bytes) -> None:
    reply = api.ask("POST", "/v1/addresses", content=text)
    assert (reply.status, reply.error["code"]) == (400, "parse_error")
    assert reply.error["message"].startswith("JSON parse error")


@pytest.mark.parametrize("text", [b'{"city":"A","city":"B"}', b'{"a":[{"city":1,"x":2,"city":null}]}'])
def test_a_key_that_stands_twice_in_one_object_is_named(api: Client, text: bytes) -> None:
    reply = api.ask("POST", "/v1/addresses", content=text)
    assert (reply.status, reply.error["code"]) == (400, "parse_error")
    assert "the key 'city' stands twice in one object" in reply.error["message"]


@pytest.mark.parametrize("text", [b"[]", b"null", b"1", b'"x"', b"true"])
def test_a_body_that_is_no_object_is_refused(api: Client, text: bytes) -> None:
    reply = api.ask("POST", "/v1/addresses", content=text)
    assert (reply.status, reply.error["code"]) == (400, "validation")


@pytest.mark.parametrize("media", ["text/plain", "application/xml", "multipart/form-data; boundary=x", ""])
def test_a_body_of_another_type_is_refused(api: Client, media: str) -> None:
    reply = api.ask("POST", "/v1/addresses", content=b"{}", Content_Type=media)
    assert (reply.status, reply.error["code"]) == (415, "unsupported_media_type")
    assert "send `Content-Type: application/json`" in reply.error["message"]


def test_a_packed_body_is_refused_as_that(api: Client) -> None:
    packed = gzip.compress(b'{"country_code":"DE"}')
    reply = api.ask("POST", "/v1/addresses", content=packed, Content_Encoding="gzip")
    assert (reply.status, reply.error["code"]) == (415, "unsupported_media_type")
    assert "'gzip'" in reply.error["message"]
    plain = api.ask("POST", "/v1/addresses", content=b'{"country_code":"DE"}', Content_Encoding="identity")
    assert plain.status == 201


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
    large = {"country_code": "US", "metadata": ["x" * 1000] * 2000}
    assert api.post("/v1/addresses", large).status == 201


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        ("/v1/proxy/tracking", {"carrier_name": "ups", "tracking_number": "^XA" * 20_000}, "tracking_number"),
        ("/v1/trackers", {"carrier_name": "ups", "tracking_number": "1Z", "metadata": {"a": ["x" * 20_001]}},
         "metadata.a[0]"),
        ("/v1/addresses", {"country_code": "US", "metadata": {"k" * 256: 1}}, "metadata"),
        ("/v1/batches/trackers", {"trackers": [{"carrier_name": "ups", "tracking_number": "1" * 20_001}]},
         "tracking_number"),
    ],
)  # fmt: skip
def test_a_text_that_is_too_long_for_any_field_is_named(
    api: Client, path: str, value: dict[str, Any], field: str
) -> None:
    reply = api.post(path, value)
    assert reply.status == 400
    assert f"{field}: must have" in reply.error["message"]


def test_templates_and_texts_of_an_ordinary_length_are_taken(api: Client) -> None:
    template = {"name": "long", "slug": "long", "template": "<p>x</p>" * 20_000}
    assert api.post("/v1/documents/templates", template).status == 201
    note = {"country_code": "US", "metadata": {"note": "x" * 20_000}}
    assert api.post("/v1/addresses", note).status == 201


def test_a_filter_that_is_too_long_is_named(api: Client) -> None:
    reply = api.get("/v1/shipments?reference=" + "x" * 20_001)
    assert (reply.status, reply.error["details"]) == (
        400,
        {"reference": ["must have at most 20000 characters"]},
    )


def test_no_connection_and_no_rate_are_told(api: Client) -> None:
    missing = api.post("/v1/proxy/rates", body(carrier_ids=["nobody"]))
    assert (missing.status, missing.error["code"]) == (404, "not_found")
    refused = api.post("/v1/proxy/rates", body(carrier_ids=["ups"], options={"sandbox_scenario": "error"}))
    assert refused.status == 424
    (message,) = refused.json["messages"]
    assert {"message", "code", "carrier_name", "carrier_id"} <= set(message)


def test_a_message_of_a_carrier_says_what_and_whose(api: Client) -> None:
    answer = api.made("/v1/proxy/rates", body(carrier_ids=["ups", "canadapost"]))
    (message,) = answer["messages"]
    assert set(message) == {"message", "code", "details", "carrier_name", "carrier_id"}
    assert (message["carrier_name"], message["carrier_id"]) == ("canadapost", "canadapost")
    assert message["message"]
    assert message["code"]


CONFLICTS: dict[str, Callable[[Client, Any], Reply]] = {
    "purchase": lambda api, sent: api.post(f"/v1/shipments/{sent['id']}/purchase", {"selected_rate_id": "x"}),
    "rates": lambda api, sent: api.post(f"/v1/shipments/{sent['id']}/rates", {}),
    "change": lambda api, sent: api.put(f"/v1/shipments/{sent['id']}", {"reference": "x"}),
    "parcel": lambda api, sent: api.patch(f"/v1/parcels/{sent['parcels'][0]['id']}", {"content": "x"}),
    "address": lambda api, sent: api.delete(f"/v1/addresses/{sent['shipper']['id']}"),
}


@pytest.mark.parametrize("name", CONFLICTS)
def test_what_the_state_of_an_object_forbids_is_a_conflict(api: Client, sent: Any, name: str) -> None:
    reply = CONFLICTS[name](api, sent)
    assert (reply.status, reply.error["code"]) == (409, "state_error")
    assert reply.error["message"]


@pytest.fixture(scope="module")
def sent(api: Client) -> dict[str, Any]:
    return api.made("/v1/shipments", body(service="standard_service"))


def test_every_error_is_in_one_of_two_bodies(api: Client, anybody: Client, sent: dict[str, Any]) -> None:
    path = f"/v1/shipments/{sent['id']}"
    nobody = {"tracking_number": "1ZNOBODY", "carrier_name": "ups"}
    failing = body(carrier_ids=["ups"], options={"sandbox_scenario": "error"})
    upload = {"shipment_id": sent["id"], "document_files": [{"doc_file": "JVBERi0=", "doc_name": "a.pdf"}]}
    errors = [
        (400, api.post("/v1/shipments", {})), (401, anybody.get("/v1/shipments")),
        (404, api.get("/v1/shipments/shp_x")), (404, api.get("/no/such/path")), (405, api.delete(path)),
        (406, api.post("/v1/documents/uploads", upload)), (409, api.post(f"{path}/rates", {})),
        (413, api.ask("POST", "/v1/orders", content=b" " * 3_000_000)),
        (415, api.ask("POST", "/v1/orders", content=b"x", Content_Type="text/csv")),
    ]  # fmt: skip
    for status, reply in errors:
        assert (reply.status, set(reply.json)) == (status, {"errors"})
        assert reply.headers["content-type"] == "application/json"
        for error in reply.json["errors"]:
            assert error["code"]
            assert error["message"]
            assert isinstance(error["code"], str)
            assert isinstance(error["message"], str)
            assert isinstance(error.get("details", {}), dict)
    assert errors[0][1].error["details"].keys() == {"shipper", "recipient", "parcels"}
    for status, reply in ((404, api.post("/v1/trackers", nobody)), (424, api.post("/v1/shipments", failing))):
        assert (reply.status, set(reply.json)) == (status, {"messages"})
        assert reply.json["messages"]


def test_unknown_fields_and_parameters_are_ignored(api: Client) -> None:
    made = api.post("/v1/addresses?shoe=size", {"country_code": "US", "shoe": 44})
    assert made.status == 201
    assert "shoe" not in made.json
    assert api.get("/v1/shipments?shoe=size").status == 200


@pytest.mark.parametrize(
    ("error", "code", "word"),
    [
        (StoreBusy("the store postgresql://db.internal can't be reached"), "store_busy", "nothing was saved"),
        (CommitUnknown("postgresql://db.internal"), "commit_unknown", "same Idempotency-Key"),
    ],
)
def test_a_store_that_is_away_asks_to_come_again_and_is_not_named(
    api: Client, monkeypatch: pytest.MonkeyPatch, error: Exception, code: str, word: str
) -> None:
    def fail(app: App, address_id: str) -> None:
        raise error

    (retrieve,) = (one for one in OPERATIONS if one.id == "$retrieve")
    monkeypatch.setitem(retrieve.__dict__, "use", fail)
    reply = api.get("/v1/addresses/adr_x")
    assert (reply.status, reply.error["code"], reply.headers["retry-after"]) == (503, code, "1")
    assert word in reply.error["message"]
    assert "db.internal" not in reply.error["message"]


def test_a_mistake_of_ours_tells_nothing_and_leaves_a_record(
    api: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(app: App, address_id: str) -> None:
        raise ZeroDivisionError("the secret inside")

    (retrieve,) = (one for one in OPERATIONS if one.id == "$retrieve")
    monkeypatch.setitem(retrieve.__dict__, "use", broken)
    with caplog.at_level(logging.CRITICAL + 1, logger="shipcli.api"):
        reply = api.get("/v1/addresses/adr_x", X_Request_ID="mine-1")
    assert (reply.status, reply.error["code"]) == (500, "internal_error")
    assert reply.headers["content-type"] == "application/json"
    for word in (b"secret", b"Traceback", b"ZeroDivision", b".py"):
        assert word not in reply.content
    assert reply.headers["x-request-id"] == "mine-1"


def test_a_request_id_is_kept_or_made(api: Client) -> None:
    assert api.get("/", X_Request_ID="abc-1").headers["x-request-id"] == "abc-1"
    made = [api.get("/", X_Request_ID=bad).headers["x-request-id"] for bad in ("a b", "x" * 200)]
    assert all(one.startswith("req_") for one in made)
    assert made[0] != made[1]


def test_a_host_that_is_none_is_refused(http: TestClient) -> None:
    said = http.get("/", headers={"Host": "evil.example/path?"})
    assert (said.status_code, said.json()["errors"][0]["code"]) == (421, "unknown_host")


def test_head_and_options_are_answered(http: TestClient) -> None:
    assert http.head("/").status_code == 200
    assert http.options("/v1/addresses").status_code == 405
