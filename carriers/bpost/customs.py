"""What is declared of a parcel that leaves the country. Pure.

Units: grams; the value of the parcel in cents (EuroCentAmount), that of its goods in the currency.
Source: international_v5.xsd, CustomsType and ParcelContentDetail.
"""

from __future__ import annotations

from decimal import Decimal

from shipcli.carrier.contents import list_parcel_goods, sum_goods
from shipcli.carrier.currencies import name_declared_currency
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import convert_to_cents, round_measure
from shipcli.models import Commodity, Invalid

from .parts import CATALOGUE, Piece

DESCRIPTION, MOST_KINDS = 50, 10
RETURN_TO_SENDER = "RTS"
INSTRUCTIONS = ("ABANDONED", "RTA", RETURN_TO_SENDER)


def write_declaration(piece: Piece) -> Json:
    customs, options = piece.request.customs, piece.options
    value = _find_value(piece)
    kind = customs.content_type if customs else None
    return {
        "parcelValue": convert_to_cents(value) if value else None,
        "contentDescription": cut_text(customs.content_description, DESCRIPTION) if customs else None,
        "shipmentType": CATALOGUE.table("content_types").get((kind or "").lower()),
        "parcelReturnInstructions": _find_instructions(piece),
        "privateAddress": bool(piece.request.recipient.residential),
        "currency": name_declared_currency(piece.request, options),
    }


def _find_value(piece: Piece) -> Decimal | None:
    """What the parcel is declared to be worth; of several parcels each is worth its goods."""
    duty = piece.request.customs.duty if piece.request.customs else None
    declared = (duty.declared_value if duty else None) or piece.options.amount("declared_value")
    return declared if len(piece.request.parcels) == 1 else sum_goods(piece.parcel.items) or None


def _find_instructions(piece: Piece) -> str:
    """What becomes of a parcel that nobody takes.

    Errors: Invalid for a word that bpost does not know.
    """
    word = piece.options.text("bpost_parcel_return_instructions") or RETURN_TO_SENDER
    if word not in INSTRUCTIONS:
        raise Invalid("options.bpost_parcel_return_instructions", f"is one of {', '.join(INSTRUCTIONS)}")
    return word


def write_contents(piece: Piece) -> Json | None:
    """Errors: Invalid for more kinds of goods than one parcel may declare."""
    goods = list_parcel_goods(piece.request, piece.parcel)
    if len(goods) > MOST_KINDS:
        raise Invalid("customs.commodities", f"bpost declares up to {MOST_KINDS} kinds of goods in a parcel")
    return {"parcelContent": [_write_item(item) for item in goods]} if goods else None


def _write_item(item: Commodity) -> Json:
    """Shapes: value and weight are those of all pieces of a kind."""
    weight = item.weight_in("G")
    code = (item.hs_code or "").replace(".", "")
    return {
        "numberOfItemType": item.quantity,
        "valueOfItem": sum_goods([item]) or None,
        "itemDescription": item.title or item.description,
        "nettoWeight": round_measure(weight * item.quantity, Decimal(1)) if weight else None,
        "hsTariffCode": code if code.isdigit() else None,
        "originOfGoods": item.origin_country,
    }
