"""Labels: the order, what is bought, and the documents that are fetched with its number. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from shipcli.carrier import Bought, RequestOptions, holds_only_documents, make_label
from shipcli.carrier.contents import cut_item_text
from shipcli.carrier.currencies import name_declared_currency
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.label_files import list_files, merge_papers
from shipcli.carrier.wire.xml import Element, every, find, require
from shipcli.models import Commodity, Customs, Duty, Invalid, Label, Payment, ShipmentRequest

from . import parts

NO_CODE = "0000"  # of goods without one
NOT_OF_RETURNS = frozenset({"ShipmentDate", "InternationalInformation"})


def write_shipment(request: ShipmentRequest, options: RequestOptions, account: str, purchase: str) -> Json:
    """`purchase` is the reference by which the purchase is found again."""
    email = options.notify_email()
    code = parts.CATALOGUE.services.code(request.service)
    shipment = {
        "SenderInformation": parts.write_party(request.shipper, parts.NO_PHONE),
        "ReceiverInformation": parts.write_party(request.recipient, parts.NO_PHONE),
        "ShipmentDate": options.ship_date(),
        "PackageInformation": parts.write_package(request, code, options),
        "InternationalInformation": write_customs(request, options) if parts.is_abroad(request) else None,
        "PaymentInformation": _write_payment(request.payment or Payment(), account),
        "PickupInformation": {"PickupType": "DropOff"},
        "NotificationInformation": {"ConfirmationEmailAddress": email} if email else None,
        "TrackingReferenceInformation": parts.write_reference(request.reference, purchase),
    }
    return {
        "Shipment": shipment,
        "PrinterType": parts.CATALOGUE.table("label_types")[label_type(request)],
    }


def write_return(request: ShipmentRequest, options: RequestOptions, account: str, purchase: str) -> Json:
    """The order of a return, which the receiver pays; no form of it has a day, or goods to declare.

    Source: ReturnsManagementService.xsd (v2). Errors: Invalid for a return that leaves or enters Canada.
    """
    for side in ("shipper", "recipient"):
        if getattr(request, side).country_code != parts.CANADA:
            raise Invalid(f"{side}.country_code", "Purolator sells return labels inside Canada only")
    sent: Json = write_shipment(request, options, account, purchase)
    shipment = {name: part for name, part in sent["Shipment"].items() if name not in NOT_OF_RETURNS}
    payment = {"PaymentInformation": _write_payer_back(request.payment or Payment(), account)}
    return {"ReturnsManagementShipment": {**shipment, **payment}, "PrinterType": sent["PrinterType"]}


def _write_payer_back(payment: Payment, account: str) -> Json:
    """The account is the receiver's here."""
    return {
        **_write_payment(payment, account),
        "PaymentType": parts.CATALOGUE.table("payers_back").get(payment.paid_by, "Receiver"),
    }


def label_type(request: ShipmentRequest) -> str:
    """The type of the label's file: PDF for one that Purolator does not print."""
    requested = request.label_type or "PDF"
    return requested if requested in parts.CATALOGUE.table("label_types") else "PDF"


def _write_payment(payment: Payment, account: str) -> Json:
    """The account that asks is the registered one; who else pays is billed by a number of their own."""
    sender_account = account if payment.paid_by == "sender" else None
    return {
        "PaymentType": parts.CATALOGUE.table("payers").get(payment.paid_by, "Sender"),
        "RegisteredAccountNumber": account,
        "BillingAccountNumber": payment.account_number or sender_account,
    }


def write_customs(request: ShipmentRequest, options: RequestOptions) -> Json:
    """What is declared of a shipment that leaves the country."""
    papers, declared = holds_only_documents(request.parcels), request.customs or Customs()
    duty = declared.duty or Duty()
    origin = request.shipper.country_code
    goods = [_write_goods(commodity, origin) for commodity in declared.commodities]
    return {
        "DocumentsOnlyIndicator": papers,
        "ContentDetails": {"ContentDetail": goods} if goods and not papers else None,
        "DutyInformation": {
            "BillDutiesToParty": parts.CATALOGUE.table("duty_payers").get(duty.paid_by or "", "Sender"),
            "BusinessRelationship": "NotRelated",
            "Currency": name_declared_currency(request, options, "CAD"),
        },
        "ImportExportType": "Permanent",
        "CustomsInvoiceDocumentIndicator": True,
    }


def _write_goods(item: Commodity, origin: str | None) -> Json:
    return {
        "Description": cut_item_text(item, item.title or item.description, parts.TEXT) or "",
        "HarmonizedCode": item.hs_code or NO_CODE,
        "CountryOfManufacture": item.origin_country or origin,
        "ProductCode": item.sku or NO_CODE,
        "UnitValue": item.value_amount or 0,
        "Quantity": item.quantity or 1,
    }


def read_shipment(answer: Element, link: str) -> Bought:
    """What was bought; `link` holds {} for the number.

    Errors: LookupError when the answer names no shipment.
    """
    number = require(answer, "ShipmentPIN/Value")
    pieces = [text for pin in answer.findall("PiecePINs/PIN") if (text := find(pin, "Value"))]
    return make_bought(number, pieces, link)


def make_bought(number: str, pieces: Sequence[str], link: str) -> Bought:
    meta = {"carrier_tracking_link": link.format(number)}
    several = {"tracking_numbers": list(pieces)} if len(pieces) > 1 else {}
    return Bought(number, number, meta={**meta, **several})


# -- papers ----------------------------------------------------------------------------------------


def write_documents(number: str, request: ShipmentRequest) -> Json:
    kind, where = label_type(request), "International" if parts.is_abroad(request) else "Domestic"
    document_type = f"{where}BillOfLading{'Thermal' if kind == 'ZPL' else ''}"
    criteria = {"PIN": {"Value": number}, "DocumentTypes": {"DocumentType": [document_type]}}
    return {
        "OutputType": kind,
        "Synchronous": True,
        "DocumentCriterium": {"DocumentCriteria": criteria},
    }


def read_label(answer: Element, bought: Bought, kind: str) -> Label:
    """The bought shipment with the papers that have come."""
    documents = [
        (find(detail, "DocumentType", ""), find(detail, "Data")) for detail in every(answer, "DocumentDetail")
    ]
    words = {"label": "BillOfLading", "invoice": "Invoice"}
    files = {
        name: list_files(data for type_, data in documents if word in type_) for name, word in words.items()
    }
    return make_label(bought, kind, merge_papers(files, kind))
