"""Whether city, province and postal code belong together. Pure."""

from __future__ import annotations

from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.xml import Element, check_root, every, find
from shipcli.models import Address, AddressValidationDetails


def write_validation(address: Address) -> Json:
    short = {
        "City": address.city or "",
        "Province": address.state_code or "",
        "Country": address.country_code or "",
        "PostalCode": address.postal_code or "",
    }
    return {"Addresses": {"ShortAddress": [short]}}


def read_validation(answer: Element) -> AddressValidationDetails:
    """The address as Purolator writes it; no success where it says what is wrong with it.

    Errors: LookupError when this is no answer to the question.
    """
    check_root(answer, "ValidateCityPostalCodeZipResponse")
    node = next(iter(every(answer, "Address")), None)
    return AddressValidationDetails(
        success=node is not None and not every(answer, "Error"),
        complete_address=None if node is None else _read_address(node),
    )


def _read_address(node: Element) -> Address:
    return Address(
        city=find(node, "City"),
        state_code=find(node, "Province"),
        country_code=find(node, "Country"),
        postal_code=find(node, "PostalCode"),
    )
