"""What META is told of goods that leave the union. Pure. Source: META API 0.0.1, International."""

from __future__ import annotations

from decimal import Decimal

from shipcli.carrier import RequestOptions, holds_only_documents, list_goods, sum_goods
from shipcli.carrier.contents import choose_terms, cut_item_text
from shipcli.carrier.currencies import name_declared_currency
from shipcli.carrier.duties import read_terms
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_half_up, round_up
from shipcli.models import Address, Commodity, Customs, ShipmentRequest
from shipcli.models.basics.reference import list_eu_countries

from .parts import CATALOGUE, write_address, write_contact

DOCUMENT, GOODS = "D", "P"
INVOICE, NOT_CLEARED, SOLD = "A", "N", "s01"
HIGH, MEDIUM = Decimal(150), Decimal(22)  # values from which a declaration is of another level
REFERENCE, PRODUCT, CONTENT, CODE = 35, 70, 200, 11


def read_options(request: ShipmentRequest) -> RequestOptions:
    """The options of the declaration."""
    return RequestOptions.of_customs(CATALOGUE, request.customs or Customs())


def is_declared(request: ShipmentRequest) -> bool:
    """Whether goods cross a border, but for those that stay in the union."""
    ends = request.shipper.country_code, request.recipient.country_code
    return (
        ends[0] != ends[1]
        and not set(ends) <= list_eu_countries()
        and not (holds_only_documents(request.parcels) and request.customs is None)
    )


def write_international(request: ShipmentRequest, options: RequestOptions) -> Json:
    """Errors: Invalid for terms of delivery that DPD does not have."""
    customs, goods = request.customs or Customs(), list_goods(request)
    value = (customs.duty.declared_value if customs.duty else None) or sum_goods(goods)
    currency = name_declared_currency(request, options, options.currency("EUR"))
    money = {"amount": round_half_up(value or Decimal(0)), "currency": currency}
    terms = CATALOGUE.table("incoterms")
    importer, exporter = request.recipient, customs.duty_billing_address or request.shipper
    return {
        "parcelType": DOCUMENT if holds_only_documents(request.parcels) else GOODS,
        "customsAmount": money,
        "customsAmountEx": money,
        "customsTerms": choose_terms("DPD", terms, read_terms(customs), terms["DAP"]),
        "customsPaper": INVOICE,
        "clearanceStatus": NOT_CLEARED,
        "customsHighLowValue": find_level(value or Decimal(0)),
        "customsInvoice": cut_text(customs.invoice, REFERENCE),
        "customsInvoiceDates": [customs.invoice_date] if customs.invoice_date else None,
        "numberOfArticles": str(len(goods)) if goods else None,
        "exportReason": CATALOGUE.table("export_reasons").get(customs.content_type or "", SOLD),
        "importer": {**write_somebody(importer), "vatNumber": find_tax_number(importer)},
        "exporter": {**write_somebody(exporter), "eori": read_options(request).text("eori_number")},
        "interInvoiceLines": [
            write_line(at, item, request.shipper.country_code) for at, item in enumerate(goods, 1)
        ],
    }


def find_level(value: Decimal) -> str:
    return "H" if value >= HIGH else "M" if value >= MEDIUM else "L"


def write_somebody(address: Address) -> Json:
    """The German unit refuses whoever has no name to ask for."""
    return {"address": write_address(address), "contact": write_contact(address, named=True)}


def find_tax_number(address: Address) -> str | None:
    return address.federal_tax_id or address.state_tax_id


def write_line(at: int, item: Commodity, origin: str | None) -> Json:
    """One kind of goods: the value of all its pieces, the weight of all its pieces."""
    count = item.quantity or 1
    grams = str(round_up((item.weight_in("G") or Decimal(0)) * count))
    code = cut_text(item.hs_code, CODE)
    return {
        "invoicePosition": str(at),
        "quantityOfItems": str(count),
        "content": cut_item_text(item, item.description or item.title, CONTENT),
        "amountOfPosition": round_half_up((item.value_amount or Decimal(0)) * count),
        "manufacturedCountry": item.origin_country or origin,
        "netWeight": grams,
        "grossWeight": grams,
        "customerProductCode": item.sku,
        "productDescription": cut_item_text(item, item.title or item.description, PRODUCT),
        "importTarifCode": code,
        "exportTarifCode": code,
    }


def write_legal_entity(address: Address, eori: str | None = None) -> Json | None:
    """The numbers under which somebody pays taxes, if there are any."""
    number = find_tax_number(address)
    if not (number or eori):
        return None
    return {"businessType": "B" if address.company_name or eori else "P", "eori": eori, "vatNumber": number}
