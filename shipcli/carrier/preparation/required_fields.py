"""The fields of addresses that a carrier's documents can't be without: refused by name before it is asked.

A carrier states them by verb, in `addresses` of its catalogue, of everybody in a request or of one side:

    "required": {"rate": ["country_code"], "ship": ["name", "address_line1", "city", "shipper.postal_code"]}
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from shipcli.models import (
    Address,
    Invalid,
    Model,
    PickupRequest,
    RateRequest,
    ShipmentRequest,
)
from shipcli.models.basics.postal import needs_postal_code, needs_state

if TYPE_CHECKING:
    from shipcli.carrier.base import Carrier

M = TypeVar("M", bound=Model)
VERBS = ((RateRequest, "rate"), (ShipmentRequest, "ship"), (PickupRequest, "pickup"))
NO_POSTAL_CODE = "00000"  # of a place that has none
NAME = "name"  # of a person or a company
# Whether a country has what is required of its addresses.
CUSTOMARY: Mapping[str, Callable[[str], bool]] = {"postal_code": needs_postal_code, "state_code": needs_state}


def require_fields(request: M, carrier: Carrier[Any, Any]) -> M:
    """Return the request with a postal code in each address that has to have one.

    Errors: Invalid naming every required field that is missing.
    """
    missing, changes = [], {}
    for side, name in list_required(request, carrier):
        address: Address = getattr(request, side)
        if getattr(address, name):
            continue
        if CUSTOMARY.get(name, bool)(address.country_code or "US"):
            field = "person_name" if name == NAME else name
            missing.append((f"{side}.{field}", f"required by {carrier.name}"))
        elif name == "postal_code":
            changes[side] = address.model_copy(update={name: NO_POSTAL_CODE})
    if missing:
        raise Invalid.many(missing)
    return request.model_copy(update=changes) if changes else request


def list_required(request: Model, carrier: Carrier[Any, Any]) -> Iterator[tuple[str, str]]:
    """Yield each side of a request with a field that it has to have."""
    verb = next((verb for kind, verb in VERBS if isinstance(request, kind)), "")
    everybody = ("address",) if verb == "pickup" else ("shipper", "recipient")
    for place in carrier.addresses.required.get(verb, ()):
        side, _, name = place.rpartition(".")
        for each in (side,) if side else everybody:
            yield each, name
