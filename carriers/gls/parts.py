"""What the bodies of GLS share: addresses, parcels, refusals. Pure.

Units: kilograms to ten grams, centimetres to the millimetre, both rounded up.
Source: ShipIT-Farm v1: Address, Volume; Track And Trace 1.0.7: ErrorResponseDTO, ErrorResponseApigeeDTO.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from shipcli.carrier import Reply, load_catalogue
from shipcli.carrier.wire.address_parts import split_street
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.rounding import round_measure
from shipcli.models import Address, Message, Parcel

CATALOGUE = load_catalogue(__file__)
MILLIMETRE = Decimal("0.1")
HOUSE_NUMBER = re.compile(r"\d\S{0,9}")


def write_address(address: Address, email: str | None) -> Json:
    """A person stands below their company; a second line that is no house number is one of the name."""
    street, number, addition = split_lines(address)
    person = address.person_name if address.company_name else None
    body = {
        "Name1": address.company_name or address.person_name,
        "Name2": person,
        "Name3": addition,
        "Street": street,
        "StreetNumber": number,
        "Zipcode": address.postal_code,
        "City": address.city,
        "Province": address.state_code,
        "CountryCode": address.country_code,
        "ContactPerson": address.person_name,
        "FixedLinePhonenumber": address.phone_number,
        "Email": email,
    }
    return dict(drop_empty(body))


def split_lines(address: Address) -> tuple[str | None, str | None, str | None]:
    """The street, its number and what else there is; the number may stand in the second line."""
    street, second = split_street(address), address.address_line2
    if not street.number and second and HOUSE_NUMBER.fullmatch(second):
        return street.name, second, None
    return street.name, street.number, second


def write_volume(parcel: Parcel) -> Json | None:
    """All three sides or none; they were measured at no station of GLS."""
    sides = {
        "Width": parcel.width_in("CM"),
        "Height": parcel.height_in("CM"),
        "Length": parcel.length_in("CM"),
    }
    if not all(sides.values()):
        return None
    written = {name: str(round_measure(side, MILLIMETRE)) for name, side in sides.items() if side}
    return {**written, "ScannerStation": "", "VolumetricType": "NON_CALIBRATED"}


# -- refusals --------------------------------------------------------------------------------------


def read_faults(reply: Reply) -> list[Message]:
    """What GLS refuses, in the form of each of its APIs; without a body it stands in the headers."""
    body: Any = reply.json if reply.content.strip() else None
    if not isinstance(body, dict):
        text = reply.header("message")
        return [Message(code=reply.header("error") or str(reply.status), message=text)] if text else []
    if isinstance(body.get("fault"), dict):
        return [read_gateway_fault(body["fault"])]
    faults = [read_error(error) for error in as_list(body.get("errors")) if isinstance(error, dict)]
    unknown = [read_unknown(row) for row in as_list(body.get("parcels")) if row.get("errorCode")]
    return [*faults, *unknown, *read_problem(body, reply.status)]


def read_error(error: Json) -> Message:
    details = {name: error[name] for name in ("field", "details") if error.get(name)}
    code = error.get("code") or error.get("type")
    return Message(code=code and str(code), message=error.get("message"), details=details or None)


def read_gateway_fault(fault: Json) -> Message:
    detail = fault.get("detail")
    code = detail.get("errorcode") if isinstance(detail, dict) else None
    return Message(code=code, message=fault.get("faultstring"))


def read_unknown(row: Json) -> Message:
    """A number that tracking does not know."""
    number = row.get("requested")
    details = {"tracking_number": number} if number else None
    return Message(code=row["errorCode"], message=row.get("errorMessage"), details=details)


def read_problem(body: Json, status: int) -> list[Message]:
    text = body.get("detail") or body.get("title")
    if not text:
        return []
    return [Message(code=str(body.get("status") or status), message=text)]
