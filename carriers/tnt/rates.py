"""Prices: the question, and the rated services. Pure."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from shipcli.carrier import RequestOptions, list_charges
from shipcli.carrier.flow_steps import list_first
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.xml import check_root, every, find
from shipcli.models import Address, Charge, Parcel, Quote, RateRequest

from . import parts

if TYPE_CHECKING:
    from lxml.etree import _Element

APPLICATION, VERSION = "PC", "3.2"
RATE_ID = "1"  # of the only question of a document
PALLET = "tnt_pallet"


def write_rate(
    request: RateRequest, options: RequestOptions, day: date, account: Json | None, application: str | None
) -> Json:
    """The question for one service where one is named, else for all."""
    check = {
        "rateId": RATE_ID,
        "sender": _write_place(request.shipper),
        "delivery": _write_place(request.recipient),
        "collectionDateTime": f"{day}T00:00:00",
        "product": _write_product(request, options),
        "account": account,
        "insurance": _write_insurance(request, options),
        "termsOfPayment": "S",
        "currency": parts.goods_currency(request, options),
        "priceBreakDown": True,
        "consignmentDetails": {
            "totalWeight": parts.weigh(request.parcels),
            "totalVolume": parts.volume_of(request.parcels),
            "totalNumberOfPieces": len(request.parcels),
        },
        "pieceLine": [_write_piece(parcel) for parcel in request.parcels if parcel.sides_in("M")],
    }
    return {"appId": application or APPLICATION, "appVersion": VERSION, "priceCheck": [check]}


def _write_place(address: Address) -> Json:
    town, postcode = address.city or None, address.postal_code or None
    return {"country": address.country_code, "town": town, "postcode": postcode}


def _write_product(request: RateRequest, options: RequestOptions) -> Json:
    chosen = parts.CATALOGUE.services.list_chosen(request.services)
    extras = [{"optionCode": extra.code} for extra in parts.extras_of(options)]
    usual = parts.usual_division(request.shipper.country_code, request.recipient.country_code)
    return {
        "id": chosen[0].code if len(chosen) == 1 else None,
        "division": parts.division_of(options) or usual,
        "type": parts.contents_of(request),
        "options": {"option": extras} if extras else None,
    }


def _write_insurance(request: RateRequest, options: RequestOptions) -> Json | None:
    insured = options.insurance()
    worth = parts.goods_value(request, options)
    return {"insuranceValue": insured, "goodsValue": worth} if insured else None


def _write_piece(parcel: Parcel) -> Json:
    kind = parts.CATALOGUE.packaging.get(parcel.packaging_type)
    return {
        "numberOfPieces": 1,
        "pieceMeasurements": parts.write_measures(parcel),
        "pallet": kind is not None and kind.slug == PALLET,
    }


def read_rates(answer: _Element) -> list[Quote]:
    """One quote for each service, the first of its prices.

    Errors: LookupError when this is no answer to the question.
    """
    check_root(answer, "document")
    groups = [
        read_each(every(group, "ratedService"), _read_rated, find(group, "currency"))
        for group in every(answer, "ratedServices")
    ]
    return list_first(quote for quotes in groups for quote in quotes)


def _read_rated(rated: _Element, currency: str | None) -> Quote:
    return Quote(
        carrier_name="tnt",
        service=parts.CATALOGUE.services.slug(find(rated, "product/id", "")),
        total_charge=Decimal(find(rated, "totalPrice", "")),
        currency=currency,
        extra_charges=_read_charges(rated, currency),
        meta={"service_name": find(rated, "product/productDesc")},
    )


def _read_charges(rated: _Element, currency: str | None) -> list[Charge]:
    """The price without tax, the tax, and what both are made of."""
    lines = [("Base charge", find(rated, "totalPriceExclVat", "0")), ("VAT", find(rated, "vatAmount", "0"))]
    lines += [
        (find(charge, "description", ""), find(charge, "chargeValue", "0"))
        for charge in every(rated, "chargeElement")
    ]
    return list_charges([(name, Decimal(amount)) for name, amount in lines], currency)
