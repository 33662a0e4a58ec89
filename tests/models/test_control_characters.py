"""Characters that no label, no XML and no spreadsheet holds are refused by the name of their field."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from shipcli.models import AddressData, AddressPatch, CommodityData, Invalid, ShipmentData

ADDRESS = {"country_code": "US", "postal_code": "85004", "address_line1": "1 Main St", "city": "Phoenix"}
FIELDS = ["person_name", "company_name", "address_line1", "address_line2", "city", "state_code"]


def refusal(model: Any, body: dict[str, Any]) -> str:
    with pytest.raises(ValidationError) as caught:
        model.model_validate(body)
    return Invalid.from_pydantic(caught.value).message


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("letter", ["\0", "\x01", "\x1b", "\x7f"])
@pytest.mark.parametrize("model", [AddressData, AddressPatch])
def test_a_control_character_in_an_address_is_refused_by_its_field(
    model: Any, field: str, letter: str
) -> None:
    said = refusal(model, {**ADDRESS, field: f"Ana{letter}Ruiz"})
    assert said == f"{field}: must not hold control characters"


@pytest.mark.parametrize("letter", ["\n", "\r", "\t", "\x85"])
@pytest.mark.parametrize("field", ["person_name", "company_name"])
def test_a_name_is_one_line(field: str, letter: str) -> None:
    assert field in refusal(AddressData, {**ADDRESS, field: f"Ana{letter}Ruiz"})


@pytest.mark.parametrize(
    "name", ["Zoë Müller-O'Neil", "山田 太郎", "أحمد", "", "A & B <co>", "Ana \u2028 Ruiz"]
)
def test_names_of_every_script_are_taken(name: str) -> None:
    assert AddressData.model_validate({**ADDRESS, "person_name": name}).person_name == name


def test_it_is_named_wherever_the_address_stands() -> None:
    body = {"shipper": ADDRESS, "recipient": {**ADDRESS, "person_name": "A\0"}, "parcels": [{"weight": 1}]}
    assert "recipient.person_name" in refusal(ShipmentData, body)


def test_what_a_parcel_holds_has_no_control_characters_either() -> None:
    assert "title" in refusal(CommodityData, {"weight": 1, "title": "Mug\0"})
