"""Numbers with a decimal comma, wherever an amount, a weight or a size is typed."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from shipcli.carrier.catalogue_rows import READERS
from shipcli.features.paper.printing.printers import read_size
from shipcli.features.shipments.budget import Budget
from shipcli.models import Invalid
from shipcli.models.basics.decimals import convert_decimal_comma
from shipcli.models.parts.exchange import read_exchange_rate, read_exchange_rates
from shipcli.models.parts.goods import parse_goods, parse_value


def read_insurance(text: str) -> Any:
    return READERS[Decimal]("insurance", text)


@pytest.mark.parametrize(
    ("read", "comma", "point"),
    [
        (Budget.read, "12,50USD", "12.50USD"),
        (Budget.read, "0,5", "0.5"),
        (parse_value, "12,50EUR", "12.50EUR"),
        (parse_goods, "Mug:2:12,50USD:6912.00:CN:0,4kg", "Mug:2:12.50USD:6912.00:CN:0.4kg"),
        (read_exchange_rate, "JPY=0,0068USD", "JPY=0.0068USD"),
        (read_exchange_rates, "JPY=0,0068USD,NOK=0,09USD", "JPY=0.0068USD,NOK=0.09USD"),
        (read_size, "10,5x15cm", "10.5x15cm"),
        (read_insurance, "100,50", "100.50"),
    ],
)
def test_a_decimal_comma_reads_as_a_point(read: Callable[[str], Any], comma: str, point: str) -> None:
    def plain(value: Any) -> Any:
        return (value.most, value.currency) if isinstance(value, Budget) else value

    assert plain(read(comma)) == plain(read(point))


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (Budget.read, "12,500USD"),
        (Budget.read, "1.250,50"),
        (Budget.read, "1,2,3"),
        (parse_value, "1,250USD"),
        (read_exchange_rate, "BTC=1,085USD"),
        (read_insurance, "1,250"),
    ],
)
def test_a_comma_that_may_group_thousands_is_refused(read: Callable[[str], Any], text: str) -> None:
    with pytest.raises(Invalid):
        read(text)


@pytest.mark.parametrize("text", ["1,500", "1,5,0", "1.5", "a,5", "1,", ""])
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert convert_decimal_comma(text) == text
