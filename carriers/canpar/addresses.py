"""Whether an address is one of Canada Post's. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shipcli.carrier.wire.address_parts import split_street
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.xml import every, find
from shipcli.models import Address, AddressValidationDetails

if TYPE_CHECKING:
    from lxml.etree import _Element


def write_validation(address: Address) -> Json:
    street = split_street(address)
    return {
        "city": address.city or "",
        "postal_code": address.postal_code or "",
        "province": address.state_code or "",
        "street_direction": "",
        "street_name": street.name or "",
        "street_num": street.number or "",
        "street_type": "",
        "validate_only": True,
    }


def read_validation(answer: _Element) -> AddressValidationDetails:
    """The address as Canada Post writes it; it refuses one that does not exist."""
    node = next(iter(every(answer, "address")), None)
    complete = None if node is None else _read_address(node)
    return AddressValidationDetails(success=complete is not None, complete_address=complete)


def _read_address(node: _Element) -> Address:
    return Address(
        address_line1=find(node, "address_line_1"),
        address_line2=" ".join(line for at in (2, 3) if (line := find(node, f"address_line_{at}"))) or None,
        city=find(node, "city"),
        company_name=find(node, "name"),
        country_code=find(node, "country"),
        email=find(node, "email"),
        postal_code=find(node, "postal_code"),
        residential=find(node, "residential") == "true",
        state_code=find(node, "province"),
    )
