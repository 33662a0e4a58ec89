"""JSON text in and out."""

from datetime import UTC, datetime
from decimal import Decimal
from enum import Enum

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shipcli.models import Parcel, json


class Colour(Enum):
    RED = "red"


class Key(str, Enum):  # noqa: UP042 - the older kind of text enumeration is what is tested
    A = "a"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("4.50", "4.5"),
        ("1E+2", "100"),
        ("0.00", "0"),
        ("-0.0", "0"),
        ("13.29", "13.29"),
        ("0.000001", "0.000001"),
        ("12345678901234567890.123456789012345678", "12345678901234567890.123456789012345678"),
        ("-7.10", "-7.1"),
        ("1E+500", "1E+500"),
    ],
)
def test_a_decimal_is_written_as_its_shortest_exact_number(value: str, text: str) -> None:
    assert json.dumps(Decimal(value)) == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a":[1.5,null]}', {"a": [1.5, None]}),
        ('{"a":12345678901234567890123}', {"a": pytest.approx(1.2345678901234568e22)}),
        ('{"a":1e400}', {"a": Decimal("1E+400")}),
        ('{"pass\\u0077ord":"x"}', {"password": "x"}),
    ],
)
def test_a_peek_sees_names_and_texts_as_they_are(text: str, value: object) -> None:
    assert json.peek(text.encode()) == value


def test_a_peek_at_what_is_no_json_is_refused() -> None:
    with pytest.raises(ValueError, match="Expecting"):
        json.peek(b"{a")


@settings(max_examples=200, deadline=None, database=None)
@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_every_decimal_survives_the_round_trip(value: Decimal) -> None:
    assert Decimal(json.loads(json.dumps([value]))[0]) == value


def test_a_fraction_is_read_without_going_through_float() -> None:
    assert json.loads(b'{"w": 0.1000000000000000055}') == {"w": Decimal("0.1000000000000000055")}


def test_a_weight_of_13_29_lb_survives_a_stored_parcel() -> None:
    parcel = Parcel.model_validate(json.loads('{"weight": 13.29, "weight_unit": "LB"}'))
    assert Parcel.model_validate(json.loads(json.dumps(parcel))).weight == Decimal("13.29")
    assert '"weight":13.29,' in json.dumps(parcel)


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", "-Infinity", "{", "", '"\\ud800"', "[" * 200_000])
def test_text_that_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        json.loads(text)


def test_a_pair_of_surrogates_is_one_character() -> None:
    assert json.loads('"\\ud83d\\ude00"') == "\U0001f600"


def test_a_byte_order_mark_is_skipped() -> None:
    assert json.loads(b"\xef\xbb\xbf[1]") == [1]


def test_integers_beyond_64_bits_are_written() -> None:
    assert (
        json.dumps({"n": [2**70], "price": Decimal("1.50")}) == '{"n":[1180591620717411303424],"price":1.5}'
    )


def test_dates_and_enumerations_have_their_usual_form() -> None:
    moment = datetime(2024, 12, 6, 10, 30, tzinfo=UTC)
    assert json.dumps([moment, Colour.RED, {Key.A: 1}]) == '["2024-12-06T10:30:00+00:00","red",{"a":1}]'


def test_keys_can_be_sorted_and_lines_indented() -> None:
    assert json.dumps({"b": 1, "a": 2}, indent=True, sort=True) == '{\n  "a": 2,\n  "b": 1\n}'


@pytest.mark.parametrize("value", [b"x", {1, 2}, object(), {1: 2}, "\ud800"])
def test_values_without_a_json_form_are_refused(value: object) -> None:
    with pytest.raises(TypeError):
        json.dumps(value)


@pytest.mark.parametrize("value", ["NaN", "Infinity"])
def test_a_decimal_that_is_not_finite_is_refused(value: str) -> None:
    with pytest.raises(TypeError):
        json.dumps([Decimal(value)])
