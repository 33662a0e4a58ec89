"""Whether USPS delivers to an address, and how it writes it. Pure. Source: Addresses API 3.2.3."""

from __future__ import annotations

from shipcli.carrier.address_answers import (
    AMBIGUOUS,
    NOT_FOUND,
    UNIT_MISSING,
    UNIT_UNKNOWN,
    join_zip,
    make_address_answer,
)
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.models import Address, AddressValidationDetails, Invalid

from .parts import HOME, write_place

FIRM = 50
NOT_DELIVERED = {"address_line1": "is at no place to which USPS delivers"}
# Confirmation of the delivery point: all of it, without or with another unit, nothing.
CONFIRMED = {"Y": {}, "D": UNIT_MISSING, "S": UNIT_UNKNOWN, "N": NOT_DELIVERED}
CORRECTIONS = {"22": AMBIGUOUS, "32": UNIT_MISSING}
RESIDENTIAL = {"Y": False, "N": True}  # of an address that is a business


def write_question(address: Address) -> Json:
    """Errors: Invalid for an address abroad, and for one without street or state."""
    if address.country_code != HOME:
        raise Invalid("address.country_code", "is not the United States, where alone USPS knows addresses")
    place = write_place(address)
    for field, value in (("address_line1", place["streetAddress"]), ("state_code", address.state_code)):
        if not (value or "").strip():
            raise Invalid(f"address.{field}", "is missing: USPS asks for it")
    question = {"firm": cut_text(address.company_name, FIRM), **place, "state": address.state_code}
    return dict(drop_empty(question))


def read_unknown() -> AddressValidationDetails:
    return make_address_answer(NOT_FOUND)


def read_answer(body: Json) -> AddressValidationDetails:
    """Shapes: without a confirmation the corrections say what is wrong, where there are any."""
    place, said = body["address"], body.get("additionalInfo") or {}
    codes = [str(row.get("code")) for row in as_list(body.get("corrections")) if isinstance(row, dict)]
    findings = dict(CONFIRMED.get(str(said.get("DPVConfirmation")), {}))
    for code in codes:
        findings.update(CORRECTIONS.get(code, {}))
    address = Address(
        address_line1=place.get("streetAddress"),
        address_line2=place.get("secondaryAddress") or None,
        city=place.get("city"),
        state_code=place.get("state"),
        postal_code=join_zip(place.get("ZIPCode"), place.get("ZIPPlus4")),
        country_code=HOME,
        residential=RESIDENTIAL.get(str(said.get("business"))),
    )
    return make_address_answer(findings, address)
