"""What counts as a higher price than the one that was agreed to."""

from __future__ import annotations

from decimal import Decimal

import pytest

from shipcli.models import Rate
from shipcli.remote.fulfilling import is_dearer


def rate(amount: str, currency: str) -> Rate:
    return Rate(carrier_name="generic", carrier_id="generic", total_charge=Decimal(amount), currency=currency)


@pytest.mark.parametrize(
    ("now", "agreed", "dearer"),
    [
        (("10", "USD"), ("10", "USD"), False),
        (("9.99", "USD"), ("10", "USD"), False),
        (("10.01", "USD"), ("10", "USD"), True),
        (("1", "EUR"), ("10", "USD"), True),
        (("1", "USD"), ("10", "EUR"), True),
    ],
)
def test_another_currency_is_never_cheaper(
    now: tuple[str, str], agreed: tuple[str, str], dearer: bool
) -> None:
    assert is_dearer(rate(*now), rate(*agreed)) is dearer
