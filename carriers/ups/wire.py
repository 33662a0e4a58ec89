"""What UPS is sent: bodies of the rating, shipping and paperless document APIs. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from carriers.ups.catalogue import DOCUMENT_TYPES, NAMES, OPTIONS, WIRE_CODES, WISHES, Sheet
from carriers.ups.forms import international_forms
from carriers.ups.parts import (
    PACKAGE_REFERENCES,
    cut,
    indications,
    lane,
    money_options,
    only_documents,
    packages,
    with_options,
)
from carriers.ups.shapes import (
    UNIT_CODES,
    YES,
    Json,
    flag,
    measure,
    phone,
    put,
    tidy,
    units_of,
    write_address,
)
from shipcli.models import (
    Address,
    DocumentFile,
    DocumentUploadRequest,
    Duty,
    Parcel,
    Payment,
    RateRequest,
    ShipmentRequest,
)

TRANSPORT, DUTIES = "01", "02"
DOCUMENTS, GOODS = "02", "03"
DELIVERY_MAIL = "8"


# -- rating ------------------------------------------------------------------------------------


def write_rate(account: str | None, request: RateRequest, day: date) -> Json:
    """The body of a request for all services with their time in transit."""
    service = next((WIRE_CODES[slug] for slug in request.services if slug in WIRE_CODES), "11")
    head = {
        "RequestOption": "Shoptimeintransit",
        "SubVersion": "2205",
        "TransactionReference": {"CustomerContext": request.reference},
    }
    units = units_of(request.shipper, request.parcels)
    shipment: Json = {
        "Shipper": {**_rated(request.shipper), "ShipperNumber": account},
        "ShipTo": _rated(request.recipient, residential=True),
        "ShipFrom": _rated(request.return_address or request.shipper),
        "PaymentDetails": {"ShipmentCharge": _billed(account)},
        "Service": {"Code": service, "Description": "Weight"},
        "ShipmentTotalWeight": _total_weight(request.parcels, units[0]),
        "DocumentsOnlyIndicator": flag(only_documents(request.parcels)),
        "Package": packages(request, units, "rate"),
        "ShipmentIndicatorType": indications(request.options),
        "DeliveryTimeInformation": {
            "PackageBillType": DOCUMENTS if only_documents(request.parcels) else GOODS,
            "Pickup": {"Date": f"{day:%Y%m%d}"},
        },
        **money_options(request.options),
    }
    return {"RateRequest": {"Request": tidy(head), "Shipment": tidy(with_options(shipment, request, "rate"))}}


def _billed(account: str | None) -> Json | None:
    return {"Type": TRANSPORT, "BillShipper": {"AccountNumber": account}} if account else None


def _rated(address: Address, *, residential: bool = False) -> Json:
    return {
        "Name": cut(address.company_name or address.person_name),
        "AttentionName": cut(address.person_name),
        "Address": write_address(address, residential=residential),
    }


def _total_weight(parcels: Sequence[Parcel], unit: str) -> Json:
    total = sum((parcel.weight_in(unit) for parcel in parcels), Decimal(0))
    return {
        "UnitOfMeasurement": {"Code": UNIT_CODES[unit], "Description": "Dimension"},
        "Weight": measure(total),
    }


# -- shipping ----------------------------------------------------------------------------------


def write_shipment(
    account: str | None,
    request: ShipmentRequest,
    *,
    day: date,
    reference: str,
    sheet: Sheet,
    cost_center: str | None = None,
) -> Json:
    """The body of a purchase. `reference` is the caller's, else the purchase's own key."""
    code = WIRE_CODES.get(request.service, request.service)
    head = {
        "RequestOption": "validate",
        "SubVersion": "v2205",
        "TransactionReference": {"CustomerContext": reference},
    }
    shipment: Json = {
        "Description": describe(request),
        "DocumentsOnlyIndicator": flag(only_documents(request.parcels)),
        "Shipper": {
            **_party(request.shipper),
            "ShipperNumber": account,
            "EMailAddress": request.shipper.email,
        },
        "ShipTo": {**_party(request.recipient), "EMailAddress": request.recipient.email},
        "ShipFrom": _party(request.return_address or request.shipper),
        "PaymentInformation": {"ShipmentCharge": list(charges(account, request))},
        "ReferenceNumber": None if lane(request) in PACKAGE_REFERENCES else {"Value": reference},
        "Service": {"Code": code, "Description": NAMES.get(code, request.service)},
        "NumOfPiecesInShipment": str(sum(item.quantity for p in request.parcels for item in p.items)),
        "CostCenter": cost_center,
        "CostCenterBarcodeIndicator": flag(bool(cost_center)),
        "ShipmentIndicationType": indications(request.options),
        "ShipmentDate": f"{day:%Y%m%d}",
        "ReturnService": _return_service(request.options),
        "Package": packages(request, units_of(request.shipper, request.parcels), "ship", reference),
        **money_options(request.options),
    }
    put(shipment, "ShipmentServiceOptions/Notification", _notices(request.options))
    put(shipment, "ShipmentServiceOptions/InternationalForms", international_forms(request, day))
    return {
        "ShipmentRequest": {
            "Request": tidy(head),
            "Shipment": tidy(with_options(shipment, request, "ship")),
            "LabelSpecification": _label(sheet),
        }
    }


def describe(request: ShipmentRequest) -> str | None:
    """What is in the shipment, in the 50 characters UPS prints."""
    goods = request.customs.commodities if request.customs else []
    words = [parcel.description for parcel in request.parcels]
    words = words if any(words) else [item.title or item.description for item in goods]
    return ", ".join(dict.fromkeys(word for word in words if word))[:50] or None


def charges(account: str | None, request: ShipmentRequest) -> Iterable[Json]:
    """Who pays the transport, and who the duties (the sender when nothing is said of them)."""
    duty = request.customs.duty if request.customs else None
    address = request.customs.duty_billing_address if request.customs else None
    address = address or (duty.duty_billing_address if duty else None)
    yield _charge(TRANSPORT, account, request.payment or Payment(), request.billing_address)
    yield _charge(DUTIES, account, duty or Duty(), address or request.billing_address)


def _charge(kind: str, account: str | None, payment: Payment | Duty, billing: Address | None) -> Json:
    payer = {"AccountNumber": payment.account_number}
    if payment.paid_by == "third_party":
        return {"Type": kind, "BillThirdParty": {**payer, "Address": _billing(billing, country=True)}}
    if payment.paid_by == "recipient" and payment.account_number:
        return {"Type": kind, "BillReceiver": {**payer, "Address": _billing(billing)}}
    if payment.paid_by == "recipient":
        return {"Type": kind, "ConsigneeBilledIndicator": YES}
    return {"Type": kind, "BillShipper": {"AccountNumber": payment.account_number or account}}


def _billing(address: Address | None, *, country: bool = False) -> Json | None:
    if address is None:
        return None
    return {"PostalCode": address.postal_code, "CountryCode": address.country_code if country else None}


def _party(address: Address) -> Json:
    return {
        "Name": cut(address.company_name or address.person_name),
        "AttentionName": cut(address.person_name or address.company_name),
        "CompanyDisplayableName": cut(address.company_name),
        "TaxIdentificationNumber": address.federal_tax_id or address.state_tax_id,
        "Phone": {"Number": phone(address.phone_number)},
        "Address": write_address(address, residential=True),
    }


def _notices(options: Mapping[str, Any]) -> list[Json]:
    to, said = options.get("email_notification_to"), options.get("email_notification")
    unwanted = said not in (None, "") and not WISHES.value("email_notification", options)
    if not to or unwanted:
        return []
    return [{"NotificationCode": DELIVERY_MAIL, "EMail": {"EMailAddress": to}}]


def _return_service(options: Mapping[str, Any]) -> Json | None:
    # 9 is the return label that the shipper prints.
    return {"Code": "9"} if OPTIONS.value("ups_return_service", options) else None


def _label(sheet: Sheet) -> Json:
    # Descriptions are free text that UPS does not read; the recorded traffic spells this one so.
    return {
        "LabelImageFormat": {"Code": sheet.image, "Description": "lable format"},
        "LabelStockSize": {"Height": str(sheet.height), "Width": str(sheet.width)},
    }


# -- documents ---------------------------------------------------------------------------------


def write_documents(shipper_number: str | None, request: DocumentUploadRequest) -> Json:
    body = {
        "Request": {"TransactionReference": {"CustomerContext": "document upload"}},
        "ShipperNumber": shipper_number,
        "UserCreatedForm": [_document(file) for file in request.document_files],
    }
    return {"UploadRequest": tidy(body)}


def _document(file: DocumentFile) -> Json:
    extension = file.doc_name.rpartition(".")[2] if "." in file.doc_name else "pdf"
    return {
        "UserCreatedFormFileName": file.doc_name,
        "UserCreatedFormFileFormat": (file.doc_format or extension).lower(),
        "UserCreatedFormDocumentType": DOCUMENT_TYPES.get(file.doc_type or "other", DOCUMENT_TYPES["other"]),
        "UserCreatedFormFile": file.doc_file,
    }
