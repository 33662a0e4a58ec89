"""What the bodies of META share: customers, addresses, contacts, refusals. Pure.

Units: whole grams as text, whole centimetres, both rounded up.
Source: META API 0.0.1: Address, Contact, CustomerInfos, Error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any, NamedTuple

from shipcli.carrier import Reply, load_catalogue
from shipcli.carrier.wire.address_parts import cut_text, fit_email, fit_phone, split_street, wrap_lines
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.rounding import round_up
from shipcli.models import Address, Invalid, Message, Parcel

CATALOGUE = load_catalogue(__file__)
LINE, HOUSE, STATE, PHONE, EMAIL = 35, 8, 2, 30, 100  # characters
LONGEST_MESSAGE = 200
LATIN = re.compile(r"[a-zA-Z0-9]")


class Customer(NamedTuple):
    """The numbers by which DPD knows who ships."""

    account_number: str | None
    sub_account_number: str | None
    customer_id: str | None

    def write(self) -> Json:
        return {
            "customerAccountNumber": self.account_number,
            "customerSubAccountNumber": self.sub_account_number,
            "customerID": self.customer_id,
        }


def write_address(address: Address) -> Json:
    """A house number that is too long stays with the street; a second line goes on below."""
    street, house, more = split_lines(address)
    lines = wrap_lines([line for line in (street, more) if line], LINE, 3) or [""]
    state = address.state_code or ""
    return {
        "companyName": cut_text(address.company_name, LINE),
        "name1": cut_text(address.person_name, LINE),
        "street": lines[0],
        "houseNumber": house,
        **{f"addressLine{at}": line for at, line in enumerate(lines[1:], 2)},
        "zipCode": address.postal_code,
        "city": address.city,
        "state": state if len(state) <= STATE else None,
        "country": address.country_code,
    }


def split_lines(address: Address) -> tuple[str | None, str | None, str | None]:
    """The street, the house number, and what else there is."""
    street = split_street(address)
    if street.number and len(street.number) <= HOUSE:
        return street.name, street.number, address.address_line2
    whole = " ".join(filter(None, (address.address_line1, address.street_number)))
    return whole, None, address.address_line2


def check_names(address: Address, where: str) -> None:
    """Errors: Invalid for a name that is in another alphabet alone."""
    for name in ("person_name", "company_name"):
        text = getattr(address, name)
        if text and not LATIN.search(text):
            raise Invalid(f"{where}.{name}", "DPD takes names in Latin letters")


def write_contact(address: Address, *, named: bool = False) -> Json:
    """How somebody is reached, with the name of whom to ask for where DPD wants one."""
    return {
        "contactPerson": cut_text(address.person_name or address.company_name, LINE) if named else None,
        "phone1": fit_phone(address.phone_number, PHONE),
        "email": fit_email(address.email, EMAIL),
    }


def write_grams(weights: Iterable[Decimal]) -> str:
    return str(round_up(sum(weights, Decimal(0))))


def write_sides(parcel: Parcel) -> Json | None:
    """All three sides or none."""
    sides = parcel.sides_in("CM")
    names = ("length", "width", "height")
    return {name: round_up(side) for name, side in zip(names, sides, strict=True)} if sides else None


# -- refusals --------------------------------------------------------------------------------------


def read_faults(reply: Reply) -> list[Message]:
    """What DPD refuses, in the forms of META and of the server in front of it."""
    if not reply.content.strip():
        return []
    rows = [row for row in as_list(reply.json) if isinstance(row, dict)]
    return [fault for row in rows for fault in read_row(row)]


def read_row(row: Json) -> list[Message]:
    if row.get("errorCode") or row.get("errorMessage"):
        return [read_error(row)]
    if row.get("detail") or row.get("http_status"):
        text = row.get("detail") or f"HTTP {row.get('http_status')}: {row.get('http_message')}"
        return [Message(code=str(row.get("http_status") or "HTTP_ERROR"), message=text)]
    if row.get("errors") or row.get("message"):
        code = str(row.get("code") or "VALIDATION_ERROR")
        texts = [row["message"]] if row.get("message") else list_texts(row["errors"])
        return [Message(code=code, message=text) for text in texts or [None]]
    return [read_pickup_fault(one) for one in as_list(row.get("scheduledPickupResponse")) if is_no(one)]


def list_texts(errors: Any) -> list[str]:
    """The texts of errors: a text, a list of texts or of rows, or texts by the names of fields."""
    if isinstance(errors, dict) and not errors.get("message"):
        return [f"{name}: {text}" for name, rows in errors.items() for text in list_texts(rows)]
    texts = (row.get("message") if isinstance(row, dict) else row for row in as_list(errors))
    return [str(text) for text in texts if text]


def read_error(row: Json) -> Message:
    code, details = row.get("errorCode") or "ERROR", {"errorOrigin": row.get("errorOrigin")}
    text = f"Error Code {code}: {row.get('errorMessage') or ''}".strip()[:LONGEST_MESSAGE]
    return Message(code=str(code), message=text, details=dict(drop_empty(details)) or None)


def is_no(row: Json) -> bool:
    """Whether a collection was not booked."""
    return not row.get("pickupreference")


def read_pickup_fault(row: Json) -> Message:
    return Message(code=row.get("statusCode") or "PICKUP_ERROR", message=row.get("statusDescription"))
