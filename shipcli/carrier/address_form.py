"""How a carrier wants addresses: its form of phone numbers, states, postal codes and special areas.

A carrier states it as data, `addresses` in its catalogue; `prepare` puts every address of a request into it.

    "addresses": {
      "phone": {"form": "national", "least": 10, "most": 15, "extension": 6},
      "territories": "country", "state_of": ["PR"],
      "state": {"most": 5, "priced": 2},
      "postal_code": {"most": 9, "zip": "digits"},
      "area_codes": {"canary_islands": "IC"},
      "required": {"rate": ["country_code"], "ship": ["name", "address_line1", "city", "country_code"]},
      "widths": {"person_name": 35, "company_name": 35, "lines": [35, 3]}
    }
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from shipcli.models import Address, Invalid, RateRequest, ShipmentRequest
from shipcli.models.basics.areas import Place
from shipcli.models.basics.phones import Phone, is_no_phone, parse_phone, split_extension
from shipcli.models.basics.plain_text import drop_pictures

US, _ZIP = "US", 5
ZIP_COUNTRIES = frozenset({"US", "PR", "VI", "GU", "AS", "MP", "UM", "FM", "MH", "PW"})
# What of an address is text on a label: no label shows pictures, such as emoji, and no carrier is sent them.
SHOWN = ("person_name", "company_name", "address_line1", "address_line2", "city")
NAMES = ("person_name", "company_name")
SIDES = ("shipper", "recipient", "return_address", "billing_address", "address")


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneForm:
    """The form of phone numbers.

    Shapes: `text` is as it is stored; `e164` is +15035550162; `digits` are all digits; `national` are the ten
            digits of a North American number, all digits of another. `least` and `most` bound it. `extension`
            is how many digits of it the carrier has a member for: it follows as ` x88` (`split_extension`
            takes it off again); 0 leaves it out, -1 has it in the number.
            `abroad` demands the recipient's number of parcels that leave a country.
    """

    form: Literal["text", "e164", "digits", "national"] = "text"
    least: int = 0
    most: int = 99
    extension: int = -1
    abroad: bool = False

    def write(self, text: str | None, country: str | None) -> str | None:
        """Return a number in this form; None for what is no number, or does not fit."""
        if not text or is_no_phone(text):
            return None
        if self.form == "text" and len(text) <= self.most:
            return text
        phone = parse_phone(text, country or "") or _read_digits(text)
        number = self._write_number(phone)
        if not self.least <= len(number) <= self.most:
            return None
        has_room = 0 < len(phone.extension) <= self.extension
        return f"{number} x{phone.extension}" if has_room else number

    def _write_number(self, phone: Phone) -> str:
        if self.form == "national" and phone.is_north_american:
            return phone.national
        if self.form in ("e164", "text"):
            return f"+{phone.digits}" if phone.calling_code else phone.digits
        return phone.digits.zfill(self.least)


def _read_digits(text: str) -> Phone:
    """Return what can be dialled of a number that no plan knows."""
    return Phone("", re.sub(r"\D", "", text))


@dataclass(frozen=True, slots=True, kw_only=True)
class StateForm:
    """How long a state may be, in a request for prices where that differs; longer ones are left out."""

    most: int = 99
    priced: int = 99


@dataclass(frozen=True, slots=True, kw_only=True)
class PostalForm:
    """How long a postal code may be, and whether its blanks and hyphens are left out.

    Shapes: `zip` "digits" writes the nine of a ZIP+4 without its hyphen.
    """

    most: int = 99
    zip: Literal["told", "digits"] = "told"

    def write(self, text: str, country: str | None) -> str:
        if self.zip == "digits" and country in ZIP_COUNTRIES:
            return text.replace("-", "").replace(" ", "")
        compact = text if len(text) <= self.most else re.sub(r"[\s-]", "", text)
        return compact[:_ZIP] if len(compact) > self.most and country in ZIP_COUNTRIES else compact


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressForm:
    """All of it.

    Shapes: `territories` says whether those of the United States are a state or a country of their own; those
            in `state_of` have their code as the state as well. `area_codes` are the carrier's own codes of
            countries for areas, by their names in `AREAS`; `country_codes` those for codes of our list.
            `required` are the fields that addresses must have, by verb (`required_fields`), `widths` the most
            characters of names and lines (`text_widths`), `left_out` what the carrier has no place for.
    """

    phone: PhoneForm = field(default_factory=PhoneForm)
    state: StateForm = field(default_factory=StateForm)
    postal_code: PostalForm = field(default_factory=PostalForm)
    territories: Literal["told", "state", "country"] = "told"
    state_of: Sequence[str] = ()
    area_codes: Mapping[str, str] = field(default_factory=dict)
    country_codes: Mapping[str, str] = field(default_factory=dict)
    required: Mapping[str, Sequence[str]] = field(default_factory=dict)
    widths: Mapping[str, Any] = field(default_factory=dict)
    left_out: Sequence[str] = ()

    @classmethod
    def read(cls, plain: Mapping[str, Any]) -> AddressForm:
        """Return the form of a catalogue.

        Errors: TypeError for an unknown member.
        """
        parts = {"phone": PhoneForm, "state": StateForm, "postal_code": PostalForm}
        return cls(
            **{name: parts[name](**value) if name in parts else value for name, value in plain.items()}
        )

    def write(self, address: Address, *, priced: bool = False) -> Address:
        """Return an address in this form; what has no place in it is left out."""
        country, state = self._write_place(address)
        longest = min(self.state.most, self.state.priced) if priced else self.state.most
        code = (address.postal_code or "").strip()
        postal_code = code and self.postal_code.write(code, country)
        changes = {
            **_write_texts(address),
            "country_code": country,
            "state_code": state if 0 < len(state) <= longest else None,
            "postal_code": postal_code,
            "phone_number": self.phone.write(address.phone_number, address.country_code),
        }
        changed = {
            name: value
            for name, value in changes.items()
            if (value or None) != (getattr(address, name) or None)
        }
        return address.model_copy(update=changed) if changed else address

    def _write_place(self, address: Address) -> tuple[str, str]:
        """Return country and state."""
        place = Place.of(address)
        territory, state = place.territory, address.state_code or ""
        if (area := place.area) and area.name in self.area_codes:
            return self.area_codes[area.name], state
        if territory and self.territories == "state":
            return US, territory
        if territory and self.territories == "country":
            return territory, territory if territory in self.state_of else ""
        country = address.country_code or ""
        return self.country_codes.get(country, country), state


def _write_texts(address: Address) -> dict[str, str | None]:
    """Return the texts of an address without pictures, blank ones left out; its second line stands as the
    first where there is no other.
    """
    texts = {name: drop_pictures(text) for name in SHOWN if (text := getattr(address, name))}
    written = {name: text if text.strip() else None for name, text in texts.items()}
    if not written.get("address_line1") and not address.street_number and written.get("address_line2"):
        written |= {"address_line1": written["address_line2"], "address_line2": None}
    return written


def restore_place(stated: Address, answered: Address, form: AddressForm) -> Address:
    """Return an address that a carrier answers with, its country and state as the caller says them: a
    territory of the United States, and what went out in the carrier's codes, come back as they were put in.
    """
    sent = form.write(stated)
    territory = Place.of(stated).territory
    if territory and Place.of(answered).territory == territory:
        return answered.model_copy(
            update={"country_code": stated.country_code, "state_code": stated.state_code}
        )
    if answered.country_code != sent.country_code or sent.country_code == stated.country_code:
        return answered
    state = stated.state_code if answered.state_code == sent.state_code else answered.state_code
    return answered.model_copy(update={"country_code": stated.country_code, "state_code": state})


def check_zip(side: str, address: Address) -> None:
    """Errors: Invalid for a ZIP code that lost the zeros it begins with."""
    code = address.postal_code or ""
    if address.country_code in ZIP_COUNTRIES and code.isdigit() and len(code) < _ZIP:
        raise Invalid(f"{side}.postal_code", f"must have five digits: {code.zfill(_ZIP)}?")


def write_addresses(request: Any, form: AddressForm) -> dict[str, Address]:
    """Return the addresses of a request in the form of a carrier, by their names.

    Errors: Invalid for a ZIP code that lost the zeros it begins with, and for a recipient abroad without a
            phone number where the carrier must have one and nobody's is known.
    """
    addresses = {name: getattr(request, name, None) for name in SIDES}
    written = {
        name: form.write(address, priced=isinstance(request, RateRequest))
        for name, address in addresses.items()
        if isinstance(address, Address)
    }
    for name, address in written.items():
        check_zip(name, address)
    if form.phone.abroad and isinstance(request, ShipmentRequest):
        written["recipient"] = _add_phone(written["shipper"], written["recipient"])
    return written


def _add_phone(shipper: Address, recipient: Address) -> Address:
    """Return the recipient with a number to call when it lives abroad: its own, else the shipper's."""
    if recipient.phone_number or shipper.country_code == recipient.country_code:
        return recipient
    if not shipper.phone_number:
        raise Invalid("recipient.phone_number", "is required for parcels that go abroad")
    return recipient.model_copy(update={"phone_number": shipper.phone_number})


def list_left_out(side: str, address: Address, form: AddressForm) -> list[str]:
    """Return what of an address is not sent to a carrier: a phone number, state or name that has no
    place there.
    """
    written = form.write(address)
    lost = [name for name in ("phone_number", "state_code") if _is_lost(address, written, name)]
    extension = split_extension(address.phone_number or "")[1]
    if written.phone_number and extension and extension not in written.phone_number:
        lost.append("extension of the phone_number")
    lost += [name for name in NAMES if f"{side}.{name}" in form.left_out and getattr(address, name)]
    lost += [f"pictures of the {name}" for name in SHOWN if _is_changed(address, written, name)]
    return [f"{side}.{name}" for name in lost]


def _is_changed(address: Address, written: Address, name: str) -> bool:
    """Whether letters of a text are left out."""
    return drop_pictures(text := getattr(address, name) or "") != text


def _is_lost(address: Address, written: Address, name: str) -> bool:
    is_moved = name == "state_code" and written.country_code != address.country_code
    return bool(getattr(address, name) and not getattr(written, name) and not is_moved)
