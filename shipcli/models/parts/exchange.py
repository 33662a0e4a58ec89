"""Exchange rates that a user states, such as `JPY=0.0068USD`: what one yen is worth in dollars."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, NamedTuple

from shipcli.models.basics.decimals import AMOUNT, read_typed_amount
from shipcli.models.basics.errors import Invalid
from shipcli.models.basics.reference import count_decimals, list_currencies

OPTION = "exchange_rates"
FORM = "JPY=0.0068USD"
_RATE = re.compile(rf"([A-Za-z]{{3}})\s*=\s*{AMOUNT}\s*([A-Za-z]{{3}})")
_BETWEEN = re.compile(r",(?!\d)")  # two rates; a digit follows a decimal comma


class ExchangeRate(NamedTuple):
    """What one unit of the first currency is worth in the second."""

    source: str
    worth: Decimal
    target: str

    def __str__(self) -> str:
        return f"{self.source}={self.worth}{self.target}"


def read_exchange_rate(text: str, field: str = f"options.{OPTION}") -> ExchangeRate:
    """Errors: Invalid on the field for a text that is no rate, or an unknown currency."""
    match = _RATE.fullmatch(text.strip())
    worth = read_typed_amount(match[2]) if match else Decimal(0)
    if not match or not worth:
        raise Invalid(field, f"{text!r} is no rate such as {FORM}")
    rate = ExchangeRate(match[1].upper(), worth, match[3].upper())
    for code in (rate.source, rate.target):
        if code not in list_currencies():
            raise Invalid(field, f"{code} is not a currency")
    return rate


def read_exchange_rates(value: Any, field: str = f"options.{OPTION}") -> list[ExchangeRate]:
    """Return the rates of an option or a setting: a text with commas, a list, or an object
    (`{"JPY": "0.0068USD"}`). Of two rates between the same currencies the later one counts.

    Errors: Invalid on the field.
    """
    if isinstance(value, Mapping):
        texts = [f"{source}={worth}" for source, worth in value.items()]
    elif isinstance(value, list | tuple):
        texts = [str(item) for item in value]
    else:
        texts = [part for part in _BETWEEN.split(str(value or "")) if part.strip()]
    rates = [read_exchange_rate(text, field) for text in texts]
    return list({(rate.source, rate.target): rate for rate in rates}.values())


def convert_money(amount: Decimal, rate: ExchangeRate) -> Decimal:
    """Return an amount in the other currency, rounded once to its decimals; something is never nothing."""
    step = Decimal(1).scaleb(-count_decimals(rate.target))
    worth = (amount * rate.worth).quantize(step, ROUND_HALF_UP)
    return max(worth, step) if amount > 0 else worth
