"""What labels cost, and what is made of an answer that tells no price."""

from __future__ import annotations

from decimal import Decimal

import pytest

from shipcli.carrier import read_cost
from shipcli.carrier.wire.json_paths import Json
from shipcli.models import Quote


def read_price(price: Json) -> Quote:
    return Quote(
        carrier_name="acme", service="acme_ground", total_charge=Decimal(price["total"]), currency="EUR"
    )


def test_a_price_that_is_told_is_the_cost() -> None:
    cost = read_cost(read_price, {"total": "7.40"})
    assert cost
    assert cost.total_charge == Decimal("7.40")


@pytest.mark.parametrize("price", [{}, {"total": None}, {"total": "n/a"}, None])
def test_what_is_no_price_is_no_cost(price: Json | None) -> None:
    assert read_cost(read_price, price) is None
