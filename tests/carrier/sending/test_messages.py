"""A refusal in a language that the carrier's reader does not know still says something."""

from __future__ import annotations

import pytest

from shipcli.carrier.sending.messages import LONGEST, find_text
from shipcli.carrier.wire.calls import Reply


@pytest.mark.parametrize(
    "body",
    [
        '{"message": "Too many calls"}',
        '{"Message": "Too many calls", "requestId": "r-1"}',
        '{"code": 7, "error": {"reason": "Too many calls"}}',
        '{"errors": ["Too many calls", "Wait"]}',
        '{"errors": {"quota": ["Too many calls"]}}',
        '{"fault": {"faultstring": "Too many\\n  calls", "detail": {"errorcode": "policies.Quota"}}}',
        '[{"id": 3}, {"description": "Too many calls"}]',
        '"Too many calls"',
        "<fault><code>7</code><faultstring>Too many calls</faultstring></fault>",
        "Too many calls",
    ],
)
def test_the_sentence_of_a_gateway_is_found(body: str) -> None:
    assert find_text(Reply(429, body.encode())) == "Too many calls"


@pytest.mark.parametrize(
    "body", ["", "{}", '{"id": "r-1", "data": {"name": "Bo"}}', '{"error": 7}', "<html><h1>", "{", "%PDF\x00"]
)
def test_what_says_nothing_is_not_told(body: str) -> None:
    assert find_text(Reply(500, body.encode())) is None


def test_no_more_than_a_sentence_is_told() -> None:
    text = find_text(Reply(500, b"so " * 1000))
    assert text is not None
    assert len(text) == LONGEST
