"""Line breaks in what people paste as one line of an address."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from shipcli.models import AddressData


def read_lines(**fields: str) -> tuple[str | None, str | None]:
    address = AddressData.model_validate({"country_code": "US", **fields})
    return address.address_line1, address.address_line2


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r", " \n "])
def test_a_line_break_begins_the_second_line(line_break: str) -> None:
    assert read_lines(address_line1=f"22 Oak Ave{line_break}Unit 9") == ("22 Oak Ave", "Unit 9")


def test_a_tab_is_a_blank_and_a_third_line_runs_on() -> None:
    assert read_lines(address_line1="22\tOak Ave") == ("22 Oak Ave", None)
    lines = read_lines(address_line1="22 Oak Ave\nUnit 9", address_line2="Gate C")
    assert lines == ("22 Oak Ave, Unit 9, Gate C", None)


def test_lines_without_room_are_refused() -> None:
    with pytest.raises(ValidationError, match="address_line2"):
        read_lines(address_line1="\n".join(["A very long line of an address of fifty letters"] * 3))


def test_a_city_stands_on_one_line() -> None:
    address = AddressData.model_validate({"country_code": "US", "city": "New\nYork"})
    assert address.city == "New York"
