"""Between our models and the documents of DHL24. Pure.

Units: whole kilograms and centimetres, rounded up: no parcel is lighter or smaller than it is said to be.
Source: DHL24 WebAPI 2, webapi2.xsd.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from shipcli.carrier import Reply, RequestOptions, join_words, load_catalogue, name_sides, sum_goods
from shipcli.carrier.contents import cut_item_text
from shipcli.carrier.currencies import name_declared_currency
from shipcli.carrier.wire.address_parts import cut_text, split_street
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.nillable import spell_nils
from shipcli.carrier.wire.rounding import round_half_up, round_measure, round_up
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.soap import read_fault
from shipcli.carrier.wire.times import read_clock, read_day
from shipcli.carrier.wire.xml import Element, every, find, first, require
from shipcli.models import (
    Address,
    Commodity,
    Customs,
    Label,
    Message,
    Parcel,
    ShipmentRequest,
    Tracking,
    TrackingEvent,
    TrackingInfo,
)

CATALOGUE = load_catalogue(__file__)
NAMESPACE = "https://dhl24.com.pl/webapi2/provider/service.html?ws=1"
NOT_NAMED, NAME, CONTENT = "N/A", 35, 30  # characters of a name of goods, and of what is inside
CURRENCY = "PLN"
COLLECTED, TRANSFER = "COD", "BANK_TRANSFER"
PRINTER_LABEL = "ZBLP"
SHAPES = CATALOGUE.table("shapes")  # all members of a type: each is mandatory, and nil without a value


def read_errors(reply: Reply) -> list[Message]:
    """A fault with its number, what was said of a shipment that was not deleted, and one nobody knows."""
    refusals = [
        Message(code="deleteShipment", message=find(result, "error"))
        for result in every(reply.xml, "deleteShipmentResult")
        if find(result, "result") == "false"
    ]
    unknown = [
        Message(code="not_found", message="DHL Parcel Poland knows no such shipment")
        for result in every(reply.xml, "getTrackAndTraceInfoResult")
        if find(result, "shipmentId") is None
    ]
    return [*read_fault(reply), *refusals, *unknown]


# -- the order -------------------------------------------------------------------------------------


def write_shipment(request: ShipmentRequest, options: RequestOptions, account: str | None, day: date) -> Json:
    """The order of all parcels."""
    payment, customs = request.payment, request.customs
    mode = CATALOGUE.choose("label_types", request.label_type, usual="PDF")
    payer = CATALOGUE.table("payers").get((payment.paid_by if payment else None) or "sender")
    order = {
        "shipmentInfo": {
            "dropOffType": "REGULAR_PICKUP",
            "serviceType": CATALOGUE.services.code(request.service),
            "billing": {
                "shippingPaymentType": payer,
                "billingAccountNumber": (payment.account_number if payment else None) or account,
                "paymentType": TRANSFER,
            },
            "specialServices": write_services(options),
            "shipmentTime": {
                "shipmentDate": day,
                "shipmentStartHour": "10:00",
                "shipmentEndHour": "10:00",
            },
            "labelType": mode,
        },
        "content": cut_text(join_words([parcel.content for parcel in request.parcels]), CONTENT) or NOT_NAMED,
        "reference": request.reference or "",
        "ship": {
            "shipper": write_party(request.shipper, {}),
            "receiver": write_party(request.recipient, write_receiver(request.recipient)),
        },
        "pieceList": {"item": [write_piece(parcel) for parcel in request.parcels]},
        "customs": write_customs(request, customs, options) if customs else None,
    }
    return dict(spell_nils(order, SHAPES["order"]))


def write_deletion(number: str) -> Json:
    return dict(spell_nils({"shipmentIdentificationNumber": number}, SHAPES["deletion"]))


def write_services(options: RequestOptions) -> Json | None:
    items = [_write_service(choice.code, choice.value) for choice in options.list_chosen()]
    return {"item": items} if items else None


def _write_service(code: str, value: Any) -> Json:
    """An extra: with its amount, or its words; what is collected comes back by bank."""
    return {
        "serviceType": code,
        "serviceValue": round_half_up(value) if isinstance(value, Decimal) else None,
        "textInstruction": value if isinstance(value, str) else None,
        "collectOnDeliveryForm": TRANSFER if code == COLLECTED else None,
    }


def write_party(address: Address, extra: Json) -> Json:
    """Somebody with those who are told of the parcel; `extra` is what an address has besides."""
    street = split_street(address)
    who = {
        "personName": address.person_name or None,
        "phoneNumber": address.phone_number or None,
        "emailAddress": address.email or None,
    }
    contact = who if any(who.values()) else None
    return {
        "preaviso": contact,
        "contact": contact,
        "address": {
            **extra,
            "name": address.company_name or address.person_name,
            "postalCode": (address.postal_code or "").replace("-", ""),
            "city": address.city,
            "street": street.name,
            "houseNumber": street.number or NOT_NAMED,
            "apartmentNumber": address.address_line2 or None,
        },
    }


def write_receiver(address: Address) -> Json:
    return {"country": address.country_code, "addressType": "C" if address.residential else "B"}


def write_piece(parcel: Parcel) -> Json:
    sides = name_sides(parcel, "CM", width="width", height="height", length="length")
    return {
        "type": CATALOGUE.packaging.code(parcel.packaging_type or "your_packaging"),
        "weight": round_up(round_measure(parcel.weight_in("KG"))),
        **{name: round_up(side) for name, side in sides.items()},
        "quantity": 1,
    }


# -- the declaration -------------------------------------------------------------------------------


def write_customs(request: ShipmentRequest, customs: Customs, options: RequestOptions) -> Json:
    customs_options = RequestOptions.of_customs(CATALOGUE, customs)
    duty, goods = customs.duty, customs.commodities
    worth = (duty.declared_value if duty else None) or options.amount("declared_value") or sum_goods(goods)
    kinds = CATALOGUE.table("content_types")
    weight = sum((parcel.weight_in("KG") for parcel in request.parcels), Decimal(0))
    return {
        "customsType": "S",
        "firstName": request.shipper.company_name or NOT_NAMED,
        "secondaryName": request.shipper.person_name or NOT_NAMED,
        "costsOfShipment": worth or None,
        "currency": name_declared_currency(request, options, CURRENCY),
        "nipNr": customs_options.text("nip_number"),
        "eoriNr": customs_options.text("eori_number"),
        "vatRegistrationNumber": customs_options.text("vat_registration_number"),
        "categoryOfItem": kinds.get(customs.content_type or "other", kinds["other"]),
        "invoiceNr": customs.invoice or None,
        "invoiceDate": customs.invoice_date or None,
        "countryOfOrigin": request.shipper.country_code,
        "grossWeight": round_measure(weight),
        "customsItem": {"item": [_write_item(item) for item in goods]} if goods else None,
        "customAgreements": dict.fromkeys(
            ("notExceedValue", "notProhibitedGoods", "notRestrictedGoods"), True
        ),
    }


def _write_item(item: Commodity) -> Json:
    name = cut_item_text(item, item.title or item.description, NAME) or NOT_NAMED
    weight = item.weight_in("KG")
    return {
        "nameEn": name,
        "namePl": name,
        "quantity": item.quantity,
        "weight": None if weight is None else round_measure(weight),
        "value": item.value_amount,
        "tariffCode": item.hs_code or item.sku,
    }


# -- answers ---------------------------------------------------------------------------------------


def read_label(answer: Element) -> Label:
    """The label of all parcels; the invoice, or the declaration, is the other paper.

    Errors: LookupError when the answer names no shipment.
    """
    sold, paper = first(answer, "createShipmentResult"), first(answer, "label")
    number = require(sold, "shipmentNotificationNumber")
    files = {
        "label": find(paper, "labelContent"),
        "invoice": find(paper, "fvProformaContent") or find(paper, "cn23Content"),
    }
    return Label(
        tracking_number=number,
        shipment_identifier=find(sold, "shipmentTrackingNumber") or number,
        label_type="ZPL" if find(paper, "labelType") == PRINTER_LABEL else "PDF",
        docs={name: text for name, text in files.items() if text},
        meta={
            "packages_tracking_numbers": find(sold, "packagesTrackingNumbers"),
        },
    )


def read_tracking(answer: Element, number: str) -> Tracking:
    """What is known of a shipment; events come newest first. Whoever signed for it has it.

    Errors: LookupError when the answer names no shipment.
    """
    result = first(answer, "getTrackAndTraceInfoResult")
    number, events = find(result, "shipmentId", number), result.findall("events/item")
    delivered = find(result, "receivedBy") is not None
    latest = CATALOGUE.statuses.read(find(events[0], "status")) if events else "pending"
    return Tracking(
        tracking_number=number,
        events=read_each(events, _read_event),
        delivered=delivered,
        status="delivered" if delivered else latest,
        info=TrackingInfo(signed_by=find(result, "receivedBy")),
    )


def _read_event(event: Element) -> TrackingEvent:
    """One scan; its time is Polish: `2012-10-12 07:40:31`."""
    at = find(event, "timestamp")
    return TrackingEvent(
        date=read_day(at),
        time=read_clock(at),
        code=find(event, "status"),
        description=find(event, "description"),
        location=find(event, "terminal"),
    )
