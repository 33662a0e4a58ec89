"""What the simulated Postal Service has prices of: a mail class for a kind of parcel. Pure.

Source: Domestic Prices API v3, rateIndicator and processingCategory; Notice 123, dimensional weight.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, NamedTuple

from shipcli.carrier.wire.json_paths import Json

SINGLE, EXPRESS_SINGLE, DIMENSIONAL = "SP", "PA", "DR"
MACHINABLE, NONSTANDARD = "MACHINABLE", "NONSTANDARD"
CUBIC_FOOT, INCHES_PER_POUND, LONGEST = 1728, 166, 22
BILLED_BY_SIZE = ("PRIORITY_MAIL", "USPS_GROUND_ADVANTAGE")


class Product(NamedTuple):
    indicator: str
    category: str


def find_product(mail_class: str, body: Json) -> Product:
    """What a parcel is, by its sides."""
    sides = read_sides(body)
    odd = max(sides) > LONGEST or body.get("hasNonstandardCharacteristics")
    category = NONSTANDARD if odd else MACHINABLE
    if mail_class.startswith("PRIORITY_MAIL_EXPRESS"):
        return Product(EXPRESS_SINGLE, category)
    big = mail_class.startswith(BILLED_BY_SIZE) and measure(sides) > CUBIC_FOOT
    return Product(DIMENSIONAL if big else SINGLE, category)


def bill_pounds(body: Json, product: Product) -> Decimal:
    """The weight that is billed: of what is sold by size the greater of two."""
    pounds = Decimal(str(body["weight"]))
    by_size = measure(read_sides(body)) / INCHES_PER_POUND
    return max(pounds, by_size) if product.indicator == DIMENSIONAL else pounds


def list_fees(product: Product) -> tuple[str, ...]:
    """The surcharges of a product, as the catalogue names them."""
    return (NONSTANDARD,) if product.category == NONSTANDARD else ()


def read_sides(body: Json) -> list[Decimal]:
    return [Decimal(str(body[name])) for name in ("length", "width", "height")]


def measure(sides: list[Decimal]) -> Any:
    return sides[0] * sides[1] * sides[2]
