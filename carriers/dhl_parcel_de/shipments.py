"""Between our models and the orders of DHL Parcel DE. Pure.

Source: Parcel DE Shipping (Post & Parcel Germany) 2.1.13; answers of several shipments have status 207.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from shipcli.carrier import RequestOptions
from shipcli.carrier.contents import sum_goods
from shipcli.carrier.wire.address_parts import cut_text, fit_email, fit_phone
from shipcli.carrier.wire.json_paths import Json, drop_empty
from shipcli.carrier.wire.label_files import decode_file, encode_file
from shipcli.models import Invalid, Label, Message, Parcel, ShipmentRequest

from . import customs, parts

ERROR = "error"
SHORTEST_REFERENCE, LONGEST_REFERENCE = 8, 35
BILLING_NUMBER = "dhl_parcel_de_billing_number"
RECEIVER = "dhl_parcel_de_return_receiver_id"
RETURNER = ("name1", "name2", "name3", "addressStreet", "addressHouse", "postalCode", "city")
LONGEST_RETURN_REFERENCE, LONGEST_PHONE, LONGEST_EMAIL = 50, 20, 70


# -- the order -------------------------------------------------------------------------------------


def label_sheet(*names: str | None) -> Json:
    """Format and paper of the first name that DHL knows, as the query has them."""
    kind, paper = parts.CATALOGUE.choose("label_types", *names, usual="PDF")
    return {"docFormat": kind, "printFormat": paper}


def write_shipment(
    request: ShipmentRequest, parcel: Parcel, options: RequestOptions, account: Json, today: date
) -> Json:
    """One parcel, which is a shipment of its own; `account` is what every shipment says of the account.

    Errors: Invalid for what DHL does not deliver, or by terms that it does not deliver by.
    """
    product = parts.CATALOGUE.services.wire_code(request.service)
    number = parts.place_procedure(account.get("billingNumber"), product[1:3])
    services = parts.write_services(request, options, number)
    body = {
        "product": product,
        **account,
        "billingNumber": options.text(BILLING_NUMBER) or number,
        "refNo": write_reference(request.reference),
        "shipDate": (options.ship_date() or today).isoformat(),
        "shipper": parts.write_shipper(request.shipper),
        "consignee": parts.write_consignee(request.recipient, options),
        "details": parts.write_details(parcel),
        "services": services | customs.write_duty_service(request, options),
        "customs": customs.write_customs(request, parcel, options),
    }
    return dict(drop_empty(body))


def write_reference(reference: str | None) -> str | None:
    """The reference in the 8 to 35 characters that it has to have."""
    shortened = cut_text(reference, LONGEST_REFERENCE)
    return f"Reference {shortened}" if shortened and len(shortened) < SHORTEST_REFERENCE else shortened


def write_return(request: ShipmentRequest, options: RequestOptions, key: str) -> Json:
    """The order of a return label: it goes to the receiver that the account keeps under an id.

    Source: Parcel DE Returns (Post & Parcel Germany) 1.0.9, ReturnOrder.
    Errors: Invalid for an address without a house number.
    """
    sender = parts.write_shipper(request.shipper)
    if not sender["addressHouse"]:
        raise Invalid("shipper.address_line1", "DHL needs a house number for a return")
    if not (request.shipper.postal_code or "").strip():
        raise Invalid("shipper.postal_code", "DHL needs a postal code for a return")
    names = {name: sender.get(name) for name in RETURNER}
    value = sum_goods(request.parcels[0].items)
    body = {
        "receiverId": options.text(RECEIVER)
        or str(parts.write_country(request.shipper.country_code)).lower(),
        "customerReference": cut_text(request.reference, LONGEST_RETURN_REFERENCE),
        "shipmentReference": key,
        "shipper": {
            **names,
            "email": fit_email(request.shipper.email, LONGEST_EMAIL),
            "phone": fit_phone(request.shipper.phone_number, LONGEST_PHONE),
        },
        "itemWeight": parts.write_details(request.parcels[0])["weight"],
        "itemValue": {"currency": parts.CURRENCY, "value": value} if value else None,
    }
    return dict(drop_empty(body))


# -- the answer ------------------------------------------------------------------------------------


def list_items(body: Json) -> list[Json]:
    """What became of each shipment."""
    items = body.get("items") if isinstance(body, dict) else None
    return [item for item in items or () if isinstance(item, dict)]


def find_item(body: Json, number: str, count: int) -> Json:
    """What became of a shipment, of as many as were asked about.

    Errors: LookupError for an answer that does not say.
    """
    items = list_items(body)
    named = [item for item in items if str(item.get("shipmentNo")) == number]
    item = (named or items)[0] if named or len(items) == count == 1 else {}
    if not isinstance(item["sstatus"], dict):
        raise LookupError("sstatus")
    return item


def is_done(item: Json) -> bool:
    """Whether a shipment was ordered, or taken back."""
    status = item.get("sstatus")
    status = status if isinstance(status, dict) else {}
    good = str(status.get("title")).lower() == "ok" or str(status.get("statusCode")).startswith("2")
    return good and bool(item.get("shipmentNo"))


def read_faults(body: Json) -> list[Message]:
    """What was wrong with a shipment that was not taken."""
    faults = (
        fault
        for item in list_items(body)
        if not is_done(item)
        for fault in item.get("validationMessages") or ()
    )
    return [
        Message(code=fault.get("property"), message=fault.get("validationMessage"))
        for fault in faults
        if str(fault.get("validationState")).lower() == ERROR
    ]


def read_label(item: Json, link: Callable[[str], str | None]) -> Label:
    """The label of one shipment; the papers of the customs as its invoice."""
    number, paper = str(item["shipmentNo"]), item.get("label") or {}
    files = {"label": read_file(paper), "invoice": read_file(item.get("customsDoc") or {})}
    return Label(
        tracking_number=number,
        shipment_identifier=number,
        label_type="ZPL" if str(paper.get("fileFormat")).startswith("ZPL") else "PDF",
        docs={name: text for name, text in files.items() if text},
        meta={
            "carrier_tracking_link": link(number),
            "shipmentNo": number,
            "shipmentRefNo": item.get("shipmentRefNo"),
            "returnShipmentNo": item.get("returnShipmentNo"),
            "label_url": paper.get("url"),
        },
    )


def read_file(paper: Json) -> str | None:
    """A file in base64; printer language comes as it is, or in base64 too."""
    text = paper.get("zpl2") or ""
    plain = encode_file(text.encode()) if text and decode_file(text) is None else text
    return paper.get("b64") or plain or None
