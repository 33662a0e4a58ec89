"""What is kept of an exchange holds no secret, however it is spelt, and no document."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from urllib.parse import quote, quote_plus
from xml.sax.saxutils import escape, quoteattr

import pytest

from shipcli.carrier.sending.redaction import LONGEST_BODY, MASK, Mask

SECRET = 'p"a&ss <w>/é 1'
BASE64 = base64.b64encode(SECRET.encode()).decode()


@pytest.mark.parametrize(
    "spelt",
    [
        SECRET,
        quote(SECRET),
        quote(SECRET, safe=""),
        quote_plus(SECRET),
        BASE64,
        escape(SECRET),
        quoteattr(SECRET),
        json.dumps(SECRET),
        json.dumps(SECRET, ensure_ascii=False),
    ],
    ids=["plain", "path", "query", "form", "base64", "xml text", "xml attribute", "json", "json in utf-8"],
)
def test_a_secret_is_hidden_in_every_spelling(spelt: str) -> None:
    masked = Mask([SECRET]).body(f"before {spelt} after".encode())
    assert MASK in masked
    assert "ss" not in masked
    assert masked.startswith("before ")
    assert masked.endswith(" after")


@pytest.mark.parametrize("coded", [quote, quote_plus], ids=["query", "form"])
@pytest.mark.parametrize(
    "inner",
    [f"<p>{escape(SECRET)}</p>", f"<p p={quoteattr(SECRET)}/>", json.dumps({"p": SECRET}), BASE64],
    ids=["xml text", "xml attribute", "json", "base64"],
)
def test_a_secret_is_hidden_in_a_document_that_travels_in_a_field(
    inner: str, coded: Callable[[str], str]
) -> None:
    masked = Mask([SECRET]).body(f"document={coded(inner)}&a=b".encode())
    assert MASK in masked
    assert "ss" not in masked
    assert BASE64[:12] not in masked


def test_a_longer_secret_is_hidden_before_one_it_contains() -> None:
    assert Mask(["abc", "abcdef"]).text("abcdef abc") == f"{MASK} {MASK}"


@pytest.mark.parametrize(
    "name", ["Authorization", "Auth", "X-Api-Key", "Cookie", "Username-Token", "client_secret"]
)
def test_headers_that_carry_secrets_are_hidden_whole(name: str) -> None:
    assert Mask([]).headers({name: "Basic abc", "Accept": "*/*"}) == {name: MASK, "Accept": "*/*"}


@pytest.mark.parametrize(
    "body",
    ['{"access_token": "T0K"}', '{"paymentAuthorizationToken":"T0K"}', "grant=x&client_secret=T0K&a=b",
     '{"client_secret" : "T0K"}', "refresh_token=T0K"],
)  # fmt: skip
def test_members_named_like_secrets_are_hidden_though_their_values_are_unknown(body: str) -> None:
    assert "T0K" not in Mask([]).body(body.encode())


def test_nothing_else_is_touched() -> None:
    body = '{"tracking_number": "1Z999", "tokens_left": 3}'
    assert Mask(["secret"]).body(body.encode()) == body


def test_a_short_text_is_no_secret() -> None:
    """One or two characters would hide half of every body."""
    assert Mask(["a", ""]).text("a banana") == "a banana"


@pytest.mark.parametrize(
    ("content", "kept"),
    [
        (b"%PDF-1.4 ...", "[PDF of 12 bytes]"),
        (b"\x89PNG\xff\xfe", "[6 bytes]"),
        (b"x^XA^FDhello^FS^XZy", "x[ZPL of 17 characters]y"),
    ],
)
def test_documents_are_replaced_by_their_size(content: bytes, kept: str) -> None:
    assert Mask([]).body(content) == kept


def test_a_label_inside_json_is_replaced_by_its_size() -> None:
    label = base64.b64encode(b"x" * 3000).decode()
    assert Mask([]).body(json.dumps({"label": label}).encode()) == '{"label": "[base64 of 4000 characters]"}'


@pytest.mark.parametrize(("length", "kept"), [(399, "A" * 399), (400, "[base64 of 400 characters]")])
@pytest.mark.parametrize("before", [0, 1, 398, 399, 400, 401, 1000])
def test_a_document_is_found_wherever_it_stands(before: int, length: int, kept: str) -> None:
    body = '"' * before + "{" + "A" * length + "}"
    assert Mask([]).body(body.encode()) == '"' * before + "{" + kept + "}"


def test_two_documents_beside_each_other_are_both_replaced() -> None:
    found = Mask([]).body(("A" * 700 + '"' + "B" * 500).encode())
    assert found == '[base64 of 700 characters]"[base64 of 500 characters]'


def test_a_secret_at_the_cut_of_a_long_body_is_hidden_whole() -> None:
    body = "word " * (LONGEST_BODY // 5) + "x"
    body = body[: LONGEST_BODY - 4] + "SECRETS" + " rest"
    masked = Mask(["SECRETS"]).body(body.encode())
    assert len(masked) <= LONGEST_BODY
    assert "SEC" not in masked


@pytest.mark.parametrize("length", range(1, 8))
@pytest.mark.parametrize("before", ["", "SECRETS" * 3000, '{"password": "'])
def test_no_part_of_a_secret_is_left_where_a_long_body_is_cut(before: str, length: int) -> None:
    """Masks shorten the text: what is behind the cut moves up to it."""
    whole = before + "." * (LONGEST_BODY + len("SECRETS") - length - len(before)) + "SECRETS"
    masked = Mask(["SECRETS"]).body(whole.encode() + b"." * LONGEST_BODY)
    assert len(masked) <= LONGEST_BODY
    assert "S" not in masked


def test_the_value_of_a_secret_member_is_hidden_though_it_ends_behind_the_cut() -> None:
    body = "." * (LONGEST_BODY - 100) + '{"access_token": "' + "T0K." * 1000 + '"}'
    masked = Mask([]).body(body.encode())
    assert masked.endswith(f'{{"access_token": "{MASK}"')


def test_what_follows_a_label_of_megabytes_is_kept() -> None:
    label = "A" * 3_000_000
    body = f'{{"label": "{label}", "zpl": "^XA{"x," * 200_000}^XZ", "number": "1Z999"}}'
    assert Mask([]).body(body.encode()).endswith('characters]", "number": "1Z999"}')


@pytest.mark.parametrize("zpl", ["^XA", "^XZ", "^XA^XZ^XA", "^XZ^XA"])
def test_labels_that_never_end_stay_as_they_are(zpl: str) -> None:
    assert Mask([]).body(zpl.encode()) == zpl.replace("^XA^XZ", "[ZPL of 6 characters]")


def test_an_account_number_is_hidden_where_it_stands_alone() -> None:
    mask = Mask([], ["A1B2C3"])
    assert mask.text("/accounts/A1B2C3/labels?payer=A1B2C3") == f"/accounts/{MASK}/labels?payer={MASK}"
    assert mask.body(b'{"ShipperNumber": "A1B2C3"}') == f'{{"ShipperNumber": "{MASK}"}}'
    assert mask.text("1ZA1B2C30300000012") == "1ZA1B2C30300000012"


def test_messages_lose_long_secrets_at_any_depth_and_keep_words_and_account_numbers() -> None:
    mask = Mask(["12345678", "token", "password", "abcdefghijklmnop"], ["A1234567"])
    details = {"text": "token 12345678 of A1234567", "more": [{"key": "is abcdefghijklmnop"}, 12345678, None]}
    masked = {"text": f"token {MASK} of A1234567", "more": [{"key": f"is {MASK}"}, 12345678, None]}
    assert mask.message("wrong password") == "wrong password"
    assert mask.message(details) == masked
