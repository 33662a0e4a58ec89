"""Prices: the question for one parcel, and the price lines of quotes and of bought labels. Pure.

Source: rating.xsd (rate v4); ShipmentPriceType of shipment.xsd (v8).
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from lxml.etree import _Element

from carriers.canadapost.parts import (
    CANADA,
    CATALOGUE,
    CURRENCY,
    Fields,
    Payer,
    postal_code,
    write_options,
    write_parcel,
)
from shipcli.carrier import RequestOptions
from shipcli.carrier.xml import element, find
from shipcli.models import Address, Charge, Parcel, Quote, RateRequest

SPACE = "http://www.canadapost.ca/ws/ship/rate-v4"
TAXES = ("gst", "pst", "hst")
Line = tuple[str | None, str | None]


def write_rate(payer: Payer, request: RateRequest, parcel: Parcel, options: RequestOptions) -> _Element:
    """The question for the prices of one parcel."""
    codes = [service.code for service in CATALOGUE.services.chosen(request.services)]
    body = {
        "customer-number": payer.customer,
        "contract-id": payer.contract,
        "expected-mailing-date": options.ship_date(),
        "options": write_options(options),
        "parcel-characteristics": write_parcel(parcel),
        "services": {"service-code": codes} if codes else None,
        "origin-postal-code": postal_code(request.shipper.postal_code),
        "destination": _destination(request.recipient),
    }
    return element("mailing-scenario", body, SPACE)


def _destination(recipient: Address) -> Fields:
    code = postal_code(recipient.postal_code)
    if recipient.country_code in (None, CANADA):
        return {"domestic": {"postal-code": code}}
    if recipient.country_code == "US":
        return {"united-states": {"zip-code": code}}
    return {"international": {"country-code": recipient.country_code, "postal-code": code}}


def read_quote(node: _Element, carrier_id: str) -> Quote:
    """One service's price from a `price-quote`; taxes and surcharges are in the total."""
    price = node.find("price-details")
    if price is None:
        raise ValueError("a price-quote without its price-details")
    lines = [
        ("Base charge", find(price, "base")),
        *((tax.upper(), find(price, f"taxes/{tax}")) for tax in TAXES),
        *_costly(_pairs(price, "options/option", "option-name", "option-price")),
        *_pairs(price, "adjustments/adjustment", "adjustment-name", "adjustment-cost"),
    ]
    days = find(node, "service-standard/expected-transit-time")
    return _quote(find(node, "service-code"), carrier_id, find(price, "due"), days, lines)


def read_price(price: _Element, carrier_id: str) -> Quote:
    """What a label costs, from the `shipment-price` of its answer."""
    lines = [
        ("Base charge", find(price, "base-amount")),
        *((tax.upper(), find(price, f"{tax}-amount")) for tax in TAXES),
        *_costly(_pairs(price, "priced-options/priced-option", "option-code", "option-price")),
        *_pairs(price, "adjustments/adjustment", "adjustment-code", "adjustment-amount"),
    ]
    days = find(price, "service-standard/expected-transmit-time")  # spelt so in the schema
    return _quote(find(price, "service-code"), carrier_id, find(price, "due-amount"), days, lines)


def _quote(
    code: str | None, carrier_id: str, due: str | None, days: str | None, lines: Iterable[Line]
) -> Quote:
    """Errors: ArithmeticError when there is no amount due."""
    service = CATALOGUE.services.slug(code or "")
    charges = [Charge(name=name, amount=Decimal(text), currency=CURRENCY) for name, text in lines if text]
    return Quote(
        carrier_name="canadapost",
        carrier_id=carrier_id,
        service=service,
        total_charge=Decimal(due or ""),
        currency=CURRENCY,
        transit_days=int(days) if days else None,
        extra_charges=charges,
        meta={"service_name": service},
    )


def _pairs(price: _Element, path: str, name: str, amount: str) -> Iterable[Line]:
    rows = [(find(row, name), find(row, amount)) for row in price.iterfind(path)]
    names = CATALOGUE.table("charges")  # labels name their charges by codes only
    return [(names.get(word or "", word), text) for word, text in rows]


def _costly(lines: Iterable[Line]) -> Iterable[Line]:
    """An extra that is included costs nothing and is no charge."""
    return [(name, text) for name, text in lines if text and Decimal(text)]
