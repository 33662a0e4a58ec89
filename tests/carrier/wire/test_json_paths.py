"""Plain JSON by paths."""

from __future__ import annotations

from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, get_path, set_path


def test_a_path_ends_where_a_member_is_missing() -> None:
    body = {"a": {"b": [{"c": 1}, {"c": 2}]}}
    assert get_path(body, "a/b/c") == 1
    assert get_path(body, "a/x/c") is None
    assert get_path(None, "a") is None


def test_a_value_is_set_with_the_objects_on_its_way() -> None:
    body: Json = {"a": {"b": 1}}
    set_path(body, "a/c/d", 2)
    assert body == {"a": {"b": 1, "c": {"d": 2}}}


def test_one_thing_is_a_list_of_one() -> None:
    assert [as_list(value) for value in (None, "", {}, [1])] == [[], [], [{}], [1]]


def test_nothing_empty_goes_out() -> None:
    assert drop_empty({"a": None, "b": {"c": ""}, "d": [None, {}], "e": 0, "f": False}) == {
        "d": [None, {}], "e": 0, "f": False,
    }  # fmt: skip
