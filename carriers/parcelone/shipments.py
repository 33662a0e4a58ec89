"""Between our models and the shipments of ParcelOne, and what becomes of their labels. Pure.

Units: kilograms and centimetres to the hundredth, rounded up, as texts.
Source: Parcel.One Shipping REST API 1.0.0: POST /shipment (one package for each shipment of ParcelOne and
DHL), GET /shipment/label, DELETE /shipment.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from shipcli.carrier import Reply, RequestOptions, list_charges, read_cost
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.label_files import list_files, merge_papers
from shipcli.carrier.wire.rounding import read_amount, round_measure
from shipcli.models import Invalid, Label, Parcel, Quote, ShipmentRequest

from . import customs
from .parts import CATALOGUE, SUCCESS, read_action, write_amount, write_party

Link = Callable[[str], str | None]

SOFTWARE, EUROS, UPS = "shipcli", "EUR", "UPS"
PICTURE = "GIF"
REFERENCE = 20
RETURN, PRINTED_RETURN = 1, 9  # any number is a return; UPS knows several kinds
MONEY = {
    "parcelone_cod": "parcelone_cod_currency",
    "parcelone_insurance": "parcelone_insurance_currency",
}
TEXTS = ("parcelone_age_check",)
ELSEWHERE = {
    *MONEY.values(),
    "parcelone_notification_email",
    "parcelone_notification_sms",
    "parcelone_drop_off_point",
}
TRACKING_ID = re.compile(r"\d{10,}|1Z\w{16}")


class Order(NamedTuple):
    """What every order of a purchase has in common."""

    mandator: str
    consigner: str
    kind: str  # of the label
    size: str
    is_return: bool


# -- the order -------------------------------------------------------------------------------------


def choose_kind(*names: str | None) -> str:
    """The first kind of label that ParcelOne prints; its pictures are GIF."""
    kinds = CATALOGUE.table("label_types")
    kind = next((name for name in names if name and name in kinds), "PDF")
    return PICTURE if kinds[kind] == PICTURE else kind


def write_order(
    request: ShipmentRequest, parcel: Parcel, options: RequestOptions, order: Order, key: str
) -> Json:
    """The registration of one parcel; its reference is the key by which it is found again.

    Errors: Invalid for a service that ParcelOne does not have.
    """
    if request.service not in CATALOGUE.services:
        raise Invalid("service", f"ParcelOne has no service {request.service}")
    carrier, _, product = CATALOGUE.services.code(request.service).partition("_")
    recipient = request.recipient
    body: Json = {
        "ShipmentRef": key,
        "CEPID": carrier,
        "ProductID": product,
        "MandatorID": order.mandator,
        "ConsignerID": order.consigner,
        "ShipToData": {
            "Reference": cut_text(request.reference, REFERENCE),
            **write_party(recipient),
            "PrivateAddressIndicator": int(bool(recipient.residential)),
            "SalesTaxID": cut_text(recipient.federal_tax_id or recipient.state_tax_id, REFERENCE),
        },
        "ShipFromData": write_party(request.shipper),
        "ReturnShipmentIndicator": write_return(carrier, order.is_return),
        "PrintLabel": 1,
        "LabelFormat": {"Type": CATALOGUE.table("label_types")[order.kind], "Size": order.size},
        "PrintDocuments": int(request.shipper.country_code != recipient.country_code),
        "Software": SOFTWARE,
        "Packages": [write_package(request, parcel, options)],
        "Services": write_services(request, options),
    }
    options.write(body, "ship")
    return {"ShippingData": drop_empty(body)}


def write_return(carrier: str, is_return: bool) -> int:
    back = PRINTED_RETURN if carrier == UPS else RETURN
    return back if is_return else 0


def write_package(request: ShipmentRequest, parcel: Parcel, options: RequestOptions) -> Json:
    sides, packaging = parcel.known_sides_in("CM"), CATALOGUE.packaging.get(parcel.packaging_type)
    return {
        "PackageRef": cut_text(parcel.reference_number, REFERENCE) or "1",
        "PackageType": packaging.code if packaging else None,
        "PackageWeight": {"Unit": "kg", "Value": str(round_measure(parcel.weight_in("KG")))},
        "PackageDimensions": {name.title(): str(round_measure(side)) for name, side in sides.items()},
        "IntDocData": customs.write_customs(request, parcel, options),
    }


def write_services(request: ShipmentRequest, options: RequestOptions) -> list[Json]:
    """What is ordered besides; an amount and a text go along with their service.

    Errors: Invalid for a currency without its amount, and for an amount in two currencies.
    """
    for name, currency in MONEY.items():
        if options.text(currency) and not options.amount(name):
            raise Invalid(f"options.{currency}", f"goes with options.{name}")
    chosen = [option for option in options.list_chosen() if option.slug not in ELSEWHERE and option.value]
    services = [
        {"ServiceID": option.code, **write_value(option.slug, option.value, options)} for option in chosen
    ]
    told = {"MAIL": find_email(options), "SMS": find_phone(request, options)}
    return services + [{"ServiceID": code, "Parameters": text} for code, text in told.items() if text]


def write_value(slug: str, value: object, options: RequestOptions) -> Json:
    """Errors: Invalid for an amount in two currencies."""
    if slug in TEXTS:
        return {"Parameters": str(value)}
    amount = options.amount(slug) if slug in MONEY else None
    if amount is None:
        return {}
    named, stated = options.text(MONEY[slug]), options.text("currency")
    if named and stated and named != stated:
        raise Invalid(f"options.{MONEY[slug]}", f"is {named}, and options.currency is {stated}: say it once")
    return {"Value": write_amount(amount, named or options.currency(EUROS))}


def find_email(options: RequestOptions) -> str | None:
    """Who is told by mail, which is ordered only where it is asked for."""
    asked = options.flag("email_notification") or options.text("email_notification_to")
    return options.text("parcelone_notification_email") or (options.notify_email() if asked else None)


def find_phone(request: ShipmentRequest, options: RequestOptions) -> str | None:
    asked = options.flag("sms_notification")
    return options.text("parcelone_notification_sms") or (request.recipient.phone_number if asked else None)


# -- the answers -----------------------------------------------------------------------------------


def read_label(body: Json, kind: str, link: Link) -> Label:
    """A registered shipment with its label, the labels for its way back, and the papers for customs."""
    action, results = read_action(body), body["results"]
    packages = as_list(results.get("PackageResults"))
    number = str(action.get("TrackingID") or packages[0]["TrackingID"])
    total = results.get("TotalCharges") or {}
    ways_back = [row.get("Document") for row in as_list(results.get("DocumentsResults"))]
    papers = [row.get("Document") for row in as_list(results.get("InternationalDocumentsResults"))]
    labels = list_files(package.get("Label") for package in packages)
    meta = {
        "shipment_id": action.get("ShipmentID"),
        "shipment_ref": action.get("ShipmentRef"),
        "tracking_numbers": [package.get("TrackingID") for package in packages],
        "tracking_urls": [package.get("TrackingURL") for package in packages],
        "label_url": results.get("LabelURL"),
        "total_charge": read_amount(total.get("Value")),
        "currency": total.get("Currency"),
        "carrier_tracking_link": link(number),
    }
    return Label(
        tracking_number=number,
        shipment_identifier=str(action.get("ShipmentID") or number),
        label_type=kind,
        docs=merge_papers({"label": [*labels, *filter(None, ways_back)] if labels else [],
                           "invoice": list(filter(None, papers))}, kind),
        selected_rate=read_cost(read_price, total, results) if total else None,
        meta=drop_empty(meta),
    )  # fmt: skip


def read_price(total: Json, results: Json) -> Quote:
    currency = total.get("Currency") or EUROS
    lines = [(row.get("Description"), read_amount(row.get("Value"))) for row in results.get("Charges") or ()]
    return Quote(
        carrier_name="parcelone",
        service=None,
        total_charge=total["Value"],
        currency=currency,
        extra_charges=list_charges(lines, currency),
    )


def read_reprint(body: Json, kind: str, link: Link) -> Label:
    """The label of a shipment that was registered before."""
    row = as_list(body["results"])[0]
    number = str(row["TrackingID"])
    return Label(
        tracking_number=number,
        shipment_identifier=str(row["ShipmentID"]),
        label_type=kind,
        docs={"label": row["Document"]} if row.get("Document") else {},
        meta=drop_empty({"shipment_id": row["ShipmentID"], "carrier_tracking_link": link(number)}),
    )


# -- cancellation ----------------------------------------------------------------------------------


def name_field(identifier: str) -> str:
    """By what a shipment is named: its number for tracking, else the one that its purchase returned."""
    return "trackingid" if TRACKING_ID.fullmatch(identifier) else "shipmentid"


def is_cancelled(reply: Reply) -> bool:
    return bool(read_action(reply.json).get("Success") == SUCCESS)
