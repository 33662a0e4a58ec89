"""Declarations: to other countries, and inside the country to the forces and most territories. Pure.

Units: pounds and USD.
Source: Labels and International Labels APIs, version 3, customsForm.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

from shipcli.carrier import list_parcel_goods
from shipcli.carrier.contents import cut_item_text
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json
from shipcli.models import Commodity, Customs, Invalid

from .parts import CATALOGUE, HOME, Piece, Request, write_pounds

# States of addresses of the forces, and of territories beyond the customs border; the islands of the second
# group may have a form, and need none.
FORM_STATES = frozenset({"AA", "AE", "AP", "AS", "GU", "MP", "FM", "MH", "PW"})
OPTIONAL_STATES = frozenset({"VI", "UM"})
LONGEST_DESCRIPTION, LONGEST_COMMENT, LONGEST_INVOICE = 30, 25, 15
TARIFF_NUMBER = re.compile(r"[\d. ]{6,14}")


def write_customs_at_home(piece: Piece) -> Json | None:
    """The declaration to or from the forces and most territories; None elsewhere in the country.

    Errors: Invalid when nothing is known of the goods of a parcel that needs one.
    """
    goods = list_parcel_goods(piece.request, piece.parcel)
    ends = (piece.request.shipper, piece.request.recipient)
    if is_declared(piece.request) and (goods or any(address.state_code in FORM_STATES for address in ends)):
        return write_form(piece, CATALOGUE.table("content_types"))
    return None


def is_declared(request: Request) -> bool:
    """Whether the label of a parcel may have a declaration with it."""
    ends = (request.shipper, request.recipient)
    inside = all((address.country_code or HOME) == HOME for address in ends)
    return not inside or any(address.state_code in FORM_STATES | OPTIONAL_STATES for address in ends)


def write_form(piece: Piece, types: Mapping[str, str]) -> Json:
    """What every declaration says of one parcel.

    Errors: Invalid when nothing is known of its goods.
    """
    customs = piece.request.customs or Customs()
    usual = "documents" if piece.parcel.is_document else "other"
    return {
        "customsContentType": types.get(customs.content_type or usual, types["other"]),
        "contentComments": cut_text(customs.content_description, LONGEST_COMMENT),
        "invoiceNumber": cut_text(customs.invoice, LONGEST_INVOICE),
        "contents": write_contents(piece),
    }


def write_contents(piece: Piece) -> list[Json]:
    """The lines of the form; documents without a declaration are one line of their own."""
    home = piece.request.shipper.country_code
    goods = list_parcel_goods(piece.request, piece.parcel)
    if goods:
        return [write_item(item, home) for item in goods]
    if piece.parcel.is_document:
        named = {"itemDescription": "Documents", "itemQuantity": 1, "countryofOrigin": home}
        weight = write_pounds(piece.parcel.weight_in("LB"))
        worth = {"itemValue": Decimal(1), "itemTotalValue": Decimal(1)}
        return [{**named, **worth, "weightUOM": "lb", "itemWeight": weight, "itemTotalWeight": weight}]
    raise Invalid("customs.commodities", "USPS wants a declaration of the goods there")


def write_item(item: Commodity, home: str | None) -> Json:
    """One line of the form: values and weights per piece and for all pieces."""
    weight, value = item.weight_in("LB"), item.value_amount
    code = item.hs_code or ""
    return {
        "itemDescription": cut_item_text(item, item.description or item.title, LONGEST_DESCRIPTION) or "Item",
        "itemQuantity": item.quantity,
        "itemValue": value,
        "itemTotalValue": None if value is None else value * item.quantity,
        "weightUOM": "lb",
        "itemWeight": None if weight is None else write_pounds(weight),
        "itemTotalWeight": None if weight is None else write_pounds(weight * item.quantity),
        "HSTariffNumber": code if TARIFF_NUMBER.fullmatch(code) else None,
        "countryofOrigin": item.origin_country or home,
    }
