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
    found = next(iter(every(answer, "Address")), None)
    return AddressValidationDetails(
        success=found is not None and not every(answer, "Error"),
        complete_address=None if found is None else _read_address(found),
    )


def _read_address(found: Element) -> Address:
    return Address(
        city=find(found, "City"),
        state_code=find(found, "Province"),
        country_code=find(found, "Country"),
        postal_code=find(found, "PostalCode"),
    )
