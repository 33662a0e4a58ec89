"""What the Canada Post schemas demand of a request, as tables: the simulator refuses what does not fit.

Shapes: a table maps element names to a pattern or to a table; "?" after a name makes it optional, "+" lets it
        repeat. Elements come in the order of the table.
Source: rating.xsd, shipment.xsd, manifest.xsd, pickuprequest.xsd, common.xsd. Other than there, the payment
        method of a shipment is optional: the recorded exchanges go without.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias, Union

from lxml.etree import _Element

Rules: TypeAlias = Mapping[str, Union[str, "Rules"]]

POSTAL = r"[A-Z]\d[A-Z]\d[A-Z]\d"
COUNTRY = r"[a-zA-Z]{2}"
DAY = r"\d{4}-\d{2}-\d{2}"
CUSTOMER = r"\d{1,10}"
FLAG = r"true|false|0|1"
EMAIL = r"(?=.{1,60}\Z)['\w+-]+(\.['\w+-]+)*@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}"
AMOUNT = r"(?!0*(\.0*)?\Z)\d{1,6}(\.\d{1,2})?"
QUARTER = r"1[2-7]:(00|15|30|45)"


def upto(most: int, least: int = 0) -> str:
    """Any text of that length."""
    return rf"(?s:.){{{least},{most}}}"


def number(digits: int, fraction: int) -> str:
    """A decimal above zero."""
    return rf"(?!0*(\.0*)?\Z)\d{{1,{digits}}}(\.\d{{1,{fraction}}})?"


SIDES: Rules = {name: number(3, 1) for name in ("length", "width", "height")}
OPTION: Rules = {"option-code": upto(10, 1), "option-amount?": AMOUNT}
OPTIONS: Rules = {"option+": OPTION}

RATE: Rules = {
    "customer-number?": CUSTOMER,
    "contract-id?": CUSTOMER,
    "expected-mailing-date?": DAY,
    "options?": OPTIONS,
    "parcel-characteristics": {"weight": number(2, 3), "dimensions?": SIDES},
    "services?": {"service-code+": upto(32, 1)},
    "origin-postal-code": POSTAL,
    "destination": {
        "domestic?": {"postal-code": POSTAL},
        "united-states?": {"zip-code": r"\d{5}(-\d{4})?"},
        "international?": {"country-code": COUNTRY, "postal-code?": upto(10, 1)},
    },
}

SENDER_ADDRESS: Rules = {
    "address-line-1": upto(44, 1),
    "address-line-2?": upto(44),
    "city": upto(40, 1),
    "prov-state": upto(20, 1),
    "country-code": COUNTRY,
    "postal-zip-code?": upto(14, 1),
}
ADDRESS: Rules = {
    "address-line-1?": upto(44, 1),
    "address-line-2?": upto(44),
    "city?": upto(40, 1),
    "prov-state?": upto(20, 1),
    "country-code": COUNTRY,
    "postal-zip-code?": upto(14, 1),
}
SKU: Rules = {
    "customs-number-of-units": r"[1-9]\d{0,3}",
    "customs-description": upto(45, 1),
    "sku?": upto(15),
    "hs-tariff-code?": r"\d{4}(\.\d{2}(\.\d{2}(\.\d{2})?)?)?",
    "unit-weight": number(2, 3),
    "customs-value-per-unit": number(5, 2),
    "country-of-origin?": COUNTRY,
    "province-of-origin?": upto(2, 1),
}
CUSTOMS: Rules = {
    "currency": upto(3, 1),
    "reason-for-export": upto(3, 1),
    "other-reason?": upto(44),
    "sku-list": {"item+": SKU},
    "duties-and-taxes-prepaid?": number(5, 2),
    "certificate-number?": upto(10),
    "licence-number?": upto(10),
    "invoice-number?": upto(10),
}
DELIVERY: Rules = {
    "service-code": upto(32, 1),
    "sender": {
        "name?": upto(44),
        "company": upto(44),
        "contact-phone": upto(25),
        "address-details": SENDER_ADDRESS,
    },
    "destination": {
        "name?": upto(44),
        "company?": upto(44),
        "client-voice-number?": upto(25),
        "address-details": ADDRESS,
    },
    "options?": OPTIONS,
    "parcel-characteristics": {"weight": number(3, 3), "dimensions?": SIDES},
    "notification?": {"email": EMAIL, "on-shipment": FLAG, "on-exception": FLAG, "on-delivery": FLAG},
    "print-preferences?": {"output-format?": r"8\.5x11|4x6", "encoding?": "PDF|ZPL"},
    "preferences": {
        "show-packing-instructions": FLAG,
        "show-postage-rate?": FLAG,
        "show-insured-value?": FLAG,
    },
    "references?": {"cost-centre?": upto(30), "customer-ref-1?": upto(35), "customer-ref-2?": upto(35)},
    "customs?": CUSTOMS,
    "settlement-info": {
        "paid-by-customer?": CUSTOMER,
        "contract-id?": CUSTOMER,
        "intended-method-of-payment?": "CreditCard|Account|SupplierAccount",
    },
}
SHIPMENT: Rules = {
    "customer-request-id?": upto(35),
    "group-id?": upto(32, 1),
    "transmit-shipment?": "(true)?",
    "requested-shipping-point?": POSTAL,
    "expected-mailing-date?": DAY,
    "provide-pricing-info?": "true",
    "delivery-spec": DELIVERY,
}
REFUND: Rules = {"email": EMAIL}

MANIFEST: Rules = {
    "group-ids": {"group-id+": upto(32, 1)},
    "cpc-pickup-indicator?": "true",
    "requested-shipping-point?": POSTAL,
    "shipping-point-id?": upto(4),
    "detailed-manifests": FLAG,
    "method-of-payment": "CreditCard|Account|SupplierAccount",
    "manifest-address": {
        "manifest-company": upto(44, 1),
        "manifest-name?": upto(44, 1),
        "phone-number": upto(25),
        "address-details": {
            "address-line-1": upto(44, 1),
            "address-line-2?": upto(44),
            "city": upto(40, 1),
            "prov-state": upto(2, 1),
            "country-code?": "CA|US",
            "postal-zip-code": rf"({POSTAL})|(\d{{5}}(-\d{{4}})?)",
        },
    },
    "customer-reference?": upto(12),
    "excluded-shipments?": {"shipment-id+": upto(32)},
}

COLLECTION: Rules = {
    "contact-info": {
        "contact-name": upto(45),
        "email": EMAIL,
        "contact-phone": r"\d{3}-\d{3}-\d{4}",
        "receive-email-updates-flag?": FLAG,
    },
    "location-details": {
        "five-ton-flag?": FLAG,
        "loading-dock-flag?": FLAG,
        "pickup-instructions": upto(132),
    },
    "items-characteristics?": {"heavy-item-flag?": FLAG},
    "pickup-volume": upto(40, 1),
    "pickup-times": {
        "on-demand-pickup-time": {"date": DAY, "preferred-time": QUARTER, "closing-time": QUARTER}
    },
}
PICKUP: Rules = {
    "customer-request-id?": upto(35, 1),
    "pickup-type": "OnDemand",
    "pickup-location": {
        "business-address-flag": FLAG,
        "alternate-address?": {
            "company": upto(35),
            "address-line-1": upto(35),
            "city": upto(35),
            "province": upto(2, 1),
            "postal-code": POSTAL,
        },
    },
    **COLLECTION,
}


def fault(node: _Element, rules: Rules) -> str | None:
    """What is wrong with an element's children, or None."""
    named = {name.rstrip("?+"): (name, rule) for name, rule in rules.items()}
    places, at, seen = {name: at for at, name in enumerate(named)}, 0, set()
    for child in node:
        name = str(child.tag)
        if name not in named or places[name] < at:
            return f"element {name} is not expected in {node.tag}"
        if name in seen and not named[name][0].endswith("+"):
            return f"element {name} occurs twice in {node.tag}"
        problem = _content(child, named[name][1])
        if problem:
            return problem
        at = places[name]
        seen.add(name)
    missing = (name for name, (full, _) in named.items() if name not in seen and not full.endswith("?"))
    return next((f"element {name} is missing in {node.tag}" for name in missing), None)


def _content(node: _Element, rule: str | Rules) -> str | None:
    if not isinstance(rule, str):
        return fault(node, rule)
    if len(node) or not re.fullmatch(rule, node.text or ""):
        return f"the value of element {node.tag} is not valid"
    return None
