"""Units of weight and length."""

from decimal import Decimal
from typing import Any

import pytest

from shipcli.models import Address, Commodity, Invalid, Parcel
from shipcli.models.basics.units import convert_length, convert_weight, parse_size, parse_weight


@pytest.mark.parametrize(
    ("value", "unit", "to", "expected"),
    [
        ("1", "KG", "LB", Decimal("2.205")),
        ("2.205", "LB", "KG", Decimal(1)),
        ("1", "LB", "OZ", Decimal(16)),
        ("1", "LB", "G", Decimal("453.6")),
        ("453.6", "G", "LB", Decimal(1)),
        ("2", "OZ", "G", Decimal("56.70")),
        ("1", "KG", "OZ", Decimal("35.274")),
        ("250", "G", "KG", Decimal("0.25")),
        ("13.29", "LB", "LB", Decimal("13.29")),
    ],
)
def test_weights_convert_by_the_published_constants(
    value: str, unit: str, to: str, expected: Decimal
) -> None:
    assert convert_weight(Decimal(value), unit, to) == expected


@pytest.mark.parametrize(
    ("value", "unit", "to", "expected"),
    [
        ("10", "IN", "CM", Decimal("25.4")),
        ("25.4", "CM", "IN", Decimal(10)),
        ("10", "IN", "M", Decimal("0.254")),
        ("3", "CM", "MM", Decimal(30)),
        ("3", "CM", "CM", Decimal(3)),
    ],
)
def test_lengths_convert_by_the_published_constants(
    value: str, unit: str, to: str, expected: Decimal
) -> None:
    assert convert_length(Decimal(value), unit, to) == expected


def test_every_published_expression_is_the_one_used(published: dict[str, Any]) -> None:
    factors = published["unit_factors"]
    for to in ("KG", "LB", "OZ", "G"):
        for unit, expression in factors[f"{to}_from"].items():
            sign, constant = [*expression.split()[1:], "*", "1"][:2]
            seven = Decimal(7)
            expected = seven * Decimal(constant) if sign == "*" else seven / Decimal(constant)
            assert convert_weight(seven, unit, to) == expected, (unit, to)


def test_an_unknown_unit_is_refused() -> None:
    with pytest.raises(Invalid, match="cannot convert ST to KG"):
        convert_weight(Decimal(1), "ST", "KG")
    with pytest.raises(Invalid, match="cannot convert CM to FT"):
        convert_length(Decimal(1), "CM", "FT")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.2kg", ("1.2", "KG")),
        ("2lb6oz", ("2.375", "LB")),
        ("1lb 4oz", ("1.25", "LB")),
        ("20 OZ", ("20", "OZ")),
        ("5 lbs", ("5", "LB")),
        ("250g", ("250", "G")),
    ],
)
def test_weights_are_read_as_people_type_them(text: str, expected: tuple[str, str]) -> None:
    assert parse_weight(text) == (Decimal(expected[0]), expected[1])


@pytest.mark.parametrize("text", ["", "kg", "2 stone", "-1kg", "1,500kg", "0kg", "0lb0oz", "1kg2lb"])
def test_what_is_no_weight_is_refused(text: str) -> None:
    with pytest.raises(Invalid) as caught:
        parse_weight(text)
    assert caught.value.problems[0].field == "weight"


@pytest.mark.parametrize(
    ("text", "unit"),
    [("30x20x10cm", "CM"), ("30 x 20 x 10 in", "IN"), ("30X20X10CM", "CM"), ('30x20x10"', "IN")],
)
def test_sizes_are_read_as_people_type_them(text: str, unit: str) -> None:
    assert parse_size(text) == (Decimal(30), Decimal(20), Decimal(10), unit)


@pytest.mark.parametrize("unit", ["KG", "LB", "OZ", "G"])
def test_a_bare_number_is_a_weight_in_the_usual_unit(unit: str) -> None:
    assert parse_weight("2.3", unit) == (Decimal("2.3"), unit)
    assert parse_weight("5oz", unit) == (Decimal(5), "OZ")


def test_a_bare_number_without_a_usual_unit_is_no_weight() -> None:
    with pytest.raises(Invalid, match=r"2 what\? Say 2lb, 2kg or 2oz"):
        parse_weight("2")


def test_bare_numbers_are_a_size_in_the_usual_unit_only() -> None:
    assert parse_size("12x8x4", "IN")[-1] == "IN"
    assert parse_size("12x8x4cm", "IN")[-1] == "CM"
    with pytest.raises(Invalid, match=r"12x8x4 what\?"):
        parse_size("12x8x4")


@pytest.mark.parametrize("text", ["30x20", "30x20x10ft", "0x1x1cm", "a x b x c"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(Invalid) as caught:
        parse_size(text)
    assert caught.value.problems[0].field == "dimensions"


def test_a_parcel_tells_its_sizes_in_any_unit() -> None:
    parcel = Parcel(
        weight=Decimal(2), weight_unit="KG", length=Decimal(10), width=Decimal(4), height=Decimal(2)
    )
    assert parcel.weight_in("G") == 2000
    assert parcel.length_in("CM") == 10
    assert parcel.width_in("MM") == 40
    assert parcel.volume_in("CM") == 80


def test_sizes_without_a_unit_follow_the_weight_unit() -> None:
    assert Parcel(weight=Decimal(1), weight_unit="LB", length=Decimal(10)).length_in("CM") == Decimal("25.4")
    assert Parcel(weight=Decimal(1), length=Decimal(10)).size_unit == "IN"


def test_an_unknown_side_gives_no_volume() -> None:
    assert Parcel(weight=Decimal(1), length=Decimal(10)).volume_in("CM") is None


def test_a_parcel_without_weight_is_refused_when_it_is_asked() -> None:
    with pytest.raises(Invalid, match="weight: is required"):
        Parcel().weight_in("KG")


def test_an_item_without_weight_has_none() -> None:
    assert Commodity().weight_in("KG") is None
    assert Commodity(weight=Decimal(8), weight_unit="OZ").weight_in("LB") == Decimal("0.5")


def test_sides_that_are_not_known_are_left_out() -> None:
    parcel = Parcel(length=Decimal(10), width=Decimal(0), dimension_unit="IN")
    assert parcel.known_sides_in("CM") == {"length": Decimal("25.4")}


def test_a_street_is_led_by_its_number() -> None:
    assert Address(street_number="18", address_line1="Pier Road").street == "18 Pier Road"
    assert Address(address_line2="Dock 4").street == ""
