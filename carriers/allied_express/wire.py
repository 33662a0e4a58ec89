"""Between our models and the JSON of Allied Express. Pure.

Units: kilograms, centimetres and cubic metres to the tenth, half up; a volume of 0.1 is the least.
Source: the schema that the carrier quotes when it refuses a body; the recorded requests for the tenths.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, TypeAlias

from shipcli.carrier import Reply, list_charges, load_catalogue
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, get_path
from shipcli.carrier.wire.rounding import round_measure
from shipcli.carrier.wire.rows import read_each, sort_newest_first
from shipcli.carrier.wire.times import read_clock, read_day
from shipcli.models import (
    Address,
    Label,
    Message,
    Parcel,
    Quote,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingEvent,
)

CATALOGUE = load_catalogue(__file__)
Request: TypeAlias = RateRequest | ShipmentRequest
HOME, CURRENCY = "AU", "AUD"
TENTH = Decimal("0.1")
# What stands for a value that is not known, where the carrier's schema wants one.
BLANK, NO_PHONE, NO_INSTRUCTIONS = " ", "(00) 0000 0000", "N/A"
REFUSED, FAULTY = "400", "500"  # the carrier's errors have no code: ours of what it refuses, and cannot read
CANCELLATION, CANCELLED = "ns1:cancelDispatchJobResponse", "0"


# -- jobs ------------------------------------------------------------------------------------------


def write_job(
    request: Request, dangerous: Sequence[bool], instructions: str | None, reference: str | None
) -> Json:
    """A job as it is priced and booked. `dangerous` says it of each parcel."""
    parcels = request.parcels
    job = {
        "bookedBy": request.shipper.name,
        "instructions": instructions or NO_INSTRUCTIONS,
        "itemCount": len(parcels),
        "items": [write_item(parcel, risky) for parcel, risky in zip(parcels, dangerous, strict=True)],
        "jobStops_P": write_stop(request.shipper),
        "jobStops_D": write_stop(request.recipient),
        "referenceNumbers": [reference] if reference else [],
        "weight": round_measure(sum((parcel.weight_in("KG") for parcel in parcels), Decimal(0)), TENTH),
        "volume": write_volume(parcels),
    }
    return dict(drop_empty(job))


def write_item(parcel: Parcel, dangerous: bool) -> Json:
    sides = {
        "height": parcel.height_in("CM"),
        "length": parcel.length_in("CM"),
        "width": parcel.width_in("CM"),
    }
    return {
        "dangerous": dangerous,
        **{name: round_measure(side, TENTH) for name, side in sides.items() if side is not None},
        "weight": round_measure(parcel.weight_in("KG"), TENTH),
        "volume": write_volume([parcel]),
        "itemCount": sum(item.quantity for item in parcel.items) or 1,
    }


def write_volume(parcels: Sequence[Parcel]) -> Decimal | None:
    """Cubic metres of some parcels; None where a size is not known."""
    volumes = [parcel.volume_in("M") for parcel in parcels]
    measured = [volume for volume in volumes if volume is not None]
    whole = sum(measured, Decimal(0))
    return round_measure(whole, TENTH) if len(measured) == len(volumes) else None


def write_stop(address: Address) -> Json:
    lines = address.lines
    return {
        "companyName": address.company_name or address.name,
        "contact": address.name,
        "emailAddress": address.email or BLANK,
        "phoneNumber": address.phone_number or NO_PHONE,
        "geographicAddress": {
            "address1": lines[0] if lines else None,
            "address2": lines[1] if len(lines) > 1 else BLANK,
            "country": address.country_code,
            "postCode": address.postal_code,
            "state": address.state_code,
            "suburb": address.city,
        },
    }


# -- answers ---------------------------------------------------------------------------------------


def read_body(reply: Reply) -> Json:
    """The answer; a text in place of JSON is what the facade says of a body that breaks its schema.

    Errors: ValueError for what claims to be JSON and is none.
    """
    text = reply.text.strip()
    if text and text[0] not in "{[<":
        return {"Message": text.partition(": {")[0]}
    return dict(reply.json)


def is_fault(reply: Reply) -> bool:
    """Whether the facade broke; of a body that breaks its schema it says so in plain text."""
    return reply.text.lstrip()[:1] == "{" and "Message" in reply.json


def read_answer(body: Json) -> tuple[str, Any]:
    """The name and the result of what a SOAP body holds, which may stand in an envelope; else nothing."""
    answers = (body.get("soapenv:Envelope") or body).get("soapenv:Body") or {}
    results = ((name, answer.get("result")) for name, answer in answers.items() if isinstance(answer, dict))
    return next(results, ("", None))


def read_result(body: Json) -> Any:
    return read_answer(body)[1]


def read_problems(body: Json) -> list[Message]:
    """What is wrong, where a result says so, or where a job is priced at nothing for a reason."""
    if "Message" in body:
        return [Message(code=FAULTY, message=body["Message"])]
    name, result = read_answer(body)
    if isinstance(result, dict):
        problems = as_list(result.get("statusError")) + as_list(result.get("errors")) + _no_price(result)
        return [Message(code=REFUSED, message=str(problem)) for problem in problems]
    if name == CANCELLATION and result != CANCELLED:
        return [Message(code=REFUSED, message=f"The job is not cancelled: {result}")]
    return []


def _no_price(result: Json) -> list[str]:
    price = result.get("price") or {}
    free = not Decimal(str(price.get("grossPrice") or 0))
    return [price["reason"]] if free and price.get("reason") else []


def read_quote(price: Json, carrier: str, service: str) -> Quote:
    """Shapes: freight has a total and what it consists of, a courier job of one city a price in itself."""
    charges = [("Job charge", price.get("jobCharge"))]
    charges += [
        (surcharge.get("description"), surcharge.get("netValue"))
        for surcharge in as_list(price.get("surcharges"))
    ]
    return Quote(
        carrier_name=carrier,
        service=service,
        total_charge=_total(price),
        currency=CURRENCY,
        extra_charges=list_charges([(name, Decimal(amount or 0)) for name, amount in charges], CURRENCY),
        meta={"service_name": service},
    )


def _total(price: Json) -> Decimal:
    return Decimal(price.get("totalCharge") or get_path(price, "price/grossPrice") or 0)


def read_paid(body: Json) -> Json | None:
    """The price of a job that was booked; None where the answer has none."""
    price = read_result(body.get("Price") or {}) or body.get("price_detail")
    return price if isinstance(price, dict) and _total(price) else None


def read_label(body: Json, paid: Quote | None, postal_code: str | None) -> Label:
    """Shapes: the file is the result of the SOAP body, of a courier job that of the whole answer."""
    file = read_result(body) or body.get("result")
    return Label(
        tracking_number=body["Tracking"],
        shipment_identifier=body["Tracking"],
        label_type="PDF",
        docs={"label": file} if file else {},
        selected_rate=paid,
        meta={"postal_code": postal_code},
    )


# -- tracking --------------------------------------------------------------------------------------


def read_scans(body: Json) -> list[Json]:
    """The scans of a job, newest first; SOAP written as JSON has one as it is, several as a list."""
    scans = as_list((read_result(body) or {}).get("statusBarcodesList"))
    return sort_newest_first(scans, "scannnedTimestamp")


def read_tracking(number: str, scans: Sequence[Json]) -> Tracking:
    status = CATALOGUE.statuses.read(scans[0].get("scannedStatus"))
    return Tracking(
        tracking_number=scans[0].get("consignmentNote") or number,
        events=read_each(scans, _read_scan),
        delivered=status == "delivered",
        status=status,
    )


def _read_scan(scan: Json) -> TrackingEvent:
    """One scan; its time is that of the depot."""
    at = scan.get("scannnedTimestamp")
    return TrackingEvent(
        date=read_day(at),
        time=read_clock(at),
        code=scan.get("scannedBarcode"),
        description=scan.get("scannedStatus") or "In Transit",
        location=scan.get("depotLocation"),
    )
