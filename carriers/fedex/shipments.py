"""Labels: the order, the answer with its files, and the void. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from shipcli.carrier import RequestOptions
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, get_path
from shipcli.carrier.wire.label_files import list_files, merge_papers
from shipcli.models import Address, Invalid, Label, Parcel, Payment, Quote, ShipmentRequest

from .customs import write_clearance, write_shipper_taxes
from .parts import (
    CATALOGUE,
    Consignment,
    write_package,
    write_package_services,
    write_party,
    write_shipment_services,
    write_smart_post,
)
from .rates import KINDS, choose_price, read_service

SMART_POST, INVOICE = "SMART_POST", "COMMERCIAL_INVOICE"
LONGEST = 30  # characters of a reference, at FedEx Ground; the other services print 40
EVENTS = ("ON_DELIVERY", "ON_EXCEPTION", "ON_SHIPMENT")
PAID = ("PREFERRED_ACCOUNT_SHIPMENT", "PREFERRED_ACCOUNT_PACKAGE")


# -- the order -------------------------------------------------------------------------------------


def write_shipment(
    consignment: Consignment, request: ShipmentRequest, sheet: Json, documents: Sequence[Json]
) -> Json:
    """The body of a purchase. `sheet` is a row of label_types, `documents` are papers uploaded before."""
    options, shipper = consignment.options, request.shipper
    service, value = CATALOGUE.services.code(request.service), options.amount("declared_value")
    paperless = options.flag("fedex_electronic_trade_documents")
    packages = zip(request.parcels, consignment.parcel_options, consignment.covers(), strict=True)
    shipment = {
        "shipDatestamp": consignment.day.isoformat(),
        "totalDeclaredValue": consignment.write_amount(value) if value else None,
        "shipper": write_shipper(request),
        "recipients": [
            write_party(request.recipient, shipper.phone_number, person=request.recipient.person_name or "")
        ],
        "origin": write_party(request.return_address) if request.return_address else None,
        "pickupType": consignment.pickup_type,
        "serviceType": service,
        "packagingType": consignment.packaging,
        "totalWeight": consignment.total_weight(),
        "shippingChargesPayment": write_payment(request),
        "shipmentSpecialServices": write_special_services(consignment, documents),
        "emailNotificationDetail": write_notices(options, request.recipient),
        "customsClearanceDetail": write_clearance(consignment),
        "smartPostInfoDetail": write_smart_post(consignment) if service == SMART_POST else None,
        "blockInsightVisibility": False,
        "labelSpecification": {
            "labelFormatType": "COMMON2D",
            "labelOrder": "SHIPPING_LABEL_FIRST",
            "labelStockType": sheet["stock"],
            "imageType": sheet["image"],
        },
        "shippingDocumentSpecification": None if paperless else write_papers(request),
        "rateRequestType": list(KINDS),
        "preferredCurrency": consignment.currency,
        "totalPackageCount": len(request.parcels),
        "requestedPackageLineItems": [_package(consignment, *package) for package in packages],
    }
    body = {
        "requestedShipment": shipment,
        "labelResponseOptions": "LABEL",
        "accountNumber": {"value": consignment.account},
        "shipAction": "CONFIRM",
        "oneLabelAtATime": False,
    }
    return dict(drop_empty(body))


def write_shipper(request: ShipmentRequest) -> Json:
    """Who ships, with all the tax numbers that are known."""
    party, taxes = write_party(request.shipper), write_shipper_taxes(request.customs)
    return {**party, "tins": [*(party["tins"] or ()), *taxes]} if taxes else party


def _package(
    consignment: Consignment, parcel: Parcel, options: RequestOptions, cover: Decimal | None
) -> Json:
    return {
        **write_package(consignment, parcel),
        "subPackagingType": "OTHER",
        "itemDescription": cut_text(parcel.description, 50),
        "customerReferences": write_references(consignment, parcel),
        "declaredValue": consignment.write_amount(cover or Decimal(0)),
        "packageSpecialServices": write_package_services(options),
    }


def write_references(consignment: Consignment, parcel: Parcel) -> list[Json]:
    """The numbers that FedEx prints on a label and bills by: the parcel's own, and those of the options.

    Source: Ship API, CustomerReference. Errors: Invalid for a number that is too long.
    """
    references = {
        "CUSTOMER_REFERENCE": cut_text(parcel.reference_number or consignment.request.reference, LONGEST)
    }
    for name, (kind, most) in CATALOGUE.table("references").items():
        number = consignment.options.text(name)
        if number and len(number) > most:
            raise Invalid(f"options.{name}", f"has up to {most} characters")
        references[kind] = number
    return [{"customerReferenceType": kind, "value": number} for kind, number in references.items() if number]


def write_payment(request: ShipmentRequest) -> Json:
    """Who pays for the transport, by account and address; the sender may name another account too."""
    payment = request.payment or Payment()
    sides = {"sender": request.shipper, "recipient": request.recipient}
    address = request.billing_address or sides.get(payment.paid_by)
    party = write_party(address, request.shipper.phone_number) if address else {}
    party.pop("tins", None)  # who pays the transport is asked for no tax number
    if payment.account_number:
        party["accountNumber"] = {"value": payment.account_number}
    types = CATALOGUE.table("payment_types")
    return {
        "paymentType": types.get(payment.paid_by, payment.paid_by),
        "payor": {"responsibleParty": party},
    }


def write_special_services(consignment: Consignment, documents: Sequence[Json]) -> Json:
    options = consignment.options
    priced, cash = write_shipment_services(options), options.amount("fedex_cod")
    paperless = options.flag("fedex_electronic_trade_documents")
    collected = {"codCollectionAmount": consignment.write_amount(cash)} if cash else {}
    return {
        **priced,
        "etdDetail": write_trade_documents(documents) if paperless else None,
        "shipmentCODDetail": {**priced["shipmentCODDetail"], **collected} if cash else None,
    }


def write_trade_documents(documents: Sequence[Json]) -> Json:
    """The papers that were uploaded before; without any they are promised for later."""
    return {
        "attributes": None if documents else ["POST_SHIPMENT_UPLOAD_REQUESTED"],
        "attachedDocuments": documents,
        "requestedDocumentTypes": [INVOICE],
    }


def write_notices(options: RequestOptions, recipient: Address) -> Json | None:
    to = options.notify_email()
    if not to:
        return None
    notice = {
        "name": recipient.person_name,
        "emailNotificationRecipientType": "RECIPIENT",
        "emailAddress": to,
        "notificationFormatType": "HTML",
        "notificationType": "EMAIL",
        "notificationEventType": list(EVENTS),
    }
    return {"aggregationType": "PER_SHIPMENT", "emailNotificationRecipients": [notice]}


def write_papers(request: ShipmentRequest) -> Json | None:
    """The invoice, where FedEx is to print it."""
    if not (request.customs and request.customs.commercial_invoice):
        return None
    page = {"stockType": "PAPER_LETTER", "docType": "PDF"}
    return {"shippingDocumentTypes": [INVOICE], "commercialInvoiceDetail": {"documentFormat": page}}


# -- the label -------------------------------------------------------------------------------------


def read_shipment(body: Json, link: str) -> Label:
    """The bought label with its price. `link` holds {} for the number.

    Shapes: a piece has its own papers, the shipment those of all pieces; labels may be among the latter too.
    """
    sold = body["output"]["transactionShipments"][0]
    pieces, number = as_list(sold.get("pieceResponses")), _read_number(sold)
    papers = [
        document for piece in pieces for document in _papers(piece, "packageDocuments", "LABEL") or [{}]
    ]
    labels = list_files([paper.get("encodedLabel") for paper in papers])
    invoices = [document["encodedLabel"] for document in _papers(sold, "shipmentDocuments", "INVOICE")]
    kind = str(papers[0].get("docType") or "PDF").replace("ZPLII", "ZPL") if labels else None
    kind = "PDF" if kind == "PNG" and len(labels) > 1 else kind  # a picture holds one label
    return Label(
        tracking_number=number,
        shipment_identifier=number,
        label_type=kind,
        docs=merge_papers({"label": labels, "invoice": invoices}, kind or "PDF"),
        selected_rate=read_paid(sold),
        meta=_meta(sold, pieces, link.format(number)),
    )


def _read_number(sold: Json) -> str:
    """The number of the shipment, else of its first piece."""
    pieces = as_list(sold.get("pieceResponses"))
    return str(sold.get("masterTrackingNumber") or pieces[0]["trackingNumber"])


def _papers(holder: Json, name: str, content: str) -> list[Json]:
    papers = as_list(holder.get(name))
    return [
        paper for paper in papers if content in str(paper.get("contentType")) and paper.get("encodedLabel")
    ]


def _meta(sold: Json, pieces: Sequence[Json], link: str) -> Json:
    first = pieces[0] if pieces else {}
    meta = {
        "service_name": CATALOGUE.services.slug(str(sold.get("serviceType"))),
        "carrier_tracking_link": link,
        "trackingIdType": first.get("trackingIdType"),
        "serviceCategory": first.get("serviceCategory"),
        "fedex_carrier_code": get_path(sold, "completedShipmentDetail/carrierCode"),
        "tracking_numbers": [str(piece["trackingNumber"]) for piece in pieces if piece.get("trackingNumber")],
    }
    return {name: value for name, value in meta.items() if value}


def read_paid(sold: Json) -> Quote | None:
    """The price of the label, which may differ from the quote; FedEx leaves it out for some payers."""
    rating = get_path(sold, "completedShipmentDetail/shipmentRating") or {}
    kinds = (*PAID, rating.get("actualRateType"))
    price = choose_price(rating.get("shipmentRateDetails"), kinds, read_service(sold))
    return price if price and price.total_charge else None


def write_void(account: str | None, number: str) -> Json:
    return {
        "accountNumber": {"value": account},
        "deletionControl": "DELETE_ALL_PACKAGES",
        "trackingNumber": number,
    }


def read_void(body: Json) -> bool:
    return bool(get_path(body, "output/cancelledShipment"))
