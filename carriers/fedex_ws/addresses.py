"""Whether an address exists, and how FedEx writes it. Pure."""

from __future__ import annotations

from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.xml import Element, every, find
from shipcli.models import Address, AddressValidationDetails

from .parts import write_contact, write_place


def write_validation(address: Address) -> Json:
    """Residential is said only of homes: FedEx finds it out itself."""
    location = {**write_place(address), "Residential": True if address.residential else None}
    return {"AddressesToValidate": {"Contact": write_contact(address), "Address": location}}


def read_validation(reply: Element) -> AddressValidationDetails:
    node = next(iter(every(reply, "EffectiveAddress")), None)
    return AddressValidationDetails(
        success=find(reply, "HighestSeverity") == "SUCCESS",
        complete_address=read_address(node) if node is not None else None,
    )


def read_address(node: Element) -> Address:
    lines = [text for line in node.iterfind("StreetLines") if (text := (line.text or "").strip())]
    residential = find(node, "Residential")
    return Address(
        address_line1=lines[0] if lines else None,
        address_line2=" ".join(lines[1:]) or None,
        city=find(node, "City"),
        state_code=find(node, "StateOrProvinceCode"),
        postal_code=find(node, "PostalCode"),
        country_code=find(node, "CountryCode"),
        residential=residential == "true" if residential else None,
    )
