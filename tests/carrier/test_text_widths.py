"""Texts that are longer than a carrier's members: in a free line, or refused with the words."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shipcli.carrier.address_form import AddressForm
from shipcli.carrier.text_widths import fit_address
from shipcli.models import Address, Invalid
from tests.carrier.stub import Stub, make_stub

WIDTHS: dict[str, Any] = {"person_name": 20, "company_name": 20, "city": 20}
COMPANY = "Wholesale Trading Company"


class Narrow(Stub):
    addresses = AddressForm(widths={**WIDTHS, "lines": [20, 3]})


class Short(Stub):
    addresses = AddressForm(widths={**WIDTHS, "lines": [20, 2]})


def fit(kind: type[Stub], **texts: str) -> Address:
    return fit_address("recipient", Address(**texts), make_stub(kind))  # type: ignore[arg-type]  # of texts


def test_what_fits_stays_as_it_is() -> None:
    address = Address(person_name="Ann Sender", company_name="Brooks Ltd", address_line1="1 Dock Rd")
    assert fit_address("recipient", address, make_stub(Narrow)) is address


def test_a_long_company_goes_on_in_a_free_line() -> None:
    address = fit(Short, company_name=COMPANY, address_line1="1 Dock Rd")
    assert (address.company_name, address.address_line2) == ("Wholesale Trading", "Company")
    address = fit(Narrow, company_name=COMPANY, address_line1="1 Dock Rd", address_line2="Unit 4")
    assert (address.company_name, address.address_line2) == ("Wholesale Trading", "Unit 4 Company")


def test_a_long_street_goes_on_in_the_second_line() -> None:
    address = fit(Short, address_line1="1 Old Dock Road at the Harbour")
    assert (address.address_line1, address.address_line2) == ("1 Old Dock Road at", "the Harbour")


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (
            {"company_name": COMPANY, "address_line1": "1 Dock Rd", "address_line2": "Unit 4"},
            "company_name: Stub takes 20 characters: no room for 'Company'",
        ),
        ({"person_name": "A" * 21, "address_line1": "1 Dock Rd"}, f"no room for '{'A' * 21}'"),
        (
            {"address_line1": "1 Dock Rd", "address_line2": "Unit 4 behind the old harbour"},
            "address_line2: Stub takes 2 lines of 20 characters: no room for",
        ),
        ({"city": "Villanueva de la Reina"}, "city: Stub takes 20 characters: no room for 'Reina'"),
    ],
)
def test_what_has_no_room_is_named(texts: dict[str, str], message: str) -> None:
    with pytest.raises(Invalid) as caught:
        fit(Short, **texts)
    assert message in str(caught.value)


LETTERS = st.text("abc xyz", max_size=50).map(str.strip)


@given(person=LETTERS, company=LETTERS, first=LETTERS, second=LETTERS)
def test_no_letter_is_lost(person: str, company: str, first: str, second: str) -> None:
    texts = {"person_name": person, "company_name": company, "address_line1": first, "address_line2": second}
    try:
        address = fit(Narrow, **texts)
    except Invalid:
        assert any(len(text) > 20 for text in texts.values())
        return
    fitted = [getattr(address, name) or "" for name in texts]
    assert sorted("".join(fitted).replace(" ", "")) == sorted("".join(texts.values()).replace(" ", ""))
    assert all(len(text) <= 20 for text in fitted[:2])
