"""Orders of META and their labels. Pure. Source: META API 0.0.1, Shipment and Response."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shipcli.carrier import RequestOptions
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.rounding import round_half_up
from shipcli.models import Invalid, Label, Parcel, ShipmentRequest

from . import customs
from .parts import CATALOGUE, Customer, check_names, write_address, write_contact, write_grams, write_sides

SHIPMENT_ID, REFERENCE, CONTENT, INSURED_CONTENT = 25, 35, 200, 35
CASH, CURRENCY, PDF = "s0", "EUR", "PDF"


@dataclass(frozen=True)
class Order:
    """What is ordered; `each` are the options of the parcels, `key` names a shipment without a reference."""

    request: ShipmentRequest
    options: RequestOptions
    each: Sequence[RequestOptions]
    customer: Customer
    key: str


def write_shipment(order: Order, depot: str | None) -> Json:
    """Errors: Invalid for names that DPD cannot print, and for options that lack what they go with."""
    request, options = order.request, order.options
    check_names(request.shipper, "shipper")
    check_names(request.recipient, "recipient")
    eori = customs.read_options(request).text("eori_number")
    body = {
        "shipmentInfos": write_infos(order, depot),
        "numberOfParcels": str(len(request.parcels)),
        "sender": {
            "customerInfos": order.customer.write(),
            "address": write_address(request.shipper),
            "contact": write_contact(request.shipper),
            "legalEntity": customs.write_legal_entity(request.shipper, eori),
        },
        "receiver": {
            "pudoId": options.text("dpd_meta_parcel_shop_id"),
            "address": write_address(request.recipient),
            "contact": write_contact(request.recipient),
            "legalEntity": customs.write_legal_entity(request.recipient),
        },
        "parcel": [write_parcel(*pair) for pair in zip(request.parcels, order.each, strict=True)],
        "international": customs.write_international(request, options)
        if customs.is_declared(request)
        else None,
    }
    return dict(drop_empty(body))


def write_infos(order: Order, depot: str | None) -> Json:
    request = order.request
    return {
        "shipmentId": cut_text(request.reference or order.key, SHIPMENT_ID),
        "productCode": CATALOGUE.services.wire_code(request.service),
        "weight": write_grams(parcel.weight_in("G") for parcel in request.parcels),
        "dimensions": write_sides(request.parcels[0]),
        "sendingDepot": depot,
    }


def write_parcel(parcel: Parcel, options: RequestOptions) -> Json:
    return {
        "parcelInfos": {"weight": write_grams([parcel.weight_in("G")]), "dimensions": write_sides(parcel)},
        "parcelContent": cut_text(parcel.description or parcel.content, CONTENT),
        "senderParcelRefs": [text] if (text := cut_text(parcel.reference_number, REFERENCE)) else None,
        "cod": write_collection(options),
        "insurance": write_insurance(parcel, options),
        "messages": write_messages(options),
    }


def write_collection(options: RequestOptions) -> Json | None:
    """What is collected at the door.

    Errors: Invalid for what goes with it where nothing is collected.
    """
    members = {name: options.text(slug) for slug, name in CATALOGUE.table("cod_members").items()}
    amount = options.amount("cash_on_delivery")
    if amount is None:
        if any(members.values()):
            slug = next(slug for slug, name in CATALOGUE.table("cod_members").items() if members[name])
            raise Invalid(f"options.{slug}", "goes with options.cash_on_delivery")
        return None
    money = {"amount": round_half_up(amount), "currency": options.currency(CURRENCY)}
    return {**members, "amount": money, "collectType": members.get("collectType") or CASH}


def write_insurance(parcel: Parcel, options: RequestOptions) -> Json | None:
    """Errors: Invalid for a description of what is not insured."""
    amount, described = options.insurance(), options.text("dpd_meta_insurance_description")
    if amount is None and described:
        raise Invalid("options.dpd_meta_insurance_description", "goes with options.insurance")
    if amount is None:
        return None
    content = cut_text(described or parcel.description or parcel.content, INSURED_CONTENT)
    money = {"amount": round_half_up(amount), "currency": options.currency(CURRENCY)}
    return {"insuranceAmount": money, "insuranceParcelContent": content}


def write_messages(options: RequestOptions) -> list[Json]:
    """Notices of the delivery, in English."""
    ways = {"EMAIL": "dpd_meta_notification_email", "SMS": "dpd_meta_notification_sms"}
    return [
        {"messageType": kind, "messageDestination": text, "messageLanguage": "EN"}
        for kind, slug in ways.items()
        if (text := options.text(slug))
    ]


# -- the answer ------------------------------------------------------------------------------------


def read_label(answer: Json | list[Json], kind: str) -> Label:
    """The label of a shipment: one file for all parcels.

    Shapes: one object, or a list of one; the description leaves the numbers of the parcels out.
    """
    body: Json = as_list(answer)[0]
    identifier = str(body["shipmentId"])
    numbers = [str(number) for number in as_list(body.get("parcelIds"))]
    paper = body.get("label") or {}
    number = numbers[0] if numbers else identifier
    barcodes = [
        {name: row.get(name) for name in ("parcel", "barcode", "reference")}
        for row in as_list(body.get("parcelBarcodes"))
    ]
    meta = {
        "network_parcel_ids": body.get("networkParcelIds"),
        "network_shipment_id": body.get("networkShipmentId"),
        "parcel_barcodes": barcodes,
        "tracking_numbers": numbers,
        "tracking_url": f"https://www.dpdgroup.com/tracking?parcelNumber={number}",
    }
    return Label(
        tracking_number=number,
        shipment_identifier=identifier,
        label_type=PDF if "pdf" in str(paper.get("media-type") or "").lower() else kind,
        docs={"label": paper["base64Data"]} if paper.get("base64Data") else {},
        meta=drop_empty(meta),
    )
