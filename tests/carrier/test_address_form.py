"""Addresses in the form of a carrier: phone numbers, states, postal codes, special areas."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shipcli.carrier import registry
from shipcli.carrier.address_form import AddressForm, restore_place, write_addresses
from shipcli.models import Address, Invalid, ShipmentRequest
from shipcli.models.basics.phones import split_extension

USPS = r"\+?[1-9][0-9]{7,14}|[0-9]{6,15}"


def form(slug: str) -> AddressForm:
    return registry.get(slug).addresses


def phone(slug: str, text: str, country: str = "US") -> tuple[str, str] | None:
    written = form(slug).phone.write(text, country)
    return split_extension(written) if written else None


@pytest.mark.parametrize("text", ["+1 503-555-0162", "503.555.0162", "(503) 555-0162", "1-503-555-0162"])
@pytest.mark.parametrize("slug", ["usps", "usps_international", "ups", "fedex"])
def test_a_number_of_north_america_is_ten_digits(slug: str, text: str) -> None:
    assert phone(slug, text) == ("5035550162", "")


def test_an_extension_goes_where_the_carrier_has_room_for_it() -> None:
    text = "503-555-0162 ext. 60021"
    assert phone("fedex", text) == ("5035550162", "60021")
    assert phone("ups", text) == ("5035550162", "")  # of four digits
    assert phone("ups", "503-555-0162 x88") == ("5035550162", "88")
    assert phone("usps", text) == ("5035550162", "")


@settings(deadline=None, max_examples=50, derandomize=True)
@given(
    digits=st.from_regex(r"\A[2-9][0-9]{6,11}\Z"),
    country=st.sampled_from(["US", "NO", "DE", "GB", "FO", "BR"]),
)
def test_whatever_is_written_fits_or_is_left_out(digits: str, country: str) -> None:
    for slug, pattern in {"usps": USPS, "ups": r"\d{1,15}", "fedex": r"\d{10,15}"}.items():
        written = phone(slug, digits, country)
        assert written is None or re.fullmatch(pattern, written[0])


@pytest.mark.parametrize("slug", registry.list_slugs())
def test_words_for_no_number_are_sent_by_no_carrier(slug: str) -> None:
    for text in ("n/a", "-", "0000000000", "none"):
        assert form(slug).phone.write(text, "US") is None


TOLD = [{"country_code": "PR"}, {"country_code": "US", "state_code": "PR"}]


@pytest.mark.parametrize("told", TOLD)
def test_a_territory_is_the_state_or_the_country_that_a_carrier_wants(told: dict[str, Any]) -> None:
    address = Address(postal_code="00926", **told)
    written = {slug: form(slug).write(address) for slug in ("usps", "ups", "fedex", "dhl_express")}
    places = {slug: (place.country_code, place.state_code) for slug, place in written.items()}
    assert places == {
        "usps": ("US", "PR"), "ups": ("PR", "PR"), "fedex": ("PR", "PR"), "dhl_express": ("PR", None)
    }  # fmt: skip
    virgin = Address(country_code="US", state_code="VI", postal_code="00802")
    assert form("ups").write(virgin).country_code == "VI"
    assert form("usps").write(Address(country_code="VI", postal_code="00802")).state_code == "VI"


def test_forces_stay_a_state_everywhere() -> None:
    base = Address(country_code="US", state_code="AP", postal_code="96349")
    for slug in registry.list_slugs():
        written = form(slug).write(base)
        assert (written.country_code, written.state_code) == ("US", "AP")


def test_a_state_that_does_not_fit_is_left_out() -> None:
    melbourne = Address(country_code="AU", state_code="VIC", postal_code="3000")
    assert form("fedex").write(melbourne).state_code is None
    assert form("ups").write(melbourne).state_code == "VIC"
    assert form("ups").write(melbourne, priced=True).state_code is None


def test_a_postal_code_has_the_form_of_the_carrier() -> None:
    portland = Address(country_code="US", state_code="OR", postal_code="97201-4455")
    assert form("ups").write(portland).postal_code == "972014455"
    assert form("bpost").write(portland).postal_code == "97201"
    assert form("usps").write(portland) is portland


def test_an_area_has_its_own_code_where_the_carrier_has_one() -> None:
    tenerife, melilla = (Address(country_code="ES", postal_code=code) for code in ("38001", "52001"))
    codes = {slug: (form(slug).write(tenerife).country_code, form(slug).write(melilla).country_code)
             for slug in ("ups", "dhl_express", "fedex")}  # fmt: skip
    assert codes == {"ups": ("IC", "XL"), "dhl_express": ("IC", "ES"), "fedex": ("ES", "ES")}


def request(**recipient: Any) -> ShipmentRequest:
    shipper = {"country_code": "US", "postal_code": "98101", "phone_number": "206-555-0147"}
    plain = {"shipper": shipper, "recipient": recipient, "service": "x", "parcels": []}
    return ShipmentRequest.model_validate(plain)


def test_a_parcel_abroad_has_a_number_to_call() -> None:
    abroad = write_addresses(request(country_code="NO"), form("ups"))
    assert abroad["recipient"].phone_number == "2065550147"
    assert write_addresses(request(country_code="US"), form("ups"))["recipient"].phone_number is None
    nobody = request(country_code="NO").model_copy(update={"shipper": Address(country_code="US")})
    with pytest.raises(Invalid, match=r"recipient\.phone_number"):
        write_addresses(nobody, form("ups"))


def test_a_zip_code_that_lost_its_zeros_is_named() -> None:
    for country in ("VI", "PR"):
        with pytest.raises(Invalid, match="00802"):
            write_addresses(request(country_code=country, postal_code="802"), form("usps"))


@pytest.mark.parametrize(("country", "state"), [("US", "PR"), ("PR", None), ("PR", "PR")])
@pytest.mark.parametrize("slug", ["fedex_ws", "purolator", "usps"])
@pytest.mark.parametrize("answer", [("US", "PR"), ("PR", None), ("PR", "PR")])
def test_a_territory_comes_back_as_it_was_put_in(
    slug: str, country: str, state: str | None, answer: tuple[str, str | None]
) -> None:
    stated = Address(city="San Juan", postal_code="00901", country_code=country, state_code=state)
    answered = Address(city="SAN JUAN", postal_code="00901", country_code=answer[0], state_code=answer[1])
    restored = restore_place(stated, answered, form(slug))
    assert (restored.country_code, restored.state_code) == (country, state)
    assert restored.city == "SAN JUAN"


def test_the_code_of_an_area_comes_back_as_its_country_and_another_country_as_it_is() -> None:
    stated = Address(city="Las Palmas", postal_code="35001", country_code="ES")
    for code, expected in (("IC", "ES"), ("ES", "ES"), ("PT", "PT")):
        answered = Address(city="Las Palmas", postal_code="35001", country_code=code)
        assert restore_place(stated, answered, form("ups")).country_code == expected
    base = Address(city="APO", postal_code="09012", country_code="US", state_code="AE")
    assert restore_place(base, base, form("fedex_ws")) == base
