"""What a shipment holds."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from shipcli.carrier import (
    CatalogueRow,
    RowTable,
    holds_only_documents,
    join_words,
    list_goods,
    list_parcel_goods,
    sum_goods,
)
from shipcli.carrier.contents import choose_units, find_common_packaging, round_sides
from shipcli.models import Invalid, Parcel, ShipmentRequest

LAMP, BULB = {"title": "Lamp", "quantity": 2, "value_amount": 12.5}, {"title": "Bulb", "quantity": 3}


def make_request(**values: Any) -> ShipmentRequest:
    parcels = [{"weight": 1, "is_document": True, "items": [LAMP]}, {"weight": 1, "items": [BULB]}]
    plain = {"shipper": {}, "recipient": {}, "service": "x", "parcels": parcels, **values}
    return ShipmentRequest.model_validate(plain)


def test_goods_are_those_declared_else_those_in_the_parcels() -> None:
    assert [one.title for one in list_goods(make_request())] == ["Lamp", "Bulb"]
    assert [one.title for one in list_goods(make_request(customs={"commodities": [BULB]}))] == ["Bulb"]


def test_several_parcels_declare_what_each_of_them_holds() -> None:
    request = make_request(customs={"commodities": [LAMP, BULB]})
    assert [[one.title for one in list_parcel_goods(request, own)] for own in request.parcels] == [
        ["Lamp"],
        ["Bulb"],
    ]


def test_goods_are_declared_with_one_of_several_parcels_alone_never_with_each() -> None:
    parcels = [{"weight": 1}, {"weight": 1, "items": [LAMP]}]
    request = make_request(customs={"commodities": [LAMP]}, parcels=parcels)
    with pytest.raises(Invalid, match=r"parcels.items"):
        list_parcel_goods(request, request.parcels[0])


def test_the_only_parcel_declares_all_goods() -> None:
    request = make_request(customs={"commodities": [LAMP, BULB]}, parcels=[{"weight": 1, "items": [BULB]}])
    assert [one.title for one in list_parcel_goods(request, request.parcels[0])] == ["Lamp", "Bulb"]


def test_goods_are_worth_what_their_pieces_are() -> None:
    assert sum_goods(list_goods(make_request())) == Decimal(25)


def test_a_shipment_is_of_documents_when_all_its_parcels_are() -> None:
    parcels = make_request().parcels
    assert (holds_only_documents(parcels), holds_only_documents(parcels[:1]), holds_only_documents([])) == (
        False,
        True,
        False,
    )


def test_words_are_those_of_the_first_list_that_has_any_each_once() -> None:
    assert join_words([None, ""], ["Lamp", None, "Bulb", "Lamp"], ["Box"]) == "Lamp, Bulb"
    assert join_words([None], []) is None


def test_a_shipment_has_the_units_of_the_united_states_or_of_its_first_parcel() -> None:
    metric, imperial = {"weight": 1, "weight_unit": "G"}, {"weight": 1, "weight_unit": "OZ"}
    home, away = {"country_code": "US"}, {"country_code": "FR"}
    pairs = [(home, metric), (away, metric), (away, imperial)]
    requests = [make_request(shipper=shipper, parcels=[parcel, metric]) for shipper, parcel in pairs]
    units = [choose_units(request) for request in requests]
    assert units == [("LB", "IN"), ("KG", "CM"), ("LB", "IN")]


def test_sides_are_whole_and_all_there_or_none() -> None:
    box = Parcel(length=Decimal("10.5"), width=Decimal("0.2"), height=Decimal(3), dimension_unit="IN")
    assert round_sides(box, "IN") == [Decimal(11), Decimal(1), Decimal(3)]
    assert round_sides(box.model_copy(update={"height": None}), "IN") is None


def test_a_packaging_counts_when_all_parcels_are_in_it() -> None:
    table = RowTable([CatalogueRow(slug="acme_box", code="BX", aliases=("box",))])
    box, other = Parcel(packaging_type="box"), Parcel(packaging_type="barrel")
    found = [find_common_packaging(parcels, table, "OWN") for parcels in ([box, box], [box, other], [other])]
    assert found == ["BX", "OWN", "OWN"]
