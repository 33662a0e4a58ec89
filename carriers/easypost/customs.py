"""The declaration of one parcel's shipment. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from shipcli.carrier import RequestOptions, list_parcel_goods
from shipcli.carrier.wire.json_paths import Json
from shipcli.models import Commodity, Customs, Parcel, RateRequest

from .parts import CATALOGUE, OZ, Request, measure


def write_customs(request: Request, parcel: Parcel) -> Json | None:
    """What is declared of a parcel; None of one that stays in its country and has no declaration.

    A price needs no declaration of the caller: it is asked for with one that says "other".
    """
    abroad = request.shipper.country_code != request.recipient.country_code
    if not (request.customs or abroad):
        return None
    customs = request.customs or Customs()
    asks = isinstance(request, RateRequest)
    content = customs.content_type or ("other" if asks else None)
    return {
        "contents_explanation": customs.content_description,
        "contents_type": CATALOGUE.table("contents").get(content or "", content),
        "customs_certify": True if asks else customs.certify,
        "customs_signer": customs.signer or request.shipper.person_name,
        **{
            choice.code: choice.sent for choice in RequestOptions.of_customs(CATALOGUE, customs).list_chosen()
        },
        "customs_items": [_item(item) for item in _goods(request, parcel)],
    }


def _goods(request: Request, parcel: Parcel) -> Sequence[Commodity]:
    """The goods that a parcel declares, else one that stands for them."""
    return list_parcel_goods(request, parcel) or [_something(parcel)]


def _something(parcel: Parcel) -> Commodity:
    """What stands for the goods of a parcel that nobody described."""
    return Commodity(
        sku="0000", description=parcel.content, weight=parcel.weight, weight_unit=parcel.weight_unit
    )


def _item(item: Commodity) -> Json:
    """One line of the declaration.

    Units: value and weight are those of the whole line, not of a piece.
    Source: EasyPost API, CustomsItem object.
    """
    weight, value = item.weight_in(OZ), item.value_amount
    return {
        "description": item.description or item.title or "N/A",
        "origin_country": item.origin_country,
        "quantity": item.quantity,
        "value": None if value is None else value * Decimal(item.quantity),
        "weight": None if weight is None else measure(weight * item.quantity),
        "code": item.sku,
        "currency": item.value_currency,
        "eccn": item.metadata.get("eccn"),
        "printed_commodity_identifier": item.sku or item.id,
        "hs_tariff_number": item.hs_code,
    }
