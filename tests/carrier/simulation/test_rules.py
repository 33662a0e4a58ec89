"""The language in which simulators say what their carriers refuse."""

from __future__ import annotations

from typing import Any

import pytest

from shipcli.carrier.simulation.rules import Rules, convert_to_plain
from shipcli.carrier.wire.xml import element


def wrong(body: Any, *rows: tuple[str, ...]) -> list[str]:
    return [problem.path for problem in Rules(*rows).problems(body)]


@pytest.mark.parametrize(
    ("checks", "good", "bad"),
    [
        ("required", "x", ""),
        ("text 1..3", "abc", "abcd"),
        ("text ..3", "", "abcd"),
        ("digits 5", "12345", "1234a"),
        ("digits 2..3", "12", "1"),
        ("number 0.01..70", "70", "70.5"),
        ("number 1..", 5, "five"),
        ("number text 0..9", "5", 5),
        ("one of A|B", "A", "C"),
        ("required, one of A|B (big, flat)", "B (big, flat)", "B (big"),
        (r"pattern \d{2}|[A-Z]{1,2}", "AB", "A1"),
        ("date %Y%m%d", "20250304", "2025-03-04"),
        ("date %Y-%m-%d", "2025-03-04", "2025-02-30"),
        ("base64", "QUJD", "%%"),
        ("flag", True, "yes"),
        ("list 1..2", [1, 2], [1, 2, 3]),
        ("members a|b", {"a": 1}, {"a": 1, "c": 2}),
        ("required, text 1..3", "abc", None),
    ],
)
def test_a_check_tells_good_from_bad(checks: str, good: Any, bad: Any) -> None:
    assert wrong({"x": good}, ("x", checks)) == []
    assert wrong({"x": bad}, ("x", checks)) == ["x"]


def test_a_value_that_is_not_there_offends_only_who_requires_it() -> None:
    assert wrong({}, ("x", "text 1..3")) == []
    assert wrong({}, ("x", "required")) == ["x"]
    assert wrong({"x": 1}, ("x", "absent")) == ["x"]


def test_every_member_of_a_list_is_looked_at() -> None:
    body = {"p": [{"w": "1"}, {"w": ""}, {}], "q": {"w": "1"}}
    assert wrong(body, ("p[]/w", "required"), ("q[]/w", "required")) == ["p[1]/w", "p[2]/w"]


def test_a_row_with_words_in_braces_twice_stands_for_every_pair() -> None:
    body = {"a": {"x": "", "y": "1"}, "b": {"x": "1", "y": ""}}
    assert wrong(body, ("{a,b}/{x,y}", "required")) == ["a/x", "b/y"]


def test_what_lies_in_something_that_is_missing_is_not_asked_for() -> None:
    assert wrong({"a": {}}, ("a/b/c", "required")) == []
    assert wrong({"a": {"b": {}}}, ("a/b/c", "required")) == ["a/b/c"]


@pytest.mark.parametrize(
    ("when", "held"), [("t", True), ("t=A", True), ("t=B", False), ("!t", False), ("!u", True)]
)
def test_a_row_may_hold_under_a_condition(when: str, held: bool) -> None:
    assert bool(wrong({"t": "A"}, ("x", "required", "", "", when))) is held


def test_a_problem_has_the_carriers_code_and_words() -> None:
    (problem,) = Rules(("a", "required", "E1", "Give me an a")).problems({})
    assert (problem.path, problem.code, problem.text) == ("a", "E1", "Give me an a")
    (plain,) = Rules(("a", "required")).problems({})
    assert plain.text == "a: required"


def test_a_word_that_is_no_check_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="no check 'maybe'"):
        wrong({"x": 1}, ("x", "maybe"))


def test_xml_is_read_as_json_would_have_it() -> None:
    tree = element(
        "order",
        {"@id": "7", "line": [{"sku": "a"}, {"sku": "b"}], "note": "", "sum": {"@c": "EUR", "#text": 5}},
    )
    assert convert_to_plain(tree) == {
        "@id": "7", "line": [{"sku": "a"}, {"sku": "b"}], "note": "", "sum": {"@c": "EUR", "#text": "5"},
    }  # fmt: skip
