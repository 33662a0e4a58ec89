"""What the Postal Service accepts, for its simulator: members that exist, must be there, and their values.

A request with anything else is refused, so that a slip of the writers shows.

Source: request schemas of the Prices, Labels, Carrier Pickup, SCAN Forms and Payments APIs, version 3.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from decimal import Decimal
from typing import Any, TypeAlias

from carriers.usps.catalogue import OPTIONS, PICKUP_PLACES

Check: TypeAlias = Callable[[Any], bool]
Schema: TypeAlias = Mapping[str, Any]  # member, "!" behind it when required -> Check, Schema or [Schema]


def problems(schema: Schema, body: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every member that is missing, unknown or wrong: its path and what is wrong."""
    if not isinstance(body, Mapping):
        yield path or "body", "must be an object"
        return
    rules = {name.removesuffix("!"): rule for name, rule in schema.items()}
    for name in schema:
        if name.endswith("!") and name[:-1] not in body:
            yield _at(path, name[:-1]), "is required"
    for name, value in body.items():
        if name not in rules:
            yield _at(path, name), "is not a member of this request"
        else:
            yield from _wrong(rules[name], value, _at(path, name))


def _at(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _wrong(rule: Any, value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(rule, Mapping):
        yield from problems(rule, value, path)
    elif isinstance(rule, list):
        rows = value if isinstance(value, list) else []
        if not rows:
            yield path, "must be a list with at least one entry"
        for index, row in enumerate(rows):
            yield from _wrong(rule[0], row, f"{path}[{index}]")
    elif not rule(value):
        yield path, "has an invalid value"


def text(most: int, least: int = 1) -> Check:
    return lambda value: isinstance(value, str) and least <= len(value) <= most


def pattern(form: str) -> Check:
    compiled = re.compile(form)
    return lambda value: isinstance(value, str) and bool(compiled.fullmatch(value))


def among(*words: str) -> Check:
    return lambda value: isinstance(value, str) and value in words


def number(most: str) -> Check:
    return lambda value: _is_number(value) and bool(0 < value <= Decimal(most))


def amount(value: Any) -> bool:
    return _is_number(value) and bool(value >= 0)


def flag(value: Any) -> bool:
    return isinstance(value, bool)


def day(value: Any) -> bool:
    try:
        return bool(str(date.fromisoformat(value)) == value)
    except (TypeError, ValueError):
        return False


def _is_number(value: Any) -> bool:
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


def service_codes(codes: frozenset[int]) -> Check:
    return lambda value: isinstance(value, list) and all(code in codes for code in value)


def codes_of(rows: Any) -> frozenset[int]:
    return frozenset(int(row.code) for row in rows if row.code.isdigit())


zip5, zip4, state = pattern(r"\d{5}"), pattern(r"\d{4}"), pattern(r"[A-Z]{2}")
account_type = among("EPS", "PERMIT", "METER")
entry_facility = pattern(r"NONE|[A-Z_]{3,40}")
pounds, inches = number("150"), number("130")  # the weight a service carries is a refusal of its own

STREET: Schema = {
    "streetAddress!": text(70), "secondaryAddress": text(50), "city!": text(30), "ZIPCode!": zip5,
    "ZIPPlus4": zip4,
}  # fmt: skip
PERSON: Schema = {"firstName": text(50), "lastName": text(50), "firm": text(50)}
ADDRESS: Schema = {
    **STREET, **PERSON, "state!": state, "phone": text(25), "email": text(255), "ignoreBadAddress": flag,
}  # fmt: skip

PRICE: Schema = {
    "originZIPCode!": zip5, "weight!": pounds, "length": inches, "width": inches, "height": inches,
    "priceType": among("RETAIL", "COMMERCIAL", "COMMERCIAL_BASE", "COMMERCIAL_PLUS", "CONTRACT"),
    "mailingDate": day, "accountType": account_type, "accountNumber": text(40), "itemValue": amount,
}  # fmt: skip
DOMESTIC_PRICE: Schema = {
    **PRICE, "destinationZIPCode!": zip5, "mailClasses!": [text(60)],
    "extraServices": service_codes(codes_of(OPTIONS)),
}  # fmt: skip

PACKAGE: Schema = {
    "weightUOM!": among("lb"), "weight!": pounds, "dimensionsUOM": among("in"), "length": inches,
    "height": inches, "width": inches, "girth": number("1000"), "mailClass!": text(60),
    "rateIndicator!": pattern(r"[A-Z0-9]{2}"), "processingCategory!": text(30),
    "destinationEntryFacilityType!": entry_facility, "packageOptions": {"packageValue": amount},
    "mailingDate!": day,
}  # fmt: skip
IMAGE: Schema = {
    "imageType!": among("PDF", "TIFF", "JPG", "SVG", "ZPL203DPI", "ZPL300DPI", "LABEL_BROKER", "NONE"),
    "labelType!": among("4X6LABEL", "4X5LABEL"),
}  # fmt: skip
DOMESTIC_LABEL: Schema = {
    "imageInfo!": {**IMAGE, "receiptOption": among("NONE", "SAME_PAGE", "SEPARATE_PAGE")},
    "toAddress!": {**ADDRESS, "holdForPickup": flag, "facilityId": text(20)},
    "fromAddress!": ADDRESS, "senderAddress": ADDRESS, "returnAddress": ADDRESS,
    "packageDescription!": {
        **PACKAGE, "extraServices": service_codes(codes_of(OPTIONS)), "inductionZIPCode": zip5,
        "customerReference": [{"referenceNumber!": text(30), "printReferenceNumber": flag}],
        "carrierRelease": flag, "physicalSignatureRequired": flag,
    },
}  # fmt: skip

PICKUP: Schema = {
    "pickupDate!": day,
    "pickupAddress!": {**PERSON, "address!": {**STREET, "state": state}, "contact": [{"email!": text(255)}]},
    "packages!": [{
        "packageType!": among("FIRST-CLASS_PACKAGE_SERVICE", "PRIORITY_MAIL", "PRIORITY_MAIL_EXPRESS",
                              "RETURNS", "INTERNATIONAL", "OTHER"),
        "packageCount!": number("999"),
    }],
    "estimatedWeight!": number("70000"),
    "pickupLocation!": {"packageLocation": among(*PICKUP_PLACES), "specialInstructions": text(255)},
}  # fmt: skip
PICKUP_CHANGE: Schema = {"pickupDate!": day, "carrierPickupRequest!": PICKUP}

SCAN_FORM: Schema = {
    "form!": among("5630"), "imageType!": among("PDF"), "labelType!": among("8.5x11LABEL"),
    "mailingDate!": day, "overwriteMailingDate!": flag, "entryFacilityZIPCode!": zip5,
    "destinationEntryFacilityType!": entry_facility, "shipment!": {"trackingNumbers!": [text(40)]},
    "fromAddress!": {**STREET, **PERSON, "state": state, "ignoreBadAddress": flag},
}  # fmt: skip

ROLE: Schema = {
    "roleName!": among("LABEL_OWNER", "PAYER"), "CRID": text(15), "MID": pattern(r"\d{6}|\d{9}"),
    "manifestMID": pattern(r"\d{6}|\d{9}"), "accountType!": account_type, "accountNumber": text(40),
    "permitNumber": text(20), "permitZIP": zip5,
}  # fmt: skip
PAYMENT: Schema = {"roles!": [ROLE]}
