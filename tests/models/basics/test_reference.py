"""Reference values and postal rules."""

from typing import Any, get_args
from zoneinfo import ZoneInfo

import pytest

from shipcli.models import Address, reference
from shipcli.models.basics import enums
from shipcli.models.parts.address_check import check_address


@pytest.mark.parametrize(
    "name",
    [
        "countries",
        "currencies",
        "states",
        "incoterms",
        "customs_content_type",
        "payment_types",
        "weight_units",
        "dimension_units",
    ],
)
def test_reference_maps_are_the_published_ones(published: dict[str, Any], name: str) -> None:
    assert dict(reference.find_table(name)) == published["references"][name]


def test_derived_tables_are_the_published_ones(published: dict[str, Any]) -> None:
    derived = published["derived_tables"]
    assert dict(reference.find_table("country_currency")) == derived["country_currency"]
    assert dict(reference.find_table("country_iso3")) == derived["country_iso3"]
    assert reference.list_eu_countries() == {*derived["eu_countries"], "GR"}
    assert list(reference.list_packaging_types()) == published["enumerations"]["packaging_type_generic"]


@pytest.mark.parametrize(
    ("values", "name"),
    [
        (enums.WEIGHT_UNITS, "weight_unit"),
        (enums.DIMENSION_UNITS, "dimension_unit"),
        (enums.LABEL_TYPES, "label_type"),
        (enums.PAID_BY, "paid_by"),
        (get_args(enums.CustomsContent), "customs_content_type"),
        (get_args(enums.Incoterm), "incoterm"),
        (enums.SHIPMENT_STATUSES, "shipment_status"),
        (enums.TRACKER_STATUSES, "tracker_status_in_specification"),
        (enums.CARRIER_TRACKING_STATUSES, "tracker_status"),
        (enums.ORDER_STATUSES, "order_status"),
        (enums.BATCH_STATUSES, "batch_status"),
        (enums.BATCH_RESOURCE_TYPES, "batch_resource_type"),
        (enums.CAPABILITIES, "capability"),
        (enums.EVENT_NAMES, "event"),
        (enums.DOCUMENT_TYPES, "document_type"),
    ],
)
def test_enumerations_are_the_published_ones(
    published: dict[str, Any], values: tuple[str, ...], name: str
) -> None:
    assert set(values) == set(published["enumerations"][name])


def test_every_time_zone_is_one_and_belongs_to_a_country() -> None:
    zones = reference.find_table("time_zones")
    assert set(zones) < set(reference.list_countries())
    assert all(ZoneInfo(zone).key == zone for zone in set(zones.values()))


def test_every_state_of_a_country_with_several_times_has_a_zone() -> None:
    zones = reference.find_table("state_time_zones")
    assert all(ZoneInfo(zone).key == zone for states in zones.values() for zone in states.values())
    for country, states in zones.items():
        military = {"AA", "AE", "AP"}
        elsewhere = {"FM", "MH", "PW", "UM"}  # countries of their own
        assert set(reference.list_states()[country]) - set(states) <= military | elsewhere, country


def test_a_country_of_one_time_has_a_zone() -> None:
    assert reference.find_time_zone("DE") == "Europe/Berlin"
    assert reference.find_time_zone("US") is None


def test_amounts_have_the_decimals_of_their_currency() -> None:
    assert (
        reference.count_decimals("USD"),
        reference.count_decimals("JPY"),
        reference.count_decimals("KWD"),
    ) == (2, 0, 3)


def test_a_country_has_its_currency_and_long_code() -> None:
    assert (reference.find_currency("CA"), reference.find_iso3("CA")) == ("CAD", "CAN")
    assert reference.find_currency("ZZ") is None


def test_tables_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        reference.list_countries()["ZZ"] = "Nowhere"  # type: ignore[index]  # read only, which is the point


def test_a_postal_code_of_another_state_is_named() -> None:
    address = Address(
        country_code="US", address_line1="1 Main St", city="Albany", state_code="NY", postal_code="90210"
    )
    (problem,) = check_address(address)
    assert problem.field == "postal_code"
    assert problem.reason == "'90210' does not fit the rules of NY, United States"


def test_missing_parts_are_named_in_a_stated_order() -> None:
    found = check_address(Address(country_code="GB"))
    assert [problem.field for problem in found] == ["address_line1", "city", "postal_code"]
    assert found[0].reason == "is required for addresses in United Kingdom"


def test_a_right_address_has_no_problem() -> None:
    address = Address(
        country_code="CA", address_line1="1 Elm", city="Ottawa", state_code="ON", postal_code="K1A0B1"
    )
    assert check_address(address) == []


@pytest.mark.parametrize("code", ["XB", "KV", "AN", "IC"])
def test_countries_without_rules_have_no_problem(code: str) -> None:
    assert check_address(Address(country_code=code)) == []


def test_an_address_without_country_cannot_be_checked() -> None:
    assert [problem.field for problem in check_address(Address(city="Moncton"))] == ["country_code"]
