"""The members of an answer stand in the order of its form, the mandatory ones always."""

from __future__ import annotations

from shipcli.carrier.simulation.forms import fill_form

FORM = {"Number": "", "Prices": {"Price?": {"Amount": "0", "Name": ""}}, "Note?": "", "Total": "0"}


def test_mandatory_members_are_filled_and_optional_ones_left_out() -> None:
    assert fill_form({}, FORM) == {"Number": "", "Prices": {}, "Total": "0"}


def test_members_stand_in_the_order_of_the_form() -> None:
    value = {"Total": 7, "Prices": {"Price": [{"Name": "a"}, {"Amount": 2}]}, "@id": "x", "Number": "1"}
    filled = fill_form(value, FORM)
    assert list(filled) == ["@id", "Number", "Prices", "Total"]
    assert filled["Prices"]["Price"] == [{"Amount": "0", "Name": "a"}, {"Amount": 2, "Name": ""}]


def test_what_has_no_place_in_the_form_stays() -> None:
    assert fill_form({"Error": "no", "Total": 1}, FORM)["Error"] == "no"
