"""Catalogues find rows by slug, alias and code, and read option values in their type."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from shipcli.carrier import (
    CatalogueRow,
    Option,
    OptionTable,
    Preset,
    RowTable,
    Service,
    ServiceTable,
    StatusMap,
)
from shipcli.models import Invalid

SERVICES = ServiceTable(
    [Service(slug="x_ground", code="GND"), Service(slug="x_air", code="AIR", aliases=("x_plane",))]
)
OPTIONS = OptionTable(
    [
        Option(slug="x_signature", code="SIG", aliases=("signature_confirmation",)),
        Option(slug="x_insurance", code="INS", type=Decimal, aliases=("insurance",)),
        Option(slug="x_note", code="NOTE", type=str),
        Option(slug="x_count", code="N", type=int),
        Option(slug="x_emails", code="MAIL", type=list),
        Option(slug="x_place", code="PLACE", type=dict, object_name="object"),
        Option(slug="x_cover", code="COVER", type=Decimal, or_flag=True),
    ]
)


def chosen(**options: Any) -> dict[str, Any]:
    return {one.code: one.value for one in OPTIONS.list_chosen(options)}


def test_rows_are_found_by_slug_alias_and_code() -> None:
    assert [SERVICES.code(one) for one in ("x_ground", "x_plane", "unknown")] == ["GND", "AIR", "unknown"]
    assert [SERVICES.slug(one) for one in ("AIR", "ZZZ")] == ["x_air", "ZZZ"]
    assert SERVICES.get(None) is SERVICES.of_code("") is None
    assert "x_plane" in SERVICES
    assert len(SERVICES) == 2


def test_of_two_rows_with_one_code_the_first_is_read() -> None:
    rows = RowTable([CatalogueRow(slug="a", code="1"), CatalogueRow(slug="b", code="1")])
    assert rows.slug("1") == "a"


def test_services_show_codes_and_names() -> None:
    assert SERVICES.codes() == {"x_ground": "GND", "x_air": "AIR"}
    assert ServiceTable([Service(slug="x_all", code="", unnamed=True)]).codes() == {"x_all": None}
    assert SERVICES.names() == {"x_ground": "X GROUND", "x_air": "X AIR"}


def test_the_services_asked_for_are_those_of_the_carrier_in_that_order() -> None:
    assert [row.code for row in SERVICES.list_chosen(["x_air", "y_other", "x_ground"])] == ["AIR", "GND"]


def test_options_come_in_catalogue_order_and_only_those_of_the_carrier() -> None:
    found = OPTIONS.list_chosen({"x_note": "hi", "other": 1, "insurance": 100, "x_signature": True})
    assert [(one.slug, one.value) for one in found] == [
        ("x_signature", True), ("x_insurance", Decimal(100)), ("x_note", "hi"),
    ]  # fmt: skip


@pytest.mark.parametrize("value", [None, "", False, "false", "no", "0"])
def test_an_option_that_is_off_is_not_chosen(value: Any) -> None:
    assert chosen(x_signature=value) == {}


def test_a_zero_is_a_value_but_no_money() -> None:
    assert chosen(x_cover=0, x_count=0) == {"COVER": Decimal(0), "N": 0}
    assert chosen(x_insurance=0) == chosen(insurance="0.00") == {}


def test_a_name_of_the_carrier_beats_a_unified_one() -> None:
    assert chosen(insurance=1, x_insurance=2) == {"INS": Decimal(2)}


def test_a_unified_name_stands_in_for_an_empty_one() -> None:
    assert chosen(insurance=1, x_insurance=None) == {"INS": Decimal(1)}


@pytest.mark.parametrize(
    ("name", "value", "read"),
    [
        ("x_signature", "Yes", True),
        ("x_insurance", "12.30", Decimal("12.30")),
        ("x_insurance", 0.1, Decimal("0.1")),
        ("x_count", "3", 3),
        ("x_note", 7, "7"),
        ("x_emails", "a@b.c, d@e.f,", ["a@b.c", "d@e.f"]),
        ("x_emails", ("a",), ["a"]),
        ("x_place", {"city": "Rome"}, {"city": "Rome"}),
        ("x_cover", 5, Decimal(5)),
        ("x_cover", True, True),
    ],
)
def test_values_are_read_in_the_type_of_their_option(name: str, value: Any, read: Any) -> None:
    assert list(chosen(**{name: value}).values()) == [read]


@pytest.mark.parametrize(
    ("name", "value"),
    [("x_signature", "perhaps"), ("x_insurance", "much"), ("x_insurance", "NaN"), ("x_insurance", True),
     ("x_count", "Infinity"), ("x_count", [1])],
)  # fmt: skip
def test_a_value_of_another_type_is_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(Invalid, match=name):
        chosen(**{name: value})


def test_one_option_is_read_by_slug_or_alias_with_a_default() -> None:
    assert OPTIONS.value("insurance", {"x_insurance": "5"}) == Decimal(5)
    assert OPTIONS.value("x_note", {}, "none") == OPTIONS.value("nothing", {"nothing": 1}, "none") == "none"


def test_types_have_the_names_of_the_references() -> None:
    names = ["boolean", "float", "string", "integer", "list", "object", "float"]
    assert [row.type_name for row in OPTIONS] == names


def test_a_preset_shows_what_it_has() -> None:
    preset = Preset(slug="box", width=Decimal(1), dimension_unit="CM")
    assert preset.to_dict() == {"width": Decimal(1), "dimension_unit": "CM"}


def test_an_unknown_status_is_in_transit() -> None:
    assert [StatusMap({"D": "delivered"}).read(code) for code in ("D", "?", None)] == [
        "delivered", "in_transit", "in_transit",
    ]  # fmt: skip


class CountingOptions(dict[str, Any]):
    """Options that count how often a value is looked up."""

    lookups = 0

    def get(self, name: str, default: Any = None) -> Any:
        self.lookups += 1
        return super().get(name, default)


@pytest.mark.parametrize(("options", "most"), [({}, 0), ({"other": 1}, 0), ({"option_7": True}, 1)])
def test_only_options_that_are_named_are_looked_up(options: dict[str, Any], most: int) -> None:
    table = OptionTable([Option(slug=f"option_{n}", code=str(n), aliases=(f"alias_{n}",)) for n in range(80)])
    counting = CountingOptions(options)
    assert len(table.list_chosen(counting)) == most
    assert counting.lookups == most


def test_options_that_share_an_alias_are_all_chosen_in_catalogue_order() -> None:
    table = OptionTable([Option(slug=slug, code=slug, aliases=("both",)) for slug in ("b", "a", "c")])
    assert [choice.code for choice in table.list_chosen({"c": True, "both": True})] == ["b", "a", "c"]
