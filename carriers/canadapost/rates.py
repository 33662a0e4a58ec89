"""Prices: the question for one parcel, and the price lines of quotes and of bought labels. Pure.

Source: rating.xsd (rate v4); ShipmentPriceType of shipment.xsd (v8).
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import NamedTuple

from shipcli.carrier import RequestOptions
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.xml import Element, element, find, require
from shipcli.models import Address, Charge, Invalid, Parcel, Quote, RateRequest

from . import parts

SPACE = "http://www.canadapost.ca/ws/ship/rate-v4"
TAXES = ("gst", "pst", "hst")


def write_rate(payer: parts.Payer, request: RateRequest, parcel: Parcel, options: RequestOptions) -> Element:
    """The question for the prices of one parcel."""
    codes = [service.code for service in parts.CATALOGUE.services.list_chosen(request.services)]
    body = {
        "customer-number": payer.customer,
        "contract-id": payer.contract,
        "expected-mailing-date": options.ship_date(),
        "options": parts.write_options(options),
        "parcel-characteristics": parts.write_parcel(parcel),
        "services": {"service-code": codes} if codes else None,
        "origin-postal-code": parts.postal_code(request.shipper.postal_code),
        "destination": _destination(request.recipient),
    }
    return element("mailing-scenario", body, SPACE)


def _destination(recipient: Address) -> Json:
    """Errors: Invalid for a place in Canada or the United States without a postal code."""
    code = parts.postal_code(recipient.postal_code)
    if not code and recipient.country_code in (None, parts.CANADA, "US"):
        raise Invalid("recipient.postal_code", "required by Canada Post")
    if recipient.country_code in (None, parts.CANADA):
        return {"domestic": {"postal-code": code}}
    if recipient.country_code == "US":
        return {"united-states": {"zip-code": code}}
    return {"international": {"country-code": recipient.country_code, "postal-code": code}}


class PriceWords(NamedTuple):
    """Where a kind of answer keeps the parts of a price; charges have a path, a name and an amount."""

    base: str
    tax: str
    due: str
    days: str
    options: tuple[str, str, str]
    adjustments: tuple[str, str, str]


QUOTED = PriceWords(
    "price-details/base",
    "price-details/taxes/{}",
    "price-details/due",
    "service-standard/expected-transit-time",
    ("price-details/options/option", "option-name", "option-price"),
    ("price-details/adjustments/adjustment", "adjustment-name", "adjustment-cost"),
)
PAID = PriceWords(
    "base-amount",
    "{}-amount",
    "due-amount",
    "service-standard/expected-transmit-time",  # spelt so in the schema
    ("priced-options/priced-option", "option-code", "option-price"),
    ("adjustments/adjustment", "adjustment-code", "adjustment-amount"),
)


def read_price(node: Element, words: PriceWords, carrier_id: str) -> Quote:
    """One service's price, taxes and surcharges in the total.

    Errors: ArithmeticError when there is no amount due, LookupError without a service.
    """
    service = parts.CATALOGUE.services.slug(require(node, "service-code"))
    lines, days, currency = _lines(node, words), find(node, words.days), parts.CURRENCY
    return Quote(
        carrier_name="canadapost",
        carrier_id=carrier_id,
        service=service,
        total_charge=Decimal(find(node, words.due) or ""),
        currency=currency,
        transit_days=int(days) if days else None,
        extra_charges=[Charge(name=name, amount=amount, currency=currency) for name, amount in lines],
        meta={"service_name": service},
    )


def _lines(node: Element, words: PriceWords) -> Iterable[tuple[str, Decimal]]:
    """Base, taxes, extras, surcharges; an extra that is included costs nothing and is no charge."""
    taxes = ((tax.upper(), find(node, words.tax.format(tax))) for tax in TAXES)
    lines = [
        ("Base charge", find(node, words.base)),
        *taxes,
        *((name, text) for name, text in _pairs(node, *words.options) if text and Decimal(text)),
        *_pairs(node, *words.adjustments),
    ]
    return [(name or "", Decimal(text)) for name, text in lines if text]


def _pairs(node: Element, path: str, name: str, amount: str) -> Iterable[tuple[str | None, str | None]]:
    """Names and amounts; labels name their charges by codes only."""
    names = parts.CATALOGUE.table("charges")
    rows = [(find(row, name), find(row, amount)) for row in node.iterfind(path)]
    return [(names.get(word or "", word), text) for word, text in rows]
