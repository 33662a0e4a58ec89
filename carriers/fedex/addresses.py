"""Whether an address resolves, how FedEx writes it, and whether it is a home. Pure.

Source: Address Validation API 1.0.0, POST /address/v1/addresses/resolve.
"""

from __future__ import annotations

from typing import Any

from shipcli.carrier.address_answers import (
    AMBIGUOUS,
    NOT_FOUND,
    UNIT_MISSING,
    UNIT_UNKNOWN,
    join_zip,
    make_address_answer,
)
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, get_path
from shipcli.models import Address, AddressValidationDetails, Invalid

from .parts import write_address

PLACE = ("streetLines", "city", "stateOrProvinceCode", "postalCode", "countryCode")
KINDS = {"BUSINESS": False, "RESIDENTIAL": True}
UNSUPPORTED = {"country_code": "is a country of which FedEx checks no addresses"}
POSTAL = "US"  # where FedEx knows the delivery points


def write_question(address: Address) -> Json:
    """Errors: Invalid for an address without a street."""
    place = write_address(address)
    for field, member in (("address_line1", "streetLines"), ("city", "city"), ("postal_code", "postalCode")):
        if not place[member]:
            raise Invalid(f"address.{field}", "is missing: FedEx asks for it")
    asked = {name: place[name] for name in PLACE}
    return {
        "validateAddressControlParameters": {"includeResolutionTokens": True},
        "addressesToValidate": [{"address": drop_empty(asked)}],
    }


def read_answer(body: Json) -> AddressValidationDetails:
    """Of several addresses none is certain. Errors: LookupError for an answer without any."""
    rows = as_list(body["output"]["resolvedAddresses"])
    addresses = [read_address(row) for row in rows]
    findings = find_faults(rows[0], several=len(rows) > 1)
    if findings == AMBIGUOUS:
        return make_address_answer(findings, candidates=addresses)
    return make_address_answer(findings, None if findings in (NOT_FOUND, UNSUPPORTED) else addresses[0])


def find_faults(row: Json, *, several: bool) -> dict[str, str]:
    """What is wrong with an address, by its attributes, which are true, false, or texts of these words."""
    attributes = row.get("attributes") or {}
    if read_flag(attributes.get("CountrySupported")) is False:
        return UNSUPPORTED
    if several or read_flag(attributes.get("MultipleMatches")):
        return AMBIGUOUS
    if read_flag(attributes.get("SuiteRequiredButMissing")):
        return UNIT_MISSING
    if read_flag(attributes.get("InvalidSuiteNumber")):
        return UNIT_UNKNOWN
    is_unknown = read_flag(attributes.get("Resolved")) is False
    lacks_box = row.get("countryCode") == POSTAL and read_flag(attributes.get("DPV")) is False
    return NOT_FOUND if is_unknown or lacks_box else {}


def read_flag(value: Any) -> bool | None:
    """None where nothing is said."""
    return None if value is None else str(value).lower() == "true"


def read_address(row: Json) -> Address:
    lines = [str(line) for line in as_list(row.get("streetLinesToken"))]
    parsed = row.get("parsedPostalCode") or {}
    code = join_zip(parsed.get("base"), parsed.get("addOn")) or get_path(row, "postalCodeToken/value")
    return Address(
        address_line1=lines[0] if lines else None,
        address_line2=", ".join(lines[1:]) or None,
        city=row.get("city"),
        state_code=row.get("stateOrProvinceCode"),
        postal_code=code,
        country_code=row.get("countryCode"),
        residential=KINDS.get(str(row.get("classification"))),
    )
