"""The runner finds what is wrong with a flow, and forgives what means the same."""

from __future__ import annotations

import base64
import copy
import json
from pathlib import Path
from typing import Any

import pytest

from tests.carriers.fake import Fake
from tests.carriers.recordings import Case
from tests.carriers.replay import replay
from tests.carriers.samples import COMMON, PDF, RATES, SHIPMENT, changed, run


@pytest.mark.parametrize("data", [RATES, SHIPMENT], ids=["rates", "shipment"])
def test_a_good_case_matches(data: dict[str, Any]) -> None:
    report = run(data)
    assert report.lines == []
    assert list(report.aspects) == ["requests", "results", "messages"]


PLANTED = {
    "a wrong number in a body": (
        RATES,
        "http/0/body",
        '{"kg": 2.01}',
        "requests",
        "http/0/body/kg: expected 2.01",
    ),
    "a member too many": (RATES, "http/0/body", '{"kg": 2, "lb": 4}', "requests", "http/0/body/lb: missing"),
    "a missing body": (RATES, "http/0/body", None, "requests", "http/0/body: not expected"),
    "a wrong method": (RATES, "http/0/method", "PUT", "requests", "http/0/method: expected PUT, got POST"),
    "a wrong path": (RATES, "http/0/url", "https://fake.example/rate", "requests", "http/0/url: expected"),
    "a wrong host": (
        RATES,
        "http/0/url",
        "https://test.fake.example/rates",
        "requests",
        "http/0/url: expected",
    ),
    "a wrong query": (
        SHIPMENT,
        "http/1/url",
        "https://fake.example/labels/T1.pdf?size=A4",
        "requests",
        "http/1/query/size: expected",
    ),
    "a wrong header": (RATES, "http/0/headers/X-User", "bob", "requests", "headers/x-user: expected"),
    "a missing header": (RATES, "http/0/headers/X-Other", "1", "requests", "headers/x-other: missing"),
    "a wrong token": (
        RATES,
        "http/0/headers/Authorization",
        "Bearer x",
        "requests",
        "authorization: expected",
    ),
    "a wrong content type": (
        RATES,
        "http/0/headers/Content-Type",
        "text/xml",
        "requests",
        "content-type: expected",
    ),
    "a missing call": (
        SHIPMENT,
        "http/2",
        SHIPMENT["http"][1],
        "requests",
        "http: 2 call(s) sent, expected 3",
    ),
    "a wrong price": (RATES, "parsed/0/total_charge", 9.6, "results", "total_charge: expected 9.6, got 9.5"),
    "a wrong service": (RATES, "parsed/0/service", "fake_air", "results", "no rate of that service"),
    "a lost charge": (
        RATES,
        "parsed/0/extra_charges",
        [{"name": "Fuel", "amount": 1}],
        "results",
        "extra_charges",
    ),
    "no result where one is due": (RATES, "parsed", None, "results", "parsed: expected null"),
    "a wrong tracking number": (
        SHIPMENT,
        "parsed/tracking_number",
        "T2",
        "results",
        "parsed/tracking_number",
    ),
    "a document of another kind": (
        SHIPMENT,
        "parsed/docs/label",
        base64.b64encode(b"^XA^XZ").decode(),
        "results",
        "kind zpl, got pdf",
    ),
    "a lost document": (
        SHIPMENT,
        "parsed/docs/invoice",
        PDF,
        "results",
        "parsed/docs/invoice: expected a document",
    ),
    "a missing message": (
        RATES,
        "messages",
        [{"code": "E1", "message": "no"}],
        "messages",
        'messages: missing ["E1","no"]',
    ),
}


@pytest.mark.parametrize(("data", "path", "value", "aspect", "line"), PLANTED.values(), ids=list(PLANTED))
def test_a_planted_fault_is_found(
    data: dict[str, Any], path: str, value: Any, aspect: str, line: str
) -> None:
    data = copy.deepcopy(data)
    if path == "http/2":
        data["http"].append(value)
    else:
        data = changed(data, path, value)
    report = run(data)
    assert any(line in found for found in report.aspects[aspect]), report.lines


def test_an_extra_call_is_found() -> None:
    data = changed(SHIPMENT, "http", SHIPMENT["http"][:1])
    lines = run(data).aspects["requests"]
    assert "http: 2 call(s) sent, expected 1" in lines
    assert any(line.startswith("http: unexpected GET https://fake.example/labels/T1.pdf") for line in lines)


def test_a_rate_too_many_is_found() -> None:
    answer = {"rates": [{"service": "fake_ground", "price": 9.5}, {"service": "fake_air", "price": 20}]}
    data = changed(RATES, "carrier_response/0/body", json.dumps(answer))
    assert any("rate not expected" in line for line in run(data).aspects["results"])


def test_a_message_that_nobody_recorded_is_found() -> None:
    error = '{"error": {"code": "E1", "text": "no"}}'
    report = run(changed(RATES, "carrier_response/0/body", error))
    assert 'messages: not expected ["E1","no"]' in report.aspects["messages"]


def test_messages_compare_by_code_and_text_with_blanks_collapsed() -> None:
    data = changed(RATES, "carrier_response/0/body", '{"error": {"code": "E1", "text": "no  way\\n"}}')
    data = {**data, "parsed": None, "messages": [{"code": "E1", "message": "no way", "details": {"a": 1}}]}
    assert run(data).lines == []


def test_volatile_paths_are_left_out() -> None:
    data = changed(RATES, "http/0/body", '{"kg": 7}')
    assert run({**data, "volatile": ["http/0/body/kg"]}).lines == []


def test_a_case_counts_only_what_its_checks_name() -> None:
    wrong = changed({**RATES, "checks": ["http"]}, "parsed/0/total_charge", 1)
    report = run(wrong)
    assert (report.lines, list(report.aspects)) == ([], ["requests"])


def test_a_case_without_calls_proves_that_none_is_sent() -> None:
    data = {**RATES, "checks": ["parsed"], "http": [], "parsed": None}
    assert any("none expected" in line for line in run(data).aspects["results"])


def test_a_call_repeated_after_a_refused_token_is_one_call() -> None:
    data = changed(RATES, "carrier_response/0", {"call": 0, "status": 401, "format": "ignored", "body": ""})
    message = {"code": "401", "message": "Fake answered with status 401"}
    assert run({**data, "parsed": None, "messages": [message]}).lines == []


def test_a_login_case_compares_the_token_of_the_login_that_fits() -> None:
    login = {
        **COMMON,
        "operation": "authenticate",
        "cached_auth": {},
        "unified_request": None,
        "http": [
            {
                "method": "POST",
                "url": "https://fake.example/login/payment",
                "headers": {},
                "body": "key=s3cret",
                "content_type": "application/x-www-form-urlencoded",
            }
        ],
        "carrier_response": [{"call": 0, "status": 200, "format": "json", "body": '{"access_token": "T"}'}],
        "parsed": {"payment_token": "T"},
    }
    assert run(login).lines == []
    assert run({**login, "parsed": {"payment_token": "U"}}).lines == ['parsed: token "U" was not returned']


def test_a_login_that_was_answered_by_a_placeholder_gives_the_token_that_is_borne_later() -> None:
    login = {
        "method": "POST",
        "url": "https://fake.example/login/access",
        "headers": {},
        "body": "key=s3cret",
        "content_type": "application/x-www-form-urlencoded",
    }
    empty = {"status": 200, "format": "json", "body": "{}"}
    replies = [{**empty, "call": 0}, {**RATES["carrier_response"][0], "call": 1}]
    data = {**RATES, "checks": ["http"], "cached_auth": {}, "http": [login, *RATES["http"]]}
    assert run({**data, "carrier_response": replies}).lines == []
    proving = run({**data, "checks": ["http", "parsed"], "carrier_response": replies})
    assert "http: 1 call(s) sent, expected 2" in proving.lines


def test_a_call_of_no_verb_and_no_account_proves_nothing() -> None:
    report = run({**RATES, "settings": None, "unified_request": None})
    assert (report.aspects, report.lines) == ({}, [])


def test_a_carrier_that_breaks_is_a_failed_case() -> None:
    class Broken(Fake):
        @classmethod
        def open(cls, *arguments: Any) -> Any:
            raise RuntimeError("oops")

    assert "fake raised RuntimeError: oops" in run(RATES, Broken).lines[0]


def test_a_reader_that_breaks_is_logged_with_its_place() -> None:
    report = run(changed(RATES, "carrier_response/0/body", '{"rates": [{}]}'))
    assert report.lines
    assert "KeyError" in report.log[0]


def test_a_carrier_that_is_not_built_is_reported_clearly() -> None:
    report = replay(Case(Path("x.json"), {**RATES, "carrier": "not_there"}))
    assert report.lines == ["There is no carrier 'not_there'."]
