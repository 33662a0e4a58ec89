"""Orders of MyDHL and their labels. Pure.

Source: MyDHL API 3.1.1, POST /shipments, GET /tracking by reference, GET get-image.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shipcli.carrier import Bought, RequestOptions, is_dutiable, join_words, make_label, read_cost
from shipcli.carrier.duties import read_terms
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.label_files import list_files, merge_papers
from shipcli.carrier.wire.rounding import read_amount
from shipcli.models import Address, Charge, Invalid, Label, Parcel, Quote, ShipmentRequest

from . import customs, parts

NO_SERVICES: Sequence[str] = ()
RETURNED: Sequence[str] = ("PH",)  # back to the seller
PAPERLESS = "WY"
CONTENT, TERMS, RECEIVER = 70, "DAP", 50  # characters; the terms where no duties are due
TEMPLATE, DPI, BILLED = "ECOM26_84_001", 300, "BILLC"
INVOICES = ("invoice", "commercial-invoice", "INV")


@dataclass(frozen=True)
class Order:
    """What is ordered. `services` are codes beside the options; `moment` is when it leaves."""

    request: ShipmentRequest
    options: RequestOptions
    account: str
    key: str
    moment: str
    services: Sequence[str]
    kind: str


def write_shipment(order: Order) -> Json:
    request, options = order.request, order.options
    code = parts.CATALOGUE.services.wire_code(request.service)
    papers = customs.write_papers(options) if is_dutiable(request) else []
    services = [*order.services, *([PAPERLESS] if papers else [])]
    body = {
        "plannedShippingDateAndTime": order.moment,
        "pickup": {"isRequested": False},
        "productCode": code,
        "localProductCode": code,
        "getRateEstimates": True,
        "accounts": write_accounts(order),
        "valueAddedServices": parts.write_services(request, options, services),
        "outputImageProperties": write_images(order, bool(papers)),
        "customerReferences": write_references([request.reference, order.key]),
        "documentImages": papers,
        "shipmentNotification": write_notification(options),
        "onDemandDelivery": write_service_point(options),
    }
    sides = {"shipperDetails": request.shipper, "receiverDetails": request.recipient}
    if body["onDemandDelivery"]:
        sides["buyerDetails"] = request.recipient
    people = {name: write_party(request, address) for name, address in sides.items()}
    return {**drop_empty(body), "customerDetails": people, "content": write_content(order)}


def write_accounts(order: Order) -> list[Json]:
    """Who is billed: the account, another that pays the freight, another that pays the duties.

    Errors: Invalid for somebody else who is to pay, without the number of their account.
    """
    payment = order.request.payment
    duty = order.request.customs.duty if order.request.customs else None
    payer = payment.account_number if payment and payment.paid_by != "sender" else None
    if payment and payment.paid_by != "sender" and not payer:
        raise Invalid("payment.account_number", f"is missing: DHL bills the {payment.paid_by} by an account")
    importer = duty.account_number if duty else None
    numbers = {
        "shipper": order.account,
        "payer": payer,
        "duties-taxes": importer,
    }
    return [{"typeCode": name, "number": number} for name, number in numbers.items() if number]


def write_images(order: Order, has_papers: bool) -> Json:
    """The label, and abroad the invoice that DHL makes, unless papers of our own go along."""
    images: list[Json] = [{"typeCode": "label", "templateName": TEMPLATE, "isRequested": True}]
    if is_dutiable(order.request) and not has_papers:
        declared = order.request.customs
        kind = "commercial" if declared and declared.commercial_invoice else "proforma"
        images.append({"typeCode": "invoice", "isRequested": True, "invoiceType": kind})
    return {"printerDPI": DPI, "encodingFormat": order.kind.lower(), "imageOptions": images}


def write_references(texts: Sequence[str | None]) -> list[Json]:
    return [
        {"value": value, "typeCode": "CU"} for text in texts if (value := cut_text(text, parts.REFERENCE))
    ]


def write_notification(options: RequestOptions) -> list[Json] | None:
    """A notice by e-mail, where one is asked for."""
    asked = options.flag("email_notification") or options.text("email_notification_to")
    email = options.notify_email(RECEIVER) if asked else None
    return [{"typeCode": "email", "receiverId": email}] if email else None


def write_service_point(options: RequestOptions) -> Json | None:
    """Where the recipient fetches the shipment; the order then names them as the buyer too.

    Source: MyDHL API 3.1.1, POST /shipments, onDemandDelivery.
    """
    point = options.text("mydhl_service_point_id")
    return {"deliveryOption": "servicepoint", "servicePointId": point} if point else None


def write_party(request: ShipmentRequest, address: Address) -> Json:
    numbers = customs.write_registrations(request, address, is_sender=address is request.shipper)
    return {
        "postalAddress": {**parts.write_place(address), **parts.write_country_name(address)},
        "contactInformation": parts.write_contact(address),
        "typeCode": "business" if address.company_name else "private",
        **({"registrationNumbers": numbers} if numbers else {}),
    }


def write_content(order: Order) -> Json:
    request, options = order.request, order.options
    units, dutiable = parts.choose_units(request.parcels), is_dutiable(request)
    declared = {
        **customs.write_value(request, options),
        "exportDeclaration": customs.write_declaration(request, options, order.key, order.moment[:10]),
        "USFilingTypeValue": customs.find_filing_value(request),
    }  # fmt: skip
    content = {
        "packages": [write_package(parcel, units) for parcel in request.parcels],
        "isCustomsDeclarable": dutiable,
        "description": cut_text(describe(request), CONTENT) or "Shipment",
        "incoterm": read_terms(request.customs, TERMS) if dutiable else TERMS,
        "unitOfMeasurement": parts.SYSTEMS[units],
        **(declared if dutiable else {}),
    }
    return dict(drop_empty(content))


def write_package(parcel: Parcel, units: tuple[str, str]) -> Json:
    described = cut_text(parcel.description or parcel.content, CONTENT)
    references = write_references([parcel.reference_number])
    return {
        **parts.write_package(parcel, units),
        **({"description": described} if described else {}),
        **({"customerReferences": references} if references else {}),
    }


def describe(request: ShipmentRequest) -> str | None:
    """What is in the shipment: as the declaration, the parcels or their items say."""
    content = request.customs.content_description if request.customs else None
    items = [item.title or item.description for parcel in request.parcels for item in parcel.items]
    described = [parcel.description or parcel.content for parcel in request.parcels]
    return content or join_words(described) or join_words(items)


# -- the answer ------------------------------------------------------------------------------------


def read_label(body: Json, service: str) -> Label:
    """The bought label; its packages share the number of the waybill, and one file.

    Shapes: papers say what they are; one that does not is a label.
    """
    number, papers = str(body["shipmentTrackingNumber"]), as_list(body.get("documents"))
    invoices = [paper for paper in papers if paper.get("typeCode") in INVOICES]
    labels = [paper for paper in papers if paper.get("typeCode") in ("label", None)]
    kind = str(labels[0].get("imageFormat") or "PDF").upper() if labels else "PDF"
    files = {"label": list_contents(labels), "invoice": list_contents(invoices)}
    numbers = [row.get("trackingNumber") for row in as_list(body.get("packages"))]
    meta = {"tracking_url": body.get("trackingUrl"), "package_tracking_numbers": numbers}
    return Label(
        tracking_number=number,
        shipment_identifier=number,
        label_type=kind,
        docs=merge_papers(files, kind),
        selected_rate=read_cost(read_price, body, service),
        meta=drop_empty(meta),
    )


def list_contents(papers: Sequence[Mapping[str, str]]) -> list[str]:
    return list_files(paper.get("content") for paper in papers)


def read_price(body: Json, service: str) -> Quote | None:
    """What is billed, in the currency it is billed in; DHL leaves it out for some payers."""
    charges = [row for row in as_list(body.get("shipmentCharges")) if read_amount(row.get("price"))]
    billed = [row for row in charges if row.get("currencyType") == BILLED] or charges
    if not billed:
        return None
    currency = billed[0].get("priceCurrency")
    lines = [
        Charge(name=line.get("name"), amount=amount, currency=currency)
        for line in as_list(billed[0].get("serviceBreakdown"))
        if (amount := read_amount(line.get("price")))
    ]
    price = billed[0]["price"]
    return Quote(
        carrier_name="mydhl", service=service, total_charge=price, currency=currency, extra_charges=lines
    )


def read_number(body: Json) -> str | None:
    """The number of the shipment that a search found."""
    rows = as_list(body.get("shipments"))
    return str(rows[0]["shipmentTrackingNumber"]) if rows else None


def read_image(body: Json, bought: Bought) -> Label:
    """The label of a shipment that was bought before.

    Errors: LookupError for an answer without a file.
    """
    papers = [row for row in body["documents"] if row.get("content")]
    return make_label(bought, "PDF", merge_papers({"label": [papers[0]["content"]]}, "PDF"))
