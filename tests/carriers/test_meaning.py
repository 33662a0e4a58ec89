"""Two spellings of one thing are equal, two different things are not."""

from __future__ import annotations

import base64

import pytest

from tests.carriers.meaning import body_leaves, leaves, same
from tests.carriers.recordings import preset_token


def test_the_token_of_each_login_is_found_among_the_cached_ones() -> None:
    cached = {
        "access|x": {"token_type": "Bearer", "access_token": "A"},
        "payment|x": {"paymentAuthorizationToken": "P"},
    }
    assert (preset_token(cached, "access"), preset_token(cached, "payment")) == ("A", "P")
    assert preset_token({"dpd|x": {"depot": "0530", "token": "T"}}, "depot") == "0530"
    assert preset_token({}, "access") is None


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ('{"a": 10, "b": null, "c": []}', '{"a": "10.0"}'),
        (
            '<a xmlns="x"><b c="1">t</b></a>',
            '<?xml version="1.0"?>\n<p:a xmlns:p="x"> <p:b c="1"> t </p:b></p:a>',
        ),
        ("xml=%3Ca%3E1%3C%2Fa%3E&b=2", "b=2&xml=%3Ca%3E%201%3C%2Fa%3E"),
    ],
)
def test_two_spellings_of_one_body_are_equal(left: str, right: str) -> None:
    first, second = body_leaves(left.encode()), body_leaves(right.encode())
    assert first.keys() == second.keys()
    assert all(same(first[path], second[path]) for path in first)


@pytest.mark.parametrize(
    ("left", "right"), [("<a><b/></a>", "<a/>"), ('{"a": true}', '{"a": 1}'), ('{"a": "01"}', '{"a": 1}')]
)
def test_two_different_bodies_are_not_equal(left: str, right: str) -> None:
    first, second = body_leaves(left.encode()), body_leaves(right.encode())
    assert first.keys() != second.keys() or not all(same(first[path], second[path]) for path in first)


def test_multipart_compares_with_a_form_of_the_same_fields() -> None:
    body = b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n'
    assert body_leaves(body, "multipart/form-data; boundary=b") == leaves({"a": "1"}) == body_leaves(b"a=1")


def test_bytes_in_a_part_compare_with_their_base64_text() -> None:
    content = b"GIF87a\xff\x00"
    body = (
        b'--b\r\nContent-Disposition: form-data; name="a"; filename="x.gif"\r\n\r\n'
        + content
        + b"\r\n--b--\r\n"
    )
    assert body_leaves(body, "multipart/form-data; boundary=b") == {"/a": base64.b64encode(content).decode()}
