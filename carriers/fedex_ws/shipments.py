"""Labels: a purchase for each parcel in turn, their papers, and the void. Pure but for the flow."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from shipcli.carrier import Bought, Call, CarrierError, Flow, Reply, RequestOptions, combine_labels
from shipcli.carrier.flow_steps import read_or_none
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.label_files import list_files, merge_papers
from shipcli.carrier.wire.xml import Element, find
from shipcli.models import Label, Payment, Quote, ShipmentRequest

from .customs import write_clearance
from .parts import CATALOGUE, NO_PHONE, WebOrder, read_replies
from .rates import choose_price, read_price

EVENTS = ("ON_DELIVERY", "ON_ESTIMATED_DELIVERY", "ON_EXCEPTION", "ON_SHIPMENT", "ON_TENDER")
VOID_OPTIONS = CATALOGUE.option_table("void_options")
SMART_POST, INVOICE = "SMART_POST", "COMMERCIAL_INVOICE"


class Master(NamedTuple):
    """What names the whole shipment after its first parcel is bought."""

    kind: str | None
    number: str


def buy_in_turn(
    order: Callable[[int, Master | None], Call], count: int, undo: Callable[[Master], Call], link: str
) -> Flow[Label]:
    """One parcel after the other, as all but the first name its number; when one fails, all are taken back.

    Errors: CarrierError, definite when FedEx refused the parcel and deleted the others.
    """
    reply = yield order(1, None)
    master, labels = read_master(reply), [read_label(reply, link)]
    for at in range(2, count + 1):
        yield Bought(labels[-1].tracking_number, master.number, part=True, meta=labels[-1].meta)
        reply = yield order(at, master)
        label = read_or_none(lambda answer: read_label(answer, link), reply)
        if label is None:
            undone = yield undo(master)
            if reply.ok:
                read_label(reply, link)  # what makes no sense is told as any reader's fault is
            raise CarrierError(definite=reply.definite and undone.ok)
        labels.append(label)
    return combine_pieces(labels)


def combine_pieces(labels: list[Label]) -> Label:
    """The labels of the parcels as one. The last answer has the price of all; a picture holds one label."""
    several = len(labels) > 1 and labels[0].label_type == "PNG"
    kind = "PDF" if several else labels[0].label_type
    sold = combine_labels(labels, kind)
    return sold.model_copy(update={"label_type": kind, "selected_rate": labels[-1].selected_rate})


# -- the order -------------------------------------------------------------------------------------


def write_shipment(
    order: WebOrder, request: ShipmentRequest, sheet: Json, at: int, master: Master | None
) -> Json:
    """The purchase of parcel number `at`."""
    options, customs = order.options, request.customs
    service, parcel = CATALOGUE.services.code(request.service), request.parcels[at - 1]
    paperless = options.flag("fedex_electronic_trade_documents")
    start = order.write_start(service, NO_PHONE)
    printed = customs and customs.commercial_invoice and not paperless
    shipment = {
        **start,
        "TotalInsuredValue": start["TotalInsuredValue"] if at == 1 else None,
        "ShippingChargesPayment": write_payment(order, request.payment or Payment()),
        "SpecialServicesRequested": write_services(order, paperless),
        "CustomsClearanceDetail": write_clearance(order),
        "SmartPostDetail": order.write_smart_post() if service == SMART_POST else None,
        "LabelSpecification": {
            "LabelFormatType": "COMMON2D",
            "ImageType": sheet["image"],
            "LabelStockType": sheet["stock"],
            "LabelPrintingOrientation": "TOP_EDGE_OF_TEXT_FIRST",
            "LabelOrder": "SHIPPING_LABEL_FIRST",
        },
        "ShippingDocumentSpecification": PRINTED if printed else None,
        "MasterTrackingId": {"TrackingIdType": master.kind, "TrackingNumber": master.number}
        if master
        else None,
        "PackageCount": len(request.parcels),
        "RequestedPackageLineItems": order.write_package(at, parcel),
    }
    return {"RequestedShipment": shipment}


PRINTED = {
    "ShippingDocumentTypes": INVOICE,
    "CommercialInvoiceDetail": {"Format": {"ImageType": "PDF", "StockType": "PAPER_LETTER"}},
}


def write_payment(order: WebOrder, payment: Payment) -> Json:
    return {
        "PaymentType": CATALOGUE.table("payment_types").get(payment.paid_by, "SENDER"),
        "Payor": {"ResponsibleParty": {"AccountNumber": payment.account_number or order.account}},
    }


def write_services(order: WebOrder, paperless: bool) -> Json:
    options = order.options
    cash, returned = options.amount("fedex_cod"), options.flag("fedex_return_shipment")
    amount = order.write_amount(cash, options.text("currency"))
    return {
        "SpecialServiceTypes": options.codes_at("shipment"),
        "CodDetail": {"CodCollectionAmount": amount, "CollectionType": "CASH"} if cash else None,
        "EventNotificationDetail": write_notices(order),
        "ReturnShipmentDetail": {"ReturnType": "PRINT_RETURN_LABEL"} if returned else None,
        "EtdDetail": write_trade_documents(options) if paperless else None,
    }


def write_notices(order: WebOrder) -> Json | None:
    to = order.options.notify_email()
    if not to:
        return None
    detail = {
        "NotificationType": "EMAIL",
        "EmailDetail": {"EmailAddress": to, "Name": order.request.recipient.name},
        "Localization": {"LanguageCode": "EN"},
    }
    notification = {
        "Events": list(EVENTS),
        "NotificationDetail": detail,
        "FormatSpecification": {"Type": "HTML"},
    }
    return {"EventNotifications": notification}


def write_trade_documents(options: RequestOptions) -> Json:
    """Papers that go along or were uploaded before; without any they are promised for later."""
    files, references = options.objects("doc_files", "doc_file"), options.objects("doc_references", "doc_id")
    later = not (files or references)
    types = CATALOGUE.table("document_types")
    return {
        "Confirmation": "CONFIRMED" if later else None,
        "Attributes": "POST_SHIPMENT_UPLOAD_REQUESTED" if later else None,
        "Documents": [
            {
                "LineNumber": at,
                "DocumentProducer": "CUSTOMER",
                "DocumentType": types.get(document.get("doc_type") or "", INVOICE),
                "FileName": document.get("doc_name") or "invoice.pdf",
                "DocumentContent": document["doc_file"],
            }
            for at, document in enumerate(files)
        ],
        "DocumentReferences": [
            {
                "LineNumber": at,
                "DocumentProducer": "CUSTOMER",
                "DocumentType": types.get(document.get("doc_type") or "", INVOICE),
                "DocumentId": document["doc_id"],
                "DocumentIdProducer": "CUSTOMER",
            }
            for at, document in enumerate(references)
        ],
    }


# -- the answer ------------------------------------------------------------------------------------


def _sold(reply: Reply) -> Element:
    """Errors: ValueError for an answer that shows no shipment."""
    detail = read_replies(reply)[0].find("CompletedShipmentDetail") if read_replies(reply) else None
    if detail is None:
        raise ValueError("an answer without a shipment")
    return detail


def read_master(reply: Reply) -> Master:
    sold = _sold(reply)
    node = sold.find("MasterTrackingId")
    node = node if node is not None else sold.find("CompletedPackageDetails/TrackingIds")
    if node is None:
        raise ValueError("a shipment without a number")
    return Master(find(node, "TrackingIdType"), find(node, "TrackingNumber", ""))


def read_label(reply: Reply, link: str) -> Label:
    """The label of one parcel. `link` holds {} for the number of the shipment."""
    sold, master = _sold(reply), read_master(reply)
    number = find(sold, "CompletedPackageDetails/TrackingIds/TrackingNumber", "")
    if not number:
        raise ValueError("a parcel without a number")
    kind = find(sold, "CompletedPackageDetails/Label/ImageType", "PDF").replace("ZPLII", "ZPL")
    images = [find(part, "Image") for part in sold.iterfind("CompletedPackageDetails/Label/Parts")]
    papers = [
        document for document in sold.iterfind("ShipmentDocuments") if find(document, "Type") == INVOICE
    ]
    invoices = [find(part, "Image") for paper in papers for part in paper.iterfind("Parts")]
    service = CATALOGUE.services.slug(find(sold, "ServiceDescription/ServiceType", ""))
    return Label(
        tracking_number=number,
        shipment_identifier=master.number,
        label_type=kind,
        docs=merge_papers({"label": list_files(images), "invoice": list_files(invoices)}, kind),
        selected_rate=read_paid(sold, service),
        meta={
            "service_name": service,
            "carrier_tracking_link": link.format(master.number),
            "tracking_numbers": [number],
        },
    )


def read_paid(sold: Element, service: str) -> Quote | None:
    """The price of what is bought so far; FedEx leaves it out for some payers."""
    prices = sold.findall("ShipmentRating/ShipmentRateDetails")
    actual = find(sold, "ShipmentRating/ActualRateType")
    price = choose_price(prices, "RateType", actual)
    return None if price is None else read_price(price, service)


# -- voids -----------------------------------------------------------------------------------------


def write_void(number: str, service: str | None, options: RequestOptions | None = None) -> Json:
    """The number stands for the whole shipment, unless the caller wants one package deleted."""
    kinds, name = CATALOGUE.table("tracking_kinds"), (service or "").lower()
    deletion_type = options.text("deletion_type") if options else None
    return {
        "TrackingId": {
            "TrackingIdType": next((kind for word, kind in kinds.items() if word in name), "EXPRESS"),
            "TrackingNumber": number,
        },
        "DeletionControl": CATALOGUE.table("deletion_controls").get(
            deletion_type or "", "DELETE_ALL_PACKAGES"
        ),
    }
