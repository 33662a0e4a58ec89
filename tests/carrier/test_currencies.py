"""Exchange rates that a user states, and amounts in the one currency that a carrier takes."""

from __future__ import annotations

from decimal import Decimal

import pytest

from shipcli.carrier import registry
from shipcli.models import Invalid
from shipcli.models.parts.exchange import convert_money, read_exchange_rate, read_exchange_rates
from tests.carriers.bench import Bench, said
from tests.carriers.errands import ERRANDS, run_errand


@pytest.mark.parametrize("text", ["JPY", "JPY=0.0068", "JPY=0USD", "JPY=x USD", "QQQ=1USD", "JPY=-1USD"])
def test_what_is_no_rate_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        read_exchange_rate(text)


def test_rates_come_as_text_list_or_object() -> None:
    expected = ["JPY=0.0068USD", "NOK=0.09USD"]
    for value in ("jpy=0.0068usd, NOK=0.09USD", expected, {"JPY": "0.0068USD", "NOK": "0.09USD"}):
        assert [str(rate) for rate in read_exchange_rates(value)] == expected
    assert [str(rate) for rate in read_exchange_rates("JPY=1USD,JPY=2USD")] == ["JPY=2USD"]


@pytest.mark.parametrize(
    ("amount", "rate", "worth"),
    [("2450", "JPY=0.0068USD", "16.66"), ("0.3", "JPY=0.0068USD", "0.01"), ("12.345", "USD=147JPY", "1815")],
)
def test_money_is_rounded_once_to_the_decimals_of_its_currency(amount: str, rate: str, worth: str) -> None:
    assert convert_money(Decimal(amount), read_exchange_rate(rate)) == Decimal(worth)


def test_insurance_in_another_currency_than_the_form_is_refused_or_converted() -> None:
    bench = Bench(registry.get("usps"), ("US", "US"))
    euros = {"insurance": 100, "currency": "EUR"}
    for verb in ("rate", "ship"):
        request = ERRANDS[verb](bench)
        refused = run_errand(bench, verb, request.model_copy(update={"options": euros}))
        assert "options.insurance" in said(refused)
        stated = {**euros, "exchange_rates": "EUR=1.1USD"}
        assert "options.insurance" not in said(
            run_errand(bench, verb, request.model_copy(update={"options": stated}))
        )
    bench.close()
