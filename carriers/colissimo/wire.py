"""Between our models and the label service of Colissimo.

Units: kilograms to the hundredth, centimetres; what is insured or collected in cents of a euro.
Source: Colissimo Shipping Web Service, REST 2.0: blocks service, parcel, customsDeclarations and address.
"""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from typing import Any

from shipcli.carrier import MultipartPart, Reply, RequestOptions, load_catalogue
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, get_path
from shipcli.carrier.wire.label_files import encode_file
from shipcli.carrier.wire.rounding import THOUSANDTH, convert_to_cents, round_measure
from shipcli.models import Address, Commodity, Customs, Label, Message, Parcel, ShipmentRequest
from shipcli.models import json as plain_json
from shipcli.models.basics.reference import find_currency

CATALOGUE = load_catalogue(__file__)
ERROR = "ERROR"
PARCEL_NUMBER = re.compile(r"[0-9A-Z]{2}\d{11}")
BATCH = re.compile(rb"--uuid:([0-9a-f-]+)")
INFO, LABEL, CUSTOMS_FORM = "jsonInfos", "label", "cn23"  # the parts of an answer


def label_format(name: str | None) -> str:
    """The printing type of a label, by its own name or by the plain one; PDF where there is no such type."""
    formats = CATALOGUE.table("label_types")
    return str(formats.get(name or "") or formats["PDF"])


# -- the order -------------------------------------------------------------------------------------


def write_letter(request: ShipmentRequest, options: RequestOptions, day: date) -> Json:
    """The order without its credentials."""
    [parcel] = request.parcels
    reference = request.reference or parcel.reference_number
    cash = options.amount("colissimo_cod_amount")
    letter = {
        "service": _service(request, options, day),
        "parcel": _parcel(request, parcel, options, cash),
        "customsDeclarations": _customs(request, request.customs, options) if request.customs else None,
        "sender": {"senderParcelRef": reference, "address": _address(request.shipper)},
        "addressee": {"addresseeParcelRef": reference, "address": _address(request.recipient)},
        "codSenderAddress": _address(request.recipient) if cash else None,
        "features": {"printTrackingBarcode": True},
    }
    format_ = {"x": 0, "y": 0, "outputPrintingType": label_format(request.label_type)}
    body: Json = drop_empty({"outputFormat": format_, "letter": letter, "fields": _sizes(parcel)})
    return body


def _service(request: ShipmentRequest, options: RequestOptions, day: date) -> Json:
    """The product. The price of the transport is what the caller declares, in the unit it is given in."""
    declared = options.amount("declared_value")
    return {
        "productCode": CATALOGUE.services.wire_code(request.service),
        "depositDate": day.isoformat(),
        "transportationAmount": declared,
        "totalAmount": declared,
        "commercialName": request.shipper.company_name,
        "reseauPostal": 0,
    }


def _parcel(request: ShipmentRequest, parcel: Parcel, options: RequestOptions, cash: Decimal | None) -> Json:
    """Shapes: the number of a parcel is given by those who have a range of numbers of their own.

    Source: the guide, block parcel: "Enter 1230 for 12.30 euros".
    """
    number, insured = parcel.reference_number or "", options.insurance()
    home = find_currency(request.shipper.country_code or "")
    return {
        "parcelNumber": number if PARCEL_NUMBER.fullmatch(number) else None,
        "insuranceValue": convert_to_cents(insured) if insured else None,
        "weight": round_measure(parcel.weight_in("KG")),
        "nonMachinable": options.value("colissimo_non_machinable"),
        "returnReceipt": options.value("colissimo_return_receipt") or None,
        "instructions": options.text("colissimo_instructions"),
        "ftd": options.value("colissimo_ftd"),
        "ddp": options.value("colissimo_ddp"),
        "codamount": convert_to_cents(cash) if cash else None,
        "codcurrency": options.text("currency") or (home if cash else None),
        "cod": bool(cash),
    }


def _sizes(parcel: Parcel) -> Json:
    sides = parcel.known_sides_in("CM").items()
    return {"customField": [{"key": name.upper(), "value": round_measure(side)} for name, side in sides]}


def _address(address: Address, phone: str = "phoneNumber") -> Json:
    """Shapes: the second line is the street, the first leads to the door inside, the third is a locality."""
    return {
        "companyName": address.company_name,
        "lastName": address.person_name,
        "line1": address.street_number,
        "line2": address.address_line1,
        "line3": address.address_line2,
        "countryCode": address.country_code,
        "countryLabel": address.country_name,
        "city": address.city,
        "zipCode": address.postal_code,
        phone: address.phone_number,
        "email": address.email,
        "language": "FR",
        "stateOrProvinceCode": address.state_code,
    }


# -- the declaration -------------------------------------------------------------------------------


def _customs(request: ShipmentRequest, customs: Customs, options: RequestOptions) -> Json:
    customs_options, importer = RequestOptions.of_customs(CATALOGUE, customs), _importer(request, customs)
    category = CATALOGUE.table("categories").get(customs.content_type or "")
    return {
        "includeCustomsDeclarations": True,
        "contents": {
            "article": [_article(item, options) for item in customs.commodities],
            "category": {"value": category},
        },
        "importersReference": importer.federal_tax_id or importer.state_tax_id,
        "importersContact": importer.name,
        "description": customs.content_description,
        "invoiceNumber": customs.invoice,
        "licenceNumber": customs_options.text("license_number"),
        "certificatNumber": customs_options.text("certificate_number"),
        "importerAddress": {**_address(importer, "mobileNumber"), "language": None},
    }


def _article(item: Commodity, options: RequestOptions) -> Json:
    weight = item.weight_in("KG")
    return {
        "description": item.description or item.title,
        "quantity": item.quantity,
        "weight": round_measure(weight, THOUSANDTH) if weight else None,
        "value": item.value_amount,
        "hsCode": item.hs_code,
        "originCountry": item.origin_country,
        "currency": item.value_currency or options.text("currency"),
        "artref": item.metadata.get("artref"),
        "customsFees": item.metadata.get("customs_fees"),
    }


def _importer(request: ShipmentRequest, customs: Customs) -> Address:
    """Who is billed for the duties: the address given, else that of who pays them."""
    duty = customs.duty
    importer = customs.duty_billing_address or (duty.duty_billing_address if duty else None)
    paid_by = duty.paid_by if duty else None
    return importer or (request.recipient if paid_by == "recipient" else request.shipper)


# -- the answer ------------------------------------------------------------------------------------


def is_ours(body: Any) -> bool:
    """Whether a body is of the label service, not of tracking."""
    return isinstance(body, dict) and "messages" in body


def read_info(reply: Reply) -> Any:
    """The JSON of an answer: the whole of it, or its first part."""
    if not _is_multipart(reply):
        return reply.json
    parts = {part.name: part for part in reply.parts}
    return plain_json.loads(_content(parts[INFO])) if INFO in parts else {}


def read_errors(body: Json) -> list[Message]:
    """What is refused; notices of success are left out."""
    return [
        Message(code=ERROR, message=message.get("messageContent"), details={"id": str(message.get("id"))})
        for message in as_list(body.get("messages"))
        if message.get("type") == ERROR
    ]


def read_label(reply: Reply, kind: str) -> Label:
    """The label, a part of its own beside the number; the customs form where one is drawn.

    Errors: LookupError when the answer names no parcel.
    """
    parts = {part.name: _content(part) for part in reply.parts} if _is_multipart(reply) else {}
    info = read_info(reply)["labelV2Response"]
    number, batch = info["parcelNumber"], BATCH.search(reply.content)
    docs = {"label": parts.get(LABEL), "invoice": parts.get(CUSTOMS_FORM)}
    meta = {
        "request_uuid": batch[1].decode() if batch else None,
        "pdfUrl": get_path(info, "pdfUrl"),
        "parcelNumber": number,
        "parcelNumberPartner": get_path(info, "parcelNumberPartner"),
    }
    return Label(
        tracking_number=number,
        shipment_identifier=number,
        label_type=kind.partition("_")[0],
        docs={name: encode_file(content) for name, content in docs.items() if content},
        meta=drop_empty(meta),
    )


def _is_multipart(reply: Reply) -> bool:
    return reply.content.lstrip().startswith(b"--")


def _content(part: MultipartPart) -> bytes:
    return part.content.encode() if isinstance(part.content, str) else part.content
