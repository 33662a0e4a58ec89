"""What counts as a higher price than the one that was agreed to."""

from __future__ import annotations

from decimal import Decimal

import pytest

from shipcli.gateway.plain_sales import find_agreed_rate, is_dearer
from shipcli.models import Conflict, Rate, Shipment
from tests.api.conftest import body


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


def test_what_was_agreed_to_and_is_offered_no_more_is_not_bought_otherwise() -> None:
    agreed, other = (rate("10", "USD").model_copy(update={"service": name}) for name in ("ground", "express"))
    draft = Shipment.model_validate({**body(), "id": "shp_1", "rates": [other]})
    with pytest.raises(Conflict, match="ground is not offered any more"):
        find_agreed_rate(draft, agreed)
    cheaper = rate("9", "USD").model_copy(update={"service": "ground"})
    assert find_agreed_rate(draft.model_copy(update={"rates": [other, cheaper]}), agreed) == cheaper
