"""Addresses: as stored, and as callers send them."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import (
    Field,
    ModelWrapValidatorHandler,
    PrivateAttr,
    ValidationInfo,
    field_validator,
    model_validator,
)

from shipcli.models.base import PLAIN_LINE, PLAIN_TEXT, Model, OneOf, Stored
from shipcli.models.basics import phones, places, postal
from shipcli.models.basics.plain_text import break_lines, fit_lines, join_lines
from shipcli.models.basics.problems import describe_unknown
from shipcli.models.basics.reference import list_countries
from shipcli.models.parts.stored import OrStoredReference, StoredReference

LINES = ("address_line1", "address_line2")
LONGEST_LINE = 50
BREAKS = re.compile(r"[\r\n\t]")
CountryCode = Annotated[str, OneOf(list_countries)]
# Where an address is; who lives there is told by other fields.
PLACE = ("address_line1", "address_line2", "city", "state_code", "postal_code", "country_code")
PLACEHOLDERS_IN = ("phone_number", "state_code")  # the fields in which people write that there is none


def read_country_code(text: str) -> str:
    """The code of a country given by a code or a name, in any case.

    Errors: ValueError naming the nearest one.
    """
    code = places.find_country_code(text)
    if code is None:
        raise ValueError(describe_unknown(text, list_countries()))
    return code


def convert_address(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of an address with its state as a code, and no number or state where it says `n/a`.

    A number that is too long as it is written loses its signs, never its extension.
    """
    settled, country = dict(fields), fields.get("country_code")
    country = country if isinstance(country, str) else ""
    state, phone = fields.get("state_code"), fields.get("phone_number")
    if isinstance(state, str) and state.strip():
        settled["state_code"] = places.read_state(state, country)
    if isinstance(phone, str) and phone.strip():
        settled["phone_number"] = _convert_phone(phone, country)
    return settled


def break_address_lines(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of an address whose first line may have line breaks: what follows one goes into the second.

    A city is on one line. What has no room stays in the second line, which is refused then as too long.
    """
    settled = dict(fields)
    lines = [line for name in LINES if isinstance(line := fields.get(name), str)]
    if any(BREAKS.search(line) for line in lines):
        pieces = [piece for line in lines for piece in break_lines(line).split("\n") if piece]
        fitting, left = fit_lines(pieces, LONGEST_LINE, len(LINES))
        first, *second = fitting or [""]
        settled["address_line1"] = first
        settled["address_line2"] = " ".join(filter(None, [*second, left])) or None
    if isinstance(city := fields.get("city"), str) and BREAKS.search(city):
        settled["city"] = join_lines(city)
    return settled


def _convert_phone(text: str, country: str) -> str | None:
    if phones.is_no_phone(text):
        return None
    if len(text) <= phones.LONGEST_TEXT:
        return text
    try:
        return phones.format_phone_number(text, country)
    except ValueError:
        return text


Text10 = Annotated[str, Field(max_length=10), PLAIN_TEXT]
Text20 = Annotated[str, Field(max_length=20), PLAIN_TEXT]
Text30 = Annotated[str, Field(max_length=30), PLAIN_TEXT]
Text50 = Annotated[str, Field(max_length=LONGEST_LINE), PLAIN_TEXT]
Name50 = Annotated[str, Field(max_length=50), PLAIN_LINE]


class PostalAddress(Model):
    """Where someone is, as a form without identity: nothing is checked."""

    person_name: str | None = None
    company_name: str | None = None
    street_number: str | None = None
    address_line1: str | None = None
    address_line2: str | None = None
    city: str | None = None
    state_code: str | None = None
    country_code: str | None = None  # before the fields whose rules depend on it
    postal_code: str | None = None
    phone_number: str | None = None
    email: str | None = None
    residential: bool | None = False
    federal_tax_id: str | None = None
    state_tax_id: str | None = None
    validate_location: bool | None = False

    @property
    def name(self) -> str | None:
        """The person, else the company."""
        return self.person_name or self.company_name or None

    @property
    def street(self) -> str:
        """The first line, led by the street number; an empty text when there is neither."""
        return " ".join(part for part in (self.street_number, self.address_line1) if part)

    @property
    def lines(self) -> list[str]:
        """The address lines that are not empty; the street number leads the first."""
        return [line for line in (self.street, self.address_line2) if line]

    @property
    def country_name(self) -> str | None:
        """The country's name, or its code when the code is not in the list."""
        return list_countries().get(self.country_code, self.country_code) if self.country_code else None


class AddressValidation(Model):
    """What a validation service answered."""

    success: bool
    meta: dict[str, Any] | None = None


class Address(PostalAddress, Stored):
    """An address of the store, or inside another object."""

    object_type: str = "address"
    validation: AddressValidation | None = None


class AddressPatch(PostalAddress):
    """Changes to an address: lengths and codes are checked here.

    The rules of a country hold for the merged address: the stored fields and those of the patch, read as
    AddressData.
    """

    person_name: Name50 | None = None
    company_name: Name50 | None = None
    street_number: Text20 | None = None
    address_line1: Text50 | None = None
    address_line2: Text50 | None = None
    city: Text30 | None = None
    state_code: Text20 | None = None
    country_code: CountryCode = ""
    postal_code: Text10 | None = None
    phone_number: Text20 | None = None
    federal_tax_id: Text20 | None = None
    state_tax_id: Text20 | None = None

    _left_out: Mapping[str, str] = PrivateAttr(default_factory=dict)

    @property
    def left_out(self) -> Mapping[str, str]:
        """What was sent and stands for nothing (`n/a`, `0000000000`), by field."""
        return self._left_out

    @model_validator(mode="wrap")
    @classmethod
    def _convert(cls, data: Any, read: ModelWrapValidatorHandler[Self]) -> Self:
        if not isinstance(data, Mapping):
            return read(data)
        converted = convert_address(data)
        address = read(converted)
        left_out = {name: data[name] for name in PLACEHOLDERS_IN if data.get(name) and not converted[name]}
        if left_out:
            address._left_out = left_out
        return address


class AddressData(AddressPatch):
    """An address as a caller sends it: codes are normalised, wrong ones refused."""

    country_code: CountryCode

    @model_validator(mode="before")
    @classmethod
    def _break_lines(cls, data: Any) -> Any:
        return break_address_lines(data) if isinstance(data, Mapping) else data

    @field_validator("postal_code", "phone_number")
    @classmethod
    def _normalise_for_country(cls, value: str | None, info: ValidationInfo) -> str | None:
        country = info.data.get("country_code")
        if not value or not country:
            return value
        rule = postal.format_postal_code if info.field_name == "postal_code" else phones.format_phone_number
        return rule(value, country)


AddressInput = Annotated[AddressData | StoredReference, OrStoredReference("address", AddressData)]


def copy_fields(address: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of an address, without what only a stored one has."""
    return {name: value for name, value in address.items() if name not in ("id", "object_type", "validation")}
