"""Amounts and measures as carriers write them: amounts rounded half up, measures up, never binary floats."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal
from typing import Any

HUNDREDTH, THOUSANDTH, NOISE = Decimal("0.01"), Decimal("0.001"), Decimal("1e-6")
CENTS = 100


def read_amount(value: Any) -> Decimal | None:
    """Return a finite number, or None for anything else, for amounts that must not spoil a whole reply."""
    try:
        amount = Decimal(str(value))
    except ArithmeticError:
        return None
    return amount if amount.is_finite() else None


def round_half_up(value: Decimal, step: Decimal = HUNDREDTH) -> Decimal:
    """Return the nearest multiple of a step of 1, 0.1, 0.01 ..."""
    return value.quantize(step, ROUND_HALF_UP)


def round_measure(value: Decimal, step: Decimal = HUNDREDTH) -> Decimal:
    """Return a weight or a side rounded up to the step: what is told too light or too small is billed again,
    or stays behind. What a conversion adds behind the sixth decimal is nothing.
    """
    return value.quantize(NOISE, ROUND_HALF_UP).quantize(step, ROUND_CEILING)


def convert_to_cents(amount: Decimal) -> int:
    """Return 12.30 as 1230, for carriers that take amounts in hundredths of the currency."""
    return int(round_half_up(amount * CENTS, Decimal(1)))


def round_up(value: Decimal) -> int:
    """Return the next whole number, for carriers that charge every started pound or inch."""
    return int(round_measure(value, Decimal(1)))


def share_amount(amount: Decimal | None, count: int) -> list[Decimal | None]:
    """Return an amount in equal shares to the cent; the remainder goes to the first."""
    if not amount:
        return [None] * count
    share = round_half_up(amount / count)
    return [amount - share * (count - 1), *[share] * (count - 1)]
