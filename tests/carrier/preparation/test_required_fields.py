"""What of an address a carrier can't be without: refused by name, and not where a place has none."""

from __future__ import annotations

from typing import Any

import pytest

from shipcli.carrier.address_form import AddressForm
from shipcli.carrier.preparation.required_fields import require_fields
from shipcli.models import Address, Invalid, PickupRequest, ShipmentRequest
from tests.carrier.stub import Stub, make_stub

PLACE = {
    "person_name": "Ann Sender",
    "address_line1": "350 5th Ave",
    "city": "New York",
    "state_code": "NY",
    "postal_code": "10118",
    "country_code": "US",
}
NAMES = ("name", "address_line1", "city", "postal_code", "state_code", "country_code")


class Demanding(Stub):
    addresses = AddressForm(required={"ship": NAMES, "pickup": ["city"], "rate": ["shipper.postal_code"]})


def ask(**recipient: Any) -> ShipmentRequest:
    people = {"shipper": PLACE, "recipient": {**PLACE, **recipient}}
    plain = {**people, "service": "x", "parcels": [{"weight": 1}]}
    return require_fields(ShipmentRequest.model_validate(plain), make_stub(Demanding))


@pytest.mark.parametrize("name", NAMES)
def test_what_is_required_and_missing_is_named(name: str) -> None:
    field = "person_name" if name == "name" else name
    with pytest.raises(Invalid) as caught:
        ask(**{field: None})
    assert f"recipient.{field}: required by {Demanding.name}" in str(caught.value)


def test_a_whole_address_and_one_of_a_company_go_out_as_they_are() -> None:
    assert ask(person_name=None, company_name="Brooks Ltd").recipient.company_name == "Brooks Ltd"


def test_a_place_without_states_or_postal_codes_lacks_nothing() -> None:
    recipient = ask(country_code="QA", state_code=None, postal_code=None, city="Doha").recipient
    assert (recipient.postal_code, recipient.state_code) == ("00000", None)
    assert ask(country_code="DE", state_code=None).recipient.postal_code == "10118"


def test_each_verb_has_its_own_fields() -> None:
    plain = {"pickup_date": "2025-03-05", "ready_time": "13:00", "closing_time": "17:00", "parcels": []}
    whole = PickupRequest.model_validate({**plain, "address": {"city": "Ulm"}})
    assert require_fields(whole, make_stub(Demanding)) is whole
    with pytest.raises(Invalid, match=r"address\.city"):
        require_fields(PickupRequest.model_validate({**plain, "address": {}}), make_stub(Demanding))


def test_a_blank_is_no_text_and_a_second_line_alone_is_the_first() -> None:
    names = {"person_name": " ", "company_name": "🎈"}
    lines = {"address_line1": "", "address_line2": "Unit 4", "city": "Ulm"}
    address = Address.model_validate({**names, **lines})
    written = AddressForm().write(address)
    assert (written.person_name, written.company_name) == (None, None)
    assert (written.address_line1, written.address_line2, written.city) == ("Unit 4", None, "Ulm")
