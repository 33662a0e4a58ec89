"""The goods that Teleship takes abroad, their declaration, and what duties and taxes they cost. Pure.

Units: the value and the weight of goods are those of one piece.
Source: Teleship API 1.0.0 (published description): CustomsDto, DutiesAndTaxesQuoteRequestDto.
"""

from __future__ import annotations

from typing import Any

from shipcli.carrier import RequestOptions, list_parcel_goods
from shipcli.carrier.contents import choose_terms, cut_item_text, list_goods
from shipcli.carrier.duties import PAID, choose_payer, read_terms
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json, drop_empty
from shipcli.carrier.wire.times import read_moment
from shipcli.models import Address, Commodity, Customs, Parcel, ShipmentRequest

from .parts import (
    CATALOGUE,
    UNNAMED,
    Request,
    choose_weight_unit,
    write_midnight,
    write_party,
    write_payer,
    write_weight,
)

ITEM_TEXT, SKU = 200, 50
DOCUMENTS, GOODS, UNSAID = "Documents", "CommercialGoods", "Other"


def is_abroad(request: Request) -> bool:
    return request.shipper.country_code != request.recipient.country_code


def is_paid(request: Request) -> bool:
    """Whether the sender pays the duties."""
    return bool(request.customs) and read_terms(request.customs) == PAID


def write_goods(request: Request, parcel: Parcel) -> list[Json]:
    return [write_item(item) for item in list_parcel_goods(request, parcel)]


def write_item(item: Commodity) -> Json:
    unit = choose_weight_unit(item.weight_unit)
    weight = item.weight_in(unit)
    value = {"amount": item.value_amount, "currency": item.value_currency}
    return {
        "sku": cut_text(item.sku, SKU),
        "hsCode": item.hs_code,
        "title": cut_item_text(item, item.title or item.description, ITEM_TEXT),
        "description": cut_item_text(item, item.description, ITEM_TEXT) if item.title else None,
        "category": item.metadata.get("category"),
        "value": value if item.value_amount is not None else None,
        "quantity": item.quantity,
        "unitWeight": write_weight(weight, unit) if weight else None,
        "countryOfOrigin": item.origin_country,
        "imageUrl": item.metadata.get("image_url"),
        "productUrl": item.metadata.get("product_url"),
    }


def write_declaration(request: Request) -> Json | None:
    """What is declared of a shipment; every label has a declaration, at home the kind of contents alone."""
    customs = request.customs
    if customs is None or not is_abroad(request):
        return {"contentType": name_content(request)} if isinstance(request, ShipmentRequest) else None
    duty_payer = customs.duty_billing_address
    body: Json = {
        "customs": {
            "contentType": name_content(request),
            "incoterms": name_terms(customs),
            "invoiceDate": write_midnight(read_moment(customs.invoice_date)),
            "invoiceNumber": customs.invoice,
            "certified": customs.certify,
            "signedBy": customs.signer,
            "importerOfRecord": write_payer(duty_payer) if duty_payer else None,
        }
    }
    RequestOptions.of_customs(CATALOGUE, customs).write(body, "ship")
    return dict(body["customs"])


def name_content(request: Request) -> str:
    kind = request.customs.content_type if request.customs else None
    if kind is None:
        return DOCUMENTS if all(parcel.is_document for parcel in request.parcels) else GOODS
    return str(CATALOGUE.table("contents").get(kind, UNSAID))


def name_terms(customs: Customs) -> str | None:
    """The terms of trade, where they or who pays are named.

    Errors: Invalid for terms that Teleship does not offer.
    """
    if not customs.incoterm and choose_payer(customs) == "recipient":
        return None
    terms = read_terms(customs)
    return choose_terms("Teleship", CATALOGUE.table("incoterms"), terms, terms)


# -- the price of duties and taxes -----------------------------------------------------------------


def write_duties(request: Request, options: RequestOptions) -> Json:
    """The goods of all parcels, who sends and who receives them."""
    body = {
        "shipTo": write_end(request.recipient),
        "shipFrom": write_end(request.shipper),
        "commodities": [write_item(item) for item in list_goods(request)],
        "customs": write_declaration(request),
        "currency": options.text("currency"),
        "orderTrackingReference": options.text("teleship_order_tracking_reference") or request.reference,
    }
    return dict(drop_empty(body))


def write_end(address: Address) -> Json:
    """A party with a street, which is required here and not of a price; duties do not depend on it."""
    party = write_party(address)
    return {**party, "address": {**party["address"], "line1": address.street or UNNAMED}}


def read_duties(body: Json) -> Json:
    """What duties and taxes cost, and of what that is the sum."""
    charges = [read_charge(row) for row in body.get("charges") or ()]
    return {"total_charge": float(body["price"]), "currency": body["currency"], "charges": charges}


def read_charge(row: dict[str, Any]) -> Json:
    return {"name": row["name"], "amount": float(row["amount"]), "currency": row.get("currency")}
