"""Goods as typed, and what customs would ask about them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from shipcli.models import CommodityData, Invalid
from shipcli.models.basics.areas import crosses_customs
from shipcli.models.parts.goods import declare_goods, find_gap, parse_goods, share_weight

MUG = {"title": "Mug", "quantity": 2, "value_amount": Decimal("12.50"), "value_currency": "USD",
       "hs_code": "6912.00", "origin_country": "CN"}  # fmt: skip
PARCEL = {"weight": 2, "weight_unit": "LB"}


def test_goods_are_read_as_they_are_typed() -> None:
    assert parse_goods("Mug:2:12.50USD:6912.00:CN") == MUG
    assert parse_goods(" Mug : 2 : 12.50 usd : 6912.00 : cn ") == MUG
    assert parse_goods("Mug") == {"title": "Mug", "quantity": 1}
    assert parse_goods("Mug::::CN:0.4kg") == {
        "title": "Mug", "quantity": 1, "origin_country": "CN", "weight": Decimal("0.4"), "weight_unit": "KG",
    }  # fmt: skip


@pytest.mark.parametrize(("text", "said"), [
    ("", "is no goods such as Mug:2"),
    (":2", "is no goods such as Mug:2"),
    ("a:1:2USD:3:CN:1kg:7", "is no goods such as Mug:2"),
    ("Mug:two", "'two' is not a number of pieces"),
    ("Mug:0", "'0' is not a number of pieces"),
    ("Mug:2:cheap", "'cheap' is not a value such as 12.50USD"),
    ("Mug:2:12.50", "12.50 of which money"),
    ("Mug:2:12.50USD:6912:CN:0.4", "0.4 what"),
])  # fmt: skip
def test_what_is_no_goods_is_named(text: str, said: str) -> None:
    with pytest.raises(Invalid, match=said):
        parse_goods(text)


def test_goods_share_the_weight_of_the_parcel_that_others_leave() -> None:
    heavy = {"title": "Lamp", "quantity": 1, "weight": Decimal(8), "weight_unit": "OZ"}
    shared = share_weight([MUG, heavy, {"title": "Pen", "quantity": 1}], [PARCEL])
    assert [(one["weight"], one["weight_unit"]) for one in shared] == [
        (Decimal("0.500"), "LB"), (Decimal(8), "OZ"), (Decimal("0.500"), "LB"),
    ]  # fmt: skip
    third = share_weight([{"title": "Pen", "quantity": 3}], [{"weight": 1, "weight_unit": "KG"}])
    assert third[0]["weight"] == Decimal("0.333")  # together never more than the parcel
    with pytest.raises(Invalid, match="say what a piece weighs"):
        share_weight([MUG, {**heavy, "quantity": 4}], [PARCEL])


def test_goods_are_declared_only_where_they_pass_customs() -> None:
    abroad = declare_goods({"parcels": [PARCEL]}, [MUG], "US", "DE")
    assert abroad["customs"]["commodities"] == abroad["parcels"][0]["items"]
    assert "customs" not in declare_goods({"parcels": [PARCEL]}, [MUG], "US", "US")
    several = declare_goods({"parcels": [PARCEL] * 2}, [MUG], "US", "DE")
    assert (several["parcels"], len(several["customs"]["commodities"])) == ([PARCEL] * 2, 1)
    assert [crosses_customs(*places) for places in (("US", "CA"), ("DE", "FR"), ("GB", "FR"))] == [
        True, False, True,
    ]  # fmt: skip


def commodity(**changes: Any) -> CommodityData:
    return CommodityData.model_validate({**MUG, "weight": 1, "weight_unit": "LB", **changes})


def test_what_customs_would_ask_is_said_of_all_goods_together() -> None:
    assert find_gap([commodity()]) is None
    assert find_gap([]) == "no goods are declared"
    found = [commodity(hs_code=None), commodity(sku="LAMP-1", hs_code=None), commodity(value_amount=None)]
    assert find_gap(found) == "no HS number of Mug, LAMP-1; no value of Mug"
