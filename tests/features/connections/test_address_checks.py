"""Addresses are checked offline first, then by the carrier that is named: its words come back as fields."""

from __future__ import annotations

from typing import Any

import pytest

from shipcli.features.connections.address_checks import check_address
from shipcli.features.core.app import App
from shipcli.models import Invalid
from shipcli.models.address_check import AddressCheck, AddressCheckData
from shipcli.models.basics.errors import RefusedFields
from tests.factories import ABROAD

PLACE = {"city": "New York", "state_code": "NY", "postal_code": "10118", "country_code": "US"}
CARRIERS = ("usps", "ups", "fedex")


def check(app: App, line: str, carrier: str | None, **changes: Any) -> AddressCheck:
    address = {**PLACE, "address_line1": line, **changes}
    return check_address(app, AddressCheckData.model_validate({"address": address, "carrier_name": carrier}))


def list_wrong_fields(found: AddressCheck) -> list[str]:
    return [problem.field for problem in found.problems]


@pytest.mark.parametrize("carrier", CARRIERS)
def test_a_carrier_corrects_an_address_and_says_that_it_is_a_home(timed: App, carrier: str) -> None:
    found = check(timed, "2 Corrected Way", carrier)
    assert (found.valid, found.problems, found.residential) == (True, [], True)
    assert found.corrected
    assert found.corrected["address_line1"] == "2 CORRECTED ST"
    assert found.corrected["postal_code"].startswith("10118-")


@pytest.mark.parametrize("carrier", CARRIERS)
def test_an_address_that_the_carrier_does_not_know_is_wrong_by_its_field(timed: App, carrier: str) -> None:
    found = check(timed, "1 Invalid Way", carrier)
    assert not found.valid
    assert list_wrong_fields(found) == ["address_line1"]


@pytest.mark.parametrize("carrier", ["ups", "fedex"])
def test_an_ambiguous_address_comes_with_what_it_may_be(timed: App, carrier: str) -> None:
    found = check(timed, "Main Street", carrier)
    assert list_wrong_fields(found) == ["address_line1"]
    assert [candidate["address_line1"] for candidate in found.candidates] == ["1 MAIN ST", "2 MAIN ST"]


@pytest.mark.parametrize("carrier", ["usps", "fedex"])
def test_an_address_without_its_apartment_is_wrong_by_the_second_line(timed: App, carrier: str) -> None:
    assert list_wrong_fields(check(timed, "3 Apartment Way", carrier)) == ["address_line2"]
    assert check(timed, "3 Apartment Way", carrier, address_line2="Apt 4").valid


def test_no_carrier_is_asked_about_what_breaks_the_postal_rules(timed: App) -> None:
    found = check(timed, "12 Main St", "usps", postal_code="90210")
    assert list_wrong_fields(found) == ["postal_code"]
    assert found.carrier_name is None
    assert check(timed, "12 Main St", None).valid


def test_a_carrier_that_knows_no_addresses_there_is_an_error_and_no_finding(timed: App) -> None:
    with pytest.raises(RefusedFields, match="country_code"):
        check_address(timed, AddressCheckData.model_validate({"address": ABROAD, "carrier_name": "usps"}))


def test_a_carrier_that_checks_none_is_refused_with_those_that_do(timed: App) -> None:
    with pytest.raises(Invalid, match="these do: .*fedex.*usps"):
        check(timed, "12 Main St", "sendle")
