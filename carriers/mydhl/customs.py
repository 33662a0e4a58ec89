"""The declaration of a dutiable shipment: goods, invoice, papers of our own, numbers of taxpayers. Pure.

Source: MyDHL API 3.1.1, POST /shipments: exportDeclaration, registrationNumbers, documentImages.
"""

from __future__ import annotations

from decimal import Decimal

from shipcli.carrier import RequestOptions, list_goods, sum_goods
from shipcli.carrier.contents import cut_item_text
from shipcli.carrier.currencies import name_declared_currency
from shipcli.carrier.exports import find_filing
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json, drop_empty
from shipcli.carrier.wire.rounding import THOUSANDTH, round_half_up
from shipcli.models import Address, Commodity, Customs, ShipmentRequest

from . import parts
from .documents import find_type

DESCRIPTION, SIGNER, REMARK, REASON = 512, 35, 300, 30
ABROAD = "SDT"  # taxes of small parcels, paid by the seller: IOSS, VOEC


def read_options(request: ShipmentRequest) -> RequestOptions:
    """The options of the declaration."""
    return RequestOptions.of_customs(parts.CATALOGUE, request.customs or Customs())


def write_value(request: ShipmentRequest, options: RequestOptions) -> Json:
    """What the goods are worth, with its currency."""
    duty = request.customs.duty if request.customs else None
    declared = (duty.declared_value if duty else None) or options.amount("declared_value")
    currency = parts.find_currency_of(request, options)
    return {
        "declaredValue": declared or sum_goods(list_goods(request)) or 1,
        "declaredValueCurrency": name_declared_currency(request, options, currency),
    }


def write_declaration(request: ShipmentRequest, options: RequestOptions, key: str, day: str) -> Json:
    """The goods and the invoice that DHL makes of them."""
    customs, customs_options = request.customs or Customs(), read_options(request)
    unit = parts.choose_units(request.parcels)[0]
    goods = list_goods(request)
    reason = parts.CATALOGUE.table("export_reasons").get(customs.content_type or "", "permanent")
    items = [write_item(at, item, request.shipper.country_code, unit) for at, item in enumerate(goods, 1)]
    payer = customs.duty_billing_address or Address()
    body = {
        "lineItems": [{**item, "exportReasonType": reason} for item in items],
        "invoice": {
            "number": cut_text(find_invoice_number(request, options) or key, parts.REFERENCE),
            "date": customs.invoice_date or options.text("invoice_date") or day,
            "signatureName": cut_text(customs.signer, SIGNER),
            "instructions": [text] if (text := cut_text(customs.content_description, REMARK)) else None,
        },
        "exportReason": cut_text(customs.content_type, REASON),
        "exportReasonType": reason,
        "payerVATNumber": customs_options.text("vat_registration_number") or payer.state_tax_id,
        "licenses": write_licence(customs_options),
        "shipmentType": "commercial" if customs.commercial_invoice else "personal",
    }
    return dict(drop_empty(body))


def find_invoice_number(request: ShipmentRequest, options: RequestOptions) -> str | None:
    customs = request.customs or Customs()
    return customs.invoice or options.text("invoice_number") or request.reference


def write_licence(options: RequestOptions) -> list[Json] | None:
    number = options.text("license_number")
    return [{"typeCode": "export", "value": number}] if number else None


def find_filing_value(request: ShipmentRequest) -> str | None:
    """The ITN of an export from the United States, else why it needs none."""
    options = read_options(request)
    filed = options.text("aes")
    itn, exemption = find_filing(filed, options.text("eel_pfc"))
    return itn or exemption or filed


def write_item(at: int, item: Commodity, origin: str | None, unit: str) -> Json:
    """One kind of goods; its value is that of a piece."""
    weight = round_half_up(item.weight_in(unit) or Decimal(0), THOUSANDTH)
    code = cut_text(item.hs_code, 18)
    return {
        "number": at,
        "description": cut_item_text(item, item.description or item.title, DESCRIPTION) or "Goods",
        "price": item.value_amount or Decimal(0),
        "quantity": {"value": item.quantity or 1, "unitOfMeasurement": "PCS"},
        "commodityCodes": [{"typeCode": "outbound", "value": code}] if code else None,
        "manufacturerCountry": item.origin_country or origin,
        "weight": {"netValue": weight, "grossValue": weight},
    }


def write_registrations(request: ShipmentRequest, address: Address, *, is_sender: bool) -> list[Json]:
    """The numbers under which somebody pays taxes. The digits of an IOSS number name who issued it."""
    number = address.federal_tax_id or address.state_tax_id
    numbers = [write_number("VAT", number, address.country_code)] if number else []
    if not is_sender:
        return numbers
    options, there = read_options(request), request.recipient.country_code
    if eori := options.text("eori_number"):
        numbers.append(write_number("EOR", eori, address.country_code))
    if ioss := options.text("ioss"):
        issuer = parts.CATALOGUE.table("ioss_issuers").get(ioss[2:5], there)
        numbers.append(write_number(ABROAD, ioss, issuer))
    if voec := options.text("voec"):
        numbers.append(write_number(ABROAD, voec, "NO"))
    return numbers


def write_number(kind: str, number: str, country: str | None) -> Json:
    return {"typeCode": kind, "number": cut_text(number, 35), "issuerCountryCode": country}


def write_papers(options: RequestOptions) -> list[Json]:
    """Papers of our own that go with the order, from `options.doc_files`."""
    return [
        {
            "typeCode": find_type(file.get("doc_type")),
            "imageFormat": str(file.get("doc_format") or "PDF").upper(),
            "content": file["doc_file"],
        }
        for file in options.objects("doc_files", "doc_file")
    ]
