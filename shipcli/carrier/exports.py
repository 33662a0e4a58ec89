"""Exports from the United States that must be filed before a label is bought."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

from shipcli.carrier.contents import list_goods
from shipcli.models import Commodity, Invalid, RateRequest, Shipment, ShipmentRequest
from shipcli.models.basics.areas import Place
from shipcli.models.parts.exchange import ExchangeRate

MOST_UNFILED = Decimal(2500)  # USD, of goods under one HS number
DOLLARS = "USD"
FILED_FROM = frozenset({"US", "PR"})
NEVER_FILED_TO = frozenset({"CA", "AS", "GU", "MP", "UM"})
FILED_OR_EXEMPT = ("aes", "eel_pfc")
_ITN = re.compile(r"X\d{14}")
_EXEMPTION = re.compile(r"30\.\d{1,2}(?:\([a-z0-9]\))*")


def find_filing(*texts: str | None) -> tuple[str | None, str | None]:
    """Return the ITN and the exemption from it that texts hold: `AES X20260305123456`, `NOEEI 30.37(a)`."""
    text = " ".join(filter(None, texts))
    itn, exemption = _ITN.search(text.upper()), _EXEMPTION.search(text.lower())
    return itn and itn[0], exemption and exemption[0]


def check_export(
    request: RateRequest | ShipmentRequest | Shipment, rates: Sequence[ExchangeRate] = ()
) -> None:
    """Check that goods worth more than 2,500 USD under one HS number leave the United States with the number
    of their export declaration, or the exemption from it. Goods in another currency count at a stated rate.

    Source: 15 CFR 30.2 and 30.37(a): Puerto Rico and the US Virgin Islands count as abroad, Canada and the
            other territories need none.
    Errors: Invalid on `customs.options.aes`.
    """
    here, there = (
        Place.of(address).territory or address.country_code
        for address in (request.shipper, request.recipient)
    )
    if here not in FILED_FROM or there is None or there == here or there in NEVER_FILED_TO:
        return
    options = request.customs.options if request.customs else {}
    if any(options.get(name) for name in FILED_OR_EXEMPT):
        return
    worth = sum_by_tariff_code(list_goods(request), rates)
    if over := [code or "goods without HS number" for code, value in worth.items() if value > MOST_UNFILED]:
        text = f"goods over {MOST_UNFILED} USD need the ITN of their export declaration ({', '.join(over)})"
        raise Invalid("customs.options.aes", f"{text}, or an exemption in customs.options.eel_pfc")


def sum_by_tariff_code(goods: Iterable[Commodity], rates: Sequence[ExchangeRate]) -> dict[str, Decimal]:
    """Return what goods are worth in US dollars, by the digits of their HS numbers.

    Goods in a currency without a stated rate are left out.
    """
    dollars = {rate.source: rate.worth for rate in rates if rate.target == DOLLARS}
    dollars[DOLLARS] = Decimal(1)
    worth: dict[str, Decimal] = {}
    for item in goods:
        rate = dollars.get(item.value_currency or DOLLARS, Decimal(0))
        code = "".join(digit for digit in item.hs_code or "" if digit.isdigit())
        value = (item.value_amount or Decimal(0)) * item.quantity * rate
        worth[code] = worth.get(code, Decimal(0)) + value
    return worth
