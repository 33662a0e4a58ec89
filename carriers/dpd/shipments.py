"""Labels: the order of a shipment, and the answer with its file. Pure.

Source: ShipmentService 3.3; the members stand in the order of the schema.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from shipcli.carrier import RequestOptions
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import convert_to_cents
from shipcli.carrier.wire.xml import Element, every, find, require
from shipcli.models import Address, Invalid, Label, Parcel, ShipmentRequest

from . import customs, parts

if TYPE_CHECKING:
    from . import Dpd

PATH = "/soap/services/ShipmentService/V3_3"
STORE = parts.operation("ShipmentService", "3.3", "storeOrders")
KINDS = ("PDF", "ZPL")
BY_EMAIL, BY_TEXT = "1", "3"


def label_kind(label_type: str | None) -> str:
    """The kind of file: the one asked for where DPD has it, else PDF."""
    return label_type if label_type in KINDS else KINDS[0]


def write_order(carrier: Dpd, request: ShipmentRequest, kind: str) -> Json:
    """Errors: Invalid for a shop that nobody is told of."""
    options, language = carrier.options_of(request), carrier.account.message_language
    recipient, today = parts.write_address(request.recipient), carrier.today_at(request.shipper)
    pairs = zip(request.parcels, carrier.options_of_each(request), strict=True)
    return {
        "printOptions": {"printerLanguage": kind, "paperFormat": "A6"},
        "order": {
            "generalShipmentData": {
                "mpsCustomerReferenceNumber1": request.reference or None,
                "sendingDepot": carrier.account.depot,
                "product": parts.CATALOGUE.services.code(request.service),
                "sender": parts.write_address(request.shipper),
                "recipient": {**recipient, "vatNumber": parts.tax_number(request.recipient)},
            },
            "parcels": [
                {**write_parcel(parcel, parcel_options), **write_border(request, parcel, options, today)}
                for parcel, parcel_options in pairs
            ],
            "productAndServiceData": write_services(options, request.recipient, language),
        },
    }


def write_parcel(parcel: Parcel, options: RequestOptions) -> Json:
    insured = options.insurance()
    cover = (
        {"amount": convert_to_cents(insured), "currency": options.currency(parts.CURRENCY)}
        if insured
        else None
    )
    return {
        "customerReferenceNumber1": parcel.reference_number or None,
        "volume": parts.measure(parcel),
        "weight": parts.weigh(parcel.weight_in("KG")),
        "higherInsurance": cover,
        "content": parcel.content or None,
    }


def write_border(request: ShipmentRequest, parcel: Parcel, options: RequestOptions, today: date) -> Json:
    """What a parcel that leaves the country has besides."""
    if not request.customs or request.shipper.country_code == request.recipient.country_code:
        return {}
    return {"international": customs.write_customs(request, parcel, options, today)}


def write_services(options: RequestOptions, recipient: Address, language: str) -> Json:
    return {
        "orderType": options.text("dpd_order_type") or "consignment",
        "saturdayDelivery": options.flag("dpd_saturday_delivery") or None,
        "exWorksDelivery": options.flag("dpd_ex_works_delivery") or None,
        "tyres": options.flag("dpd_tyres") or None,
        "parcelShopDelivery": write_shop(options, recipient, language),
    }


def write_shop(options: RequestOptions, recipient: Address, language: str) -> Json | None:
    """The shop where the parcel waits, and who is told of it.

    Errors: Invalid when there is nobody to be told.
    """
    shop = options.text("dpd_parcel_shop_delivery")
    if not shop:
        return None
    email, phone = options.notify_email(), recipient.phone_number
    if not email and not phone:
        raise Invalid("options.dpd_parcel_shop_delivery", "needs somebody to tell: e-mail or phone")
    return {
        "parcelShopId": shop,
        "parcelShopNotification": {
            "channel": BY_EMAIL if email else BY_TEXT,
            "value": email or phone,
            "language": language[:2].upper(),
        },
    }


def read_label(answer: Element, kind: str) -> Label:
    """The label of all parcels.

    Errors: LookupError when the answer names no parcel.
    """
    numbers = [require(parcel, "parcelLabelNumber") for parcel in every(answer, "parcelInformation")]
    shipments = [text for response in every(answer, "shipmentResponses") if (text := find(response, "mpsId"))]
    file = next(
        (text for label in every(answer, "parcellabelsPDF") if (text := (label.text or "").strip())), None
    )
    return Label(
        tracking_number=numbers[0],
        shipment_identifier=shipments[0] if shipments else numbers[0],
        label_type=kind,
        docs={"label": file} if file else {},
        meta={
            "tracking_numbers": numbers,
            "shipment_identifiers": shipments,
        },
    )
