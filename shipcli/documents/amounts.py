"""Amounts of money in the form that documents use."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from shipcli.models.basics.json import write_number
from shipcli.models.basics.reference import count_decimals

MOST_DECIMALS = 4


def format_money(amount: Decimal | None, currency: str = "") -> str:
    """`1,234.50`, with the decimals of the currency, or more if the amount has more."""
    if amount is None:
        return ""
    places = count_decimals(currency) if currency else 2
    exact = len(write_number(amount).partition(".")[2])
    digits = exact if places < exact <= MOST_DECIMALS else places
    return f"{amount.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP):,}"
