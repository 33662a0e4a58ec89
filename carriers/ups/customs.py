"""The customs forms of a shipment: the invoice that UPS makes, or the documents uploaded before. Pure."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from shipcli.carrier import RequestOptions
from shipcli.carrier.contents import choose_units, cut_item_text
from shipcli.carrier.currencies import name_declared_currency
from shipcli.carrier.duties import read_terms
from shipcli.carrier.exports import find_filing
from shipcli.carrier.wire.address_parts import cut_text, fit_email
from shipcli.carrier.wire.json_paths import Json
from shipcli.models import Address, Commodity, Customs, ShipmentRequest

from .parts import (
    CATALOGUE,
    EMAIL,
    LINE,
    TENTH,
    company_or_person,
    describe,
    write_address,
    write_phone,
    write_weight,
)

INVOICE, OWN_DOCUMENTS = "01", "07"
# The statement UPS prints on its invoice.
STATEMENT = (
    "I hereby certify that the information on this invoice is true and correct and "
    "the contents and value of this shipment is as stated above."
)
FILED_BY_SHIPPER, WITH_ITN, EXEMPT = "1", "A", "B"
PIECES = {"Code": "PCS", "Description": "PCS"}


def write_forms(request: ShipmentRequest, options: RequestOptions, day: date) -> Json | None:
    """The forms of a declared shipment; None when nothing is declared.

    InsuranceCharges, what an insurance costs, are part of what duties are paid on, and nobody knows them.
    """
    customs, documents = request.customs, read_references(options)
    if customs is None:
        return {**_own_forms(documents), "Product": [_anything(request)]} if documents else None
    goods = customs.commodities or [item for parcel in request.parcels for item in parcel.items]
    unit, _ = choose_units(request)
    invoiced = customs.invoice_date or options.text("invoice_date") or day.isoformat()
    reasons = CATALOGUE.table("export_reasons")
    return {
        **_own_forms(documents),
        "Contacts": {"SoldTo": _sold_to(request.recipient)},
        "Product": [_product(item, unit) for item in goods] or [_anything(request)],
        "InvoiceNumber": customs.invoice or options.text("invoice_number"),
        "InvoiceDate": invoiced.replace("-", "")[:8],
        "TermsOfShipment": CATALOGUE.table("incoterms").get(read_terms(customs, unpaid="")),
        "ReasonForExport": reasons.get(customs.content_type or "merchandise", reasons["other"]),
        "DeclarationStatement": STATEMENT,
        "CurrencyCode": name_declared_currency(request, options, "USD"),
        "EEIFilingOption": write_filing(customs),
    }


def write_filing(customs: Customs) -> Json | None:
    """The export declaration that the shipper filed, or why there is none.

    Source: Shipping API, EEIFilingOption: with "1" and "A" goes the ITN, with "B" the exemption.
    """
    customs_options = RequestOptions.of_customs(CATALOGUE, customs)
    itn, exemption = find_filing(customs_options.text("aes"), customs_options.text("eel_pfc"))
    if not itn and not exemption:
        return None
    number = {"PreDepartureITNNumber": itn} if itn else {"ExemptionLegend": exemption}
    filed = {"Code": WITH_ITN if itn else EXEMPT, **number}
    return {"Code": FILED_BY_SHIPPER, "Description": "Shipper filed", "ShipperFiled": filed}


def read_references(options: RequestOptions) -> list[str]:
    """Numbers of documents uploaded before, from `options.doc_references`."""
    references = (reference for reference in options.items("doc_references") if isinstance(reference, dict))
    return [str(reference["doc_id"]) for reference in references if reference.get("doc_id")]


def _own_forms(documents: list[str]) -> Json:
    return {
        "FormType": [OWN_DOCUMENTS if documents else INVOICE],
        "UserCreatedForm": {"DocumentID": documents},
    }


def _anything(request: ShipmentRequest) -> Json:
    """The goods of a form for which none are declared: UPS wants a description of some."""
    return {"Description": [(describe(request) or "Goods")[:LINE]]}


def _product(item: Commodity, unit: str) -> Json:
    weight = item.weight_in(unit)
    return {
        "Description": [cut_item_text(item, item.title or item.description, LINE) or ""],
        "Unit": {
            "Number": str(item.quantity),
            "UnitOfMeasurement": PIECES,
            "Value": str(item.value_amount if item.value_amount is not None else Decimal(0)),
        },
        "CommodityCode": item.hs_code,
        "PartNumber": item.sku,
        "OriginCountryCode": item.origin_country,
        "NumberOfPackagesPerCommodity": "1",
        "ProductWeight": write_weight(weight, unit, "weight unit", TENTH) if weight else None,
        "ExportType": "F",
    }


def _sold_to(recipient: Address) -> Json:
    address = write_address(recipient)
    return {
        "Name": company_or_person(recipient),
        "AttentionName": cut_text(recipient.person_name or recipient.company_name, LINE),
        "TaxIdentificationNumber": recipient.federal_tax_id or recipient.state_tax_id,
        "Phone": write_phone(recipient.phone_number),
        "Address": {**address, "PostalCode": (recipient.postal_code or "").replace("-", "")},
        "EMailAddress": fit_email(recipient.email, EMAIL),
    }
