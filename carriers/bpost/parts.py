"""What the boxes of an order share: addresses, parties, money, notices, extras. Pure.

Shapes: names of the namespace "common" bear its prefix; what stands below such a name inherits it.
Source: common_v5.xsd.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from shipcli.carrier import RequestOptions, load_catalogue
from shipcli.carrier.wire.address_parts import Street, cut_text, fit_email, fit_phone, split_street
from shipcli.carrier.wire.json_paths import Json
from shipcli.models import Address, Invalid, Parcel, ShipmentRequest

CATALOGUE = load_catalogue(__file__)
LINE, NUMBER, POSTAL, EMAIL, PHONE = 40, 8, 8, 50, 20  # the longest texts
LANGUAGE = "EN"  # of notices where the connection names none
KEEP_INFORMED = "keepMeInformed"
PHONE_NUMBER = re.compile(r"\+?[\d ./-]{8,}")


@dataclass(frozen=True, slots=True)
class Piece:
    """One parcel of a request with its options, and the language of its notices."""

    request: ShipmentRequest
    parcel: Parcel
    options: RequestOptions
    language: str


def write_address(address: Address) -> Json:
    street = split_street(address)
    if len(street.number or "") > NUMBER:
        street = Street(None, address.street)
    return {
        "common:streetName": cut_text(street.name, LINE),
        "common:addressLineTwo": cut_text(address.address_line2, LINE),
        "common:number": cut_text(street.number, NUMBER),
        "common:postalCode": cut_text(address.postal_code, POSTAL),
        "common:locality": cut_text(address.city, LINE),
        "common:countryCode": address.country_code,
    }


def write_party(party: Address) -> Json:
    return {
        "common:name": cut_text(party.name, LINE),
        "common:company": cut_text(party.company_name, LINE),
        "common:address": write_address(party),
        "common:emailAddress": fit_email(party.email, EMAIL),
        "common:phoneNumber": fit_phone(party.phone_number, PHONE),
    }


# -- extras ----------------------------------------------------------------------------------------


def write_options(piece: Piece) -> Json | None:
    """The chosen extras in the order of the schema; with any of them the recipient is kept informed."""
    options, kinds = piece.options, CATALOGUE.table("option_kinds")
    chosen = {choice.code: choice.value for choice in options.list_chosen() if choice.code in kinds}
    if not chosen:
        return None
    if options.flag("email_notification", default=True):
        chosen.setdefault(KEEP_INFORMED, True)
    written = {code: _write_option(piece, code, chosen[code]) for code in kinds if code in chosen}
    return {f"common:{code}": value for code, value in written.items()}


def _write_option(piece: Piece, code: str, value: Any) -> Any:
    """An extra as its kind wants it: a notice to somebody, an insurance, a word, or a mark."""
    kind = CATALOGUE.table("option_kinds")[code]
    if kind == "notice":
        contact = _read_contact(str(value)) or _usual_contact(piece)
        return {"@language": piece.language, **contact} if contact else None
    if kind == "insurance":
        return {"basicInsurance": ""} if _is_insured(value) else None
    return value if kind == "word" else ""


def _usual_contact(piece: Piece) -> Json | None:
    to = piece.request.recipient
    return _write_contact(piece.options.text("email_notification_to") or to.email, to.phone_number)


def _read_contact(value: str) -> Json | None:
    """Who is told, where the option itself says it."""
    phone = value if PHONE_NUMBER.fullmatch(value) else None
    return _write_contact(value if "@" in value else None, phone)


def _write_contact(email: str | None, phone: str | None) -> Json | None:
    """Where a notice goes: by mail, else to a phone; None if neither is known."""
    if fitting := fit_email(email, EMAIL):
        return {"emailAddress": fitting}
    fitting_phone = fit_phone(phone, PHONE)
    return {"mobilePhone": fitting_phone} if fitting_phone else None


def _is_insured(value: Any) -> bool:
    """Whether an amount is insured: by the basic insurance, as the schema names no amounts.

    Errors: Invalid for what is no amount.
    """
    try:
        return Decimal(str(value)) > 0
    except ArithmeticError:
        raise Invalid("options.bpost_insured", "is not an amount") from None
