"""Addresses in pieces."""

from __future__ import annotations

import phonenumbers
import pytest
from phonenumbers import PhoneNumberFormat

from shipcli.carrier.wire.address_parts import (
    cut_lines,
    fit_email,
    fit_phone,
    read_phone_digits,
    split_name,
    split_phone,
    split_street,
    wrap_lines,
)
from shipcli.models import Address
from shipcli.models.basics.phones import format_phone_number


@pytest.mark.parametrize(
    ("line", "given", "wanted"),
    [
        ("12 Dock Road", None, ("12", "Dock Road")),
        ("Hafenstr. 4a", None, ("4a", "Hafenstr.")),
        ("12, rue du Port", None, ("12", "rue du Port")),
        ("Dock Road", "7", ("7", "Dock Road")),
        ("Dock Road", None, (None, "Dock Road")),
        ("B17", None, (None, "B17")),
        (None, None, (None, None)),
    ],
)
def test_a_street_has_a_number(line: str | None, given: str | None, wanted: tuple[str | None, str]) -> None:
    assert split_street(Address(address_line1=line, street_number=given)) == wanted


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("Ann", ("Ann", None)), ("Ann van Dyck", ("Ann", "van Dyck")), ("", (None, None)), (None, (None, None))],
)
def test_a_name_of_one_word_is_not_doubled(name: str | None, wanted: tuple[str | None, str | None]) -> None:
    assert split_name(name) == wanted


@pytest.mark.parametrize(
    ("number", "country", "wanted"),
    [
        ("+1 514-555-0134", "CA", ("1", "514", "5550134")),
        ("(514) 555 0134", "CA", ("1", "514", "5550134")),
        ("+49 30 2273 2152", "DE", ("49", None, "3022732152")),
        ("030 2273 2152", "DE", ("49", None, "03022732152")),
        (None, "DE", (None, None, None)),
    ],
)
def test_a_phone_number_has_parts(number: str | None, country: str, wanted: tuple[str | None, ...]) -> None:
    assert split_phone(number, country) == wanted


def test_digits_are_cut_at_the_front() -> None:
    assert read_phone_digits("+1 514-555-0134", 10) == "5145550134"
    assert read_phone_digits("none") is None


@pytest.mark.parametrize(
    "number",
    [
        "+15145550134 x12",
        "514-555-0134 ext. 12",
        "+1 514-555-0134;ext=12",
        "(514) 555-0134 #12",
        "5145550134x12",
    ],
)
def test_an_extension_is_no_part_of_the_number(number: str) -> None:
    assert read_phone_digits(number, 10) == "5145550134"
    assert split_phone(number, "CA") == ("1", "514", "5550134")


@pytest.mark.parametrize("country", ["CA", "DE", "GB", "PE", "RO", "TW", "UY"])
def test_an_extension_as_our_addresses_write_it_is_no_part_of_the_number(country: str) -> None:
    example = phonenumbers.example_number(country)
    assert example
    plain = phonenumbers.format_number(example, PhoneNumberFormat.E164)
    assert read_phone_digits(format_phone_number(f"{plain} x1", country)) == read_phone_digits(plain)


def test_an_email_address_is_whole_or_left_out() -> None:
    assert fit_email(" bo@example.com ", 14) == "bo@example.com"
    assert [fit_email(text, 13) for text in ("bo@example.com", " ", None, "at the gate")] == [None] * 4


@pytest.mark.parametrize(
    ("number", "most", "told"),
    [
        (" +1 514-555-0134 ", 15, "+1 514-555-0134"),
        ("+1 514-555-0134", 12, "+15145550134"),
        ("+1 514-555-0134 ext. 77", 12, "+15145550134"),
        ("+1 514-555-0134", 11, None),
        ("  ", 5, None),
        (None, 5, None),
    ],
)
def test_a_phone_number_is_sent_whole_or_not_at_all(number: str | None, most: int, told: str | None) -> None:
    assert fit_phone(number, most) == told


def test_lines_are_cut_at_words() -> None:
    lines = ["An address line that is far too long for the carrier", "Dock 3"]
    assert cut_lines(lines, 30, 3) == ["An address line that is far", "too long for the carrier", "Dock 3"]
    assert len(cut_lines(lines, 10, 2)) == 2


def test_lines_are_wrapped_where_there_is_room_and_else_stay_as_they_are() -> None:
    line = "12 The Old Warehouse behind the Railway"
    assert wrap_lines([line], 35, 2) == ["12 The Old Warehouse behind the", "Railway"]
    assert wrap_lines([line], 35, 1) == [line]


def test_lines_run_on_where_each_on_its_own_would_be_too_many() -> None:
    lines = ["12 The Old Warehouse behind the Railway", "Dock 3", "Left"]
    assert wrap_lines(lines, 35, 3) == ["12 The Old Warehouse behind the", "Railway Dock 3 Left"]
