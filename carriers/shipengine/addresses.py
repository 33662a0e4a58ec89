"""Whether an address exists. Pure.

Source: ShipEngine API 1.1.202511061111 (published description): validate_address.
"""

from __future__ import annotations

from typing import Any

from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.models import Address, AddressValidationDetails

FOUND = ("verified", "warning")


def read_validation(body: Any) -> AddressValidationDetails:
    """Shapes: a list, of as many results as there were addresses."""
    result = as_list(body)[0]
    found = result["status"] in FOUND
    matched = result.get("matched_address")
    texts = [row.get("message") for row in as_list(result.get("messages")) if row.get("message")]
    return AddressValidationDetails(
        success=found,
        complete_address=read_address(matched) if matched else None,
        meta=drop_empty({"status": result["status"], "messages": texts}),
    )


def read_address(row: Json) -> Address:
    others = ", ".join(filter(None, (row.get("address_line2"), row.get("address_line3"))))
    return Address(
        person_name=row.get("name"),
        company_name=row.get("company_name"),
        phone_number=row.get("phone"),
        email=row.get("email"),
        address_line1=row.get("address_line1"),
        address_line2=others or None,
        city=row.get("city_locality"),
        state_code=row.get("state_province"),
        postal_code=row.get("postal_code"),
        country_code=row.get("country_code"),
        residential=row.get("address_residential_indicator") == "yes",
    )
