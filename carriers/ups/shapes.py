"""Shapes that several UPS bodies share: paths, one-or-many members, measures, addresses."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, TypeAlias

from shipcli.models import Address, Parcel

Json: TypeAlias = dict[str, Any]

HUNDREDTH = Decimal("0.01")
YES = "Y"
LINE = 35
# The only countries whose customary units are stated; elsewhere the first parcel's units decide.
HOME_UNITS: Mapping[str, tuple[str, str]] = {"US": ("LB", "IN")}
POUNDS = frozenset({"LB", "OZ"})
UNIT_CODES: Mapping[str, str] = {"LB": "LBS", "KG": "KGS"}


def listed(value: Any) -> list[Any]:
    """A member that UPS writes as an object when it is one, and as a list when they are several."""
    if value is None or value == "":
        return []
    return value if isinstance(value, list) else [value]


def within(body: Any, path: str) -> Any:
    """The value under a path such as "Response/ResponseStatus/Code"; None where it ends early."""
    for name in path.split("/"):
        body = body.get(name) if isinstance(body, dict) else None
    return body


def put(body: Json, path: str, value: Any) -> None:
    """Set the value under a path, making the objects on the way."""
    *way, last = path.split("/")
    for name in way:
        body = body.setdefault(name, {})
    body[last] = value


def tidy(value: Any) -> Any:
    """The value without members that are None, empty texts or empty containers: UPS refuses nulls."""
    if isinstance(value, dict):
        pairs = ((name, tidy(item)) for name, item in value.items())
        return {name: item for name, item in pairs if item not in (None, "", [], {})}
    if isinstance(value, list):
        return [tidy(item) for item in value]
    return value


def measure(value: Decimal) -> str:
    """A weight or a side as UPS takes it: text, to the hundredth, never nothing where there is something."""
    rounded = value.quantize(HUNDREDTH, ROUND_HALF_UP)
    return format((rounded if rounded or not value else HUNDREDTH).normalize(), "f")


def units_of(shipper: Address, parcels: Sequence[Parcel]) -> tuple[str, str]:
    """The units of weight and size: UPS takes pounds with inches or kilograms with centimetres."""
    home = HOME_UNITS.get(shipper.country_code or "")
    first = next((parcel.weight_unit for parcel in parcels if parcel.weight_unit), None)
    return home or (("LB", "IN") if first in POUNDS else ("KG", "CM"))


def write_address(address: Address, *, residential: bool) -> Json:
    """Shapes: one line is a text, several are a list; lines of 35 characters where three of them hold all."""
    lines = [part for line in address.lines for part in textwrap.wrap(line, LINE)]
    lines = lines if len(lines) <= 3 else address.lines
    return {
        "AddressLine": lines[0] if len(lines) == 1 else lines,
        "City": address.city,
        "StateProvinceCode": address.state_code,
        "PostalCode": address.postal_code,
        "CountryCode": address.country_code,
        "ResidentialAddressIndicator": flag(residential and bool(address.residential)),
    }


def phone(number: str | None) -> str | None:
    """The number as given where its 15 characters allow, else its digits alone."""
    if not number or len(number) <= 15:
        return number
    return "".join(letter for letter in number if letter.isdigit())[:15]


def flag(on: bool) -> str | None:
    """An indicator: it is there or it is not."""
    return YES if on else None


def iso_day(text: Any) -> str | None:
    """YYYY-MM-DD; None for what is no date."""
    try:
        return f"{datetime.strptime(str(text), '%Y%m%d'):%Y-%m-%d}"
    except ValueError:
        return None
