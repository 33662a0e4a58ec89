"""Australia Post: what neither cases nor the contract show."""

from __future__ import annotations

from shipcli.carriers.australiapost.parts import LINE, LINES, write_address

from shipcli.models import Address


def test_a_long_address_loses_none_of_its_words() -> None:
    street = "1234567 Very Long Industrial Boulevard Northwest Bld"
    place = Address(address_line1=street, address_line2="Building 17, Entrance C, Floor 12, Suite 1200-B, Rm")
    lines = write_address(place)["lines"]
    assert " ".join(lines).split() == " ".join(place.lines).split()
    assert len(lines) <= LINES
    assert all(len(line) <= LINE for line in lines)
