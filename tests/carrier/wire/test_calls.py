"""Calls as bytes, replies as values."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from shipcli.carrier import Call, Reply, Request, ask_all
from shipcli.carrier.wire import xml
from shipcli.carrier.wire.calls import encode


def sent(**call: Any) -> Request:
    return encode(Call("POST", "/a", **call), "https://x.example/", {"X-One": "1"})


def test_json_is_written_with_exact_numbers() -> None:
    request = sent(json={"a": Decimal("4.50"), "b": [None, True]})
    assert (request.content, request.header("content-type")) == (
        b'{"a":4.5,"b":[null,true]}',
        "application/json",
    )


def test_a_form_repeats_lists_and_leaves_out_none() -> None:
    request = sent(form={"a": ["1", "2"], "b": None, "c": "x y&z"})
    assert request.content == b"a=1&a=2&c=x+y%26z"


def test_xml_is_rendered() -> None:
    request = sent(xml=xml.element("a", {"b": 1}))
    assert request.content.endswith(b"<a><b>1</b></a>")
    assert request.header("content-type") == "text/xml; charset=utf-8"


def test_a_content_type_of_the_call_stands() -> None:
    assert sent(json={}, headers={"content-type": "application/vnd.x+json"}).headers == {
        "X-One": "1", "content-type": "application/vnd.x+json",
    }  # fmt: skip


def test_a_call_without_a_body_has_no_content_type() -> None:
    assert (sent().content, sent().headers) == (b"", {"X-One": "1"})


def test_a_query_is_added_and_repeated_and_escaped() -> None:
    request = sent(query={"a": "x y", "b": [1, 2], "c": None})
    assert request.url == "https://x.example/a?a=x%20y&b=1&b=2"


def test_a_query_joins_one_that_is_there() -> None:
    request = encode(Call("GET", "https://y.example/l?t=1", query={"s": 2}), "https://x.example", {})
    assert request.url == "https://y.example/l?t=1&s=2"


@pytest.mark.parametrize(
    ("call", "repeats"),
    [(Call("GET", "/"), True), (Call("POST", "/"), False), (Call("POST", "/", repeatable=True), True),
     (Call("GET", "/", repeatable=False), False), (Call("DELETE", "/"), False)],
    ids=str,
)  # fmt: skip
def test_only_questions_are_repeated_unless_the_call_says_so(call: Call, repeats: bool) -> None:
    assert call.may_repeat is repeats


def test_a_reply_reads_fractions_exactly() -> None:
    assert Reply(200, b'{"a": 0.1}').json == {"a": Decimal("0.1")}


def test_an_empty_reply_is_an_empty_object() -> None:
    assert Reply(204, b" \n").json == {}


@pytest.mark.parametrize("content", [b"<html>", b'{"half": [', b"NaN"])
def test_a_reply_that_is_no_json_is_a_value_error(content: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        _ = Reply(200, content).json


def test_a_reply_is_text_in_utf_8_or_else_latin_1() -> None:
    assert [Reply(200, one).text for one in ("é".encode(), "é".encode("latin-1"), b"\xef\xbb\xbfx")] == [
        "é",
        "é",
        "x",
    ]


def test_headers_are_found_whatever_their_case() -> None:
    assert Reply(200, b"", {"Retry-After": "3"}).header("retry-after") == "3"


def test_asking_nothing_sends_nothing() -> None:
    with pytest.raises(StopIteration) as end:
        next(ask_all([]))
    assert end.value.value == []
