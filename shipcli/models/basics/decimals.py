"""Numbers as people type them, with a decimal point or a decimal comma."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

# A comma before exactly three digits may group thousands, and is no decimal one.
AMOUNT: Final = r"(\d+(?:\.\d+|,(?!\d{3}(?!\d))\d+)?|[.,]\d+)"
_COMMA: Final = re.compile(r"-?\d*,(?!\d{3}(?!\d))\d+")


def read_typed_amount(digits: str) -> Decimal:
    """The number that `AMOUNT` matched."""
    return Decimal(convert_decimal_comma(digits))


def convert_decimal_comma(text: str) -> str:
    """ "1,5" as "1.5"; any other text as it is, also "1,500", whose comma may group thousands."""
    return text.replace(",", ".") if _COMMA.fullmatch(text.strip()) else text
