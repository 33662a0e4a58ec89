"""What the bodies of SmartKargo share: participants, the package, the shape of answers and of refusals. Pure.

Units: kilograms and centimetres, or pounds and inches where the first parcel is in them; to the hundredth,
       rounded up. An order, a price too, is of one package.
Source: IHUB Swagger 1.0.0; for names that it spells otherwise than the live API the recorded requests.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeAlias, TypeVar

from shipcli.carrier import Reply, RequestOptions, load_catalogue
from shipcli.carrier.contents import join_words, list_goods
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json, as_list
from shipcli.carrier.wire.rounding import round_half_up, round_measure
from shipcli.models import Address, Invalid, Message, Parcel, RateRequest, ShipmentRequest

from .customs import write_customs

CATALOGUE = load_catalogue(__file__)
RequestT = TypeVar("RequestT", RateRequest, ShipmentRequest)
Writer: TypeAlias = Callable[[RequestT, Json, RequestOptions], Json]  # completes a package
ANY_GOODS, BILLED, DESCRIPTION = "9999", "PX", "General Shipment"
IMPERIAL = ("LB", "OZ")
LONGEST_REFERENCE, LONGEST_DESCRIPTION = 35, 100
WAYBILL_PREFIX = 3
REFUSED = ("ERROR", "FAILED", "REJECTED", "INVALID", "CANCELLED", "VOIDED")
FAULT, API_FAULT, WRONG_FIELD = "ERROR", "API_ERROR", "VALIDATION_ERROR"


# -- what is sent ----------------------------------------------------------------------------------


def write_order(reference: str, at: datetime, package: Json) -> Json:
    """A question for prices, or a booking, of one package."""
    return {
        "reference": write_reference(reference),
        "issueDate": f"{at:%Y-%m-%d %H:%M}",
        "packages": [package],
    }


def write_reference(text: str) -> str:
    return "".join(text.split())[:LONGEST_REFERENCE]


def write_package(
    request: RateRequest | ShipmentRequest, parcel: Parcel, options: RequestOptions, account: Json, name: str
) -> Json:
    """What prices and bookings say of a package.

    Errors: Invalid for insurance without an amount.
    """
    weight_unit, size_unit = choose_units(request)
    insured = options.insurance()
    if options.flag("smartkargo_insurance") and not insured:
        raise Invalid("options.smartkargo_insurance", "needs an amount: insurance")
    return {
        "reference": name,
        "commodityType": options.text("smartkargo_commodity_type") or ANY_GOODS,
        "paymentMode": BILLED,
        "packageDescription": describe(request, parcel),
        "totalPackages": 1,
        "totalPieces": 1,
        "grossVolumeUnityMeasure": "CFT" if size_unit == "IN" else "CMQ",
        "totalGrossWeight": round_measure(parcel.weight_in(weight_unit)),
        "grossWeightUnityMeasure": "LBR" if weight_unit == "LB" else "KG",
        "hasInsurance": bool(insured),
        "insuranceAmmount": round_half_up(insured) if insured else 0,
        "dimensions": [write_dimensions(parcel, weight_unit, size_unit)],
        **write_customs(request, parcel, options, weight_unit),
        "participants": [
            {"type": "Shipper", **account, **write_participant(request.shipper)},
            {"type": "Consignee", **write_participant(request.recipient)},
        ],
    }


def choose_units(request: RateRequest | ShipmentRequest) -> tuple[str, str]:
    return ("LB", "IN") if request.parcels[0].weight_unit in IMPERIAL else ("KG", "CM")


def describe(request: RateRequest | ShipmentRequest, parcel: Parcel) -> str:
    goods = parcel.items or list_goods(request)
    text = parcel.description or join_words([item.title or item.description for item in goods])
    return cut_text(text, LONGEST_DESCRIPTION) or DESCRIPTION


def write_dimensions(parcel: Parcel, weight_unit: str, size_unit: str) -> Json:
    sides = {name: round_measure(side) for name, side in parcel.known_sides_in(size_unit).items() if side}
    return {"pieces": 1, "grossWeight": round_measure(parcel.weight_in(weight_unit)), **sides}


def write_participant(address: Address) -> Json:
    return {
        "name": address.company_name or address.person_name,
        "postCode": address.postal_code,
        "street": address.street,
        "street2": address.address_line2,
        "city": address.city,
        "state": address.state_code,
        "countryId": address.country_code,
        "phoneNumber": address.phone_number,
        "email": address.email,
        "taxId": address.federal_tax_id or address.state_tax_id,
    }


# -- what comes back -------------------------------------------------------------------------------


def read_body(reply: Reply) -> Json:
    """The object of an answer, which may be alone in a list; {} for a text, and for rows of a look-up."""
    body = as_list(reply.json)
    first = body[0] if body else None
    return first if isinstance(first, dict) and "airWaybill" not in first else {}


def read_text(reply: Reply) -> str:
    """The text that is all of an answer, which is how many a refusal comes; else, as of a page, none."""
    if reply.structured:
        return reply.json.strip() if isinstance(reply.json, str) else ""
    text = reply.text.strip()
    return text if reply.status >= 400 and not text.startswith("<") else ""


def read_status(body: Json) -> str:
    return str(body.get("status") or "").upper()


def is_refused(body: Json) -> bool:
    """Whether an answer says that nothing was done: one that has what was asked for was no refusal."""
    voided = body.get("result")
    if isinstance(voided, dict):
        return voided.get("cancelled") is False
    rows = list_packages(body)
    if list_booked(body) or any("total" in row for row in rows):
        return False
    is_rejected = bool(rows) and all(read_status(row) in REFUSED for row in rows)
    return bool(body.get("error")) or body.get("valid") == "No" or read_status(body) in REFUSED or is_rejected


def list_packages(body: Json) -> list[Json]:
    """The rows of an answer, under the recorded name or the published one."""
    rows = as_list(body.get("shipments")) or as_list(body.get("details"))
    return [row for row in rows if isinstance(row, dict)]


def list_booked(body: Json) -> list[Json]:
    """The packages of a booking that have a waybill, and are not said to be rejected."""
    return [
        row
        for row in list_packages(body)
        if (row.get("airWaybill") or row.get("labelUrl")) and read_status(row) not in REFUSED
    ]


def read_errors(reply: Reply) -> list[Message]:
    """What is wrong, as an object, by fields, or as a text alone."""
    if text := read_text(reply):
        return [Message(code=API_FAULT, message=text)]
    body = read_body(reply)
    faults = [fault for row in (body, *list_packages(body)) for fault in as_list(row.get("validations"))]
    messages = read_error(body, faults) or [read_validation(fault) for fault in faults]
    if messages or not (is_refused(body) or reply.status >= 400):
        return messages
    result = body.get("result") or {}
    said = result.get("messages") or body.get("details") or body.get("message")
    known = said if isinstance(said, str) else None
    return [Message(code=API_FAULT if known else FAULT, message=known)]


def read_error(body: Json, faults: list[Json]) -> list[Message]:
    """The error of an answer that has one, with what is wrong with each field."""
    error = body.get("error")
    if not isinstance(error, dict):
        return []
    texts = [fault["message"] for fault in faults if fault.get("message")]
    details = {"validations": texts} if texts else None
    return [Message(code=error.get("code") or FAULT, message=error.get("message"), details=details)]


def read_validation(fault: Json) -> Message:
    code = fault.get("property") or fault.get("code") or fault.get("type") or WRONG_FIELD
    return Message(code=code, message=fault.get("message"), details=about_package(fault))


def about_package(fault: Json) -> dict[str, Any] | None:
    reference = fault.get("packageReference")
    return {"packageReference": reference} if reference else None


def split_waybill(number: str) -> tuple[str, str]:
    """The prefix and the number of an air waybill that is written in one."""
    return number[:WAYBILL_PREFIX], number[WAYBILL_PREFIX:]
