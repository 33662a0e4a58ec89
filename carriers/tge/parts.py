"""What the messages of TGE share: header, parties, sizes, days, what is wrong. Pure.

Units: kilograms and cubic metres to the tenth, a volume of 0.1 is the least; centimetres, though the samples
of the carrier call their unit m3.
Source: the carrier's sample messages; the recorded requests for the tenths.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from shipcli.carrier import RequestOptions, load_catalogue
from shipcli.carrier.wire.json_paths import Json, as_list
from shipcli.carrier.wire.label_files import decode_file
from shipcli.models import Address, Message

if TYPE_CHECKING:
    from . import Tge

CATALOGUE = load_catalogue(__file__)
TENTH = Decimal("0.1")
SENDER, CHANNEL, PRICES_CHANNEL, BUSINESS, ROAD = "GOSHIPR", "YF73", "XP41", "IPEC", "Road"
REFUSED, PRINTED = "400", "200"
SATURDAY = 5


def write_header(carrier: Tge, kind: str, version: str, index: int = 0) -> Json:
    return {
        "MessageVersion": version,
        "DocumentType": kind,
        "MessageIdentifier": carrier.message_id(index),
        "MessageSender": carrier.config.message_sender or SENDER,
    }


def write_place(address: Address) -> Json:
    return {
        "Suburb": address.city,
        "StateCode": address.state_code,
        "PostalCode": address.postal_code,
        "CountryCode": address.country_code,
    }


def write_party(address: Address) -> Json:
    lines = address.lines
    return {
        "Contact": {"Name": address.company_name or address.person_name},
        "PartyName": address.name,
        "PhysicalAddress": {
            "AddressType": "Residential" if address.residential else "Business",
            "AddressLine1": lines[0] if lines else None,
            "AddressLine2": lines[1] if len(lines) > 1 else None,
            **write_place(address),
        },
    }


def freight_mode(carrier: Tge, options: RequestOptions) -> str:
    return options.text("tge_freight_mode") or carrier.config.freight_mode or ROAD


def pickup_day(carrier: Tge, shipper: Address, options: RequestOptions) -> date:
    """The working day after the one on which the shipment is ready: TGE collects from Monday to Friday."""
    day = (options.ship_date() or carrier.today_at(shipper)) + timedelta(days=1)
    while day.weekday() >= SATURDAY:
        day += timedelta(days=1)
    return day


def write_instant(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%S}.000Z"


# -- answers ---------------------------------------------------------------------------------------


def read_responses(body: Json) -> list[Json]:
    """What was printed: entries with an id and, under `ResponseMessage`, a file or what went wrong."""
    responses = (body.get("TollMessage") or {}).get("ResponseMessages") or {}
    return as_list(responses.get("ResponseMessage"))


def is_file(response: Json) -> bool:
    text = str(response.get("ResponseMessage") or "")
    return text.startswith("^XA") or bool(decode_file(text))


def is_fault(body: Json) -> bool:
    """Whether the facade broke: its refusals have numbers, beside which it names an exception too."""
    listed = (body.get("TollMessage") or {}).get("ErrorMessages")
    return not listed and any(body.get(name) for name in ("Exception", "ExceptionMessage"))


def read_problems(body: Json) -> list[Message]:
    """Errors of the message, of the facade, and of an entry that is no file."""
    listed = (body.get("TollMessage") or {}).get("ErrorMessages") or {}
    problems = [_message(problem) for problem in as_list(listed.get("ErrorMessage"))]
    if not problems:
        names = ("Message", "message", "Exception", "ExceptionMessage")
        text = next((body[name] for name in names if body.get(name)), None)
        problems = [Message(code=REFUSED, message=text)] if text else []
    failed = [
        Message(code=REFUSED, message=str(response.get("ResponseMessage") or "no file"))
        for response in read_responses(body)
        if (response.get("ResponseID") or {}).get("Value", PRINTED) != PRINTED and not is_file(response)
    ]
    return [*problems, *failed]


def _message(error: Json) -> Message:
    """The carrier's number is a detail: the code is the one that clients know."""
    number = (error.get("ErrorNumber") or {}).get("Value")
    return Message(
        code=REFUSED, message=error.get("ErrorMessage"), details={"number": number} if number else None
    )
