"""Decimals as carriers take them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from shipcli.carrier.wire.rounding import (
    convert_to_cents,
    read_amount,
    round_half_up,
    round_measure,
    round_up,
    share_amount,
)


@pytest.mark.parametrize(("value", "rounded"), [("1.005", "1.01"), ("1.0049", "1.00"), ("-1.005", "-1.01")])
def test_halves_go_up(value: str, rounded: str) -> None:
    assert round_half_up(Decimal(value)) == Decimal(rounded)


@pytest.mark.parametrize(("value", "rounded"), [
    ("0.001", "0.01"), ("0", "0"), ("2.341", "2.35"), ("2.34", "2.34"), ("2.3400000004", "2.34"),
])  # fmt: skip
def test_a_measure_is_never_below_the_truth_nor_raised_by_a_conversion(value: str, rounded: str) -> None:
    assert round_measure(Decimal(value)) == Decimal(rounded)


@pytest.mark.parametrize(("value", "cents"), [("12.3", 1230), ("0.005", 1), ("7", 700)])
def test_an_amount_in_cents_is_whole(value: str, cents: int) -> None:
    assert convert_to_cents(Decimal(value)) == cents


@pytest.mark.parametrize(
    ("value", "whole"), [("3.01", 4), ("3", 3), ("0.2", 1), ("20.00000000000000001", 20)]
)
def test_what_is_begun_counts_as_whole(value: str, whole: int) -> None:
    assert round_up(Decimal(value)) == whole


def test_the_shares_of_an_amount_add_up_to_it() -> None:
    assert share_amount(Decimal(100), 3) == [Decimal("33.34"), Decimal("33.33"), Decimal("33.33")]
    assert share_amount(None, 2) == [None, None]


@pytest.mark.parametrize(
    ("given", "amount"),
    [("12.30", "12.30"), (5, "5"), (0.1, "0.1"), ("n/a", None), ("", None), (None, None), ("NaN", None)],
)
def test_what_is_no_number_is_no_amount(given: Any, amount: str | None) -> None:
    assert read_amount(given) == (None if amount is None else Decimal(amount))
