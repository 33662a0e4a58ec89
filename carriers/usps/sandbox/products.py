"""What the simulated Postal Service has prices of: a mail class for a kind of parcel. Pure.

Source: Domestic Prices API v3, rateIndicator and processingCategory; Notice 123, dimensional weight.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any, NamedTuple

from shipcli.carrier import load_catalogue
from shipcli.carrier.wire.json_paths import Json

CATALOGUE = load_catalogue(__file__)
FLAT_RATES = CATALOGUE.table("flat_rates")  # indicators of packagings at one price, with their categories
SINGLE, EXPRESS_SINGLE, DIMENSIONAL, EXPRESS = "SP", "PA", "DR", "PRIORITY_MAIL_EXPRESS"
MACHINABLE, NONSTANDARD = "MACHINABLE", "NONSTANDARD"
CUBIC_FOOT, INCHES_PER_POUND, LONGEST = 1728, 166, 22
BILLED_BY_SIZE = ("PRIORITY_MAIL", "USPS_GROUND_ADVANTAGE")


class Product(NamedTuple):
    indicator: str
    category: str

    def find_packaging(self, mail_class: str) -> str:
        """The packaging that has a price of its own, "" where the parcel is priced by its weight.

        A single piece of Express is a packaging to every other mail class, which has no price of it.
        """
        is_foreign = self.indicator == EXPRESS_SINGLE and not mail_class.startswith(EXPRESS)
        return self.indicator if is_foreign or self.indicator in FLAT_RATES else ""


def list_products(mail_class: str, body: Json, packagings: Iterable[str]) -> list[Product]:
    """What a parcel can be sold as: by its weight, and in each packaging of the mail class."""
    flat = [Product(code, str(FLAT_RATES[code])) for code in packagings]
    return [find_product(mail_class, body), *flat]


def find_product(mail_class: str, body: Json) -> Product:
    """What a parcel is, by its sides."""
    sides = read_sides(body)
    odd = max(sides) > LONGEST or body.get("hasNonstandardCharacteristics")
    category = NONSTANDARD if odd else MACHINABLE
    if mail_class.startswith(EXPRESS):
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
