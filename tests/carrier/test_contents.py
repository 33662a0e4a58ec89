"""What a shipment holds."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from shipcli.carrier import join_words, list_goods, only_documents, sum_goods
from shipcli.models import ShipmentRequest

LAMP, BULB = {"title": "Lamp", "quantity": 2, "value_amount": 12.5}, {"title": "Bulb", "quantity": 3}


def asked(**values: Any) -> ShipmentRequest:
    parcels = [{"weight": 1, "is_document": True, "items": [LAMP]}, {"weight": 1, "items": [BULB]}]
    plain = {"shipper": {}, "recipient": {}, "service": "x", "parcels": parcels, **values}
    return ShipmentRequest.model_validate(plain)


def test_goods_are_those_declared_else_those_in_the_parcels() -> None:
    assert [one.title for one in list_goods(asked())] == ["Lamp", "Bulb"]
    assert [one.title for one in list_goods(asked(customs={"commodities": [BULB]}))] == ["Bulb"]


def test_goods_are_worth_what_their_pieces_are() -> None:
    assert sum_goods(list_goods(asked())) == Decimal(25)


def test_a_shipment_is_of_documents_when_all_its_parcels_are() -> None:
    parcels = asked().parcels
    assert (only_documents(parcels), only_documents(parcels[:1]), only_documents([])) == (False, True, False)


def test_words_are_those_of_the_first_list_that_has_any_each_once() -> None:
    assert join_words([None, ""], ["Lamp", None, "Bulb", "Lamp"], ["Box"]) == "Lamp, Bulb"
    assert join_words([None], []) is None
