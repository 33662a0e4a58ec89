"""Whether DHL Express delivers to an address: the route to it. Pure."""

from __future__ import annotations

from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.xml import Element, find
from shipcli.models import Address, AddressValidationDetails, Invalid
from shipcli.models.basics.reference import list_states

from . import parts

DESTINATION, SUCCESS = "D", "Success"


def write_route(address: Address) -> Json:
    """Errors: Invalid for an address without city or country, which a route needs."""
    country = address.country_code
    for field, value in (("country_code", country), ("city", address.city)):
        if not (value or "").strip():
            raise Invalid(f"address.{field}", "is missing: DHL asks for it")
    return {
        "RegionCode": parts.region_of(country),
        "RequestType": DESTINATION,
        **parts.write_lines(address, "Address"),
        "PostalCode": address.postal_code or None,
        "City": address.city,
        "Division": list_states().get(country or "", {}).get(address.state_code or ""),
        "CountryCode": country,
        "CountryName": address.country_name,
        "OriginCountryCode": country,
    }


def read_route(answer: Element) -> AddressValidationDetails:
    return AddressValidationDetails(success=find(answer, "Note/ActionNote") == SUCCESS)
