"""What bodies of the Postal Service share: addresses, parcels, options, answers of several parts. Pure.

Units: pounds and inches with two decimals; amounts in USD; ZIP codes apart from their +4.
Source: Prices, Labels, Tracking, Carrier Pickup and SCAN Forms APIs, version 3.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, TypeAlias

from shipcli.carrier import (
    Catalogue,
    CatalogueRow,
    MultipartPart,
    Reply,
    RequestOptions,
    Service,
    list_parcel_goods,
    load_catalogue,
    sum_goods,
)
from shipcli.carrier.wire.address_parts import cut_text, split_name
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.label_files import decode_file, encode_file
from shipcli.carrier.wire.rounding import HUNDREDTH, round_measure
from shipcli.models import (
    Address,
    Invalid,
    Message,
    Parcel,
    RateRequest,
    ShipmentRequest,
)
from shipcli.models import json as plain_json

CATALOGUE = load_catalogue(__file__)
Request: TypeAlias = RateRequest | ShipmentRequest

CURRENCY, HOME = "USD", "US"
BELOW_500, ABOVE_500, MOST_BELOW = "930", "931", 500
SINGLE_PIECE, SINGLE_PIECE_EXPRESS, EXPRESS = "SP", "PA", "PRIORITY_MAIL_EXPRESS"
FLAT_RATES = CATALOGUE.table("flat_rates")  # indicators of packagings at one price, with their categories
MACHINABLE, NONSTANDARD, FLATS = "MACHINABLE", "NONSTANDARD", "FLATS"
FLATS_ONLY = "USPS_CONNECT_MAIL"
# In the meta of a rate, and of each of its parcels where there are several: what is to be ordered for it.
INDICATOR, CATEGORY, OF_PARCELS = "usps_rate_indicator", "usps_processing_category", "usps_parcels"
LONGEST_EMAIL, LONGEST_CITY = 50, 28


@dataclass(frozen=True, slots=True)
class Piece:
    """One parcel of a request with what a writer needs besides.

    Shapes: `options` are the parcel's own over those of the shipment; `packaging` is the one that an option
            or the parcel names, `takers` are the mail classes that take it; `priced` is what the chosen rate
            was for, empty while there is none.
    """

    request: Request
    parcel: Parcel
    options: RequestOptions
    packaging: CatalogueRow | None
    takers: frozenset[str]
    mailing_date: str
    priced: Mapping[str, Any] = field(default_factory=dict)

    def indicator_of(self, mail_class: str) -> str:
        """The rate indicator: that of the chosen rate, else the option's, the packaging's, the usual one.

        A single piece has another indicator in another mail class. A packaging by its unified name is the
        sender's own where the mail class does not take that of USPS.
        """
        usual = SINGLE_PIECE_EXPRESS if mail_class.startswith(EXPRESS) else SINGLE_PIECE
        chosen = self.options.text("usps_rate_indicator")
        return str(self.priced.get(INDICATOR) or chosen or self._packaging_in(mail_class) or usual)

    def _packaging_in(self, mail_class: str) -> str | None:
        code = self.packaging.code if self.packaging else SINGLE_PIECE
        return code if code != SINGLE_PIECE and mail_class in self.takers else None

    def is_taken_by(self, mail_class: str) -> bool:
        """Whether a mail class takes the packaging; a unified name means any."""
        return not self.packaging or self.names_unified or mail_class in self.takers

    @property
    def names_unified(self) -> bool:
        """Whether the packaging has a name that all carriers know, such as "small_box"."""
        if self.packaging is None or self.options.text("usps_rate_indicator"):
            return False
        return self.parcel.packaging_type != self.packaging.slug

    def needs_flat_rate(self, mail_class: str) -> bool:
        """Whether the parcel is in a packaging of USPS that has one price, which no other price is for."""
        code = None if self.names_unified else self._packaging_in(mail_class)
        return code in FLAT_RATES and not self.options.text("usps_rate_indicator")

    def category_of(self, mail_class: str) -> str:
        """The processing category: that of the chosen rate, else the option's, else the usual one."""
        priced = CATALOGUE.table("ordered_categories").get(self.priced.get(CATEGORY, ""))
        if priced or (chosen := self.options.text("usps_processing_category")):
            return str(priced or chosen)
        if self.is_nonstandard:
            return NONSTANDARD
        if flat := FLAT_RATES.get(self.indicator_of(mail_class)):
            return str(flat)
        return FLATS if mail_class == FLATS_ONLY else MACHINABLE

    @property
    def is_nonstandard(self) -> bool:
        """Whether an option says that no machine takes the parcel."""
        named = self.options.text("usps_processing_category")
        return named == NONSTANDARD or (not named and self.options.value("usps_machinable") is False)

    @property
    def extra_services(self) -> list[int]:
        """Codes of the paid extras; insurance by its amount, whichever of its names was used."""
        chosen = [choice for choice in self.options.list_chosen() if choice.code.isdigit()]
        return list(dict.fromkeys(_service_code(choice.code, choice.value) for choice in chosen))

    @property
    def value(self) -> Decimal:
        """What the contents are worth: its goods, else what it is secured for."""
        worth = sum_goods(list_parcel_goods(self.request, self.parcel))
        secured = (choice.value for choice in self.options.list_chosen() if choice.row.type is Decimal)
        return worth or self.options.amount("declared_value") or max(secured, default=Decimal(0))


def check_options(piece: Piece, forms: Mapping[str, str]) -> None:
    """Errors: Invalid naming an option whose value USPS does not know."""
    for name, form in forms.items():
        text = piece.options.text(name)
        if text and not re.fullmatch(form, text):
            raise Invalid(f"options.{name}", f"{text!r} is not of the form {form}")


def check_packagings(pieces: Iterable[Piece], service: str, mail_class: str) -> None:
    """Errors: Invalid naming an option that asks for a packaging of another mail class than the service's."""
    for piece in pieces:
        if piece.packaging and not piece.is_taken_by(mail_class):
            raise Invalid("options.usps_rate_indicator", f"{service} takes no {piece.packaging.slug}")


def find_priced(request: Request, at: int) -> Mapping[str, Any]:
    """What the chosen rate was for, of one parcel; nothing where no rate was chosen."""
    meta = request.rate_meta if isinstance(request, ShipmentRequest) else {}
    rows = meta.get(OF_PARCELS)
    return rows[at] if rows and at < len(rows) else meta


def _service_code(code: str, value: Any) -> int:
    insured_above = code == BELOW_500 and value > MOST_BELOW
    return int(ABOVE_500 if insured_above else code)


def list_asked(request: RateRequest, catalogue: Catalogue) -> list[Service]:
    """The services that are asked for, without those that USPS sells no more.

    Errors: Invalid when nothing else is asked for.
    """
    rows = catalogue.services.list_chosen(request.services)
    retired = catalogue.table("retired_services")
    current = [row for row in rows if row.slug not in retired]
    if rows and not current:
        raise Invalid("services", retired[rows[0].slug])
    return current


# -- numbers and words -----------------------------------------------------------------------------


def write_size(value: Decimal | None) -> Decimal | None:
    return None if value is None else round_measure(value)


def write_pounds(value: Decimal) -> Decimal:
    """A weight as sent: never 0, nor below the true one."""
    return max(round_measure(value), HUNDREDTH)


def write_measures(parcel: Parcel) -> Json:
    """Weight and sides."""
    return {
        "weight": write_pounds(parcel.weight_in("LB")),
        "length": write_size(parcel.length_in("IN")),
        "width": write_size(parcel.width_in("IN")),
        "height": write_size(parcel.height_in("IN")),
    }


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
        "city": cut_text(address.city, LONGEST_CITY),
        "ZIPCode": zip5,
        "ZIPPlus4": plus4,
    }


def write_email(address: Address) -> str | None:
    """The e-mail address; none where it is longer than the carrier takes."""
    email = address.email
    return email if email and len(email) <= LONGEST_EMAIL else None


def write_address(address: Address, options: RequestOptions) -> Json:
    """An address of a label inside the United States; USPS checks it unless an option says otherwise."""
    return {
        **write_place(address),
        **write_who(address),
        "state": address.state_code,
        "phone": address.phone_number,
        "email": write_email(address),
        "ignoreBadAddress": options.flag("usps_ignore_bad_address") or None,
    }


# -- answers ---------------------------------------------------------------------------------------


def is_multipart(reply: Reply) -> bool:
    return "multipart" in reply.header("content-type") or reply.content.lstrip().startswith(b"--")


def read_body(reply: Reply) -> Json:
    """The members of an answer, JSON or multipart; files are base64 text, however they came.

    Shapes: a collection that is looked up comes in a list.
    Errors: ValueError when it is neither.
    """
    if is_multipart(reply):
        return {part.name: _read_part(part) for part in reply.parts}
    body = reply.json
    if isinstance(body, list) and len(body) == 1:
        (body,) = body
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
