"""The customs forms of a shipment: the invoice that UPS makes, or the documents uploaded before."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from carriers.ups.catalogue import EXPORT_REASONS, INCOTERMS
from carriers.ups.shapes import UNIT_CODES, Json, listed, measure, phone, units_of, write_address
from shipcli.models import Address, Commodity, Customs, ShipmentRequest

INVOICE, OWN_DOCUMENTS = "01", "07"
# The statement UPS prints on its invoice.
STATEMENT = (
    "I hereby certify that the information on this invoice is true and correct and "
    "the contents and value of this shipment is as stated above."
)
PIECES = {"Code": "PCS", "Description": "PCS"}


def international_forms(request: ShipmentRequest, day: date) -> Json | None:
    """The forms of a declared shipment; None when nothing is declared."""
    customs, own = request.customs, documents(request.options)
    if customs is None:
        return _own_forms(own) if own else None
    insurance = request.options.get("insurance")
    unit, _ = units_of(request.shipper, request.parcels)
    return {
        **_own_forms(own),
        "Contacts": {"SoldTo": _sold_to(request.recipient)},
        "Product": [_product(item, unit) for item in _goods(customs, request)],
        "InvoiceNumber": customs.invoice,
        "InvoiceDate": (customs.invoice_date or day.isoformat()).replace("-", "")[:8],
        "TermsOfShipment": customs.incoterm if customs.incoterm in INCOTERMS else None,
        "ReasonForExport": EXPORT_REASONS.get(customs.content_type or "merchandise", EXPORT_REASONS["other"]),
        "DeclarationStatement": STATEMENT,
        "InsuranceCharges": {"MonetaryValue": str(insurance) if insurance else None},
        "CurrencyCode": _currency(customs, request),
    }


def documents(options: Mapping[str, Any]) -> list[str]:
    """Numbers of documents uploaded before, from `options.doc_references`."""
    references = (one for one in listed(options.get("doc_references")) if isinstance(one, dict))
    return [str(one["doc_id"]) for one in references if one.get("doc_id")]


def _own_forms(own: list[str]) -> Json:
    return {
        "FormType": OWN_DOCUMENTS if own else INVOICE,
        "UserCreatedForm": [{"DocumentID": number} for number in own],
    }


def _goods(customs: Customs, request: ShipmentRequest) -> list[Commodity]:
    return customs.commodities or [item for parcel in request.parcels for item in parcel.items]


def _currency(customs: Customs, request: ShipmentRequest) -> str:
    named = customs.duty.currency if customs.duty else None
    valued = (item.value_currency for item in _goods(customs, request) if item.value_currency)
    return named or next(valued, None) or request.options.get("currency") or "USD"


def _product(item: Commodity, unit: str) -> Json:
    return {
        "Description": (item.title or item.description or "")[:35],
        "Unit": {
            "Number": str(item.quantity),
            "UnitOfMeasurement": PIECES,
            "Value": str(item.value_amount if item.value_amount is not None else Decimal(0)),
        },
        "CommodityCode": item.hs_code,
        "PartNumber": item.sku,
        "OriginCountryCode": item.origin_country,
        "NumberOfPackagesPerCommodity": "1",
        "ProductWeight": _weight(item, unit),
        "ExportType": "F",
    }


def _weight(item: Commodity, unit: str) -> Json | None:
    weight = item.weight_in(unit)
    if not weight:
        return None
    code = {"Code": UNIT_CODES[unit], "Description": "weight unit"}
    return {"UnitOfMeasurement": code, "Weight": measure(weight)}


def _sold_to(recipient: Address) -> Json:
    contact = recipient.person_name or recipient.company_name
    address = write_address(recipient, residential=True)
    return {
        "CompanyName": recipient.company_name,
        "Name": contact,
        "AttentionName": contact,
        "TaxIdentificationNumber": recipient.federal_tax_id or recipient.state_tax_id,
        "Phone": {"Number": phone(recipient.phone_number)},
        "Address": {**address, "PostalCode": (recipient.postal_code or "").replace("-", "")},
        "EMailAddress": recipient.email,
    }
