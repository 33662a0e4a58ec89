"""The declaration of a dutiable shipment: its value, the invoice DHL makes, papers of our own. Pure.

Source: ship-val-global-req-10.0 and datatypes_global_v10, types Dutiable, ExportDeclaration, DocImages.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from shipcli.carrier import RequestOptions, is_dutiable, list_goods, sum_goods
from shipcli.carrier.contents import cut_item_text
from shipcli.carrier.currencies import name_declared_currency
from shipcli.carrier.duties import read_terms
from shipcli.carrier.exports import find_filing
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import THOUSANDTH, round_half_up
from shipcli.models import Address, Commodity, Customs, Invalid, ShipmentRequest

from . import parts

ABROAD = "SDT"  # taxes of small parcels, paid by the seller: IOSS, VOEC


def write_commodities(request: ShipmentRequest) -> list[Json]:
    declared = request.customs.commodities if request.customs else ()
    return [
        {
            "CommodityCode": cut_text(item.hs_code or item.sku, 18) or parts.NOT_NAMED,
            "CommodityName": cut_item_text(item, item.title or item.description, 35),
        }
        for item in declared
    ]


def read_options(request: ShipmentRequest) -> RequestOptions:
    """The options of the declaration."""
    return RequestOptions.of_customs(parts.CATALOGUE, request.customs or Customs())


def write_customs(request: ShipmentRequest, options: RequestOptions, day: date) -> Json:
    """The members that a dutiable shipment has, in the order of the schema; none for another."""
    if not is_dutiable(request):
        return {}
    customs, origin = request.customs or Customs(), request.shipper.country_code
    commercial = bool(customs.commercial_invoice)
    items = [_write_item(at, item, origin) for at, item in enumerate(list_goods(request), 1)]
    return {
        "Dutiable": _write_value(request, customs, options),
        "UseDHLInvoice": parts.YES,
        "DHLInvoiceType": None if commercial else "PFI",  # a commercial one is the usual one
        "ExportDeclaration": {
            **_write_invoice(customs, options, read_options(request), day),
            "ExportLineItem": items,
            "InvoiceInstructions": cut_text(customs.content_description, 300),
            "PlaceOfIncoterm": parts.NOT_NAMED,
            "ShipmentPurpose": "COMMERCIAL" if commercial else "PERSONAL",
            "CustomsDocuments": _write_reference(request, options),
        },
    }


def _write_value(request: ShipmentRequest, customs: Customs, options: RequestOptions) -> Json:
    customs_options, duty = read_options(request), customs.duty
    declared = (duty.declared_value if duty else None) or options.amount("declared_value")
    return {
        "DeclaredValue": declared or sum_goods(list_goods(request)) or 1,
        "DeclaredCurrency": name_declared_currency(request, options, parts.currency_of(request, options)),
        "ExportLicense": customs_options.text("license_number"),
        "TermsOfTrade": read_terms(customs),
        "Filing": write_filing(customs_options),
    }


def write_filing(customs_options: RequestOptions) -> Json | None:
    """The ITN of the export, else why it needs none, else the number of an exporter who files afterwards.

    Source: datatypes_global_v10.xsd, Filing.
    """
    filed = customs_options.text("aes")
    itn, exemption = find_filing(filed, customs_options.text("eel_pfc"))
    if itn:
        return {"FilingType": "ITN", "ITN": itn}
    if exemption:
        return {"FilingType": "FTR", "FTSR": exemption}
    return {"FilingType": "AES4", "AES4EIN": filed} if filed else None


def _write_invoice(
    customs: Customs, options: RequestOptions, customs_options: RequestOptions, day: date
) -> Json:
    payer = customs.duty_billing_address or Address()
    return {
        "SignatureName": cut_text(customs.signer, 35),
        "ExportReason": customs.content_type or None,
        "ExportReasonCode": parts.CATALOGUE.table("export_reasons").get(customs.content_type or "other"),
        "InvoiceNumber": cut_text(customs.invoice or options.text("invoice_number"), 35) or "0000000",
        "InvoiceDate": customs.invoice_date or options.text("invoice_date") or day,
        "Remarks": customs.content_description or None,
        "PayerGSTVAT": customs_options.text("vat_registration_number") or payer.state_tax_id or None,
    }


def list_tax_numbers(address: Address) -> list[Json]:
    """The tax number of an address, if it has one."""
    number = address.federal_tax_id or address.state_tax_id
    return [_write_number("VAT", number, address.country_code)] if number else []


def write_registrations(request: ShipmentRequest) -> Json | None:
    """The numbers under which the sender pays taxes: its own, and those abroad.

    Source: RegistrationNumber of datatypes_global_v10. The digits of an IOSS number name who issued it.
    """
    customs_options, numbers = read_options(request), list_tax_numbers(request.shipper)
    if ioss := customs_options.text("ioss"):
        issuers = parts.CATALOGUE.table("ioss_issuers")
        numbers.append(_write_number(ABROAD, ioss, issuers.get(ioss[2:5], request.recipient.country_code)))
    if voec := customs_options.text("voec"):
        numbers.append(_write_number(ABROAD, voec, "NO"))
    return write_numbers(numbers)


def write_numbers(numbers: list[Json]) -> Json | None:
    return {"RegistrationNumber": numbers} if numbers else None


def _write_number(kind: str, number: str, country: str | None) -> Json:
    return {"Number": number, "NumberTypeCode": kind, "NumberIssuerCountryCode": country}


def _write_item(at: int, item: Commodity, origin: str | None) -> Json:
    unit = "LB" if item.weight_unit in ("LB", "OZ") else "KG"
    exact = round_half_up(item.weight_in(unit) or Decimal(0), THOUSANDTH)
    weight = {"Weight": exact, "WeightUnit": parts.UNIT_LETTERS[unit]}
    made_in = item.origin_country or origin
    return {
        "LineNumber": at,
        "Quantity": item.quantity,
        "QuantityUnit": "PCS",
        "Description": cut_item_text(item, item.description or item.title, 75) or parts.NOT_NAMED,
        "Value": item.value_amount or 0,
        "CommodityCode": cut_text(item.hs_code, 18),
        "Weight": weight,
        "GrossWeight": weight,
        "ManufactureCountryCode": made_in,
        "ManufactureCountryName": parts.country_name(made_in),
        "ImportCommodityCode": cut_text(item.hs_code, 18),
    }


def _write_reference(request: ShipmentRequest, options: RequestOptions) -> Json | None:
    """The document that DHL has already, from `options.doc_references`.

    Errors: Invalid for more than the one that DHL takes.
    """
    document_ids = [reference["doc_id"] for reference in options.objects("doc_references", "doc_id")]
    if not document_ids or not is_paperless(request, options):
        return None
    if len(document_ids) > 1:
        raise Invalid("options.doc_references", "DHL Express takes the number of one document")
    return {"CustomsDocument": {"CustomsDocumentType": "IN", "CustomsDocumentID": document_ids[0]}}


def write_papers(request: ShipmentRequest, options: RequestOptions) -> Json:
    """Papers of our own that go with the order, from `options.doc_files`.

    Errors: Invalid for what is no list of files.
    """
    files = options.objects("doc_files", "doc_file") if is_paperless(request, options) else []
    types = parts.CATALOGUE.table("document_types")
    papers = [
        {
            "Type": types.get(file.get("doc_type") or "CIN", file.get("doc_type")),
            "Image": file.get("doc_file"),
            "ImageFormat": (file.get("doc_format") or "PDF").upper(),
        }
        for file in files
    ]
    return {"DocImage": papers or None}


def is_paperless(request: ShipmentRequest, options: RequestOptions) -> bool:
    return parts.takes_paperless(request) and options.flag(parts.PAPERLESS)
