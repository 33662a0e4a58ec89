"""What a declaration must say before anything is bought: words that carriers know, exports that are filed."""

from __future__ import annotations

from typing import Any

import pytest

from shipcli.carrier import registry
from shipcli.features.connections.option_names import check_customs_names, list_unsent_customs
from shipcli.features.shipments.requirements import check_export
from shipcli.models import Address, Customs, Invalid, Shipment


def shipped(to: dict[str, str], *values: int, options: dict[str, Any] | None = None) -> Shipment:
    goods = [
        {"value_amount": value, "value_currency": "USD", "quantity": 1, "hs_code": f"9002.1{at}"}
        for at, value in enumerate(values)
    ]
    customs = Customs.model_validate({"commodities": goods, "options": options or {}})
    return Shipment.model_construct(
        shipper=Address(country_code="US"), recipient=Address(**to), customs=customs, parcels=[], options={}
    )


MEXICO, TERRITORY = {"country_code": "MX"}, {"country_code": "US", "state_code": "PR"}


@pytest.mark.parametrize("to", [MEXICO, {"country_code": "PR"}, TERRITORY])
def test_goods_over_2500_usd_leave_the_us_with_the_number_of_their_declaration(to: dict[str, str]) -> None:
    with pytest.raises(Invalid, match=r"customs\.options\.aes"):
        check_export(shipped(to, 4100))
    check_export(shipped(to, 4100, options={"aes": "X20261126123456"}))
    check_export(shipped(to, 4100, options={"eel_pfc": "NOEEI 30.36"}))


@pytest.mark.parametrize(
    ("to", "values"),
    [(MEXICO, (2500, 2500)), ({"country_code": "CA"}, (9000,)), ({"country_code": "US"}, (9000,))],
)
def test_no_declaration_is_asked_where_none_is_needed(to: dict[str, str], values: tuple[int, ...]) -> None:
    check_export(shipped(to, *values))


def test_a_misspelt_option_of_a_declaration_is_refused_with_the_nearest() -> None:
    with pytest.raises(Invalid, match=r"customs\.options\.eori_numbr.*did you mean eori_number\?"):
        check_customs_names(Customs(options={"eori_numbr": "IT1"}))
    check_customs_names(Customs(options={"eori_number": "IT1", "IOSSNUMBER": "IM1", "ioss": "IM1"}))


def test_what_a_carrier_is_not_told_is_named() -> None:
    shipment = shipped(MEXICO, 10, options={"ioss": "IM1", "license_number": "L1"})
    assert list_unsent_customs(registry.get("canadapost"), shipment) == ["customs.options.ioss"]
    assert list_unsent_customs(registry.get("seko"), shipment) == ["customs.options.license_number"]
