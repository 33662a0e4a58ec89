"""What bodies of the Postal Service share: addresses, parcels, options, answers of several parts. Pure.

Units: pounds and inches with two decimals; amounts in USD; ZIP codes apart from their +4.
Source: Prices, Labels, Tracking, Carrier Pickup and SCAN Forms APIs, version 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeAlias

from shipcli.carrier import (
    MultipartPart,
    Reply,
    RequestOptions,
    list_parcel_goods,
    load_catalogue,
    sum_goods,
)
from shipcli.carrier.wire.address_parts import split_name
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.label_files import decode_file, encode_file
from shipcli.carrier.wire.rounding import HUNDREDTH, round_half_up
from shipcli.models import (
    Address,
    Message,
    Parcel,
    RateRequest,
    ShipmentRequest,
)
from shipcli.models import json as plain_json

CATALOGUE = load_catalogue(__file__)
Request: TypeAlias = RateRequest | ShipmentRequest

CURRENCY = "USD"
BELOW_500, ABOVE_500, MOST_BELOW = "930", "931", 500
DIMENSIONAL_RECTANGULAR = "DR"


@dataclass(frozen=True, slots=True)
class Piece:
    """One parcel of a request with what a writer needs besides.

    Shapes: `options` are the parcel's own over those of the shipment; `packaging` is the carrier's code.
    """

    request: Request
    parcel: Parcel
    options: RequestOptions
    packaging: str | None
    mailing_date: str

    @property
    def indicator(self) -> str:
        """The rate indicator: the option's, else that of the packaging, else the usual one."""
        return self.options.text("usps_rate_indicator") or self.packaging or DIMENSIONAL_RECTANGULAR

    @property
    def extra_services(self) -> list[int]:
        """Codes of the paid extras; insurance by its amount, whichever of its names was used."""
        chosen = [one for one in self.options.list_chosen() if one.code.isdigit()]
        return list(dict.fromkeys(_service_code(one.code, one.value) for one in chosen))

    @property
    def value(self) -> Decimal:
        """What the contents are worth: its goods, else what it is secured for."""
        worth = sum_goods(list_parcel_goods(self.request, self.parcel))
        secured = (one.value for one in self.options.list_chosen() if one.row.type is Decimal)
        return worth or self.options.amount("declared_value") or max(secured, default=Decimal(0))


def _service_code(code: str, value: Any) -> int:
    insured_above = code == BELOW_500 and value > MOST_BELOW
    return int(ABOVE_500 if insured_above else code)


# -- numbers and words -----------------------------------------------------------------------------


def write_size(value: Decimal | None) -> Decimal | None:
    return None if value is None else round_half_up(value)


def write_pounds(value: Decimal) -> Decimal:
    """A weight as sent: never 0."""
    return max(round_half_up(value), HUNDREDTH)


def split_zip(postal_code: str | None) -> tuple[str | None, str | None]:
    """ZIP and +4 of 29440, 29440-1234 or 294401234."""
    digits = (postal_code or "").replace("-", "").replace(" ", "")
    return digits[:5] or None, digits[5:] or None


# -- addresses -------------------------------------------------------------------------------------


def write_who(address: Address) -> Json:
    """Person and firm. A single word without a company is the firm, as a first name needs a last one.

    Source: Labels API v3, address: firstName with lastName, or firm.
    """
    first, last = split_name(address.person_name)
    if not (last or address.company_name):
        return {"firm": first}
    return {"firstName": first, "lastName": last, "firm": address.company_name}


def write_place(address: Address) -> Json:
    """Street, town and ZIP, without the state."""
    zip5, plus4 = split_zip(address.postal_code)
    return {
        "streetAddress": address.street,
        "secondaryAddress": address.address_line2,
        "city": address.city,
        "ZIPCode": zip5,
        "ZIPPlus4": plus4,
    }


def write_address(address: Address) -> Json:
    """An address of a label inside the United States."""
    return {
        **write_place(address),
        **write_who(address),
        "state": address.state_code,
        "phone": address.phone_number,
        "email": address.email,
        "ignoreBadAddress": True,
    }


# -- answers ---------------------------------------------------------------------------------------


def is_multipart(reply: Reply) -> bool:
    return "multipart" in reply.header("content-type") or reply.content.lstrip().startswith(b"--")


def read_body(reply: Reply) -> Json:
    """The members of an answer, JSON or multipart; files are base64 text, however they came.

    Errors: ValueError when it is neither.
    """
    if is_multipart(reply):
        return {part.name: _read_part(part) for part in reply.parts}
    body = reply.json
    if not isinstance(body, dict):
        raise ValueError("an answer that is no JSON object")
    return body


def _read_part(part: MultipartPart) -> Any:
    content = part.content if isinstance(part.content, bytes) else part.content.encode()
    if part.content_type == "application/json":
        return plain_json.loads(content)
    text = content.decode("latin-1")
    return encode_file(content) if decode_file(text) is None else text


def read_errors(body: Json) -> list[Message]:
    """What an answer says of errors.

    Shapes: {"error": {"code", "message", "errors": [{"code", "detail", "source"}]}}, or from the login
            {"error": "invalid_client", "error_description", "error_uri"}. What a row leaves out stands in the
            error around it.
    """
    error = body.get("error")
    if isinstance(error, str):
        uri = body.get("error_uri")
        details = {"error_uri": uri} if uri else None
        return [Message(code=error, message=body.get("error_description"), details=details)]
    if not isinstance(error, dict):
        return []
    rows = error.get("errors") or [{}]
    return [_read_error(error, row) for row in rows]


def _read_error(error: Json, row: Json) -> Message:
    return Message(
        code=row.get("code") or error.get("code"),
        message=row.get("detail") or row.get("title") or error.get("message"),
        details={"source": row["source"]} if row.get("source") else None,
    )
