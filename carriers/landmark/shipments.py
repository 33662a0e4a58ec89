"""Orders of Landmark Global and their cancellation. Pure.

`Ship` makes a label at once; `Import` hands an order over that is processed later. Members stand in the order
of the schema, and differ in few places.
Source: schemas of ShipRequest and ImportRequest.
"""

from __future__ import annotations

from typing import NamedTuple

from shipcli.carrier import RequestOptions, list_goods
from shipcli.carrier.currencies import name_declared_currency
from shipcli.carrier.duties import PAID, choose_payer, find_service_terms
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.label_files import merge_papers
from shipcli.carrier.wire.rounding import round_half_up
from shipcli.carrier.wire.xml import Element, every, find, find_texts, require
from shipcli.models import Commodity, Customs, Invalid, Label, ShipmentRequest
from shipcli.models.basics.reference import find_currency

from .parts import CATALOGUE, write_parcels, write_place

SHIP, IMPORT = "ShipRequest", "ImportRequest"
AMOUNTS = ("landmark_shipment_insurance_freight", "landmark_order_insurance_freight_total", "declared_value")
POUNDS, DPI = "GBP", "300"
TERMS_OF_UNPAID = ("DAP", "DDU", "DPU", "EXW", "FCA", "CPT", "CIP")
PICTURES = ("PNG", "JPG", "GIF")  # which hold one label
NUMBERS = {
    "tracking_numbers": "LandmarkTrackingNumber",
    "shipment_identifiers": "PackageID",
    "last_mile_tracking_numbers": "TrackingNumber",
    "package_references": "PackageReference",
    "barcode_datas": "BarcodeData",
}


class Order(NamedTuple):
    """What every member of an order may depend on."""

    login: Json
    region: str
    kind: str  # of the label
    is_import: bool
    key: str  # of the purchase, where the shipment has no reference


# -- the order -------------------------------------------------------------------------------------


def write_order(order: Order, request: ShipmentRequest, options: RequestOptions) -> Json:
    """Errors: Invalid for a service that is not sold, or not by the terms of trade that are named."""
    check_service(request)
    check_cover(request, options)
    head, label = write_head(order, request, options), write_label(order, options)
    body: Json = {
        **head,
        **label,
        "VendorInformation": write_vendor(request) if request.customs else None,
        "FulfillmentAddress": write_place(request.shipper),
        "SendReturnToAddress": write_return_place(request, options),
        "Packages": None if options.flag("fulfilled_by_landmark") else write_parcels(request),
        "Items": write_items(request, order.is_import),
        "FreightDetails": write_freight(options),
    }
    return dict(drop_none(body))


def check_service(request: ShipmentRequest) -> None:
    """Errors: Invalid naming the service, or the terms that are not its own."""
    if request.service not in CATALOGUE.services:
        raise Invalid("service", f"Landmark Global has no service {request.service}")
    if not is_delivered_by(request.service, request.customs):
        field = "incoterm" if request.customs and request.customs.incoterm else "duty.paid_by"
        raise Invalid(f"customs.{field}", f"{request.service} has other terms: choose another service")


def check_cover(request: ShipmentRequest, options: RequestOptions) -> None:
    """Errors: Invalid for a cover in another currency than that of the goods, which the order names."""
    stated, goods = options.text("currency"), name_declared_currency(request, options, POUNDS)
    if stated and stated != goods and any(options.amount(name) for name in AMOUNTS):
        raise Invalid(
            "options.currency", f"is {stated}, and the goods are in {goods}: say both in one currency"
        )


def is_delivered_by(service: str, customs: Customs | None) -> bool:
    """Whether a service has the terms of trade that are named, if any are, or those of a sender who pays.

    A recipient pays wherever nobody is named, so that says nothing of a service.
    """
    terms = customs.incoterm if customs else None
    if customs and not terms and choose_payer(customs) != "recipient":
        terms = PAID
    return not terms or (terms == PAID if find_service_terms(service) == PAID else terms in TERMS_OF_UNPAID)


def write_head(order: Order, request: ShipmentRequest, options: RequestOptions) -> Json:
    """Everything up to the currency of the goods."""
    recipient, duty = request.recipient, request.customs.duty if request.customs else None
    declared = (duty.declared_value if duty else None) or options.amount("declared_value")
    return {
        **order.login,
        "Reference": request.reference or order.key,
        "ShipTo": {
            **write_place(recipient),
            "Phone": recipient.phone_number,
            "Email": recipient.email,
            "ConsigneeTaxID": recipient.federal_tax_id or recipient.state_tax_id,
        },
        "ShippingLane": {"Region": order.region},
        "ShipMethod": CATALOGUE.services.code(request.service),
        "OrderTotal": declared,
        "OrderInsuranceFreightTotal": options.amount("landmark_order_insurance_freight_total"),
        "ShipmentInsuranceFreight": options.insurance(),
        "ItemsCurrency": name_currency(request, options),
        "IsCommercialShipment": "1" if request.customs and request.customs.commercial_invoice else "0",
    }


def name_currency(request: ShipmentRequest, options: RequestOptions) -> str | None:
    """The currency of the goods; none where they stay at home, in its money, and nobody names another.

    Source: recorded orders inside the United States.
    """
    currency = name_declared_currency(request, options, POUNDS)
    origin = request.shipper.country_code or ""
    stays = origin == request.recipient.country_code and currency == find_currency(origin)
    return None if stays and not options.text("currency") else currency


def write_label(order: Order, options: RequestOptions) -> Json:
    """An order that is processed later makes a label only where one is asked for.

    Errors: Invalid for that of an order that always makes one.
    """
    if options.value("landmark_produce_label") is not None and not order.is_import:
        raise Invalid("options.landmark_produce_label", "goes with options.landmark_import_request")
    produced = options.flag("landmark_produce_label") if order.is_import else None
    return {
        "ProduceLabel": produced,
        "LabelFormat": order.kind,
        "LabelDPI": DPI if order.kind == "ZPL" and not order.is_import else None,
        "LabelEncoding": "BASE64",
    }


def write_vendor(request: ShipmentRequest) -> Json:
    """Who sells the goods: the shipper, or the third party that pays their duties."""
    customs = request.customs
    third = customs.duty_billing_address if customs and customs.duty else None
    seller = third if customs and customs.duty and customs.duty.paid_by == "third_party" and third else None
    vendor = seller or request.shipper
    names = write_place(vendor)
    place = {f"Vendor{name}": value for name, value in names.items() if name != "Attention"}
    name = place.pop("VendorName")
    contact = {"VendorPhone": vendor.phone_number or "", "VendorEmail": vendor.email or ""}
    return {"VendorName": name, **contact, **place, **write_numbers(customs)}


def write_numbers(customs: Customs | None) -> Json:
    """The numbers of the vendor at the customs, in the order of the schema."""
    numbers: Json = {}
    if customs:
        RequestOptions.of_customs(CATALOGUE, customs).write(numbers, "ship")
    return {row.code: numbers[row.code] for row in CATALOGUE.customs_options if row.code in numbers}


def write_return_place(request: ShipmentRequest, options: RequestOptions) -> Json | None:
    """Where a parcel goes that can't be delivered.

    Errors: Invalid for a code without an address.
    """
    code = options.text("landmark_return_address_code")
    if request.return_address is None:
        if code:
            raise Invalid("options.landmark_return_address_code", "goes with a return_address")
        return None
    return {"Code": code, **write_place(request.return_address)}


def write_items(request: ShipmentRequest, is_import: bool) -> Json | None:
    items = [write_item(item, is_import) for item in list_goods(request)]
    return {"Item": items} if items else None


def write_item(item: Commodity, is_import: bool) -> Json:
    about, region = (
        item.metadata or {},
        {"HSCode": item.hs_code or "", "HSRegionCode": item.origin_country or ""},
    )
    returned = region if item.hs_code or item.origin_country else None
    category = (
        ({"ReturnCustomsInfo": returned} if returned else None) if is_import else about.get("ContentCategory")
    )
    return {
        "Sku": item.sku or "",
        "LineNumber": about.get("LineNumber"),
        "Quantity": item.quantity,
        "UnitPrice": round_half_up(item.value_amount) if item.value_amount is not None else None,
        "Description": item.description or item.title or "",
        "HSCode": item.hs_code,
        "CountryOfOrigin": item.origin_country,
        "ContentCategory": category,
        "URL": about.get("URL"),
        "USMID": about.get("USMID"),
        "ReturnCustomsInfo": None if is_import else returned,
    }


def write_freight(options: RequestOptions) -> Json | None:
    """Errors: Invalid for one of the two without the other."""
    names = ("landmark_freight_pro_number", "landmark_freight_piece_unit")
    number, unit = (options.text(name) for name in names)
    if bool(number) is not bool(unit):
        chosen, missing = names if number else names[::-1]
        raise Invalid(f"options.{chosen}", f"goes with options.{missing}")
    return {"ProNumber": number, "PieceUnit": unit} if number else None


def drop_none(body: Json) -> Json:
    return {name: value for name, value in body.items() if value is not None}


def choose_kind(*names: str | None) -> str:
    """The first kind of label that Landmark Global makes and people can print."""
    return next((name for name in names if name in ("PDF", "ZPL", *PICTURES)), "PDF") or "PDF"


# -- the answer ------------------------------------------------------------------------------------


def read_label(answer: Element, kind: str) -> Label:
    """The labels of all packages as one file; every package has two numbers: Landmark's, and the last mile's.

    Errors: LookupError when the answer names no package.
    """
    packages = every(answer, "Package")
    rows = [find_texts(package, {**NUMBERS, "label": "LabelImages/LabelImage"}) for package in packages]
    number = require(packages[0] if packages else answer, "LandmarkTrackingNumber")
    lists = {name: drop_empty([row[name] for row in rows]) for name in NUMBERS}
    names = [row["shipment_identifiers"] or row["tracking_numbers"] for row in rows]
    carrier = find(answer, ".//ShippingCarrier")
    files = [row["label"] for row in rows if row["label"]]
    files = files if len(files) == len(rows) else []  # half a label looks like a whole one
    printed = "PDF" if kind in PICTURES and len(files) > 1 else kind
    meta = {
        **lists,
        "shipment_identifiers": names,
        "last_mile_carrier": carrier,
        "last_mile_tracking_number": rows[0]["last_mile_tracking_numbers"] if carrier else None,
    }
    return Label(
        tracking_number=number,
        shipment_identifier=names[0],
        label_type=printed,
        docs=merge_papers({"label": as_list(files)}, printed),
        meta=drop_empty(meta),
    )
